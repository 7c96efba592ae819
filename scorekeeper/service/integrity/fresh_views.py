"""How the rows of each stored view follow from the log of a league, by the views' declarations."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Final

from msgspec.structs import asdict

from scorekeeper.service.integrity.comparing import FreshRow, FreshView
from scorekeeper.service.integrity.fresh_table import FreshTable
from scorekeeper.service.integrity.replay_check import LeagueReplay
from scorekeeper.service.standings.rating import rated_after
from scorekeeper.store import views
from scorekeeper.store.ratings import RankedPlayer
from scorekeeper.store.views import VIEWS, StoredView


class FreshViews:
    """What the stored views of a league should hold, as of the last `bring_up`.

    Rows are derived when they are asked for, since those of a long log take much room.
    """

    def __init__(self, replay: LeagueReplay) -> None:
        self.replay = replay
        self.table = FreshTable()
        self._lost: set[str] = set()

    def bring_up(self) -> Mapping[str, set[str]]:
        """Take in what was replayed since; subjects whose rows may be others than before, by kind.

        It costs what the matches cost that were touched.
        """
        matches, tournaments = self.replay.touched()
        people: set[str] = set()
        for slug in matches:
            match = self.replay.matches[slug]
            if match.row() is None:
                self._lost.add(slug)
            people |= self.table.put(slug, match.won_match())
        return {"match": matches, "tournament": tournaments, "player": people}

    @property
    def left(self) -> list[str]:
        """Matches and tournaments that can't be replayed."""
        return sorted([*self._lost, *self._lost_tournaments()])

    def views(self) -> list[FreshView]:
        """All but those that are behind.

        As long as there is a match that can't be replayed, nobody can tell what it adds to the
        league's table, which is left out.
        """
        subjects: Mapping[str, Collection[str]] = {
            "match": self.replay.matches,
            "tournament": self.replay.tournaments,
            "player": {*self.replay.players, *self.table.people},
            "token_id": self.replay.tokens,
        }
        lost: Mapping[str, Collection[str]] = {
            "match": self._lost,
            "tournament": self._lost_tournaments(),
        }
        return [
            FreshView(
                view,
                subjects[view.subject],
                partial(DERIVED[view], self),
                lost.get(view.subject, ()),
            )
            for view in VIEWS
            if not (view.behind or (view.of_all_matches and self._lost))
        ]

    def _lost_tournaments(self) -> set[str]:
        return {slug for slug, each in self.replay.tournaments.items() if each.row() is None}


def _match(fresh: FreshViews, slug: str) -> Iterator[FreshRow]:
    match = fresh.replay.matches.get(slug)
    if match is not None:
        yield FreshRow(match.row() or {"match": slug})


def _tournament(fresh: FreshViews, slug: str) -> Iterator[FreshRow]:
    tournament = fresh.replay.tournaments.get(slug)
    if tournament is not None:
        yield FreshRow(tournament.row() or {"tournament": slug})


def _tournament_table(fresh: FreshViews, slug: str) -> Iterator[FreshRow]:
    match = fresh.replay.matches.get(slug)
    if match is not None and match.tournament is not None:
        yield FreshRow(match.table() or {"tournament": match.tournament, "match": slug})


def _results(fresh: FreshViews, slug: str) -> Iterator[FreshRow]:
    match = fresh.replay.matches.get(slug)
    won = None if match is None else match.won_match()
    if won is not None:
        yield from (FreshRow(columns, won.exact) for columns in won.results())


def _standing(fresh: FreshViews, player: str) -> Iterator[FreshRow]:
    line = fresh.table.line(player)
    if line is not None:
        yield FreshRow(*line)


def _player(fresh: FreshViews, player: str) -> Iterator[FreshRow]:
    registered = fresh.replay.players.get(player)
    if registered is not None:
        yield FreshRow({"player": player, "registered": registered})


def _token(fresh: FreshViews, token_id: str) -> Iterator[FreshRow]:
    token = fresh.replay.tokens.get(token_id)
    if token is not None:
        yield FreshRow({"token_id": token_id, **asdict(token)})


DERIVED: Final[Mapping[StoredView, Callable[[FreshViews, str], Iterable[FreshRow]]]] = {
    views.MATCHES: _match,
    views.TOURNAMENTS: _tournament,
    views.TOURNAMENT_TABLES: _tournament_table,
    views.RESULTS: _results,
    views.STANDINGS: _standing,
    views.PLAYERS: _player,
    views.TOKENS: _token,
}
"""The rows of a subject, none of an unknown one."""


def fresh_ratings(played: Sequence[RankedPlayer]) -> FreshView:
    """The ratings as they follow from these results, which are all that they rest on."""
    rated = sorted(rated_after((), played), key=lambda each: each.player)
    by_player = {
        player: [FreshRow(asdict(each)) for each in own]
        for player, own in groupby(rated, key=lambda each: each.player)
    }
    return FreshView(views.RATINGS, by_player, lambda player: by_player.get(player, ()))
