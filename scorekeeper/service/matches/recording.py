"""Recording what happened at the table: load, decide, append.

Retries are recognised by event ids, which show the events of a request that are recorded already.
The answer is then made again from what is recorded.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Seen
from scorekeeper.match.decider import by_column
from scorekeeper.match.events.events import (
    DisputeRuled,
    LogAmended,
    ToldEvent,
    decode_written,
    encode,
    normalise,
    spelt_out_alike,
    without_round,
)
from scorekeeper.match.events.fields import Told
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.amend import amend
from scorekeeper.match.record import ROUND_MEANT, Recorded, record
from scorekeeper.match.state import State
from scorekeeper.service.command import Command, IdempotencyKey, Outcome, Writing
from scorekeeper.service.identity.access import Caller, Right
from scorekeeper.service.matches.deciding import (
    Done,
    carried_out,
    decision,
    recorded_or_refused,
)
from scorekeeper.service.reading.entry_presenter import (
    AppendReading,
    FoldedState,
    appended,
    entry_view,
)
from scorekeeper.service.reading.matches import Reading, match_stream
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.streams import (
    LEAGUE_STREAM,
    Roster,
    fold_entries,
    streams_of,
    tail_roster,
    tail_state,
)
from scorekeeper.texts.language import Language

T = TypeVar("T", bound=Told)

_SEATING: Final = frozenset({"player_substituted", "log_amended"})
"""The types of entries that may seat a substitute."""

Versions = frozenset[int]
LONG = 250
"""Entries that are folded, or read again from the first, within some milliseconds."""
MANY = 100
"""Events that are decided within some milliseconds."""


def event_ids(events: Sequence[Told]) -> tuple[str, ...]:
    """Return the ids of a request's events, or none if the events have none. Raises Refused."""
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
    as_recorded: Callable[[T, Entry], T],
) -> int:
    """Return how many events at the beginning of a request are recorded already.

    `known` has the recorded entries by event id. `as_bytes` encodes an event as it is stored.
    `as_recorded` puts an event into the form in which it became an entry. Raises Refused if a known
    id follows a new one, or belongs to another event.
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
        if not _is_recorded_as(event, entry, as_bytes, as_recorded):
            raise Refused("event-id-reused", reason="other-content", event_index=index)
        if head < index or entry.version <= last:
            raise Refused("event-ids-out-of-order", event_index=index)
        last = entry.version
        head = index + 1
    return head


def _is_recorded_as(
    event: T, entry: Entry, as_bytes: Callable[[T], bytes], as_recorded: Callable[[T, Entry], T]
) -> bool:
    if entry.version == 1:
        # Readers see the id of the opening, too. Nothing was recorded before it.
        return False
    return entry.body == as_bytes(event) or entry.body == as_bytes(as_recorded(event, entry))


def _check_known(entry: Entry, stream: str, index: int) -> None:
    if entry.stream != stream or entry.inferred:
        raise Refused("event-id-reused", reason="elsewhere", event_index=index)
    if entry.body is None:
        raise Refused("event-erased", reason="event", event_index=index)


class FormWhenRecorded:
    """Puts repeated events into the form in which they were recorded.

    A client may name a substitute. The recorded event names the column instead. A client may also
    say what the recorded event left unsaid, such as a `count` of 1. Call this for one entry after
    the other, oldest first. `whole` returns the match's entries, oldest first.
    """

    def __init__(self, whole: Callable[[], Sequence[Entry]]) -> None:
        self._whole = whole
        self._entries: Sequence[Entry] | None = None
        self._state: State | None = None
        self._at = 0

    def __call__(self, event: ToldEvent, entry: Entry) -> ToldEvent:
        """Return `event`, which is told again, in the form in which `entry` was recorded."""
        event = self._by_column(event, entry)
        assert entry.body is not None
        recorded = cast("ToldEvent", decode_written(entry.body))
        same = encode(spelt_out_alike(event)) == encode(spelt_out_alike(recorded))
        return recorded if same else event

    def _by_column(self, event: ToldEvent, entry: Entry) -> ToldEvent:
        if self._entries is None:
            self._entries = self._whole()
        before = self._entries[self._at : entry.version - 1]
        amends = isinstance(event, LogAmended)
        if not (self._at or amends) and _SEATING.isdisjoint(each.type for each in before):
            return event
        self._state = state = fold_entries(self._state, before)
        self._at = entry.version - 1
        if not isinstance(event, LogAmended):
            return by_column(state, event)
        amended = amend(state, event)
        return event if isinstance(amended, Refusal) else amended.event


def appended_before(
    stream: Sequence[Entry], events: Sequence[ToldEvent], language: Language
) -> AppendReading:
    """Return what `events` recorded, all of which are in `stream`.

    The result depends on the ids alone. Each event is decided again on the state before it. That
    gives the same entries and violations as the first answer had, unless content that they rested
    on was erased since. `stream` is the whole stream, oldest first.
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
        recorded = record(state, [without_round(event)])
        own = _entries_of(owner, stream, at)
        at += len(own)
        if isinstance(recorded, Refusal) or len(own) > len(recorded.entries):
            done = _as_stored(state, own, index).after(done)
            state = done.folded.state
            continue
        if len(own) < len(recorded.entries):
            # The next event of the request told what would have been inferred here otherwise.
            after = fold_entries(state, own)
            recorded = replace(recorded, entries=recorded.entries[: len(own)], state=after)
        done = appended(own, recorded, first_index=index, language=language).after(done)
        state = recorded.state
    assert done is not None
    return done


