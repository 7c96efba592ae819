"""Debts are paid before play goes on, whether or not somebody tells it.

If the draw pile has too few cards for a payment, the discards become the draw pile.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.card_events import (
    CardGiven,
    CardPlayed,
    CardsDrawn,
    PileReshuffled,
    TurnPassed,
)
from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.events.refusal import Refusal, Violation
from scorekeeper.match.knowledge import copies, holds, located, not_in_box
from scorekeeper.match.known_cards import Pile, Stretch, height, known_in, known_pile, unknown_in
from scorekeeper.match.state import State, table_of
from scorekeeper.match.table import Closing, Debt, Table, owed
from scorekeeper.match.turns.effects import agreed_cards, drawn_by_effects
from scorekeeper.match.turns.event_rule import PLAYING_OR_OUT, EventRule, without_fields
from scorekeeper.match.turns.legality import answers_penalty, jumps_in
from scorekeeper.rules.cards import Box, Card

PAYMENTS: Final = (CardsDrawn, PileReshuffled)
"""The events by which a table tells a draw.

They are not inferred just before the table tells them, since they would then be recorded twice.
"""


def refused_reshuffle(state: State, event: PileReshuffled) -> Refusal | None:
    """Refuse a told pile with cards that the box does not have."""
    return not_in_box(state.box, event.draw_pile or ())


def breaches_of_reshuffle(state: State, event: PileReshuffled) -> tuple[Violation, ...]:
    """Return the violation of a reshuffle that is too early, or whose told pile differs.

    A reshuffle is due when a card is needed. The pile is made of what is left of the old one, and
    of the discards under the top card.
    """
    table = table_of(state)
    clause = state.edition.shared.reshuffle
    left = height(table.pile)
    if reshuffled_early(state):
        return (Violation(clause=clause, reason="reshuffled-early", facts={"cards": left}),)
    told = event.draw_pile
    if told is None:
        return ()
    whole = left + table.under_top
    if len(told) != whole or _compared(state.box, table, told).added:
        facts = {"cards": len(told), "whole": whole}
        return (Violation(clause=clause, reason="pile-differs", facts=facts),)
    return ()


def reshuffled_early(state: State) -> bool | None:
    """Return whether the pile has enough cards for any draw that can come next.

    None if that is not known: a player may hold a card whose agreed effect can draw any number of
    cards, or may draw any number by a house rule.
    """
    table = table_of(state)
    needed = [1]
    for player in table.seats:
        beyond = state.edition.draws_without_match.value if player == table.turn else 0
        needed.append(owed(table, player) + beyond)
    if height(table.pile) < max(needed):
        return False
    if state.edition.house.draws_until_playable and table.turn is not None:
        return None
    agreed = agreed_cards(state)
    if any(
        holds(state.box, table, hand, agreed.__contains__) is not False
        for hand in table.hands.values()
    ):
        return None
    return True


class _Compared(Struct, frozen=True):
    """How a told pile differs from the cards that it should be made of.

    `added`: the cards in it that were not there. `staying`: the known cards that it lacks.
    `hidden`: how many unknown cards it lacks.
    """

    added: Counter[Card]
    staying: tuple[Card, ...]
    hidden: int


def _compared(box: Box, table: Table, told: tuple[Card, ...]) -> _Compared:
    """Compare a told pile with the cards that it should be made of.

    What was left of the old pile should lie on top, followed by the discards.
    """
    left = height(table.pile)
    old = Counter(known_in(table.pile))
    used = Counter(table.discards[:-1])
    added: Counter[Card] = Counter()
    seen: Counter[Card] = Counter()
    hidden = 0
    for cards, known, unseen in (
        (told[:left], old, unknown_in(table.pile)),
        (told[left:], used, table.buried),
    ):
        beyond = Counter(cards) - known
        unknown = unseen
        for card in list(beyond.elements()):
            spare = copies(box, table, card) - located(table, card) - seen[card]
            if unknown and spare > 0:
                beyond[card] -= 1
                seen[card] += 1
                unknown -= 1
        added += beyond
        hidden += unknown
    staying = tuple(((old + used) - Counter(told)).elements())
    return _Compared(+added, staying, hidden)


def reshuffle(state: State, event: PileReshuffled) -> None:
    """Put the discards under what is left of the draw pile. The named colour stays in force."""
    before = table_of(state)
    table = _reshuffled(state.box, before, event)
    suspect = table.suspect
    if suspect is not None:
        # A viewer can't say what is in a pile that the table made up, or that is shuffled again.
        once = suspect.shuffled == 0 and not made_up(event)
        table.suspect = replace(suspect, shuffled=before.under_top if once else None)
    misplayed = table.misplayed
    if misplayed is not None:
        # If the card is taken back, the pile stays shuffled, and the card below it lies on top.
        laid_on = _reshuffled(state.box, misplayed.before, PileReshuffled())
        table.misplayed = replace(misplayed, before=laid_on, shuffled=True)
    if table.over and state.mode.rounds_decide:
        table.closing = (*table.closing, Closing(event))
    state.lay_out(table)


def made_up(event: PileReshuffled) -> bool:
    """Return whether the told pile may hold any cards, even more copies of one than the box has."""
    return event.as_played and event.draw_pile is not None


def _reshuffled(box: Box, before: Table, event: PileReshuffled) -> Table:
    table = before.copy()
    told = event.draw_pile
    if told is None:
        table.pile = (*before.pile, *_shuffled(before))
        table.discards, table.buried = before.discards[-1:], 0
        return table
    compared = _compared(box, before, told)
    table.pile = known_pile(told)
    if compared.added:
        table.added = dict(Counter(before.added) + compared.added)
    # The cards that the new pile lacks stay among the discards.
    table.discards = (*compared.staying, *before.discards[-1:])
    table.buried = compared.hidden
    return table


def _shuffled(table: Table) -> Pile:
    """Return the discards under the top card, in an order that nobody knows."""
    if table.buried:
        return (Stretch(table.under_top),) if table.under_top else ()
    return known_pile(table.discards[:-1], ordered=False)


def _in_doubt(state: State, _event: PileReshuffled) -> bool:
    return reshuffled_early(state) is None


PILE_RESHUFFLED: Final = EventRule(
    event=PileReshuffled,
    phases=PLAYING_OR_OUT,
    refuse=refused_reshuffle,
    breach=breaches_of_reshuffle,
    evolve=reshuffle,
    doubt=_in_doubt,
    hides=without_fields("draw_pile"),
)


def before_turn(state: State, event: CardPlayed | TurnPassed | CardsDrawn) -> TableEvent | None:
    """Return the next entry that has to precede a player's act, None if there is none.

    Before a player acts, the others have paid their debts, and a player who has drawn in the own
    turn has passed it. A player who begins a turn has paid, too. A penalty that the act answers is
    not paid.
    """
    table, player = table_of(state), event.player
    if player not in table.seats or table.color_pending is not None:
        return None
    jumping = isinstance(event, CardPlayed) and jumps_in(state, table, event)
    if table.drawn is not None and table.turn not in (None, player) and not jumping:
        # The turn ends without a card. That is an act as well, which other entries have to precede.
        passed = TurnPassed(player=table.turn or "")
        return before_turn(state, passed) or passed
    if table.debts:
        answering = isinstance(event, CardPlayed) and answers_penalty(state, table, event)
        own = table.turn == player
        if jumping or (answering and not own):
            due = [d for d in table.debts if not _waits(table, d)]
        else:
            due = [d for d in table.debts if d.player != player or own]
        if due:
            return payment(table, due[0])
    if isinstance(event, CardPlayed) and event.effects:
        return pile_for(state, drawn_by_effects(event))
    return None


def _waits(table: Table, debt: Debt) -> bool:
    """Return whether a debt can wait because its player may still answer the card on top.

    Debts that came up after that card's penalty wait with it. To pay them, the player would draw
    for the older penalty first, and could not answer it any more.
    """
    blow = table.blow
    if blow is None or debt.player != blow.victim or debt.kind != "draw":
        return False
    own = [d for d in table.debts if d.player == debt.player and d.kind == "draw"]
    return any(d.hit for d in own[: own.index(debt) + 1])


def pile_for(state: State, count: int) -> PileReshuffled | None:
    """Return the reshuffle that is needed before `count` told cards can be drawn, or None.

    If only a forbidden draw needs it, the reshuffle is marked as played.
    """
    shuffled = _pile_for(table_of(state), count)
    if shuffled is not None and reshuffled_early(state):
        return PileReshuffled(as_played=True)
    return shuffled


def first_paid(table: Table, debts: Sequence[Debt]) -> TableEvent | None:
    """Return the entry that pays the first of these debts, None if there are none."""
    return payment(table, debts[0]) if debts else None


def payment(table: Table, debt: Debt) -> TableEvent:
    """Return the entry that pays a debt, or the reshuffle that is needed before it."""
    if debt.kind == "give":
        return CardGiven(player=debt.player, to=debt.to or debt.player)
    shuffled = _pile_for(table, debt.count)
    return shuffled or CardsDrawn(player=debt.player, count=min(debt.count, height(table.pile)))


def _pile_for(table: Table, count: int) -> PileReshuffled | None:
    if height(table.pile) < count and table.under_top:
        return PileReshuffled()
    return None
