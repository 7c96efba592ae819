"""Which round the table means, so that several devices count none twice and leave none out."""

from typing import Final

from scorekeeper.match.events.events import RoundStarted, RoundTallied, ToldEvent
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.table.state import State

ROUND_MEANT: Final = frozenset({"round-taken", "round-not-reached"})
"""The codes of the refusals."""


def refused_round(state: State, event: ToldEvent) -> Refusal | None:
    """Why the event would not begin, or tell, the round that it names; None where it names none.

    A tally in the middle of a round tells that one.
    """
    if not isinstance(event, RoundStarted | RoundTallied) or event.round is None:
        return None
    running = isinstance(event, RoundTallied) and state.running is not None
    following = state.round if running else state.round + 1
    if event.round == following:
        return None
    return Refusal(
        code="round-taken" if event.round < following else "round-not-reached",
        facts={"round": event.round, "next": following},
    )
