"""All that follows from what was played at a tournament's tables."""

import msgspec
from msgspec.structs import replace

from scorekeeper.projections.board import segment_shown
from scorekeeper.projections.progress import Progress, tournament_progress
from scorekeeper.service.reading.tournament_views import TournamentView
from scorekeeper.service.reading.tournaments import Found, tournament_view
from scorekeeper.tournament.results import Results
from scorekeeper.tournament.standings import Standings, standings


class TournamentOverview(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as it stands.

    `segment`: the one that is played, or else the last. `lots`: those by which somebody stands
    before another, each in its order; lots that play no part are left out.
    """

    view: TournamentView
    results: Results
    standings: Standings
    progress: Progress
    segment: int
    lots: tuple[tuple[str, ...], ...]


def tournament_overview(found: Found) -> TournamentOverview:
    """Takes some 10 ms for each thousand rounds."""
    tournament, results = found.tournament, found.results
    return TournamentOverview(
        view=tournament_view(tournament, results, position=found.position),
        results=results,
        standings=standings(tournament, results),
        progress=tournament_progress(tournament, results),
        segment=segment_shown(tournament, results).segment,
        lots=_lots(found),
    )


def _lots(found: Found) -> tuple[tuple[str, ...], ...]:
    tournament = found.tournament
    if not tournament.drawn:
        return ()
    without = standings(replace(tournament, drawn=()), found.results)
    return tuple(
        next(order for order in tournament.drawn if set(order) == set(tied))
        for tied in without.tied
        if any(set(order) == set(tied) for order in tournament.drawn)
    )
