"""Every number as it would be with one more amendment."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from scorekeeper.match.amend import found
from scorekeeper.match.effective import corrected
from scorekeeper.match.record import Recorded
from scorekeeper.match.state import State
from scorekeeper.projections.contribution import contributions
from scorekeeper.projections.hands import HandView, hands
from scorekeeper.projections.rounds import RoundView, rounds
from scorekeeper.projections.scoreboard import Scoreboard, scoreboard
from scorekeeper.service.appended import violation_views, voided_views
from scorekeeper.service.table.beside import Beside
from scorekeeper.service.table.reading import TableLine
from scorekeeper.service.tournaments.reading import Found
from scorekeeper.service.tournaments.views import TournamentStandingsView
from scorekeeper.service.views import ViolationView, VoidedView
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import words_of
from scorekeeper.tournament.results import table_result
from scorekeeper.tournament.standings import standings


class WhatIfView(msgspec.Struct, frozen=True, kw_only=True):
    """A match as it would be with one more amendment; nothing was recorded.

    `voided`: what was told and could not be applied any more; `violations`: all that would be
    counted, each with the `version` of its entry, or the `amendment` and `index` of an insertion.
    `hands`: of the round in progress, or of the one that would have ended last. `table`: the lines
    of the league's table, with their ranks in all of it, of everybody who was in the match or would
    be; who has finished no match has none. `tournament`: the standings of the tournament that the
    match belongs to, null where it belongs to none.
    """

    state: Scoreboard
    rounds: list[RoundView]
    voided: list[VoidedView]
    violations: list[ViolationView]
    hands: Mapping[str, HandView]
    table: list[TableLine]
    tournament: TournamentStandingsView | None


class Around(Struct, frozen=True):
    """What else the numbers rest on: the league's table, and the tournament that is played."""

    beside: Beside
    tournament: Found | None


def people_of(*states: State) -> frozenset[str]:
    """Whose lines in the league's table a match may change, and who sits at it."""
    return frozenset(
        person
        for state in states
        for person in (*state.opened.players, *state.substitutes.values(), *contributions(state))
    )


def what_if(
    match: str, recorded: Recorded, around: Around, *, position: int, language: Language
) -> WhatIfView:
    """`recorded`: what the amendment would come to, as the entry at `position`."""
    after = recorded.state
    words = words_of(after.edition.id)
    against = found(corrected(after))
    return WhatIfView(
        state=scoreboard(after, match=match, position=position),
        rounds=list(rounds(after)),
        voided=list(voided_views(recorded.voided or (), language=language, words=words)),
        violations=list(violation_views(against, first_index=0, language=language, words=words)),
        hands=hands(after),
        table=around.beside.lines(after, position),
        tournament=_standings(around.tournament, match, after),
    )


def _standings(played: Found | None, match: str, after: State) -> TournamentStandingsView | None:
    if played is None:
        return None
    results = {**played.results, match: table_result(after)}
    would_be = standings(played.tournament, results)
    return TournamentStandingsView(
        items=would_be.items,
        complete=would_be.complete,
        champions=would_be.champions,
        tied=would_be.tied,
    )
