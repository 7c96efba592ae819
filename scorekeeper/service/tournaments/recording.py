"""Recording what happens to a tournament, and along with it at its tables, in one append."""

from collections.abc import Mapping, Sequence
from typing import cast

import msgspec

from scorekeeper.ledger.append import Answered, Completion, Decision, Request, Row, Seen
from scorekeeper.ledger.draft import Draft
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.match.events import TableEvent
from scorekeeper.match.state import State
from scorekeeper.service.access import Caller
from scorekeeper.service.answers import IdempotencyKey, Outcome, events_key, itself, keep, repeated
from scorekeeper.service.entry_view import entry_view
from scorekeeper.service.league_events import STREAM, Roster
from scorekeeper.service.listed import changed_views
from scorekeeper.service.reading import match_stream
from scorekeeper.service.recording import Versions, drafts, recorded_or_refused
from scorekeeper.service.refusals import from_refusal, unregistered
from scorekeeper.service.refused import Refused
from scorekeeper.service.retries import event_ids
from scorekeeper.service.stream_fold import tail_roster, tail_state
from scorekeeper.service.submit import submit
from scorekeeper.service.tournaments.reading import (
    TournamentReading,
    fold_tournament,
    tournament_stream,
    tournament_view,
)
from scorekeeper.service.tournaments.views import TournamentAppendView
from scorekeeper.store import tournaments as stored
from scorekeeper.texts.language import Language
from scorekeeper.tournament.decide import at_the_tables, decide
from scorekeeper.tournament.events import (
    SCHEMA,
    SeatTakenOver,
    TournamentClosed,
    TournamentEvent,
    encode,
    event_type,
    normalise,
)
from scorekeeper.tournament.results import table_result
from scorekeeper.tournament.state import Tournament, evolve

_encode = msgspec.json.Encoder().encode


class TournamentRecording:
    """Appends what is told of a tournament."""

    def __init__(self, ledger: Ledger, reading: TournamentReading) -> None:
        self._ledger = ledger
        self._reading = reading

    async def record(
        self,
        caller: Caller,
        league: str,
        tournament: str,
        told: Sequence[TournamentEvent],
        *,
        expected: Versions | None,
        key: IdempotencyKey | None,
        language: Language,
    ) -> Outcome:
        """Append all of `told`, or nothing. Raises Refused.

        Ids that are already in the ledger are looked at first, then the expected version (None:
        any), then the rules.
        """
        found = await self._reading.find(league, tournament)
        events = [normalise(event) for event in told]
        append = _Append(league, found.tournament, events, expected, key, language)
        request = Request(
            league=league,
            actor=caller.token_id,
            streams=append.streams,
            ids=append.ids,
            answer_keys=tuple(each.key for each in append.keys),
            decide=append.decide,
        )
        return await submit(self._ledger, request)


