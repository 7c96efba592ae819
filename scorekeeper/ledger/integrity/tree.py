"""The tree over a ledger's headers, read from the database a tile at a time.

Leaves come from the headers, higher levels from `tree_nodes`. Appending writes no nodes, so it
costs the same with the tree and without it. Nodes are written when somebody first asks
(`Trees.read`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import BigInteger, Connection, Text, bindparam, func, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as sqlite_dialect

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.merkle_tree import (
    EMPTY_ROOT,
    TILE_HEIGHT,
    TILE_WIDTH,
    Range,
    consistency_path,
    full_subtrees,
    inclusion_path,
    join,
    leaf_hash,
    root_over,
    width_at,
)
from scorekeeper.ledger.tables import events, tree_nodes

T = TypeVar("T")

# So many headers are read at once when nodes are made: a few milliseconds of work.
_STEP = 16 * TILE_WIDTH

_league = bindparam("league", type_=Text)
_level = bindparam("of_level", type_=BigInteger)
_first = bindparam("first", type_=BigInteger)
_end = bindparam("end", type_=BigInteger)

# The limit keeps PostgreSQL from going through the whole table, as in `read_between`.
_read_headers = (
    select(events.c.header)
    .where(
        events.c.league == _league,
        events.c.position > _first,
        events.c.position <= _end,
    )
    .order_by(events.c.position)
    .limit(bindparam("limit", type_=BigInteger))
)
_of_level = (tree_nodes.c.league == _league, tree_nodes.c.level == _level)
_read_nodes = (
    select(tree_nodes.c.number, tree_nodes.c.hash)
    .where(*_of_level, tree_nodes.c.number >= _first, tree_nodes.c.number < _end)
    .order_by(tree_nodes.c.number)
)
_all_nodes = (
    select(tree_nodes.c.level, tree_nodes.c.number, tree_nodes.c.hash)
    .where(tree_nodes.c.league == _league)
    .order_by(tree_nodes.c.level, tree_nodes.c.number)
)
_count_nodes = select(func.count()).where(*_of_level)
_keep_nodes = {
    "sqlite": sqlite_dialect.insert(tree_nodes).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(tree_nodes).on_conflict_do_nothing(),
}


class LedgerIncomplete(Exception):
    """Entries that the ledger's head counts are not there: the database was changed by hand."""