def _as_stored(state: State, own: Sequence[Entry], index: int) -> AppendReading:
    """Entries that can't be decided again, because some before them were erased."""
    views = tuple(entry_view(entry, None if entry.inferred else index) for entry in own)
    after = fold_entries(state, own)
    return AppendReading(views, (), FoldedState(after, own[-1].position))


def _entries_of(told: str, stream: Sequence[Entry], at: int) -> Sequence[Entry]:
    """Return the told entry with this id and those inferred for it, which are consecutive."""
    end = at
    while end < len(stream) and told in (stream[end].id, stream[end].told_by):
        end += 1
    return stream[at:end]


class ToRecord(Struct, frozen=True):
    """What a caller tells of a match, all or nothing.

    `expected`: the versions that the match may have; None: any.
    """

    caller: Caller
    league: str
    match: str
    told: Sequence[ToldEvent]
    expected: Versions | None = None
    key: IdempotencyKey | None = None
    language: Language = "en"


class Recording:
    """Appends what is told of a match.

    Event ids that are already in the ledger are checked first, then the rounds that the events
    mean, then the expected version, then the rules.
    """

    def __init__(self, ledger: Ledger, reading: Reading) -> None:
        self._ledger = ledger
        self._reading = reading

    async def record(self, asked: ToRecord) -> Outcome:
        """Append what is told. Raises Refused."""
        return await carried_out(_command(asked), self._ledger, self._reading, asked.match)


def _command(asked: ToRecord) -> Command[Done]:
    events = [normalise(event) for event in asked.told]
    check_rulings(asked.caller, events)
    ids = event_ids(events)
    stream = match_stream(asked.match)
    append = _MatchAppend(asked, stream, events, ids)
    return Command(
        league=asked.league,
        actor=asked.caller.token_id,
        about=stream,
        keys=(asked.key,),
        streams=streams_of(stream, events),
        ids=ids,
        decide=append.decide,
        weight=len(events),
        takes_long=append.takes_long,
        folds={stream: tail_state},
    )


class _MatchAppend(Struct, frozen=True):
    """One request to append; it is decided again if another process was first."""

    asked: ToRecord
    stream: str
    events: Sequence[ToldEvent]
    ids: Sequence[str]

    def decide(self, seen: Seen) -> Writing[Done] | Outcome:
        """Check ids first, then the rounds that are meant, the expected version, and the rules."""
        asked = self.asked
        tail = seen.tails[self.stream]
        if tail.version == 0:
            raise not_found("match")
        form_then = FormWhenRecorded(partial(seen.whole, self.stream))
        head = recorded_prefix(self.events, self.ids, seen.known, self.stream, encode, form_then)
        earlier = None
        if head:
            whole = seen.whole(self.stream)
            earlier = appended_before(whole, self.events[:head], asked.language)
            if head == len(self.events):
                return earlier.outcome(asked.match, created=False, replayed="true")
        own: Versions = frozenset() if earlier is None else earlier.versions
        before = tail_state(tail)
        roster = tail_roster(seen.tails[LEAGUE_STREAM]) if LEAGUE_STREAM in seen.tails else None
        stale = version_mismatch(asked.expected, tail.version, own=own)
        if stale is not None:
            self._check_rounds(before, roster, head)
            raise stale
        return decision(
            asked.league,
            asked.match,
            before,
            self._recorded(before, roster, head),
            asked.language,
            roster=roster,
            earlier=earlier,
            first_index=head,
        )

    def takes_long(self, seen: Seen) -> bool:
        """Return whether many events are told, or many entries have to be folded.

        For an amendment or a retry, the whole match is folded.
        """
        if len(self.events) > MANY:
            return True
        tail = seen.tails[self.stream]
        if tail.version <= LONG:
            return False
        amends = LogAmended in map(type, self.events)
        return amends or bool(seen.known) or len(tail.entries) > LONG

    def _recorded(self, before: State, roster: Roster | None, head: int) -> Recorded:
        return recorded_or_refused(
            before, self.events[head:], roster, self.asked.language, first_index=head
        )

    def _check_rounds(self, before: State, roster: Roster | None, head: int) -> None:
        """Raise Refused if an event means another round.

        A client learns this even if it expects another version, too.
        """
        if all(without_round(event) is event for event in self.events[head:]):
            return
        try:
            self._recorded(before, roster, head)
        except Refused as refused:
            if refused.code in ROUND_MEANT:
                raise


def version_mismatch(
    expected: Versions | None, version: int, *, own: Versions = frozenset()
) -> Refused | None:
    """Return the refusal of a request that expects another version, for the caller to raise.

    None if the match is at an expected version, not counting entries that the request itself
    recorded at an earlier try.
    """
    if expected is None:
        return None
    for each in expected:
        if each <= version and own.issuperset(range(each + 1, version + 1)):
            return None
    return Refused("version-mismatch", facts={"latest": version}, version=version)


def check_rulings(caller: Caller, events: Sequence[ToldEvent]) -> None:
    """Only an owner rules on disputes. Raises Refused (`forbidden`)."""
    if DisputeRuled not in map(type, events):
        return
    for index, event in enumerate(events):
        if isinstance(event, DisputeRuled) and not caller.may(Right.OWN):
            raise Refused("forbidden", reason="ruling", event_index=index)
