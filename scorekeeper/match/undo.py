"""Taking back what was told last, or one tap, by an amendment as any other."""

from collections.abc import Collection, Sequence
from typing import Final

from scorekeeper.match.decider.logged import STAYING, Logged, amendments, entries, in_force, removed
from scorekeeper.match.events.events import LogAmended, event_type
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import corrected
from scorekeeper.match.readings.reader import Step
from scorekeeper.match.record import Recorded
from scorekeeper.match.table.state import State

TAKEN_BACK: Final = "taken back"
"""Why a tap is undone, where nobody says."""


def undo(state: State, reason: str | None, *, of: int | None = None) -> LogAmended | Refusal:
    """The amendment that takes back the tap that is the entry `of`, by default what was told last.

    Last is what is still in force, amendments by undo itself left aside. What is said about the
    match is not taken back, and nothing older in its place.
    """
    why = reason or TAKEN_BACK
    log = entries(state.log)
    standing = in_force(amendments(log))
    out = {version for one in standing.values() for version in removed(one)}
    if of == 1:
        return LogAmended(first=of, remove=1, reason=why, undo=True)
    last = _last(log, standing, out) if of is None else log[of - 2]
    if last is None:
        return Refusal(code="nothing-to-undo")
    version, event = last.version, last.event
    if isinstance(event, LogAmended) and of is None:
        return LogAmended(withdraws=(version,), reason=why, undo=True)
    if isinstance(event, STAYING):
        return Refusal(code="nothing-to-undo", facts={"entry": version, "type": event_type(event)})
    if event is None or version in out:
        return Refusal(code="nothing-to-undo", facts={"entry": version})
    return LogAmended(first=version, remove=1, reason=why, undo=True)


def _last(log: Sequence[Logged], standing: Collection[int], out: Collection[int]) -> Logged | None:
    """The last entry that somebody told and nobody has taken back."""
    for entry in reversed(log):
        event = entry.event
        if isinstance(event, LogAmended):
            back = event.undo or entry.version not in standing
        else:
            back = entry.removable and entry.version in out
        if not (back or entry.inferred):
            return entry
    return None


def would_void(state: State, recorded: Recorded) -> tuple[Step, ...]:
    """What could not be applied any more by the amendment in `recorded`, and can in `state`."""
    if not recorded.voided:
        return ()
    before = {step.address for step in corrected(state) if step.voided is not None}
    return tuple(step for step in recorded.voided if step.address not in before)
