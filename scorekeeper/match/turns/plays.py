"""The rule of a played card: why it is refused, what forbids it, and which violations it flags."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.match.events.card_events import CardPlayed, Give
from scorekeeper.match.events.refusal import Refusal, Violation
from scorekeeper.match.knowledge import not_in_box, too_many
from scorekeeper.match.known_cards import card_count
from scorekeeper.match.state import State, not_in_play, table_of
from scorekeeper.match.table import Table
from scorekeeper.match.turns.effects import (
    cited_effect,
    not_in_hand,
    without_unseen_cards,
)
from scorekeeper.match.turns.event_rule import PLAYING, EventRule
from scorekeeper.match.turns.exchanges import swap_differs
from scorekeeper.match.turns.laying import (
    color_needed,
    effective,
    laid,
    play,
    refused_color,
    refused_outcome,
)
from scorekeeper.match.turns.legality import (
    TURN,
    answers_penalty,
    bluff_violation,
    bluffs,
    forbidden_last,
    is_known_bluff,
    jumps_in,
    matches,
    out_of_turn,
    was_drawn,
)
from scorekeeper.match.turns.payments import before_turn
from scorekeeper.match.turns.uno import not_called
from scorekeeper.rules.cards import WILD_DRAW_FOUR
from scorekeeper.rules.parameters import Bluff, HandsFrom

# Bound once: to look a member up in its enum costs a play two calls each time.
_MISPLAY: Final = Bluff.MISPLAY
_CHOSEN: Final = HandsFrom.CHOSEN


def refused_play(state: State, event: CardPlayed) -> Refusal | None:
    """Why the card can't have been laid."""
    table = table_of(state)
    refused = (
        not_in_play(state, event.player)
        or _not_in_force(state, event)
        or not_in_box(state.box, (event.card,))
        or refused_color(state, event.color)
        or color_needed(state, table)
    )
    if refused is not None:
        return refused
    hand = table.hands[event.player]
    beyond = event.number - hand.known.count(event.card)
    if beyond > 0:
        if hand.unknown is None or hand.unknown < beyond:
            return not_in_hand(event.player, event.cards, hand)
        refused = too_many(state.box, table, (event.card,), beside=beyond)
        if refused is not None:
            return refused
    told = event.effects or event.color or event.swap_with is not None
    if told or (state.edition.hands_chosen and _has_hand_chosen(state, table, event)):
        return refused_outcome(state, table, event)
    return None


def _has_hand_chosen(state: State, table: Table, event: CardPlayed) -> bool:
    return cited_effect(state.edition, table, event.card).value.hands_from is _CHOSEN


def _not_in_force(state: State, event: CardPlayed) -> Refusal | None:
    """Return a refusal if the play has a field of a house rule that is not in force.

    A player in `swap_with` who is not in play is refused as well.
    """
    if not event.jump_in and event.swap_with is None and event.count is None:
        return None
    edition, missing = state.edition, None
    if event.jump_in and edition.house.jump_in is None:
        missing = "jump_in"
    elif event.swap_with is not None and not edition.hands_chosen:
        missing = "seven"
    elif event.number > 1 and edition.house.at_once is None:
        missing = "at_once"
    if missing is not None:
        return Refusal(code="house-rule-not-in-force", facts={"house_rule": missing})
    other = event.swap_with
    return None if other is None else not_in_play(state, other, "swap_with")


def breaches_of_play(state: State, event: CardPlayed) -> tuple[Violation, ...]:
    """Return what forbids the card.

    A bluff is not forbidden in this sense, unless a house rule makes it a misplay.
    """
    table, house = table_of(state), state.edition.house
    found = _misplaced(state, table, event)
    return (*found, *_against_house_rules(state, table, event)) if house.chosen else found


def _misplaced(state: State, table: Table, event: CardPlayed) -> tuple[Violation, ...]:
    """Return what forbids the card at this moment: the turn, the card below, a penalty, a draw."""
    if event.jump_in:
        return () if jumps_in(state, table, event) else (_no_jump_in(state, table, event),)
    found = _on_penalty(state, table, event)
    if found:
        return found
    answering = answers_penalty(state, table, event)
    if not answering:
        found = out_of_turn(table, event.player)
    # A card that is stacked need not match.
    fits = answering or matches(state.edition, event.card, table.top, table.color)
    if not fits:
        top = state.edition.face(table.top or "")
        facts = {
            "player": event.player,
            "card": event.card,
            "top_card": table.top,
            "color": table.color,
            "named_color": table.color if top.color != table.color else None,
        }
        clause = state.edition.match_by.clause
        found = (*found, Violation(clause=clause, reason="card-does-not-match", facts=facts))
    if was_drawn(state.box, table, event) is False:
        facts = {"player": event.player, "card": event.card}
        clause = state.edition.only_drawn
        found = (*found, Violation(clause=clause, reason="not-the-drawn-card", facts=facts))
    return found


