"""Retries by event id: which events of a request are recorded already, and what they came to."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from msgspec.structs import replace

from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.match.decider.columns import by_column
from scorekeeper.match.events.events import LogAmended, ToldEvent, without_round
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.events.told import Told
from scorekeeper.match.readings.amend import amend
from scorekeeper.match.record import record
from scorekeeper.match.table.state import State
from scorekeeper.service.reading.append_presenter import AppendReading, FoldedState, appended
from scorekeeper.service.reading.entry_view import entry_view
from scorekeeper.service.refused import Refused
from scorekeeper.service.stream_fold import fold_entries
from scorekeeper.texts.language import Language

T = TypeVar("T", bound=Told)

_SEATING: Final = frozenset({"player_substituted", "log_amended"})
"""The entries by which somebody comes to sit in for somebody."""


def event_ids(events: Sequence[Told]) -> tuple[str, ...]:
    """The ids of a request's events; none where it carries none. Raises Refused."""
    ids = tuple([event.id for event in events if event.id is not None])
    if len(events) == 1:
        return ids
    if ids and len(ids) < len(events):
        raise Refused("event-ids-incomplete")
    if len(set(ids)) < len(ids):
        raise Refused("event-id-twice")
    return ids


def recorded_prefix(
    events: Sequence[T],
    ids: Sequence[str],
    known: Mapping[str, Entry],
    stream: str,
    as_bytes: Callable[[T], bytes],
    as_recorded: "Callable[[T, Entry], T] | None" = None,
) -> int:
    """How many of the first events are recorded already; `as_bytes` writes one as it is recorded.

    `as_recorded`: an event in the form in which it became that entry, where it may be told in
    others. Raises Refused where a known id follows a new one, or belongs to something else.
    """
    if not known:
        return 0
    last = 0
    head = 0
    for index, (event, event_id) in enumerate(zip(events, ids, strict=False)):
        entry = known.get(event_id)
        if entry is None:
            continue
        _check_known(entry, stream, index)
        if entry.body != as_bytes(event) and (
            as_recorded is None or entry.body != as_bytes(as_recorded(event, entry))
        ):
            raise Refused("event-id-reused", reason="other-content", event_index=index)
        if head < index or entry.version <= last:
            raise Refused("event-ids-out-of-order", event_index=index)
        last = entry.version
        head = index + 1
    return head


def _check_known(entry: Entry, stream: str, index: int) -> None:
    if entry.stream != stream or entry.inferred:
        raise Refused("event-id-reused", reason="elsewhere", event_index=index)
    if entry.body is None:
        raise Refused("event-erased", reason="event", event_index=index)


class NamesWhenRecorded:
    """Events of a match as they were recorded: in the place of substitutes, columns are named.

    To be asked about one entry after the other. `whole`: the match's entries, oldest first.
    """

    def __init__(self, whole: Callable[[], Sequence[Entry]]) -> None:
        self._whole = whole
        self._entries: Sequence[Entry] | None = None
        self._state: State | None = None
        self._at = 0

    def __call__(self, event: ToldEvent, entry: Entry) -> ToldEvent:
        """`event` as it is told again of `entry`."""
        if self._entries is None:
            self._entries = self._whole()
        before = self._entries[self._at : entry.version - 1]
        amends = isinstance(event, LogAmended)
        if not (self._at or amends) and _SEATING.isdisjoint(each.type for each in before):
            return event
        self._state = state = fold_entries(self._state, before)
        self._at = entry.version - 1
        assert state is not None
        if not isinstance(event, LogAmended):
            return by_column(state, event)
        amended = amend(state, event)
        return event if isinstance(amended, Refusal) else amended.event


def appended_before(
    stream: Sequence[Entry], events: Sequence[ToldEvent], language: Language
) -> AppendReading:
    """What `events`, all recorded in `stream`, came to.

    It is a function of the ids: each event is decided again on the state before it, which gives the
    same entries, and the breaches that the first answer told, unless what it rested on was erased
    since. `stream` is whole, oldest first.
    """
    told = {event.id: (index, event) for index, event in enumerate(events)}
    state: State | None = None
    done: AppendReading | None = None
    at = 0
    while told:
        begun = at
        while (owner := stream[at].told_by or stream[at].id) not in told:
            at += 1
        state = fold_entries(state, stream[begun:at])
        index, event = told.pop(owner)
        assert state is not None
        recorded = record(state, [without_round(event)])
        own = _entries_of(owner, stream, at)
        at += len(own)
        if isinstance(recorded, Refusal) or len(own) > len(recorded.entries):
            done = _as_stored(state, own, index).after(done)
            state = done.folded.state
            continue
        if len(own) < len(recorded.entries):
            # What follows from it was told, by the next event of its request.
            after = fold_entries(state, own)
            assert after is not None
            recorded = replace(recorded, entries=recorded.entries[: len(own)], state=after)
        done = appended(own, recorded, first_index=index, language=language).after(done)
        state = recorded.state
    assert done is not None
    return done


def _as_stored(state: State, own: Sequence[Entry], index: int) -> AppendReading:
    """Entries that can't be decided again, because some before them were erased."""
    views = tuple(entry_view(entry, None if entry.inferred else index) for entry in own)
    after = fold_entries(state, own)
    assert after is not None
    return AppendReading(views, (), FoldedState(after, own[-1].position))


def _entries_of(told: str, stream: Sequence[Entry], at: int) -> Sequence[Entry]:
    """The told entry with this id and those that were inferred for it; they stand together."""
    end = at
    while end < len(stream) and told in (stream[end].id, stream[end].told_by):
        end += 1
    return stream[at:end]
