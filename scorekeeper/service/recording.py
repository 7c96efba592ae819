"""Recording what happened at the table: load, decide, append."""

from collections.abc import Sequence

from scorekeeper.ledger.append import Answered, Completion, Decision, Request, Seen
from scorekeeper.ledger.draft import Draft
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.match.events import (
    SCHEMA,
    PlayerSubstituted,
    TableEvent,
    encode,
    event_type,
    normalise,
)
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.refusal import Refusal
from scorekeeper.match.state import State
from scorekeeper.match.told import Told
from scorekeeper.service.access import Caller
from scorekeeper.service.answers import IdempotencyKey, Outcome, keep, repeated, unchanged
from scorekeeper.service.appended import Appended, Standing, appended
from scorekeeper.service.league_events import STREAM, Roster
from scorekeeper.service.listed import changed_views
from scorekeeper.service.reading import Reading, match_stream
from scorekeeper.service.refusals import from_refusal, unregistered
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.retries import appended_before, event_ids, known_head
from scorekeeper.service.stream_fold import tail_roster, tail_state
from scorekeeper.service.submit import submit
from scorekeeper.texts.language import Language

Versions = frozenset[int]


class Recording:
    """Appends what is told of a match."""

    def __init__(self, ledger: Ledger, reading: Reading) -> None:
        self._ledger = ledger
        self._reading = reading

    async def record(
        self,
        caller: Caller,
        league: str,
        match: str,
        told: Sequence[TableEvent],
        *,
        expected: Versions | None = None,
        key: IdempotencyKey | None = None,
        language: Language = "en",
    ) -> Outcome:
        """Append all of `told`, or nothing. Raises Refused.

        Ids that are already in the ledger are looked at first, then the expected version (None:
        any), then the rules.
        """
        events = [normalise(event) for event in told]
        keys = () if key is None else (key,)
        append = _Append(league, match, events, expected, keys, language)
        request = Request(
            league=league,
            actor=caller.token_id,
            streams=append.streams,
            ids=append.ids,
            answer_keys=tuple(each.key for each in keys),
            decide=append.decide,
            weight=len(events),
        )
        outcome, standing = await submit(self._ledger, request)
        if standing is not None:
            self._reading.remember(league, match, standing)
        return outcome


class _Append:
    """One request to append; it is decided again where another process was first."""

    def __init__(
        self,
        league: str,
        match: str,
        events: Sequence[TableEvent],
        expected: Versions | None,
        keys: tuple[IdempotencyKey, ...],
        language: Language,
    ) -> None:
        self.league = league
        self.match = match
        self.stream = match_stream(match)
        self.events = events
        self.ids = event_ids(events)
        self.expected = expected
        self.keys = keys
        self.language: Language = language
        substitutes = any(isinstance(event, PlayerSubstituted) for event in events)
        self.streams = (self.stream, STREAM) if substitutes else (self.stream,)

    def decide(
        self, seen: Seen
    ) -> Decision[tuple[Outcome, Standing | None]] | Answered[tuple[Outcome, Standing | None]]:
        """Ids first, then the expected version, then the rules."""
        answer = repeated(seen, self.keys, without_standing, about=self.stream)
        if answer is not None:
            return answer
        tail = seen.tails[self.stream]
        if tail.version == 0:
            raise not_found("match")
        head = known_head(self.events, self.ids, seen.known, self.stream)
        earlier = None
        if head:
            whole = seen.whole(self.stream)
            earlier = appended_before(whole, self.events[:head], self.language)
            if head == len(self.events):
                outcome = earlier.outcome(self.match, created=False, replayed="true")
                value = without_standing(outcome)
                return unchanged(seen, self.keys, outcome, value, about=self.stream)
        self._check_version(tail.version, earlier)
        before = tail_state(tail)
        recorded = recorded_or_refused(
            before,
            self.events[head:],
            tail_roster(seen.tails[STREAM]) if STREAM in seen.tails else None,
            self.language,
            first_index=head,
        )
        return self._decision(before, recorded, earlier, head)

    def _check_version(self, version: int, earlier: Appended | None) -> None:
        """Every entry after the expected version must be this request's own."""
        if self.expected is None:
            return
        own = frozenset[int]() if earlier is None else earlier.versions
        for expected in self.expected:
            if expected <= version and own.issuperset(range(expected + 1, version + 1)):
                return
        raise Refused(
            "version-mismatch", f"The match is at version {version} now.", version=version
        )

    def _decision(
        self, before: State, recorded: Recorded, earlier: Appended | None, head: int
    ) -> Decision[tuple[Outcome, Standing | None]]:
        def complete(entries: Sequence[Entry]) -> Completion[tuple[Outcome, Standing | None]]:
            done = appended(entries, recorded, first_index=head, language=self.language)
            outcome = done.after(earlier).outcome(
                self.match, created=True, replayed=None if earlier is None else "partial"
            )
            return Completion(
                value=(outcome, done.standing),
                rows=changed_views(self.league, self.match, before, recorded.state),
                answers=keep(self.keys, outcome, about=self.stream),
            )

        return Decision(
            drafts=drafts(self.stream, recorded),
            carried={self.stream: recorded.state},
            complete=complete,
        )


def without_standing(outcome: Outcome) -> tuple[Outcome, Standing | None]:
    """A repeated request found a past state, which is not to be remembered as the latest."""
    return outcome, None


def recorded_or_refused(
    state: State,
    events: Sequence[TableEvent],
    roster: Roster | None,
    language: Language,
    *,
    first_index: int = 0,
) -> Recorded:
    """What `events` come to; the first that fails decides. Raises Refused.

    `roster` may be None where nobody is substituted. The request's events count from `first_index`.
    """
    registered = len(events) if roster is None else _registered(events, roster)
    recorded = record(state, events[:registered])
    if isinstance(recorded, Refusal):
        raise from_refusal(recorded, language, first_index=first_index)
    if registered < len(events):
        stranger = events[registered]
        assert isinstance(stranger, PlayerSubstituted)
        index = first_index + registered
        raise unregistered([stranger.substitute], language, event_index=index)
    return recorded


def _registered(events: Sequence[TableEvent], roster: Roster) -> int:
    """How many events stand before the first whose substitute is not in the league."""
    for index, event in enumerate(events):
        if isinstance(event, PlayerSubstituted) and event.substitute not in roster.players:
            return index
    return len(events)


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
    )
