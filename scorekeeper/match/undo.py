"""Taking back the last tap, which is an amendment as any other."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from scorekeeper.match.address import Inserted
from scorekeeper.match.effective import corrected
from scorekeeper.match.events import LogAmended, TableEvent
from scorekeeper.match.logged import STAYING, amendments, entries, removed
from scorekeeper.match.opening import MatchOpened
from scorekeeper.match.refusal import Refusal
from scorekeeper.match.reread import Step
from scorekeeper.match.state import State

TAKEN_BACK: Final = "taken back"
"""Why a tap is undone, where nobody says."""


def undo(state: State, reason: str | None) -> LogAmended | Refusal:
    """The amendment without the last table event in force, in the order in which it is read."""
    steps = [step for step in corrected(state) if _told_at_the_table(step)]
    if not steps:
        return Refusal(code="nothing-to-undo")
    address = steps[-1].address
    why = reason or TAKEN_BACK
    if isinstance(address, Inserted):
        return _said_again(state, address.amendment, steps[:-1], why)
    return LogAmended(first=address, remove=1, reason=why)


def _told_at_the_table(step: Step) -> bool:
    taken = step.taken
    return not (step.inferred or taken is None or isinstance(taken, (MatchOpened, *STAYING)))


def _said_again(state: State, version: int, steps: Sequence[Step], reason: str) -> LogAmended:
    """An amendment instead of the one at `version`, which inserts what `steps` still have of it."""
    log = entries(state.log)
    former = amendments(log)[version]
    withdraws = tuple(dict.fromkeys((version, *former.withdraws)))
    insert = tuple(_inserted(steps, version))
    out = removed(former)
    if not insert and not any(entry.removable for entry in log[out.start - 2 : out.stop - 2]):
        return LogAmended(withdraws=withdraws, reason=reason)
    return replace(
        former, insert=insert, withdraws=withdraws, reason=reason, id=None, at=None, dispute=None
    )


def _inserted(steps: Sequence[Step], amendment: int) -> list[TableEvent]:
    return [
        step.taken
        for step in steps
        if isinstance(step.address, Inserted) and step.address.amendment == amendment
        if isinstance(step.taken, TableEvent)
    ]
