"""Recording what happens to a tournament, and what follows at its tables, in one append."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Final

import msgspec
from msgspec import Struct

from scorekeeper.ledger.entry import Draft, Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import RowWrite, Seen
from scorekeeper.match.events.events import PlayerSubstituted, TableEvent
from scorekeeper.match.state import State
from scorekeeper.service.command import (
    Command,
    CommandResult,
    IdempotencyKey,
    Outcome,
    Replayed,
    Writing,
    events_key,
)
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.matches.deciding import (
    changed_views,
    drafts,
    from_refusal,
    recorded_or_refused,
)
from scorekeeper.service.matches.proposals import unregistered
from scorekeeper.service.matches.recording import (
    MANY,
    Versions,
    event_ids,
    recorded_prefix,
    version_mismatch,
)
from scorekeeper.service.reading.entry_presenter import entry_view
from scorekeeper.service.reading.matches import match_stream
from scorekeeper.service.reading.tournaments import (
    TournamentAppendView,
    TournamentReading,
    fold_tournament,
    tournament_stream,
    tournament_view,
)
from scorekeeper.service.refused import Refused
from scorekeeper.service.streams import LEAGUE_STREAM, Roster, fold_entries, tail_roster, tail_state
from scorekeeper.store import tournaments as stored
from scorekeeper.texts.language import Language
from scorekeeper.tournament.decide import at_the_tables, decide
from scorekeeper.tournament.events import (
    SCHEMA,
    SeatTakenOver,
    TournamentEvent,
    encode,
    event_type,
    normalise,
)
from scorekeeper.tournament.standings import Results, TableResult, table_result
from scorekeeper.tournament.tournament import Tournament, by_column, evolve

_encode = msgspec.json.Encoder().encode

_GIVEN: Final = frozenset({"player_substituted", "match_abandoned"})
"""The types of what is told at tables along with events of a tournament."""


class Tables:
    """The matches at a tournament's tables, from before an append to after it.

    `states`: those of the matches before it.
    """

    def __init__(
        self, seen: Seen, league: str, states: Mapping[str, State], language: Language
    ) -> None:
        self.roster: Roster = tail_roster(seen.tails[LEAGUE_STREAM])
        self.rows: list[RowWrite] = []
        self.touched: list[str] = []
        self._league = league
        self._language: Language = language
        self._states = dict(states)
        self.results = {match: table_result(state) for match, state in self._states.items()}

    @property
    def carried(self) -> Mapping[str, object]:
        states = {match_stream(match): state for match, state in self._states.items()}
        return {LEAGUE_STREAM: self.roster, **states}

    def follow(
        self, tournament: Tournament, event: TournamentEvent, index: int, *, after: int
    ) -> tuple[Tournament, Sequence[Draft]]:
        """Return the tournament after an event, and the drafts that follow from it at the tables.

        `index`: the event's index in the request. `after`: how many drafts precede these in the
        append. Raises Refused, which names the match and the event's index.
        """
        written: list[Draft] = []
        for match, consequence in at_the_tables(tournament, event, self.results):
            if _seated(self._states[match], consequence):
                continue
            written += self._record(match, consequence, index, after=after + len(written))
        return evolve(tournament, event), written

    def _record(self, match: str, event: TableEvent, index: int, *, after: int) -> Sequence[Draft]:
        before = self._states[match]
        try:
            recorded = recorded_or_refused(before, [event], self.roster, self._language)
        except Refused as refused:
            facts = {**(refused.facts or {}), "match": match}
            raise refused.with_facts(facts, event_index=index) from refused
        self._states[match] = recorded.state
        self.results[match] = table_result(recorded.state)
        # Nothing is won by a substitution or an abandonment.
        self.rows += changed_views(self._league, match, before, recorded.state, won_at=None)
        if match not in self.touched:
            self.touched.append(match)
        return drafts(match_stream(match), recorded, after=after)


def _seated(state: State, event: TableEvent) -> bool:
    """Return whether the event seats a substitute who sits there already.

    Substitutions can also be recorded, and taken back, in the match of a single table.
    """
    if not isinstance(event, PlayerSubstituted):
        return False
    return state.substitutes.get(event.player, event.player) == event.substitute


def _recorded_along(own: Entry, at_tables: Mapping[int, tuple[str, Entry]]) -> Sequence[str]:
    """Return the match of each entry at the tables that was recorded along with a tournament's own.

    `at_tables`: all entries there by their positions, each with its match. They follow directly on
    their own one. They are not decided again, since they might be refused once content at a table
    was erased.
    """
    found: list[str] = []
    while (following := at_tables.get(own.position + len(found) + 1)) is not None:
        match, entry = following
        is_given = entry.inferred or entry.type in _GIVEN
        if not is_given or (entry.time, entry.actor) != (own.time, own.actor):
            break
        found.append(match)
    return found


def _result_at(entries: Sequence[Entry], position: int) -> TableResult:
    """Return the result of a match, given all its entries, as it was at a position."""
    count = bisect_right(entries, position, key=attrgetter("position"))
    return table_result(fold_entries(None, entries[:count]))


class TournamentRecording:
    """Appends the events that are told of tournaments."""

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

        Event ids that are already in the ledger are checked first, then the expected version (None:
        any), then the rules.
        """
        found = await self._reading.find(league, tournament)
        events = [normalise(event) for event in told]
        ids = event_ids(events)
        stream = tournament_stream(tournament)
        # The schedule never changes, so that these are the matches at all tables.
        matches = [table.match for table in found.tournament.schedule.tables]
        append = _TournamentAppend(
            league=league,
            tournament=tournament,
            stream=stream,
            matches=matches,
            events=events,
            ids=ids,
            expected=expected,
            language=language,
        )
        command = Command(
            league=league,
            actor=caller.token_id,
            about=stream,
            keys=(events_key(stream, ids, events) if ids else None, key),
            streams=(LEAGUE_STREAM, stream, *map(match_stream, matches)),
            ids=ids,
            decide=append.decide,
            weight=append.weight,
            takes_long=append.takes_long,
        )
        return await command.carry_out(self._ledger)


