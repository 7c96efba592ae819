"""The ledgers of a database: appending to them and reading them."""

import asyncio
import zlib
from collections.abc import AsyncGenerator, Callable, Collection, Coroutine, Iterable, Mapping
from contextlib import aclosing
from functools import lru_cache, partial
from itertools import islice
from typing import Any, Final, Self, TypeVar

import msgspec
from sqlalchemy import Connection, make_url

from scorekeeper.ledger.clock import Clock, wall_clock
from scorekeeper.ledger.database_errors import check_writable
from scorekeeper.ledger.entry import Entry, read_entries
from scorekeeper.ledger.postgres import PostgresDatabase
from scorekeeper.ledger.reading import (
    Contents,
    EntryPage,
    last_recorded,
    read_contents,
    read_contents_since,
    read_ledger_page,
    read_stream_page,
)
from scorekeeper.ledger.sqlite import SqliteDatabase
from scorekeeper.ledger.writing import statements as sql
from scorekeeper.ledger.writing.append import AppendResult, NothingToWrite, Request
from scorekeeper.ledger.writing.commit_queue import CommitQueue, OnCommit
from scorekeeper.ledger.writing.group_commit import GroupCommit
from scorekeeper.ledger.writing.head_cache import HeadCache
from scorekeeper.ledger.writing.joint_commit import JointCommit
from scorekeeper.ledger.writing.joint_statements import JointPostgresql, JointSqlite
from scorekeeper.ledger.writing.long_decisions import LongDecisions

T = TypeVar("T")

_QUEUES = 3
NO_LEAGUE: Final = ""
"""The league that rows carry which belong to no league, such as the admin token.

No slug is empty, so no real league has this name. One of the commit queues writes these rows.
"""
_CAPACITY = 10_000
# Few enough matches to hold in memory at once, and enough for one statement to pay off.
_STREAMS_AT_ONCE = 16


class Head(msgspec.Struct, frozen=True):
    """A ledger as a whole: its name for ever, its number of entries, the frontier of its tree."""

    log: str
    size: int
    frontier: bytes


