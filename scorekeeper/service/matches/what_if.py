"""Every number as it would be with one more amendment."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from scorekeeper.match.readings.amend import found
from scorekeeper.match.readings.effective_log import corrected
from scorekeeper.match.record import Recorded
from scorekeeper.match.table.state import State
from scorekeeper.projections.changes import Change, changes
from scorekeeper.projections.contribution import contributions
from scorekeeper.projections.hands import HandView, hands
from scorekeeper.projections.rounds import RoundView, rounds
from scorekeeper.projections.scoreboard import Scoreboard, scoreboard
from scorekeeper.service.reading.append_presenter import violation_views, voided_views
from scorekeeper.service.reading.people import WordsByStep
from scorekeeper.service.reading.tournament_views import TournamentStandingsView
from scorekeeper.service.reading.tournaments import Found
from scorekeeper.service.standings.hypothetical_table import HypotheticalTable, OtherResults
from scorekeeper.service.standings.reading import TableLine
from scorekeeper.service.views import ViolationView, VoidedView
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import words_of
from scorekeeper.tournament.results import table_result
from scorekeeper.tournament.standings import Standings, standings


class WhatIfView(msgspec.Struct, frozen=True, kw_only=True):
    """A match as it would be with one more amendment; nothing was recorded.

    `voided`: what was told and could not be applied any more; `violations`: all that would be
    counted, each with the `version` of its entry, or the `amendment` and `index` of an insertion.
    `hands`: of the round in progress, or of the one that would have ended last. `table`: the lines
    of the league's table, with their ranks in all of it, of everybody who was in the match or would
    be; who has finished no match has none. `tournament`: the standings of the tournament that the
    match belongs to, null where it belongs to none.

    `changes`: every leaf that would be another than it is now, but for the version, the position
    and the count of amendments of the scoreboard. Each is named by a JSON Pointer (RFC 6901) into
    `{"match": scoreboard, "rounds": {number: round}, "hands", "table": {player: line},
    "tournament": {player: standing}}`. The table is the whole one: of those who are not in the
    match only the rank can change, where somebody passes them.
    """

    state: Scoreboard
    rounds: list[RoundView]
    voided: list[VoidedView]
    violations: list[ViolationView]
    hands: Mapping[str, HandView]
    table: list[TableLine]
    tournament: TournamentStandingsView | None
    changes: list[Change]


# They differ after every amendment, whatever it says.
_COUNTING = frozenset({"/match/version", "/match/position", "/match/amendments"})


class WhatIfContext(Struct, frozen=True):
    """What else the numbers rest on: the league's table, and the tournament that is played."""

    beside: OtherResults
    tournament: Found | None


def people_of(*states: State) -> frozenset[str]:
    """Whose lines in the league's table a match may change, and who sits at it."""
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
    """`recorded`: what the amendment would come to in the state `before`, as entry `position`."""
    after = recorded.state
    steps = corrected(after)
    words = WordsByStep(words_of(after.edition.id), steps, None)
    now, then = (_numbers(match, state, around, position) for state in (before, after))
    return WhatIfView(
        state=then.match,
        rounds=list(then.rounds.values()),
        voided=list(voided_views(recorded.voided or (), language=language, words=words.common)),
        violations=[
            view
            for each in found(steps)
            for view in violation_views(
                [each], first_index=0, language=language, words=words.at(each.address)
            )
        ],
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
        """What `changes` point into."""
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
    """If the match stood as `state`; `position` is that of its last entry."""
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
