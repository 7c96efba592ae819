"""Recording what happened at the table: load, decide, append."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from scorekeeper.ledger.append import Answered, Completion, Decision, Request, Seen
from scorekeeper.ledger.draft import Draft
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.match.dispute_events import DisputeRuled
from scorekeeper.match.events import (
    SCHEMA,
    LogAmended,
    PlayerSubstituted,
    ToldEvent,
    encode,
    event_type,
    normalise,
)
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.refusal import Refusal
from scorekeeper.match.state import State
from scorekeeper.match.told import Told
from scorekeeper.service.access import Caller, Right
from scorekeeper.service.answers import IdempotencyKey, Outcome, keep, repeated, unchanged
from scorekeeper.service.appended import Appended, Standing, appended
from scorekeeper.service.league_events import STREAM, Roster
from scorekeeper.service.listed import changed_views
from scorekeeper.service.reading import Reading, match_stream
from scorekeeper.service.refusals import from_refusal, unregistered
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.retries import appended_before, event_ids, known_head
from scorekeeper.service.stream_fold import tail_roster, tail_state
from scorekeeper.service.submit import submit, submit_soon
from scorekeeper.texts.language import Language

Versions = frozenset[int]

# Who sits down for somebody else is named by these alone.
_NAMING = frozenset({PlayerSubstituted, LogAmended})

_Done: TypeAlias = tuple[Outcome, Standing | None]
"""The answer, and what stands after it where it is the latest."""


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

    Ids that are already in the ledger are looked at first, then the expected version, then the
    rules.
    """

    def __init__(self, ledger: Ledger, reading: Reading) -> None:
        self._ledger = ledger
        self._reading = reading

    async def record(self, asked: ToRecord) -> Outcome:
        """Raises Refused."""
        return self._finished(asked, await submit(self._ledger, _request(asked)))

    def record_soon(self, asked: ToRecord, then: Callable[[Outcome | Exception], object]) -> None:
        """The same without waiting: `then` is called with the outcome, or what would be raised.

        What can be refused without a look at the match is raised at once.
        """
        submit_soon(self._ledger, _request(asked), partial(self._tell, asked, then))

    def _tell(
        self,
        asked: ToRecord,
        then: Callable[[Outcome | Exception], object],
        done: _Done | Exception,
    ) -> None:
        outcome: Outcome | Exception
        if isinstance(done, Exception):
            outcome = done
        else:
            try:
                outcome = self._finished(asked, done)
            except Exception as bug:  # noqa: BLE001 or else nobody would ever be answered
                outcome = bug
        then(outcome)

    def _finished(self, asked: ToRecord, done: _Done) -> Outcome:
        outcome, standing = done
        if standing is not None:
            self._reading.remember(asked.league, asked.match, standing)
        return outcome


def _request(asked: ToRecord) -> Request[_Done]:
    events = [normalise(event) for event in asked.told]
    check_rulings(asked.caller, events)
    ids = event_ids(events)
    key = asked.key
    stream = match_stream(asked.match)
    append = _Append(asked, stream, events, ids, () if key is None else (key,))
    return Request(
        league=asked.league,
        actor=asked.caller.token_id,
        streams=streams_of(stream, events),
        ids=ids,
        answer_keys=() if key is None else (key.key,),
        decide=append.decide,
        weight=len(events),
    )


class _Append(Struct, frozen=True):
    """One request to append; it is decided again where another process was first."""

    asked: ToRecord
    stream: str
    events: Sequence[ToldEvent]
    ids: Sequence[str]
    keys: tuple[IdempotencyKey, ...]

    def decide(self, seen: Seen) -> Decision[_Done] | Answered[_Done]:
        """Ids first, then the expected version, then the rules."""
        asked = self.asked
        answer = repeated(seen, self.keys, without_standing, about=self.stream)
        if answer is not None:
            return answer
        tail = seen.tails[self.stream]
        if tail.version == 0:
            raise not_found("match")
        head = known_head(self.events, self.ids, seen.known, self.stream, encode)
        earlier = None
        if head:
            whole = seen.whole(self.stream)
            earlier = appended_before(whole, self.events[:head], asked.language)
            if head == len(self.events):
                outcome = earlier.outcome(asked.match, created=False, replayed="true")
                value = without_standing(outcome)
                return unchanged(seen, self.keys, outcome, value, about=self.stream)
        own: Versions = frozenset() if earlier is None else earlier.versions
        check_version(asked.expected, tail.version, own=own)
        before = tail_state(tail)
        recorded = recorded_or_refused(
            before,
            self.events[head:],
            tail_roster(seen.tails[STREAM]) if STREAM in seen.tails else None,
            asked.language,
            first_index=head,
        )
        return decision(
            asked.league,
            asked.match,
            before,
            recorded,
            self.keys,
            asked.language,
            earlier=earlier,
            first_index=head,
        )