class _RecordedEvents(Struct, frozen=True):
    """What events of a request recorded: the tournament's own entries, and the matches touched."""

    entries: list[Entry]
    matches: list[str]
    tournament: Tournament
    results: Results


class _TournamentAppend(Struct, frozen=True, kw_only=True):
    """One request to append; it is decided again if another process was first."""

    league: str
    tournament: str
    stream: str
    matches: Sequence[str]
    events: Sequence[TournamentEvent]
    ids: Sequence[str]
    expected: Versions | None
    language: Language

    def decide(self, seen: Seen) -> Writing[Outcome] | Outcome:
        """Check ids first, then the expected version, then the rules."""
        whole = seen.whole(self.stream)

        def then(event: TournamentEvent, entry: Entry) -> TournamentEvent:
            return by_column(fold_tournament(whole[: entry.version - 1]), event)

        head = recorded_prefix(self.events, self.ids, seen.known, self.stream, encode, then)
        earlier = self._as_recorded(seen, whole, head)
        if earlier is not None and head == len(self.events):
            return self._outcome(earlier, created=False, replayed="true")
        own = Versions(entry.version for entry in earlier.entries) if earlier else Versions()
        stale = version_mismatch(self.expected, whole[-1].version, own=own)
        if stale is not None:
            raise stale
        states = {match: tail_state(seen.tails[match_stream(match)]) for match in self.matches}
        tables = Tables(seen, self.league, states, self.language)
        tournament = fold_tournament(whole)
        written: list[Draft] = []
        for index, told in enumerate(self.events[head:], head):
            event = by_column(tournament, told)
            self._check(tournament, event, tables, index)
            written.append(self._draft(event))
            tournament, consequences = tables.follow(tournament, event, index, after=len(written))
            written += consequences
        return Writing(
            drafts=written,
            carried=tables.carried,
            complete=lambda entries: self._complete(earlier, tournament, tables, entries),
        )

    @property
    def weight(self) -> int:
        """How many entries may be written if each event says something to each table."""
        return len(self.events) * len(self.matches)

    def takes_long(self, seen: Seen) -> bool:
        """Return whether many tables may have to be decided at, or all of them read again."""
        return bool(seen.known) or self.weight > MANY

    def _as_recorded(self, seen: Seen, whole: Sequence[Entry], head: int) -> _RecordedEvents | None:
        """Return what the first `head` events of the request recorded before; None if it is 0."""
        if not head:
            return None
        entries = [seen.known[each] for each in self.ids[:head]]
        tables = {match: seen.whole(match_stream(match)) for match in self.matches}
        at_tables = {each.position: (match, each) for match in tables for each in tables[match]}
        given = [_recorded_along(entry, at_tables) for entry in entries]
        last, until = entries[-1], entries[-1].position + len(given[-1])
        return _RecordedEvents(
            entries,
            list(dict.fromkeys(match for each in given for match in each)),
            fold_tournament(whole[: last.version]),
            {match: _result_at(table, until) for match, table in tables.items()},
        )

    def _check(
        self, tournament: Tournament, event: TournamentEvent, tables: Tables, index: int
    ) -> None:
        refused = decide(tournament, event, tables.results)
        if refused is not None:
            refusal = msgspec.structs.replace(refused, event_index=index)
            playing = [each for each in tournament.players if each not in tournament.withdrawn]
            raise from_refusal(refusal, self.language, players=playing)
        if isinstance(event, SeatTakenOver) and event.substitute not in tables.roster.players:
            raise unregistered(
                [event.substitute],
                tables.roster.players,
                beside=(*tournament.players, *tournament.substitutes.values()),
                event_index=index,
            )

    def _draft(self, event: TournamentEvent) -> Draft:
        return Draft(
            stream=self.stream,
            type=event_type(event),
            schema=SCHEMA,
            body=encode(event),
            id=event.id,
        )

    def _complete(
        self,
        earlier: _RecordedEvents | None,
        tournament: Tournament,
        tables: Tables,
        entries: Sequence[Entry],
    ) -> CommandResult[Outcome]:
        own = [entry for entry in entries if entry.stream == self.stream]
        matches = tables.touched
        if earlier is not None:
            own = [*earlier.entries, *own]
            matches = list(dict.fromkeys([*earlier.matches, *matches]))
        recorded = _RecordedEvents(own, matches, tournament, tables.results)
        outcome = self._outcome(
            recorded, created=True, replayed=None if earlier is None else "partial"
        )
        rows = tables.rows
        if tournament.closed:
            rows = [*rows, stored.closed(league=self.league, tournament=self.tournament)]
        return CommandResult(value=outcome, rows=rows, kept=outcome)

    def _outcome(
        self, recorded: _RecordedEvents, *, created: bool, replayed: Replayed | None
    ) -> Outcome:
        last = recorded.entries[-1]
        view = TournamentAppendView(
            tournament=self.tournament,
            version=last.version,
            position=last.position,
            entries=[entry_view(entry, index) for index, entry in enumerate(recorded.entries)],
            matches=recorded.matches,
            state=tournament_view(recorded.tournament, recorded.results, position=last.position),
        )
        return Outcome(body=_encode(view), created=created, version=last.version, replayed=replayed)
