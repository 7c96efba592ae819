"""The ledgers of a database: appending to them and reading them."""

import asyncio
import zlib
from collections.abc import (
    AsyncGenerator,
    Callable,
    Collection,
    Coroutine,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import msgspec
from sqlalchemy import URL, Connection, make_url

from scorekeeper.ledger.clock import Clock, wall_clock
from scorekeeper.ledger.database_errors import check_writable
from scorekeeper.ledger.entry import Entry, Header, read_entries
from scorekeeper.ledger.reading import (
    Contents,
    EntryPage,
    last_recorded,
    read_contents,
    read_contents_since,
    read_headers,
    read_ledger_page,
    read_stream,
    read_stream_page,
)
from scorekeeper.ledger.sqlite_database import SqliteDatabase
from scorekeeper.ledger.writing import statements as sql
from scorekeeper.ledger.writing.append import AppendResult, NothingToWrite, Request
from scorekeeper.ledger.writing.commit_queue import CommitQueue, OnCommit
from scorekeeper.ledger.writing.group_commit import GroupCommit
from scorekeeper.ledger.writing.head_cache import HeadCache
from scorekeeper.ledger.writing.joint_commit import JointCommit
from scorekeeper.ledger.writing.joint_statements import JointPostgresql, JointSqlite
from scorekeeper.ledger.writing.long_decisions import LongDecisions

if TYPE_CHECKING:
    from scorekeeper.ledger.postgres_database import PostgresDatabase

T = TypeVar("T")

_QUEUES = 3
NO_LEAGUE: Final = ""
"""The league of rows that belong to no league, such as that of the admin token.

No slug is empty, so no real league has this name. One of the commit queues writes these rows.
"""
_CAPACITY = 10_000
# Few enough matches to hold in memory at once, and enough for one statement to pay off.
_STREAMS_AT_ONCE = 16


class Head(msgspec.Struct, frozen=True):
    """A ledger as a whole: its permanent name, its number of entries, the frontier of its tree."""

    log: str
    size: int
    frontier: bytes


class Ledger:
    """The ledgers of all leagues in one database, one for each league.

    All methods raise LedgerUnavailable if the database can't be reached. An instance may only be
    used on the event loop that opened it. It may be used as a context, and is closed at its end.
    """

    def __init__(
        self, database: "PostgresDatabase | SqliteDatabase", queues: list[CommitQueue]
    ) -> None:
        self._database = database
        self._queues = queues
        self._long = LongDecisions(self.stream)
        self._closed = False

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        clock: Clock = wall_clock,
        queues: int = _QUEUES,
        capacity: int = _CAPACITY,
    ) -> Self:
        """Open the database at `url`, which must be migrated.

        `queues` is the number of writing connections (SQLite has one). The last of several takes
        large requests, and no others. `capacity`: how many requests may wait in each. Raises
        LedgerInUse if another process has opened the SQLite file for writing.
        """
        parsed = make_url(url)
        database: PostgresDatabase | SqliteDatabase
        if parsed.get_backend_name() == "sqlite":
            database, statements = SqliteDatabase(parsed), sql.SQLITE
        else:
            database, statements = _on_postgres(parsed, queues=queues), sql.POSTGRESQL
        commit_queues: list[CommitQueue] = []
        for writer in database.writers:
            groups = GroupCommit(statements, HeadCache(), clock)
            joint = JointCommit(groups, JointSqlite() if statements.sole else JointPostgresql())
            commit_queues.append(CommitQueue(writer, groups, joint, capacity=capacity))
        return cls(database, commit_queues)

    @classmethod
    async def open_to_read(cls, url: str, *, standby: bool = True) -> Self:
        """Open the database at `url` only for reading. Other processes may write to it meanwhile.

        `standby`: accept a standby server if the address says `target_session_attrs=any`. A
        standby can lag behind what was acknowledged.

        A SQLite file is opened read-only and without its lock, so that a server may have it, too.
        """
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            return cls(SqliteDatabase(parsed, read_only=True), [])
        return cls(_on_postgres(parsed, queues=0, standby=standby), [])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Write the requests that wait, then close all connections. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self._long.close()
        for queue in self._queues:
            await queue.close()
        await self._database.close()

    @property
    def writable(self) -> bool:
        """False if this was opened only for reading."""
        return bool(self._queues)

    def on_commit(self, callback: OnCommit) -> None:
        """Call back after each commit of this process, once for each group with entries.

        A second call replaces the callback. It must be quick and not raise: requests are answered
        only after it has returned.
        """
        for queue in self._queues:
            queue.on_commit = callback

    def append(
        self, request: Request[T]
    ) -> Coroutine[Any, Any, AppendResult[T] | NothingToWrite[T]]:
        """Decide and record a request, and return after the commit.

        An exception of the decision is raised here, and then nothing of the request was written.
        Raises LedgerOverloaded if too many requests wait.
        """
        queue = self._commit_queue(request.league, large=request.is_large)
        return self._long.append(queue, request)

    async def transact(self, league: str, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction on the connection that writes this league."""
        return await self._commit_queue(league).transact(league, work)

    async def check_writable(self) -> None:
        """Check that every commit queue could write, without writing. Raises LedgerUnavailable."""
        await asyncio.gather(*(queue.transact(NO_LEAGUE, check_writable) for queue in self._queues))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a reading connection.

        Each statement sees the latest commit: several statements share no snapshot. `work` may be
        run twice if the connection fails.
        """
        return await self._database.read(work)

    def each(self, works: Iterable[Callable[[Connection], T]]) -> AsyncGenerator[T]:
        """Run `works` as `read` does, and yield their results in order.

        If the database is a server, the next one already runs while the caller handles a result.
        Close the generator if you stop early.
        """
        return self._database.each(works)

    async def stream(
        self,
        league: str,
        stream: str,
        after: int = 0,
        until: int | None = None,
        limit: int | None = None,
    ) -> list[Entry]:
        """Return the entries of a stream after version `after`, up to and including `until`.

        They are in order of version, at most `limit`. None sets no bound.
        """
        last = sql.EVERYTHING if until is None else until
        most = sql.EVERYTHING if limit is None else limit
        return await self.read(lambda c: read_stream(c, league, stream, after, last, most))

    async def stream_part(
        self, league: str, stream: str, *, after: int, limit: int, until: int | None = None
    ) -> EntryPage:
        """Return such entries as `stream` does, in a page of at most `limit` and about a mebibyte.

        An entry that is larger makes a page alone.
        """
        last = sql.EVERYTHING if until is None else until
        return await self.read(lambda c: read_stream_page(c, league, stream, after, last, limit))

    async def headers(
        self, league: str, stream: str, versions: Collection[int]
    ) -> Sequence[Header]:
        """Return the headers of a stream's entries with these versions, in any order."""
        return await self.read(lambda c: read_headers(c, league, stream, versions))

    async def contents(self, league: str, stream: str, until: int) -> Contents:
        """Return what a fold needs of a stream's entries up to and including version `until`."""
        return await self.read(partial(read_contents, league=league, stream=stream, until=until))

    async def since(self, league: str, stream: str, after: int) -> tuple[int, Contents]:
        """Return how many entries of a stream are erased, and the contents after version `after`.

        A caller that keeps a state folded from a stream must fold it again from the start when
        this number has changed. The number is read before the contents: so it never counts an
        erasure that the contents don't show yet.
        """
        about = {"league": league, "stream": stream}

        def read(connection: Connection) -> tuple[int, Contents]:
            erased = connection.execute(sql.count_erased, about).scalar_one()
            return erased, read_contents(connection, league, stream, after)

        return await self.read(read)

    async def since_of(
        self, league: str, after: Mapping[str, int]
    ) -> AsyncGenerator[tuple[int, Contents]]:
        """Yield what `since` returns for each stream of `after`, which maps streams to versions.

        The order is that of `after`. Close the generator if you stop early.
        """
        named = iter(after.items())
        parts = iter(lambda: dict(islice(named, _STREAMS_AT_ONCE)), {})
        works = (partial(read_contents_since, league=league, after=part) for part in parts)
        async with aclosing(self.each(works)) as read:
            async for part in read:
                for each in part:
                    yield each

    async def last_recorded(
        self, league: str, streams: Collection[str]
    ) -> Mapping[str, str | None]:
        """Return when the last entry of each stream was recorded, None for one without entries."""
        return await self.read(partial(last_recorded, league=league, streams=streams))

    async def at_positions(self, league: str, positions: Collection[int]) -> list[Entry]:
        """Return the entries at these positions of a ledger, in any order.

        Positions that have no entry are skipped.
        """
        parameters = {"league": league, "positions": list(positions)}
        return await self.read(
            partial(read_entries, statement=sql.read_positions, parameters=parameters)
        )

    async def version(self, league: str, stream: str, until: int | None = None) -> int:
        """Return the latest version of a stream, or the one that it had at the position `until`.

        0 if the stream had no entries.
        """
        parameters = {
            "league": league,
            "stream": stream,
            "until": sql.EVERYTHING if until is None else until,
        }
        return await self.read(
            lambda connection: connection.execute(sql.read_version, parameters).scalar() or 0
        )

    async def part(self, league: str, after: int, limit: int) -> EntryPage:
        """Return a page of a whole ledger's entries, in order of position, after position `after`.

        A page has at most `limit` entries and about a mebibyte. An entry that is larger makes a
        page alone. Positions are committed in order, so no entry is ever added before one that
        was read.
        """
        return await self.read(lambda c: read_ledger_page(c, league, after, limit))

    async def head(self, league: str) -> Head | None:
        """Return the head of a ledger, None if the ledger was never opened."""
        row = await self.read(
            lambda connection: connection.execute(sql.head, {"league": league}).one_or_none()
        )
        return None if row is None else Head(row.log, row.size, row.frontier)

    async def heads(self) -> dict[str, Head]:
        """Return the heads of all ledgers, by league."""
        rows = await self.read(lambda connection: connection.execute(sql.heads).all())
        return {row.league: Head(row.log, row.size, row.frontier) for row in rows}

    async def recorded_after(self, moment: str) -> dict[str, str]:
        """Return by league the time of the last entry of the ledgers whose is later than `moment`.

        The latest comes first.
        """
        asked = {"moment": moment}
        rows = await self.read(lambda c: c.execute(sql.recorded_after, asked).all())
        return {row.league: row.recorded_at for row in rows}

    async def sizes(self, leagues: Collection[str]) -> dict[str, int]:
        """Return how many entries each of these ledgers has; one never opened is left out."""
        return await self.read(partial(sql.read_sizes, leagues=leagues))

    def _commit_queue(self, league: str, *, large: bool = False) -> CommitQueue:
        if not self._queues:
            raise ValueError("this ledger was opened to be read")
        if large or len(self._queues) == 1:
            return self._queues[-1]
        return self._queues[_number(league, len(self._queues) - 1)]


def _on_postgres(url: URL, *, queues: int, standby: bool = False) -> "PostgresDatabase":
    # Imported here only: with the driver, and the part of SQLAlchemy that calls it, it takes a
    # tenth of a second, and each process on SQLite goes without.
    from scorekeeper.ledger.postgres_database import PostgresDatabase

    return PostgresDatabase(url, queues=queues, standby=standby)


@lru_cache(maxsize=1_024)
def _number(league: str, queues: int) -> int:
    """Return the number of a league's commit queue, which is the same in every process."""
    return zlib.crc32(league.encode()) % queues
