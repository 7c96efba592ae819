"""Amendments that the service makes: taking something back, and trying what one would change.

`undo` writes the amendment that takes back what was told last, or an event that is named. `what_if`
shows every number as it would be with one more amendment, and writes nothing.
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Seen
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.record import Recorded, undo, would_void
from scorekeeper.match.state import State
from scorekeeper.projections.changes import Change, changes
from scorekeeper.projections.contribution import contributions
from scorekeeper.projections.scoreboard import (
    HandView,
    RoundView,
    Scoreboard,
    hands,
    rounds,
    scoreboard,
)
from scorekeeper.service.command import Command, IdempotencyKey, Outcome, Writing
from scorekeeper.service.identity.access import Caller, Right
from scorekeeper.service.matches.deciding import (
    Done,
    carried_out,
    decision,
    from_refusal,
    recorded_or_refused,
)
from scorekeeper.service.matches.recording import LONG, Versions, version_mismatch
from scorekeeper.service.reading.entry_presenter import violation_views, voided_views
from scorekeeper.service.reading.match_request import WhatIf
from scorekeeper.service.reading.matches import Reading, match_stream
from scorekeeper.service.reading.tournaments import (
    PlayedTournament,
    TournamentReading,
    TournamentStandingsView,
)
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.standings.changes import (
    HypotheticalTable,
    OtherResults,
    read_other_results,
)
from scorekeeper.service.standings.league_table import TableLine
from scorekeeper.service.streams import (
    LEAGUE_STREAM,
    Roster,
    decode_league_event,
    roster,
    substitutes,
    tail_state,
)
from scorekeeper.service.views import ViolationView, VoidedView
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import words_of
from scorekeeper.tournament.standings import Standings, standings, table_result

# These differ after every amendment, so they are not listed as changes.
_COUNTING = frozenset({"/match/version", "/match/position", "/match/amendments"})


class ToUndo(Struct, frozen=True):
    """`of`: the id of the event that is taken back; None: what was told last.

    `expected`: the versions that the match may have; None: any.
    """

    caller: Caller
    league: str
    match: str
    reason: str | None
    of: str | None
    expected: Versions | None
    key: IdempotencyKey | None
    language: Language


class Undoing:
    """Makes and appends the amendment that takes something back."""

    def __init__(self, ledger: Ledger, reading: Reading) -> None:
        self._ledger = ledger
        self._reading = reading

    async def undo(self, asked: ToUndo) -> Outcome:
        """Append the amendment. Raises Refused."""
        undoing = _Undo(asked, match_stream(asked.match))
        command = Command(
            league=asked.league,
            actor=asked.caller.token_id,
            about=undoing.stream,
            keys=(asked.key,),
            streams=(undoing.stream,),
            ids=() if asked.of is None else (asked.of,),
            decide=undoing.decide,
            takes_long=undoing.takes_long,
            folds={undoing.stream: tail_state},
        )
        return await carried_out(command, self._ledger, self._reading, asked.match)


class _Undo(Struct, frozen=True):
    """One request to undo; it is decided again if another process was first."""

    asked: ToUndo
    stream: str

    def decide(self, seen: Seen) -> Writing[Done]:
        """Check whether this caller may take the event back, then the version, then the rules.

        Raises Refused.
        """
        asked, language = self.asked, self.asked.language
        tail = seen.tails[self.stream]
        if tail.version == 0:
            raise not_found("match")
        version = None if asked.of is None else self._own(seen.known.get(asked.of)).version
        stale = version_mismatch(asked.expected, tail.version)
        if stale is not None:
            raise stale
        state = tail_state(tail)
        amendment = undo(state, asked.reason, of=version)
        if isinstance(amendment, Refusal):
            raise from_refusal(amendment, language, words_of(state.edition.id))
        recorded = recorded_or_refused(state, [amendment], None, language)
        _check_void(state, recorded, language)
        return decision(asked.league, asked.match, state, recorded, language)

    def takes_long(self, seen: Seen) -> bool:
        """Return whether the match is long. An amendment has all of it read again."""
        return seen.tails[self.stream].version > LONG

    def _own(self, entry: Entry | None) -> Entry:
        """Return the entry of the event that is named.

        Raises Refused unless the caller recorded it or is an owner.
        """
        caller = self.asked.caller
        if entry is None or entry.stream != self.stream:
            raise not_found("event")
        if entry.actor != caller.token_id and not caller.may(Right.OWN):
            raise Refused("forbidden", reason="undo")
        return entry


def _check_void(state: State, recorded: Recorded, language: Language) -> None:
    """Raise Refused if undoing would leave other told events without effect."""
    lost = would_void(state, recorded)
    if not lost:
        return
    facts = {"count": len(lost)}
    words = words_of(state.edition.id)
    raise Refused(
        "undo-would-void",
        facts=facts,
        words=words,
        voided=voided_views(lost, language=language, words=words),
    )


class WhatIfView(msgspec.Struct, frozen=True, kw_only=True):
    """A match as it would be with one more amendment; nothing was recorded.

    `voided`: told events that could not be applied any more. `violations`: all that would be
    counted, each with the `version` of its entry, or the `amendment` and `index` of an insertion.
    `hands`: those of the round in progress, or of the one that would have ended last. `table`: the
    lines in the league's table, with their ranks in the whole table, of everybody who was in the
    match or would be. A player without a finished match has no line. `tournament`: the standings of
    the tournament that the match belongs to; null if it belongs to none.

    `changes`: every leaf that would differ from now, except the version, the position and the count
    of amendments of the scoreboard. Each is named by a JSON Pointer (RFC 6901) into
    `{"match": scoreboard, "rounds": {number: round}, "hands", "table": {player: line},
    "tournament": {player: standing}}`. This table is the whole one. For players who are not in the
    match only the rank can change, if somebody passes them.
    """

    state: Scoreboard
    rounds: list[RoundView]
    voided: list[VoidedView]
    violations: list[ViolationView]
    hands: Mapping[str, HandView]
    table: list[TableLine]
    tournament: TournamentStandingsView | None
    changes: list[Change]


class WhatIfContext(Struct, frozen=True):
    """What the numbers depend on besides the match: the league's table, and its tournament."""

    beside: OtherResults
    tournament: PlayedTournament | None