class _Append:
    """One request to append; it is decided again where another process was first."""

    def __init__(
        self,
        league: str,
        tournament: Tournament,
        events: Sequence[TournamentEvent],
        expected: Versions | None,
        key: IdempotencyKey | None,
        language: Language,
    ) -> None:
        self.league = league
        self.tournament = tournament.opened.tournament
        self.events = events
        self.expected = expected
        self.language: Language = language
        self.stream = tournament_stream(self.tournament)
        self.ids = event_ids(events)
        named = (events_key(self.stream, self.ids, events),) if self.ids else ()
        self.keys = named if key is None else (*named, key)
        # The schedule never changes, so that these are the streams of all tables.
        self.matches = [
            table.match for segment in tournament.schedule.segments for table in segment.tables
        ]
        self.streams = (STREAM, self.stream, *map(match_stream, self.matches))

    def decide(self, seen: Seen) -> Decision[Outcome] | Answered[Outcome]:
        """Ids first, then the expected version, then the rules."""
        answer = repeated(seen, self.keys, itself, about=self.stream)
        if answer is not None:
            return answer
        for index, event in enumerate(self.events):
            if event.id in seen.known:
                raise Refused(
                    "event-id-reused",
                    "This id is that of an event elsewhere, or of another batch.",
                    event_index=index,
                )
        version = seen.tails[self.stream].version
        if self.expected is not None and version not in self.expected:
            raise Refused(
                "version-mismatch", f"The tournament is at version {version} now.", version=version
            )
        tables = _Tables(seen, self.league, self.matches, self.language)
        tournament = fold_tournament(seen.whole(self.stream))
        written: list[Draft] = []
        for index, event in enumerate(self.events):
            self._check(tournament, event, tables, index)
            written.append(self._draft(event))
            for match, consequence in at_the_tables(tournament, event, tables.results):
                written += tables.record(match, consequence, index, after=len(written))
            tournament = evolve(tournament, event)
        return Decision(
            drafts=written,
            carried=tables.carried,
            complete=lambda entries: self._complete(tournament, tables, entries),
        )

    def _check(
        self, tournament: Tournament, event: TournamentEvent, tables: "_Tables", index: int
    ) -> None:
        refused = decide(tournament, event, tables.results)
        if refused is not None:
            refusal = msgspec.structs.replace(refused, event_index=index)
            raise from_refusal(refusal, self.language)
        if isinstance(event, SeatTakenOver) and event.substitute not in tables.roster.players:
            raise unregistered([event.substitute], self.language, event_index=index)

    def _draft(self, event: TournamentEvent) -> Draft:
        return Draft(
            stream=self.stream,
            type=event_type(event),
            schema=SCHEMA,
            body=encode(event),
            id=event.id,
        )

    def _complete(
        self, tournament: Tournament, tables: "_Tables", entries: Sequence[Entry]
    ) -> Completion[Outcome]:
        own = [entry for entry in entries if entry.stream == self.stream]
        last = own[-1]
        view = TournamentAppendView(
            tournament=self.tournament,
            version=last.version,
            position=last.position,
            entries=[entry_view(entry, index) for index, entry in enumerate(own)],
            matches=tables.touched,
            state=tournament_view(tournament, tables.results, position=last.position),
        )
        outcome = Outcome(body=_encode(view), created=True, version=last.version)
        rows = tables.rows
        if any(isinstance(event, TournamentClosed) for event in self.events):
            rows = [*rows, stored.closed(league=self.league, tournament=self.tournament)]
        return Completion(
            value=outcome, rows=rows, answers=keep(self.keys, outcome, about=self.stream)
        )


class _Tables:
    """The matches at the tables, as they were found and as this append leaves them."""

    def __init__(self, seen: Seen, league: str, matches: Sequence[str], language: Language) -> None:
        self.roster: Roster = tail_roster(seen.tails[STREAM])
        self.rows: list[Row] = []
        self.touched: list[str] = []
        self._league = league
        self._language: Language = language
        self._states = {match: tail_state(seen.tails[match_stream(match)]) for match in matches}
        self.results = {match: table_result(state) for match, state in self._states.items()}

    @property
    def carried(self) -> Mapping[str, State]:
        return {match_stream(match): state for match, state in self._states.items()}

    def record(self, match: str, event: TableEvent, index: int, *, after: int) -> Sequence[Draft]:
        """What follows at one table from the event `index`. Raises Refused, which names the match.

        `after`: how many entries the append has before these.
        """
        before = self._states[match]
        try:
            recorded = recorded_or_refused(before, [event], self.roster, self._language)
        except Refused as refused:
            facts = {**_facts(refused), "match": match}
            members = {**refused.members, "event_index": index, "facts": facts}
            raise Refused(
                refused.code, refused.detail, reason=refused.reason, **members
            ) from refused
        self._states[match] = recorded.state
        self.results[match] = table_result(recorded.state)
        # Nothing is won by a substitution or an abandonment.
        self.rows += changed_views(self._league, match, before, recorded.state, won_at=None)
        if match not in self.touched:
            self.touched.append(match)
        return drafts(match_stream(match), recorded, after=after)


def _facts(refused: Refused) -> Mapping[str, object]:
    facts = refused.members.get("facts")
    return cast("Mapping[str, object]", facts) if isinstance(facts, Mapping) else {}
