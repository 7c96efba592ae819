"""A log as it is read: corrected, as its amendments have it, or as it was recorded."""

from collections.abc import Iterable
from itertools import islice, takewhile

from scorekeeper.match.decider.evolve import evolve
from scorekeeper.match.decider.logged import Logged, entries
from scorekeeper.match.events.events import LogAmended
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.amended_fold import AmendedFold, amended_fold
from scorekeeper.match.readings.fold import initial
from scorekeeper.match.readings.reader import Reader, Step, opening
from scorekeeper.match.readings.splice import Placed, told
from scorekeeper.match.table.state import Log, State


def corrected(state: State) -> list[Step]:
    """The log of `state` as it is read by then, what follows from it included, oldest first.

    The last step's `after` is as `state` is, but for the log and the version.
    """
    start = initial(state.edition, state.opened)
    log, version = state.log, state.version
    rest: list[Logged] = []
    while log is not None and not state.erased and not isinstance(log[0], LogAmended):
        event, inferred, log = log
        rest.append(Logged(version, event, inferred))
        version -= 1
    if log is None:
        steps, own = [opening(start)], start
    else:
        again = _reread(start, log)
        steps, own = again.steps, again.state
    for entry in reversed(rest):
        steps.append(_as_recorded(own, entry))
        own = steps[-1].after
    return steps


def recorded(state: State) -> list[Step]:
    """Each entry as the book stood at its version, amendments and what they changed included.

    What follows on an erased entry is read as if that had never been told.
    """
    start = initial(state.edition, state.opened)
    logs = _logs(state.log)
    log = entries(state.log)
    steps = [opening(start)]
    reader: Reader | None = None
    again: AmendedFold | None = None
    for at, entry in enumerate(log):
        before = steps[-1].after
        if entry.event is None and reader is None:
            reader = Reader(before, log, steps)
        if isinstance(entry.event, LogAmended):
            again = _reread(start, logs[at], known=again)
            after = again.state
            steps.append(_as_sent(entry, before, after))
            if reader is not None:
                reader.own = after
        elif reader is None:
            steps.append(_as_recorded(before, entry))
        elif not entry.inferred:
            item = told(entry)
            assert item is not None
            reader.tell(item, _following(islice(log, at + 1, None)))
    return steps


def _reread(start: State, log: Log, *, known: AmendedFold | None = None) -> AmendedFold:
    again = amended_fold(start, log, known=known)
    assert not isinstance(again, Refusal)
    return again


def _as_recorded(before: State, entry: Logged) -> Step:
    event = entry.event
    assert event is not None
    assert not isinstance(event, MatchOpened | LogAmended)
    after = before.copy()
    after.version = entry.version - 1
    evolve(after, event)
    return _as_sent(entry, before, after)


def _as_sent(entry: Logged, before: State, after: State) -> Step:
    return Step(
        address=entry.version,
        event=entry.event,
        before=before,
        after=after,
        inferred=entry.inferred,
        taken=entry.event,
    )


def _following(log: Iterable[Logged]) -> Placed | None:
    """What is told next, but for what an amendment stands before."""
    for entry in takewhile(lambda each: not isinstance(each.event, LogAmended), log):
        item = told(entry)
        if item is not None:
            return item
    return None


def _logs(log: Log) -> list[Log]:
    """The log at each of its entries, the oldest first."""
    found: list[Log] = []
    while log is not None:
        found.append(log)
        log = log[2]
    return found[::-1]