class _Written(Struct, frozen=True):
    """What is answered once `recorded` is written, behind `earlier` of the same request."""

    league: str
    match: str
    stream: str
    before: State
    recorded: Recorded
    keys: tuple[IdempotencyKey, ...]
    language: Language
    earlier: Appended | None
    first_index: int

    def complete(self, entries: Sequence[Entry]) -> Completion[_Done]:
        recorded, earlier = self.recorded, self.earlier
        done = appended(
            entries, recorded, first_index=self.first_index, language=self.language
        ).after(earlier)
        outcome = done.outcome(
            self.match, created=True, replayed=None if earlier is None else "partial"
        )
        rows = changed_views(
            self.league,
            self.match,
            self.before,
            recorded.state,
            won_at=won_at(recorded, entries),
        )
        return Completion(
            value=(outcome, done.standing),
            rows=rows,
            answers=keep(self.keys, outcome, about=self.stream),
        )


def check_version(
    expected: Versions | None,
    version: int,
    *,
    own: frozenset[int] = frozenset(),
    what: str = "match",
) -> None:
    """Every entry after one of the expected versions must be the request's own. Raises Refused."""
    if expected is None:
        return
    for each in expected:
        if each <= version and own.issuperset(range(each + 1, version + 1)):
            return
    raise Refused("version-mismatch", f"The {what} is at version {version} now.", version=version)


def decision(
    league: str,
    match: str,
    before: State,
    recorded: Recorded,
    keys: tuple[IdempotencyKey, ...],
    language: Language,
    *,
    earlier: Appended | None = None,
    first_index: int = 0,
) -> Decision[_Done]:
    """Write what was recorded in the state `before`, and answer with it.

    `earlier`: what the first events of the request came to before; the others count from
    `first_index`.
    """
    stream = match_stream(match)
    written = _Written(
        league, match, stream, before, recorded, keys, language, earlier, first_index
    )
    return Decision(
        drafts=drafts(stream, recorded),
        carried={stream: recorded.state},
        complete=written.complete,
    )


def won_at(recorded: Recorded, entries: Sequence[Entry]) -> int | None:
    """The position of the entry by which `recorded`, stored as `entries`, won its match."""
    return None if recorded.won_by is None else entries[recorded.won_by].position


def check_rulings(caller: Caller, events: Sequence[ToldEvent]) -> None:
    """Only an owner rules on disputes. Raises Refused (`forbidden`)."""
    if DisputeRuled not in map(type, events):
        return
    for index, event in enumerate(events):
        if isinstance(event, DisputeRuled) and not caller.may(Right.OWN):
            raise Refused(
                "forbidden", "Only an owner's token rules on disputes.", event_index=index
            )


def streams_of(stream: str, events: Sequence[ToldEvent]) -> tuple[str, ...]:
    """A match's stream, and the league's where it has to be known who is in the league."""
    if _NAMING.isdisjoint(map(type, events)):
        return (stream,)
    return (stream, STREAM) if any(map(_substitutes, events)) else (stream,)


def without_standing(outcome: Outcome) -> _Done:
    """A repeated request found a past state, which is not to be remembered as the latest."""
    return outcome, None


def recorded_or_refused(
    state: State,
    events: Sequence[ToldEvent],
    roster: Roster | None,
    language: Language,
    *,
    first_index: int = 0,
) -> Recorded:
    """What `events` come to; the first that fails decides. Raises Refused.

    `roster` may be None where nobody is substituted. The request's events count from `first_index`.
    """
    strangers = () if roster is None else _strangers(events, roster)
    registered = strangers[0][0] if strangers else len(events)
    recorded = record(state, events[:registered])
    if isinstance(recorded, Refusal):
        raise from_refusal(recorded, language, first_index=first_index)
    for index, name in strangers:
        raise unregistered([name], language, event_index=first_index + index)
    return recorded


def _substitutes(event: ToldEvent) -> Sequence[str]:
    """Who sits down for somebody else, by the event or by what it inserts."""
    match event:
        case PlayerSubstituted():
            return (event.substitute,)
        case LogAmended():
            return [name for each in event.insert for name in _substitutes(each)]
        case _:
            return ()


def _strangers(events: Sequence[ToldEvent], roster: Roster) -> Sequence[tuple[int, str]]:
    """Substitutes who are not in the league, each with the place of the event that names them."""
    return [
        (index, name)
        for index, event in enumerate(events)
        for name in _substitutes(event)
        if name not in roster.players
    ]


def drafts(stream: str, recorded: Recorded, *, after: int = 0) -> tuple[Draft, ...]:
    """The entries to be written, behind `after` others of the same request.

    An inferred one names the told one that it belongs to.
    """
    told = {
        made.told_index: place
        for place, made in enumerate(recorded.entries, after)
        if not made.inferred
    }
    return tuple(
        [
            Draft(
                stream=stream,
                type=event_type(made.event),
                schema=SCHEMA,
                body=encode(made.event),
                id=made.event.id if isinstance(made.event, Told) else None,
                inferred=made.inferred,
                told_by=told[made.told_index] if made.inferred else None,
            )
            for made in recorded.entries
        ]
    )