class Ledger:
    """The ledgers of all leagues in one database, one for each league.

    All methods raise LedgerUnavailable where the database can't be reached. It belongs to the
    event loop that opened it.
    """

    def __init__(
        self, database: PostgresDatabase | SqliteDatabase, queues: list[CommitQueue]
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
        LedgerInUse where another process has the SQLite file.
        """
        parsed = make_url(url)
        database: PostgresDatabase | SqliteDatabase
        if parsed.get_backend_name() == "sqlite":
            database, statements = SqliteDatabase(parsed), sql.SQLITE
        else:
            database, statements = PostgresDatabase(parsed, queues=queues), sql.POSTGRESQL
        commit_queues: list[CommitQueue] = []
        for writer in database.writers:
            groups = GroupCommit(statements, HeadCache(), clock)
            joint = JointCommit(groups, JointSqlite() if statements.sole else JointPostgresql())
            commit_queues.append(CommitQueue(writer, groups, joint, capacity=capacity))
        return cls(database, commit_queues)

    @classmethod
    async def open_to_read(cls, url: str, *, standby: bool = True) -> Self:
        """Open the database at `url` beside whoever writes to it; nothing can be appended.

        `standby`: if the address says `target_session_attrs=any`, it may be a standby's, which
        can lag behind what was acknowledged.

        A SQLite file is opened read-only, without its lock: it may be served meanwhile.
        """
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            return cls(SqliteDatabase(parsed, read_only=True), [])
        return cls(PostgresDatabase(parsed, queues=0, standby=standby), [])

    async def close(self) -> None:
        """Write what waits, then close all connections; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        self._long.close()
        for queue in self._queues:
            await queue.close()
        await self._database.close()

    @property
    def writable(self) -> bool:
        """False where it was opened to be read."""
        return bool(self._queues)

    def on_commit(self, told: OnCommit) -> None:
        """Have `told` called after each commit of this process, once for each group.

        It must be quick and must not raise: requests are answered only after it has returned.
        """
        for queue in self._queues:
            queue.on_commit = told

    def append(
        self, request: Request[T]
    ) -> Coroutine[Any, Any, AppendResult[T] | NothingToWrite[T]]:
        """Decide and record a request.

        Returns once it is committed. An exception of the decision is raised here, and nothing of
        the request was written. Raises LedgerOverloaded.
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
        """Run `work` on a reading connection, where each statement sees a moment of its own.

        It may be run twice if the connection fails.
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
        """The entries of a stream by version, from the one after `after` up to `until`."""
        parameters = {
            "league": league,
            "stream": stream,
            "after": after,
            "until": sql.EVERYTHING if until is None else until,
            "limit": sql.EVERYTHING if limit is None else limit,
        }
        return await self.read(
            partial(read_entries, statement=sql.read_stream, parameters=parameters)
        )

    async def stream_part(
        self, league: str, stream: str, *, after: int, limit: int, until: int | None = None
    ) -> EntryPage:
        """The same, no more than `limit` and about a mebibyte of them, but at least one."""
        last = sql.EVERYTHING if until is None else until
        return await self.read(lambda c: read_stream_page(c, league, stream, after, last, limit))

    async def contents(self, league: str, stream: str, until: int) -> Contents:
        """What a fold needs of a stream's entries up to the version `until`."""
        return await self.read(partial(read_contents, league=league, stream=stream, until=until))

    async def since(self, league: str, stream: str, after: int) -> tuple[int, Contents]:
        """How many entries of a stream are erased, and what those after version `after` hold.

        Whoever keeps what was folded from a stream has to fold it anew once the number is another:
        it is read first, so that it is never ahead of the entries.
        """
        about = {"league": league, "stream": stream}

        def read(connection: Connection) -> tuple[int, Contents]:
            erased = connection.execute(sql.count_erased, about).scalar_one()
            return erased, read_contents(connection, league, stream, after)

        return await self.read(read)

    async def since_of(
        self, league: str, after: Mapping[str, int]
    ) -> AsyncGenerator[tuple[int, Contents]]:
        """The same for several streams and their versions, in their order; close it as `each`."""
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
        """When the last entry of each of these streams was recorded; None where it has none."""
        return await self.read(partial(last_recorded, league=league, streams=streams))

    async def at_positions(self, league: str, positions: Collection[int]) -> list[Entry]:
        """The entries at these places of a ledger, as far as there are any, in any order."""
        parameters = {"league": league, "positions": list(positions)}
        return await self.read(
            partial(read_entries, statement=sql.read_positions, parameters=parameters)
        )

    async def version(self, league: str, stream: str, until: int | None = None) -> int:
        """The version of a stream, by default the latest, else as of the position `until`.

        0 where it had no entries.
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
        """The entries of a whole ledger by position, from the one after position `after`.

        No more than `limit` and about a mebibyte of them, but at least one. Positions are committed
        in their order: what was read can't be added to later.
        """
        return await self.read(lambda c: read_ledger_page(c, league, after, limit))

    async def head(self, league: str) -> Head | None:
        """The head of a ledger, None where it was never opened."""
        row = await self.read(
            lambda connection: connection.execute(sql.head, {"league": league}).one_or_none()
        )
        return None if row is None else Head(row.log, row.size, row.frontier)

    async def heads(self) -> dict[str, Head]:
        """The heads of all ledgers, by league."""
        rows = await self.read(lambda connection: connection.execute(sql.heads).all())
        return {row.league: Head(row.log, row.size, row.frontier) for row in rows}

    async def sizes(self, leagues: Collection[str]) -> dict[str, int]:
        """How many entries each of these ledgers has; one that was never opened is left out."""
        parameters = {"leagues": list(leagues)}
        rows = await self.read(lambda connection: connection.execute(sql.sizes, parameters).all())
        return {row.league: row.size for row in rows}

    def _commit_queue(self, league: str, *, large: bool = False) -> CommitQueue:
        if not self._queues:
            raise ValueError("this ledger was opened to be read")
        if large or len(self._queues) == 1:
            return self._queues[-1]
        return self._queues[_number(league, len(self._queues) - 1)]


@lru_cache(maxsize=1_024)
def _number(league: str, queues: int) -> int:
    """The same for a league in every process."""
    return zlib.crc32(league.encode()) % queues
