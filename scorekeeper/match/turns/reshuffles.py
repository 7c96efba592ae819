"""The discards become the draw pile again."""

from collections import Counter
from typing import Final

from msgspec import Struct

from scorekeeper.match.events.card_events import PileReshuffled
from scorekeeper.match.events.refusal import Refusal, Violation
from scorekeeper.match.table.knowledge import copies, holds, located, not_in_box, too_many
from scorekeeper.match.table.pile import Pile, Stretch, height, known_in, known_pile, unknown_in
from scorekeeper.match.table.players import table_of
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import Closing, Table, owed
from scorekeeper.match.turns.effects import agreed_cards
from scorekeeper.match.turns.event_rule import PLAYING_OR_OUT, EventRule, without_fields
from scorekeeper.rules.box import Box
from scorekeeper.rules.cards import Card


def refused_reshuffle(state: State, event: PileReshuffled) -> Refusal | None:
    """A pile that is told holds cards of this box, and no more of them than there are."""
    if event.draw_pile is None:
        return None
    refused = not_in_box(state.box, event.draw_pile)
    if refused is not None:
        return refused
    if event.as_played:
        return None
    table = _reshuffled(state.box, table_of(state), event)
    return too_many(state.box, table, event.draw_pile)


def breaches_of_reshuffle(state: State, event: PileReshuffled) -> tuple[Violation, ...]:
    """A new pile is made when a card is needed, of the discards under the top card."""
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
    """Whether the pile has enough for whatever may be drawn next.

    None where somebody may hold a card whose agreed effect could take any number, or where a
    player may draw any number by a house rule.
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
    """A told pile beside the cards that it should be made of.

    `added`: cards that were not there; `staying`: known ones that it lacks; `hidden`: how many
    unknown ones it lacks.
    """

    added: Counter[Card]
    staying: tuple[Card, ...]
    hidden: int


def _compared(box: Box, table: Table, told: tuple[Card, ...]) -> _Compared:
    """What was left of the old pile lies on top of the new one, the discards follow."""
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
    """What was left of the pile stays on top; the colour that was named stays too."""
    table = _reshuffled(state.box, table_of(state), event)
    if table.over and state.mode.rounds_decide:
        table.closing = (*table.closing, Closing(event))
    state.lay_out(table)


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
    # What the new pile lacks stays where the discards are.
    table.discards = (*compared.staying, *before.discards[-1:])
    table.buried = compared.hidden
    return table


def _shuffled(table: Table) -> Pile:
    """The discards under the top, in an order that nobody knows."""
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
