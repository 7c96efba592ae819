"""Derives each stored view of a league from its log, and compares the stored rows with that.

`store/views` declares the views, and DERIVED has how their rows are derived. The log's chain is
checked while it is folded, so that nothing is derived from an unsound log. Names of leagues,
players and tokens, and the hashes of tokens, are in no ledger. Only their presence is checked. An
export's signed manifest covers the names in it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from msgspec.structs import asdict
from sqlalchemy import Connection, select

from scorekeeper.ledger.integrity.checking import Flaw, LedgerCheck, Stored
from scorekeeper.ledger.integrity.raw_rows import HeadRow
from scorekeeper.service.integrity.fresh_rows import (
    Comparison,
    Difference,
    FreshRow,
    FreshTable,
    FreshView,
)
from scorekeeper.service.integrity.replay_check import LeagueReplay
from scorekeeper.service.standings.rating import rated_after
from scorekeeper.store import leagues, ratings, tables, views
from scorekeeper.store.ratings import RankedPlayer, RatedPlayer
from scorekeeper.store.tokens import DIGEST_BYTES
from scorekeeper.store.views import VIEWS, StoredView, rows_of


class FreshViews:
    """What the stored views of a league should hold, as of the last `bring_up`.

    Rows are derived when they are asked for, since those of a long log take much room.
    """

    def __init__(self, replay: LeagueReplay) -> None:
        self.replay = replay
        self.table = FreshTable()
        self._lost: set[str] = set()

    def bring_up(self) -> Mapping[str, set[str]]:
        """Take in what was replayed since the last call.

        Return the subjects whose rows may have changed, by kind: `match`, `tournament`, `player`.
        Only matches with new entries cost time.
        """
        matches, tournaments = self.replay.touched()
        people: set[str] = set()
        for slug in matches:
            match = self.replay.matches[slug]
            if not match.replayable:
                self._lost.add(slug)
            people |= self.table.put(slug, match.won_match())
        return {"match": matches, "tournament": tournaments, "player": people}

    @property
    def unreplayable(self) -> list[str]:
        """Matches and tournaments that can't be replayed."""
        return sorted([*self._lost, *self._lost_tournaments()])

    def views(self) -> list[FreshView]:
        """Return all views except the ratings, which follow behind.

        While there is a match that can't be replayed, nobody can tell what it adds to the league's
        table. Then the table and its results are left out, too.
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
"""For each view, how the rows of a subject are derived. An unknown subject has none."""


def fresh_ratings(played: Sequence[RankedPlayer]) -> FreshView:
    """Return the ratings that follow from `played`, all results that they rest on."""
    by_player: dict[str, list[RatedPlayer]] = {}
    for each in rated_after((), played):
        by_player.setdefault(each.player, []).append(each)

    def rows(player: str) -> Iterator[FreshRow]:
        return (FreshRow(asdict(each)) for each in by_player.get(player, ()))

    return FreshView(views.RATINGS, by_player, rows)


class LogUnsound(Exception):
    """The log itself is not as it was recorded."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(flaw)  # so that it can be pickled for another process
        self.flaw = flaw


class SoundFold:
    """Folds the rows of a ledger in the order of their positions, and checks its chain.

    `fresh` has the views that follow from the rows.
    """

    def __init__(self, head: HeadRow) -> None:
        self._check = LedgerCheck(head.league, head.log)
        self._replay = LeagueReplay(head.league)
        self.fresh = FreshViews(self._replay)

    @property
    def size(self) -> int:
        """How many entries were taken."""
        return self._check.size

    def take(self, rows: Sequence[Stored]) -> None:
        """Take the next rows. Raises LogUnsound."""
        flaws, headers = self._check.take(rows)
        if flaws:
            raise LogUnsound(flaws[0])
        pairs = zip(headers, rows, strict=True)
        self._replay.take([(header, row[1]) for header, row in pairs if header is not None])

    def reach(self, size: int) -> None:
        """Raise LogUnsound if fewer than `size` entries were taken."""
        if self.size < size:
            position = self.size + 1
            detail = f"The ledger of {self._check.league} lacks the entry at position {position}."
            raise LogUnsound(Flaw("position-missing", detail, position, "events.position"))

    def end(self, head: HeadRow) -> None:
        """Raise LogUnsound if the entries taken are not those that the head row promises."""
        if (self._check.size, self._check.tree.frontier()) != (head.size, head.frontier):
            detail = f"The entries of {head.league} are not those that its head row promises."
            raise LogUnsound(Flaw("head-differs", detail, None, "ledgers.frontier"))