class Tree:
    """The tree of a ledger at `size`, which is the ledger's present size or an earlier one.

    A Tree belongs to one piece of work on one connection, and remembers the tiles that it read.
    Nodes that are not stored yet are computed from the headers. Raises LedgerIncomplete.
    """

    def __init__(self, connection: Connection, league: str, size: int) -> None:
        self.size = size
        self._connection = connection
        self._league = league
        self._tiles: dict[tuple[int, int], Sequence[bytes]] = {}

    def headers(self, first: int, end: int) -> list[bytes]:
        """Return the headers of the leaves from `first` up to `end`, excluded."""
        wanted = end - first
        parameters = {"league": self._league, "first": first, "end": end, "limit": wanted}
        headers = [row[0] for row in self._connection.execute(_read_headers, parameters)]
        if len(headers) != wanted:
            raise LedgerIncomplete(
                f"the ledger of {self._league} has {len(headers)} of the "
                f"{wanted} entries from position {first + 1} to {end}"
            )
        return headers

    def leaf(self, index: int) -> bytes:
        return self.tile(0, index // TILE_WIDTH)[index % TILE_WIDTH]

    def tile(self, level: int, number: int) -> Sequence[bytes]:
        """Return the hashes of a tile, as wide as it is at this size (C2SP tlog-tiles)."""
        known = self._tiles.get((level, number))
        if known is None:
            first = number * TILE_WIDTH
            end = first + width_at(level, number, self.size)
            known = self._tiles[level, number] = self.hashes(level, first, end)
        return known

    def root(self, start: int = 0, end: int | None = None) -> bytes:
        """Return the root over all leaves, over the first `end`, or over a range of a proof."""
        end = self.size if end is None else end
        if start == end:
            return EMPTY_ROOT
        return join([self._subtree(*each) for each in full_subtrees(start, end)])

    def inclusion(self, index: int) -> list[bytes]:
        """Return the proof that the leaf `index` is in this tree."""
        return self._roots(inclusion_path(index, self.size))

    def consistency(self, first: int) -> list[bytes]:
        """Return the proof that this tree extends its first `first` leaves."""
        return self._roots(consistency_path(first, self.size))

    def _roots(self, path: Iterable[Range]) -> list[bytes]:
        return [self.root(start, end) for start, end in path]

    def _subtree(self, height: int, index: int) -> bytes:
        level, above = divmod(height, TILE_HEIGHT)
        number, offset = divmod(index << above, TILE_WIDTH)
        hashes = self.tile(level, number)[offset : offset + (1 << above)]
        return root_over(hashes)

    def hashes(self, level: int, first: int, end: int) -> Sequence[bytes]:
        """Return the hashes of a tile level from number `first` up to `end`, excluded."""
        if level == 0:
            return [leaf_hash(header) for header in self.headers(first, end)]
        parameters = {"league": self._league, "of_level": level, "first": first, "end": end}
        kept = {row[0]: row[1] for row in self._connection.execute(_read_nodes, parameters)}
        return [
            kept[number] if number in kept else root_over(self._children(level, number))
            for number in range(first, end)
        ]

    def _children(self, level: int, number: int) -> Sequence[bytes]:
        # Not by `tile`, which remembers tiles: a million of them must not pile up in memory.
        return self.hashes(level - 1, number * TILE_WIDTH, (number + 1) * TILE_WIDTH)


class Trees:
    """Reads the trees of all ledgers in a database, and stores the nodes that it computes.

    Nothing is stored if the ledger was opened only for reading. Raises LedgerUnavailable and
    LedgerIncomplete.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._kept: dict[str, int] = {}

    async def read(self, league: str, size: int, work: Callable[[Tree], T]) -> T:
        """Run `work` on the tree of a ledger at `size`, and return its result."""
        await self._keep(league, size)
        return await self._ledger.read(lambda connection: work(Tree(connection, league, size)))

    async def store(self, league: str) -> None:
        """Store the missing nodes, for another process that reads the tree and can't write.

        If this fails, nothing is lost: that process computes them from the headers.
        """
        head = await self._ledger.head(league)
        if head is not None:
            with suppress(LedgerIncomplete, LedgerUnavailable):
                await self._keep(league, head.size)

    async def _keep(self, league: str, size: int) -> None:
        """Write the nodes that are missing up to `size`, a part at a time."""
        if not self._ledger.writable or self._kept.get(league, 0) >= size >> TILE_HEIGHT:
            return
        level = 1
        while wanted := size >> TILE_HEIGHT * level:
            kept = await self._ledger.read(partial(_count, league=league, level=level))
            while kept < wanted:
                end = min(wanted, kept + _STEP // TILE_WIDTH)
                make = partial(_make_nodes, league=league, level=level, first=kept, end=end)
                rows = await self._ledger.read(make)
                await self._ledger.transact(league, partial(_write_nodes, rows=rows))
                kept = end
            level += 1
        self._kept[league] = size >> TILE_HEIGHT


def stored_nodes(connection: Connection, league: str) -> Iterator[tuple[int, int, bytes]]:
    """Yield the level, number and hash of every stored node of a ledger, in order."""
    for row in connection.execute(_all_nodes, {"league": league}):
        yield row[0], row[1], row[2]


def _count(connection: Connection, league: str, level: int) -> int:
    parameters = {"league": league, "of_level": level}
    return connection.execute(_count_nodes, parameters).scalar_one()


def _make_nodes(
    connection: Connection, league: str, level: int, first: int, end: int
) -> list[dict[str, Any]]:
    below = Tree(connection, league, end << TILE_HEIGHT * level).hashes(
        level - 1, first * TILE_WIDTH, end * TILE_WIDTH
    )
    return [
        {
            "league": league,
            "level": level,
            "number": number,
            "hash": root_over(below[at : at + TILE_WIDTH]),
        }
        for at, number in zip(range(0, len(below), TILE_WIDTH), range(first, end), strict=True)
    ]


def _write_nodes(connection: Connection, rows: list[dict[str, Any]]) -> None:
    connection.execute(_keep_nodes[connection.dialect.name], rows)
