"""What an event breaks although a table can do it. Told as played, it is recorded and flagged."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from scorekeeper.match.events import RoundStarted, RoundTallied, TableEvent
from scorekeeper.match.refusal import Violation
from scorekeeper.match.state import State

COUNT: Final = "X-COUNT"


def breaches(state: State, event: TableEvent) -> tuple[Violation, ...]:
    """The violations of an event that can have happened in this state."""
    found = BREACHES.get(type(event))
    return found(state, event) if found is not None else ()


def _of_deal(state: State, event: RoundStarted) -> tuple[Violation, ...]:
    dealt = state.edition.hand_size
    return tuple(
        Violation(
            clause=dealt.clause,
            reason="cards-dealt",
            facts={"player": player, "cards": len(cards), "hand_size": dealt.value},
        )
        for player, cards in (event.hands or {}).items()
        if len(cards) > dealt.value
    )


def _of_tally(state: State, event: RoundTallied) -> tuple[Violation, ...]:
    found: list[Violation] = []
    joint = state.edition.joint_winner_cards
    if len(event.winners) > 1 and not (
        joint.value & state.box.counts.keys() or state.options.extra_cards
    ):
        found.append(
            Violation(clause=joint.clause, reason="joint-winners", facts={"winners": event.winners})
        )
    for player, hand in (event.hands or {}).items():
        book = state.hands[player].count if state.running is not None else None
        if hand.cards and book is not None and book != len(hand.cards):
            facts = {"player": player, "cards": len(hand.cards), "book": book}
            found.append(Violation(clause=COUNT, reason="cards-left", facts=facts))
    return tuple(found)


BREACHES: Final[Mapping[type[TableEvent], Callable[[State, Any], tuple[Violation, ...]]]] = {
    RoundStarted: _of_deal,
    RoundTallied: _of_tally,
}
"""Events that are not here break no clause."""