def view_flaws(connection: Connection, league: str, replay: LeagueReplay) -> Iterator[Flaw]:
    """Yield a flaw for each stored row or column that does not follow from the league's entries."""
    if leagues.name(connection, league) is None:
        yield Flaw("row-missing", "The league has no name.", None, "leagues.league")
    if not views.is_up_to_date(connection, league):
        yield Flaw(
            "views-outdated",
            "The lists and tables were written by another version of this program: `scorekeeper "
            "migrate` makes them anew.",
            None,
            "stored_views.derivation",
        )
    fresh = FreshViews(replay)
    fresh.bring_up()
    for each in fresh.views():
        yield from _compared(connection, league, each)
    yield from _ratings(connection, league, replay.size)
    yield from _names(connection, league, replay)


def _compared(connection: Connection, league: str, fresh: FreshView) -> Iterator[Flaw]:
    comparison = Comparison(fresh)
    for found in comparison.take(rows_of(connection, fresh.view, league)):
        yield from _flaws(fresh.view, found)
    for found in comparison.end():
        yield from _flaws(fresh.view, found)


def _ratings(connection: Connection, league: str, size: int) -> Iterator[Flaw]:
    """Check the ratings by the results up to the position that the ratings have reached.

    The results themselves were checked before.
    """
    until = ratings.as_of(connection, league)
    if until > size:
        yield Flaw(
            "view-differs",
            f"The ratings are as of position {until}; the ledger has {size} entries.",
            None,
            "rating_progress.as_of",
        )
    on = ratings.played(connection, league, after=0, until=until)
    yield from _compared(connection, league, fresh_ratings(on))


def _flaws(view: StoredView, found: Difference) -> Iterator[Flaw]:
    table = view.name
    column = view.key_names[0] if len(view.key_names) == 1 else "key"
    key = "/".join(map(str, found.key))
    if found.fresh is None:
        detail = f"The table {table} has the {column} {key!r}, of which the ledger knows nothing."
        yield Flaw("row-unknown", detail, None, f"{table}.{column}")
    elif found.stored is None:
        detail = f"The table {table} lacks the {column} {key}, which the ledger has."
        yield Flaw("row-missing", detail, None, f"{table}.{column}")
    else:
        for name, said in found.changed.items():
            yield Flaw(
                "view-differs",
                f"The {column} {key} has the {name} {found.stored[name]!r} in the table {table}; "
                f"a fresh fold has {said!r}.",
                None,
                f"{table}.{name}",
            )


def _names(connection: Connection, league: str, replay: LeagueReplay) -> Iterator[Flaw]:
    """Check names and hashes: only erased names may be missing, and hashes have 32 bytes."""
    players, tokens = tables.players, tables.tokens
    nameless = select(players.c.player).where(players.c.league == league, players.c.name.is_(None))
    for player in connection.execute(nameless.order_by(players.c.player)).scalars():
        if player not in replay.nameless:
            detail = f"The player {player} has no name, and no entry tells that it was erased."
            yield Flaw("name-missing", detail, None, "players.name")
    digests = select(tokens.c.token_id, tokens.c.digest).where(tokens.c.league == league)
    for token_id, digest in connection.execute(digests.order_by(tokens.c.token_id)):
        if len(digest) != DIGEST_BYTES:
            detail = f"The token {token_id} has a hash of {len(digest)} bytes."
            yield Flaw("digest-torn", detail, None, "tokens.digest")
