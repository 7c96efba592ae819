"""Totals round by round: what is plotted of a match, and of a tournament."""

from collections.abc import Iterable, Mapping
from itertools import accumulate, zip_longest
from typing import TypeAlias

from msgspec import Struct

from scorekeeper.match.table.state import State
from scorekeeper.tournament.results import Results
from scorekeeper.tournament.state import Tournament

_Scores: TypeAlias = Mapping[str, list[int]]
"""What each column scored in its rounds, in their order."""


class Progress(Struct, frozen=True, kw_only=True):
    """Row k has the total of each column after the k-th of its own rounds that counted.

    None where a column has not so many. A round counts that has ended, and one that was voided and
    is not dealt again, with 0 for all.
    """

    columns: tuple[str, ...]
    rounds: tuple[tuple[int | None, ...], ...]


def match_progress(state: State) -> Progress:
    """As the log is read now; the columns are the players in the seating of the opening.

    Whoever was out before a round has none of it. Catches count with the round that they belong to.
    """
    scores: _Scores = {player: [] for player in state.opened.players}
    for dealt in reversed([dealt for dealt in state.latest_first() if dealt.counted]):
        _add(scores, dealt.played_by, dealt.scores)
    return _totals(scores)


def tournament_progress(tournament: Tournament, results: Results) -> Progress:
    """By the order of the schedule, in which everybody plays one table after the other.

    The columns are in the order of entry. The last number of a column is its total in the
    standings.
    """
    scores: _Scores = {player: [] for player in tournament.players}
    for segment in tournament.schedule.segments:
        for table in segment.tables:
            for result in results[table.match].rounds if table.match in results else ():
                _add(scores, result.scores, result.scores)
    return _totals(scores)


def _add(scores: _Scores, players: Iterable[str], scored: Mapping[str, int]) -> None:
    for player in players:
        scores[player].append(scored.get(player, 0))


def _totals(scores: _Scores) -> Progress:
    totals = (accumulate(own) for own in scores.values())
    return Progress(columns=tuple(scores), rounds=tuple(zip_longest(*totals)))