def concerned(*states: State) -> frozenset[str]:
    """Return whose lines in the league's table the match may change, and everybody in the match.

    `states`: the match as it is, and as it would be.
    """
    return frozenset(
        person
        for state in states
        for person in (*state.opened.players, *state.substitutes.values(), *contributions(state))
    )


def what_if(
    match: str,
    before: State,
    recorded: Recorded,
    around: WhatIfContext,
    *,
    position: int,
    language: Language,
) -> WhatIfView:
    """Return what an amendment would change.

    `before`: the match as it is. `recorded`: what recording it at this `position` would give.
    """
    after = recorded.state
    words = words_of(after.edition.id)
    now, then = (_numbers(match, state, around, position) for state in (before, after))
    return WhatIfView(
        state=then.match,
        rounds=list(then.rounds.values()),
        voided=list(voided_views(recorded.voided or (), language=language, words=words)),
        violations=list(
            violation_views(recorded.flagged, first_index=0, language=language, words=words)
        ),
        hands=then.hands,
        table=list(then.table.lines),
        tournament=_view(then.standings),
        changes=[
            change for change in changes(now.reading, then.reading) if change.at not in _COUNTING
        ],
    )


class _Numbers(Struct, frozen=True, kw_only=True):
    """All numbers that rest on a match."""

    match: Scoreboard
    rounds: Mapping[str, RoundView]
    hands: Mapping[str, HandView]
    table: HypotheticalTable
    standings: Standings | None

    @property
    def reading(self) -> Mapping[str, object]:
        """The document that the JSON Pointers of `changes` point into."""
        items = () if self.standings is None else self.standings.items
        return {
            "match": self.match,
            "rounds": self.rounds,
            "hands": self.hands,
            "table": {
                **{line.player: line for line in self.table.lines},
                **{player: {"rank": rank} for player, rank in self.table.ranks.items()},
            },
            "tournament": {each.player: each for each in items},
        }


def _numbers(match: str, state: State, around: WhatIfContext, position: int) -> _Numbers:
    """Return all numbers for a match in this state; `position` is that of its last entry."""
    played = around.tournament
    return _Numbers(
        match=scoreboard(state, match=match, position=position),
        rounds={str(each.round): each for each in rounds(state)},
        hands=hands(state),
        table=around.beside.table(state, position),
        standings=None
        if played is None
        else standings(played.tournament, {**played.results, match: table_result(state)}),
    )


def _view(would_be: Standings | None) -> TournamentStandingsView | None:
    if would_be is None:
        return None
    return TournamentStandingsView(
        items=would_be.items,
        complete=would_be.complete,
        champions=would_be.champions,
        tied=would_be.tied,
    )


class WhatIfQuery:
    """Computes what an amendment would change. Nothing is written, and no append waits for it."""

    def __init__(self, ledger: Ledger, reading: Reading, tournaments: TournamentReading) -> None:
        self._ledger = ledger
        self._reading = reading
        self._tournaments = tournaments

    async def what_if(
        self, league: str, match: str, asked: WhatIf, *, language: Language
    ) -> WhatIfView:
        """Return all numbers as they would be if `asked` were recorded.

        Other matches count as they are now. Raises Refused as recording does.
        """
        amendment = asked.amendment()
        before = (await self._reading.folded(league, match)).state
        known = await self._roster(league) if substitutes(amendment) else None
        recorded = recorded_or_refused(before, [amendment], known, language)
        around = await self._around(league, match, before, recorded.state)
        head = await self._ledger.head(league)
        assert head is not None
        return what_if(match, before, recorded, around, position=head.size + 1, language=language)

    async def _roster(self, league: str) -> Roster:
        entries = await self._ledger.stream(league, LEAGUE_STREAM)
        return roster(Roster(), (decode_league_event(each.body) for each in entries if each.body))

    async def _around(self, league: str, match: str, before: State, after: State) -> WhatIfContext:
        people = concerned(before, after)
        tournament = before.opened.tournament
        return WhatIfContext(
            await self._ledger.read(lambda c: read_other_results(c, league, match, people)),
            None if tournament is None else await self._tournaments.find(league, tournament),
        )
