"""Recording what happened at the table: load, decide, append."""

from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Seen
from scorekeeper.match.decider.round_meant import ROUND_MEANT
from scorekeeper.match.events.dispute_events import DisputeRuled
from scorekeeper.match.events.events import LogAmended, ToldEvent, encode, normalise, without_round
from scorekeeper.match.record import Recorded
from scorekeeper.match.table.state import State
from scorekeeper.service.answers import IdempotencyKey, Outcome
from scorekeeper.service.command import Command, Writing
from scorekeeper.service.identity.access import Caller, Right
from scorekeeper.service.league_events import STREAM, Roster
from scorekeeper.service.matches.deciding import (
    Done,
    decision,
    recorded_or_refused,
    without_state,
)
from scorekeeper.service.matches.retries import (
    NamesWhenRecorded,
    appended_before,
    event_ids,
    recorded_prefix,
)
from scorekeeper.service.reading.matches import Reading, match_stream
from scorekeeper.service.reading.substitutes import streams_of
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.stream_fold import tail_roster, tail_state
from scorekeeper.texts.language import Language

Versions = frozenset[int]

LONG = 250
"""Entries that are folded, or read anew, within some milliseconds."""
MANY = 100
"""Events that are decided within some milliseconds."""


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

    Ids that are already in the ledger are looked at first, then the rounds that are meant, then the
    expected version, then the rules.
    """

    def __init__(self, ledger: Ledger, reading: Reading) -> None:
        self._ledger = ledger
        self._reading = reading

    async def record(self, asked: ToRecord) -> Outcome:
        """Raises Refused."""
        outcome, folded = await _command(asked).carry_out(self._ledger)
        if folded is not None:
            self._reading.remember(asked.league, asked.match, folded)
        return outcome


def _command(asked: ToRecord) -> Command[Done]:
    events = [normalise(event) for event in asked.told]
    check_rulings(asked.caller, events)
    ids = event_ids(events)
    key = asked.key
    stream = match_stream(asked.match)
    append = _MatchAppend(asked, stream, events, ids)
    return Command(
        league=asked.league,
        actor=asked.caller.token_id,
        about=stream,
        keys=() if key is None else (key,),
        streams=streams_of(stream, events),
        ids=ids,
        decide=append.decide,
        value=without_state,
        weight=len(events),
        takes_long=append.takes_long,
    )


class _MatchAppend(Struct, frozen=True):
    """One request to append; it is decided again where another process was first."""

    asked: ToRecord
    stream: str
    events: Sequence[ToldEvent]
    ids: Sequence[str]

    def decide(self, seen: Seen) -> Writing[Done] | Outcome:
        """Ids first, then the rounds that are meant, then the expected version, then the rules."""
        asked = self.asked
        tail = seen.tails[self.stream]
        if tail.version == 0:
            raise not_found("match")
        named_then = NamesWhenRecorded(partial(seen.whole, self.stream))
        head = recorded_prefix(self.events, self.ids, seen.known, self.stream, encode, named_then)
        earlier = None
        if head:
            whole = seen.whole(self.stream)
            earlier = appended_before(whole, self.events[:head], asked.language)
            if head == len(self.events):
                return earlier.outcome(asked.match, created=False, replayed="true")
        own: Versions = frozenset() if earlier is None else earlier.versions
        before = tail_state(tail)
        roster = tail_roster(seen.tails[STREAM]) if STREAM in seen.tails else None
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
            earlier=earlier,
            first_index=head,
        )

    def takes_long(self, seen: Seen) -> bool:
        """Whether much is told, or a long match has to be folded, or is read anew.

        It is read anew for an amendment or a retry.
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
        """Who means another round is told so, whatever version they saw. Raises Refused."""
        if all(without_round(event) is event for event in self.events[head:]):
            return
        try:
            self._recorded(before, roster, head)
        except Refused as refused:
            if refused.code in ROUND_MEANT:
                raise


def version_mismatch(
    expected: Versions | None,
    version: int,
    *,
    own: frozenset[int] = frozenset(),
) -> Refused | None:
    """None where every entry after one of the expected versions is the request's own."""
    if expected is None:
        return None
    for each in expected:
        if each <= version and own.issuperset(range(each + 1, version + 1)):
            return None
    return Refused("version-mismatch", facts={"latest": version}, version=version)


def check_version(
    expected: Versions | None,
    version: int,
    *,
    own: frozenset[int] = frozenset(),
) -> None:
    """Raises Refused where there is a `version_mismatch`."""
    stale = version_mismatch(expected, version, own=own)
    if stale is not None:
        raise stale


def check_rulings(caller: Caller, events: Sequence[ToldEvent]) -> None:
    """Only an owner rules on disputes. Raises Refused (`forbidden`)."""
    if DisputeRuled not in map(type, events):
        return
    for index, event in enumerate(events):
        if isinstance(event, DisputeRuled) and not caller.may(Right.OWN):
            raise Refused("forbidden", reason="ruling", event_index=index)
