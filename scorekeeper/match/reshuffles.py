"""The discards become the draw pile again."""

from collections import Counter

from scorekeeper.match.card_events import PileReshuffled
from scorekeeper.match.hand import without
from scorekeeper.match.knowledge import not_in_box, too_many
from scorekeeper.match.pile import Pile, Stretch, height, known_in, known_pile
from scorekeeper.match.players import table_of
from scorekeeper.match.refusal import Refusal, Violation
from scorekeeper.match.state import State
from scorekeeper.match.table import Table, owed


def refused_reshuffle(state: State, event: PileReshuffled) -> Refusal | None:
    """A pile that is told holds cards of this box, and no more of them than there are."""
    if event.draw_pile is None:
        return None
    refused = not_in_box(state.box, event.draw_pile)
    if refused is not None:
        return refused
    if event.as_played:
        return None
    table = _reshuffled(table_of(state), event)
    return too_many(state.box, table, event.draw_pile)


def breaches_of_reshuffle(state: State, event: PileReshuffled) -> tuple[Violation, ...]:
    """A new pile is made when a card is needed, of the discards under the top card."""
    table = table_of(state)
    clause = state.edition.reshuffle.clause
    needed = max([1, *(owed(table, player) for player in table.seats)])
    left = height(table.pile)
    if left >= needed:
        return (Violation(clause=clause, reason="reshuffled-early", facts={"cards": left}),)
    told = event.draw_pile
    if told is None:
        return ()
    whole = left + table.under_top
    if len(told) != whole or _strangers(table, told)[0]:
        facts = {"cards": len(told), "whole": whole}
        return (Violation(clause=clause, reason="pile-differs", facts=facts),)
    return ()


def _strangers(table: Table, told: tuple[str, ...]) -> tuple[Counter[str], Counter[str]]:
    """Cards of a told pile that were neither in the old one nor under the top, and the reverse."""
    known = Counter([*known_in(table.pile), *table.discards[:-1]])
    hidden = height(table.pile) + table.under_top - known.total()
    beyond = Counter(told) - known
    for card in list(beyond.elements())[:hidden]:
        beyond[card] -= 1
    return +beyond, known - Counter(told)


def reshuffle(state: State, event: PileReshuffled) -> None:
    """What was left of the pile stays on top; the colour that was named stays too."""
    state.lay_out(_reshuffled(table_of(state), event))


def _reshuffled(before: Table, event: PileReshuffled) -> Table:
    table = before.copy()
    told = event.draw_pile
    if told is None:
        table.pile = (*before.pile, *_shuffled(before))
        table.discards, table.buried = before.discards[-1:], 0
        return table
    more, missing = _strangers(before, told)
    table.pile = known_pile(told)
    if more:
        table.added = dict(Counter(before.added) + more)
    # Discards that the new pile lacks stay where they are.
    stay = without(tuple(missing.elements()), tuple(known_in(before.pile)))
    table.discards, table.buried = (*stay, *before.discards[-1:]), 0
    return table


def _shuffled(table: Table) -> Pile:
    """The discards under the top, in an order that nobody knows."""
    if table.buried:
        return (Stretch(table.under_top),) if table.under_top else ()
    return known_pile(table.discards[:-1], ordered=False)