def _on_penalty(state: State, table: Table, event: CardPlayed) -> tuple[Violation, ...]:
    """Return the violation of a player who lays a card on a penalty, whether it matches or not."""
    if not table.debts:
        return ()
    hits = sum(debt.count for debt in table.debts if debt.hit and debt.player == event.player)
    if not hits or event.player == table.turn or answers_penalty(state, table, event):
        return ()
    facts = {"player": event.player, "card": event.card, "count": hits}
    clause = (state.edition.house.stacks or state.edition.lays_on_penalty).clause
    return (Violation(clause=clause, reason="card-on-penalty", facts=facts),)


def _no_jump_in(state: State, table: Table, event: CardPlayed) -> Violation:
    facts = {"player": event.player, "card": event.card, "top_card": table.top}
    jump_in = state.edition.house.jump_in
    clause = TURN if jump_in is None else jump_in.clause
    return Violation(clause=clause, reason="jump-in-differs", facts=facts)


def _against_house_rules(state: State, table: Table, event: CardPlayed) -> Iterator[Violation]:
    edition, house = state.edition, state.edition.house
    left = card_count(table.hands[event.player]) - event.number
    if left and event.count is None and not event.effects and event.card != WILD_DRAW_FOUR:
        # Most plays are like this. The house rules below are not about them.
        return
    facts: dict[str, object] = {"player": event.player, "card": event.card}
    if house.at_once and event.number > 1 and effective(state, event) == 1:
        several = facts | {"count": event.number}
        yield Violation(clause=house.at_once.clause, reason="not-at-once", facts=several)
    if event.effects:
        cited = cited_effect(edition, table, event.card)
        if swap_differs(table, event, cited.value):
            yield Violation(clause=cited.clause, reason="swap-differs", facts=facts)
    may_be_last = event.effects or not left
    if may_be_last and forbidden_last(edition, event.card) and not _gives(event):
        after = laid(state, event).hands[event.player]
        if house.last_card and not card_count(after):
            clause = house.last_card.clause
            yield Violation(clause=clause, reason="last-card-forbidden", facts=facts)
    if event.card == WILD_DRAW_FOUR and _misplays_bluff(state, event):
        yield bluff_violation(state, event.player)


def _gives(event: CardPlayed) -> bool:
    """Return whether the card's player gives a card away by an effect.

    A hand that is emptied by a gift is not judged by the house rule on last cards.
    """
    return any(isinstance(one, Give) and one.giver == event.player for one in event.effects or ())


def _misplays_bluff(state: State, event: CardPlayed) -> bool:
    of_house = state.edition.house.bluff
    return of_house is not None and of_house.value is _MISPLAY and is_known_bluff(state, event)


def flags_of_play(state: State, event: CardPlayed) -> tuple[Violation, ...]:
    """Return the violations that are recorded in any case: a known bluff, and a forgotten UNO.

    UNO is known to be forgotten if the play tells `uno` as false.
    """
    found: tuple[Violation, ...] = ()
    if event.card == WILD_DRAW_FOUR and _flags_bluff(state, event):
        found = (bluff_violation(state, event.player),)
    if event.uno is False and _owes_call(state, event):
        found = (*found, not_called(state, event.player))
    return found


def _flags_bluff(state: State, event: CardPlayed) -> bool:
    return state.edition.house.bluff is None and is_known_bluff(state, event)


def _owes_call(state: State, event: CardPlayed) -> bool:
    table = laid(state, event)
    return event.player in table.owing and card_count(table.hands[event.player]) == 1


def _take_in(state: State, event: CardPlayed) -> None:
    table = table_of(state)
    known_bluff = event.card == WILD_DRAW_FOUR and _flags_bluff(state, event)
    forbidden = event.as_played and bool(breaches_of_play(state, event))
    may_be_called = forbidden or _may_be_against(state, table, event)
    play(state, table, event, may_be_called=may_be_called, known_bluff=known_bluff)


def _may_be_against(state: State, table: Table, event: CardPlayed) -> bool:
    """Return whether the hand may forbid the card, for all that is known of it."""
    drawn = table.drawn is not None and not jumps_in(state, table, event)
    if drawn and was_drawn(state.box, table, event) is None:
        return True
    house = state.edition.house
    return house.bluff is not None and bluffs(state, event) is not False


def _in_doubt(state: State, event: CardPlayed) -> bool:
    table = table_of(state)
    if bluffs(state, event) is None:
        return True
    jumping = jumps_in(state, table, event)
    return not jumping and was_drawn(state.box, table, event) is None


CARD_PLAYED: Final = EventRule(
    event=CardPlayed,
    names=("player", "effects", "swap_with"),
    presupposes=before_turn,
    phases=PLAYING,
    refuse=refused_play,
    breach=breaches_of_play,
    flag=flags_of_play,
    evolve=_take_in,
    doubt=_in_doubt,
    hides=without_unseen_cards,
)
