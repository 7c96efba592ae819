"""What was told last of a match that is over, which its page offers to take back."""

from typing import Literal, TypeAlias

from msgspec import Struct

from scorekeeper.match.events.events import (
    LogAmended,
    MatchAbandoned,
    MatchClosed,
    RoundTallied,
)
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.reader import entries_in
from scorekeeper.match.record import undo
from scorekeeper.match.state import Round, State

_Kind: TypeAlias = Literal["closed", "abandoned", "round", "step", "correction", "staying"]


class ToldLast(Struct, frozen=True, kw_only=True):
    """What an undo would take back. `staying`: nothing, since a note or a dispute was told last.

    `round`: a `round` that was told as a whole, or that of a `step`. `reason`: that of a
    `correction`.
    """

    kind: _Kind
    round: Round | None = None
    reason: str | None = None


def told_last(state: State) -> ToldLast | None:
    """Return what an undo would take back; None if that can't be said in a few words."""
    undone = undo(state, None)
    if isinstance(undone, Refusal):
        # Only what stays is named by its type: otherwise nothing is left to take back.
        return ToldLast(kind="staying") if "type" in (undone.facts or {}) else None
    version = undone.withdraws[0] if undone.withdraws else undone.first
    assert version is not None
    event = entries_in(state.log)[version - 2].event  # `entries_in` begins after the opening
    match event:
        case MatchClosed():
            return ToldLast(kind="closed")
        case MatchAbandoned():
            return ToldLast(kind="abandoned")
        case LogAmended(reason=reason):
            return ToldLast(kind="correction", reason=reason)
        case _:
            return _in_round(state, version, whole=isinstance(event, RoundTallied))


def _in_round(state: State, version: int, *, whole: bool) -> ToldLast | None:
    for each in state.latest_first():
        if each.first_version <= version <= each.last_version:
            return ToldLast(kind="round" if whole else "step", round=each)
    return None
