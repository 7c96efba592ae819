"""From stored entries to states."""

from collections.abc import Sequence
from typing import cast

from scorekeeper.editions.registry import in_force
from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.ledger.reading.contents import Contents
from scorekeeper.ledger.writing.append import Tail
from scorekeeper.match.events.events import Event, decode_all_written, decode_written
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.fold import fold, initial
from scorekeeper.match.table.state import State
from scorekeeper.service import league_events
from scorekeeper.service.league_events import Roster, roster


def fold_entries(state: State | None, entries: Sequence[Entry]) -> State | None:
    """The match after `entries`, which follow on `state`; None while nothing has opened it.

    The edition is the one of the revision that the opening pinned.
    """
    events = [event_of(entry) for entry in entries]
    return _folded(state, events, [entry.inferred for entry in entries])


def fold_contents(state: State | None, contents: Contents) -> State | None:
    """The match after what follows on `state`, as `fold_entries` has it."""
    return _folded(state, decode_all_written(contents.bodies), contents.inferred)


def _folded(state: State | None, events: list[Event | None], inferred: list[bool]) -> State | None:
    if not events:
        return state
    if state is None:
        opened = events.pop(0)
        assert isinstance(opened, MatchOpened)
        state = first_state(opened)
        inferred = inferred[1:]
    return fold(state, events, inferred) if events else state


def first_state(opened: MatchOpened) -> State:
    """The state at version 1, in the edition and by the house rules that the opening pinned.

    KeyError where there is no such revision.
    """
    edition = in_force(
        opened.edition, opened.revision, opened.house_rules, opened.house_rules_revision
    )
    return initial(edition, opened)


def event_of(entry: Entry) -> Event | None:
    """What an entry of a match holds; None where it was erased."""
    return None if entry.body is None else decode_written(entry.body)


def tail_state(tail: Tail) -> State:
    """The match at its end; its stream is not empty."""
    carried = cast("State | None", tail.carried)
    state = fold_entries(carried, tail.entries) if tail.entries else carried
    assert state is not None
    return state


def tail_roster(tail: Tail) -> Roster:
    """Who is in the league."""
    start = cast("Roster | None", tail.carried) or Roster()
    return roster(start, (league_events.decode(_body(entry)) for entry in tail.entries))


def _body(entry: Entry) -> bytes:
    assert entry.body is not None
    return entry.body
