"""Group commit: the requests that wait for one ledger are decided in order, committed together."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
from sqlalchemy import Connection, Executable, Table

from scorekeeper.ledger.clock import Clock
from scorekeeper.ledger.database_errors import (
    LedgerUnavailable,
    is_duplicate,
    is_lost_race,
)
from scorekeeper.ledger.entry import CONTENT_ERASED, Entry, read_entries
from scorekeeper.ledger.merkle_tree import grow
from scorekeeper.ledger.tables import events
from scorekeeper.ledger.writing import statements as sql
from scorekeeper.ledger.writing.append import (
    Claim,
    Request,
    RequestOutcome,
    RowWrite,
    StoredAnswer,
)
from scorekeeper.ledger.writing.head_cache import UNWRITTEN, HeadCache, LedgerHead, StreamHead
from scorekeeper.ledger.writing.kept_answers import keep_answers
from scorekeeper.ledger.writing.one_statement import MOST_EVENTS
from scorekeeper.ledger.writing.statements import Statements
from scorekeeper.ledger.writing.write_batch import WriteBatch

_ATTEMPTS = 10
# If other processes added more entries than this, starting afresh is cheaper than reading them.
_CATCH_UP = 1_000


class _HeadLost(Exception):
    """Another process appended first."""


class GroupCommit(msgspec.Struct, frozen=True):
    """Writes the groups of one commit queue. No other queue may use its `heads`."""

    statements: Statements
    heads: HeadCache
    clock: Clock

    def write(
        self, connection: Connection, league: str, requests: Sequence[Request[Any]]
    ) -> list[RequestOutcome]:
        """Decide and commit a group. The outcomes are in the order of the requests.

        If another process was first, everything is read and decided again. An error of the
        database is raised, and then nothing was written unless the commit itself was cut off.
        Raises LedgerUnavailable if other processes are first too often.
        """
        self.heads.known_through(connection)
        again = self.heads.is_contested(league)
        sure = False
        for _ in range(_ATTEMPTS):
            try:
                outcomes, head, batch = self._transact(connection, league, requests, again, sure)
            except _HeadLost:
                self.heads.mark_contested(league)
                again = True
                continue
            except Exception as error:
                if is_duplicate(error) and not sure:
                    # Nothing was written, so the cache is still right.
                    sure = True
                    continue
                self.heads.forget(league)
                if is_lost_race(error):
                    again = True
                    continue
                raise
            if head is not None:
                self.heads.keep(league, head, batch.streams)
            if batch.overwrites:
                self.statements.overwrite(connection)
            return outcomes
        raise LedgerUnavailable(f"the ledger of {league} is taken again and again")

    def _transact(
        self,
        connection: Connection,
        league: str,
        requests: Sequence[Request[Any]],
        again: bool,
        sure: bool,
    ) -> tuple[list[RequestOutcome], LedgerHead | None, WriteBatch]:
        """Make an attempt, and end the transaction that its first statement has begun.

        Most attempts on PostgreSQL begin none: their one statement is a transaction of its own.
        """
        try:
            done = self._attempt(connection, league, requests, again, sure)
            connection.commit()
        except BaseException:
            # Also if the commit failed: the connection accepts nothing else before the rollback.
            connection.rollback()
            raise
        return done

    def _attempt(
        self,
        connection: Connection,
        league: str,
        requests: Sequence[Request[Any]],
        again: bool,
        sure: bool,
    ) -> tuple[list[RequestOutcome], LedgerHead | None, WriteBatch]:
        """Read what the requests name, decide them, and write the batch.

        An attempt that is `sure` first looks up all ids. Otherwise ids are taken to be new, as
        almost all are. If an id is recorded, it can't be inserted: the attempt fails, and the next
        one is sure. Ids that are not to be inserted are looked up after deciding. If one of them is
        recorded, all requests are decided again. So the outcomes are always those of a sure
        attempt.
        """
        head = self._head(connection, league, again)
        ids = {one for request in requests for one in request.ids}
        batch = self._batch(connection, league, head, requests, ids if sure else set())
        outcomes = [batch.outcome(request) for request in requests]
        if not sure and head is not None:
            unwritten = ids.difference([entry.id for entry in batch.entries])
            if unwritten and self._known(connection, league, unwritten):
                batch = self._batch(connection, league, head, requests, ids)
                outcomes = [batch.outcome(request) for request in requests]
        written = self._write(connection, head, batch)
        if written is head and not self.statements.sole:
            self._check_head(connection, league, head, batch)
        return outcomes, written, batch

    def _check_head(
        self, connection: Connection, league: str, head: LedgerHead | None, batch: WriteBatch
    ) -> None:
        """Check that a group that took no head was decided on the present head.

        Refusals are decisions, too. A request may also be answered because it is recorded already.
        This record may be on the primary alone, if its commit was given up while it waited for a
        synchronous standby. So the head is then written unchanged: this write waits for the standby
        again.
        """
        if head is not None and batch.found_recorded:
            seen = {"of_league": league, "seen": head.size}
            if connection.execute(sql.confirm_head, seen).rowcount != 1:
                raise _HeadLost
            return
        size = connection.execute(sql.size, {"league": league}).scalar()
        if size != (None if head is None else head.size):
            raise _HeadLost

    def _head(self, connection: Connection, league: str, again: bool) -> LedgerHead | None:
        remembered = self.heads.ledger(league)
        if remembered is not None and not again:
            return remembered
        statement = self.statements.lock_head if again else sql.head
        row = connection.execute(statement, {"league": league}).one_or_none()
        if row is None:
            return None
        log, size, frontier, recorded_at = row
        if remembered is not None and size == remembered.size:
            self.heads.clear_contested(league)
            return remembered
        if remembered is None or not 0 <= size - remembered.size <= _CATCH_UP:
            return LedgerHead(log, size, frontier, recorded_at, self.heads.next_epoch())
        head = LedgerHead(log, size, frontier, recorded_at, remembered.epoch)
        return self._catch_up(connection, league, remembered.size, head)

    def _catch_up(
        self, connection: Connection, league: str, seen: int, head: LedgerHead
    ) -> LedgerHead:
        """Extend the cached streams with what other processes appended.

        If content was erased, all cached streams of the ledger are dropped, since some hold what
        was derived from it.
        """
        new = sql.read_between(connection, league, seen, head.size)
        if any(entry.type == CONTENT_ERASED for entry in new):
            return msgspec.structs.replace(head, epoch=self.heads.next_epoch())
        new.sort(key=lambda entry: (entry.stream, entry.version))
        ends: dict[str, StreamHead] = {}
        for stream, entries in groupby(new, key=lambda entry: entry.stream):
            end = self.heads.stream(league, stream, head.epoch)
            if end is not None:
                ends[stream] = end.extended(tuple(entries))
        self.heads.keep(league, head, ends)
        return head

    def _batch(
        self,
        connection: Connection,
        league: str,
        head: LedgerHead | None,
        requests: Sequence[Request[Any]],
        ids: set[str],
    ) -> WriteBatch:
        if head is None:
            return WriteBatch(
                league,
                clock=self.clock,
                head=None,
                streams={},
                known={},
                answers={},
                read_stream=lambda _: (),
                off_loop=self.statements.off_loop,
            )
        names = {stream for request in requests for stream in request.streams}
        streams, cold = self.heads.streams(league, head.epoch, names)
        if cold:
            streams |= self._read_streams(connection, league, cold, head.size)
        keys = {key for request in requests for key in request.answer_keys}
        known = self._known(connection, league, ids) if ids else {}
        return WriteBatch(
            league,
            clock=self.clock,
            head=head,
            streams=streams,
            known=known,
            answers=self._answers(connection, league, keys) if keys else {},
            read_stream=partial(read_stream_until, connection, league, head.size),
            off_loop=self.statements.off_loop,
        )

    def _read_streams(
        self, connection: Connection, league: str, cold: list[str], until: int
    ) -> dict[str, StreamHead]:
        parameters = {
            "league": league,
            "streams": self.statements.streams(cold),
            "until": until,
        }
        read = read_entries(connection, self.statements.find_streams, parameters)
        streams: dict[str, StreamHead] = {}
        for stream, group in groupby(read, key=lambda entry: entry.stream):
            streams[stream] = UNWRITTEN.extended(tuple(group))
        return streams

    def _known(self, connection: Connection, league: str, ids: set[str]) -> dict[str, Entry]:
        parameters = {"league": league, "ids": self.statements.ids(ids)}
        found = read_entries(connection, self.statements.find_ids, parameters)
        return {entry.id: entry for entry in found}

    def _answers(
        self, connection: Connection, league: str, keys: set[bytes]
    ) -> dict[bytes, StoredAnswer]:
        rows = connection.execute(
            self.statements.find_answers, {"league": league, "keys": list(keys)}
        )
        return {
            key: StoredAnswer(key=key, request=request, body=body, etag=etag, about=about)
            for key, request, body, etag, about in rows
        }

    def _write(
        self, connection: Connection, head: LedgerHead | None, batch: WriteBatch
    ) -> LedgerHead | None:
        """Take the head, then write what the batch has. Return the head as it is then."""
        entries = [self.statements.event_row(one) for one in batch.entries]
        at_once = self.statements.append_at_once
        few = len(entries) <= MOST_EVENTS
        if head is not None and at_once is not None and few and batch.only_events:
            new = batch.head_after(head)
            if not at_once(connection, batch.league, head, new, entries):
                raise _HeadLost
            return new
        written = head
        if batch.opened_at is not None or entries:
            written = self._take_head(connection, head, batch)
        _check_claims(connection, batch.claims)
        if entries:
            self.statements.insert_rows(connection, events, entries)
        if batch.answers:
            keep_answers(connection, batch.league, batch.answers, batch.time)
        self._write_rows(connection, batch.rows)
        if batch.erased:
            sql.erase(connection, batch.league, batch.erased)
        return written

    def _write_rows(self, connection: Connection, rows: Sequence[RowWrite]) -> None:
        for target, neighbours in _together(rows):
            if isinstance(target, Table):
                in_order = itemgetter(*target.columns.keys())
                new = [in_order(values) for values in neighbours]
                self.statements.insert_rows(connection, target, new)
            else:
                connection.execute(target, neighbours)

    def _take_head(
        self, connection: Connection, head: LedgerHead | None, batch: WriteBatch
    ) -> LedgerHead:
        if batch.log is None:
            raise ValueError(f"the ledger of {batch.league} is not open")
        if head is None:
            new = LedgerHead(
                batch.log,
                batch.size,
                grow(b"", 0, batch.leaves),
                batch.recorded_at,
                self.heads.next_epoch(),
            )
            taken = connection.execute(
                self.statements.open_ledger,
                {
                    "league": batch.league,
                    "log": new.log,
                    "size": new.size,
                    "frontier": new.frontier,
                    "opened_at": batch.opened_at,
                    "recorded_at": new.recorded_at,
                },
            )
        else:
            new = batch.head_after(head)
            taken = connection.execute(
                sql.take_head,
                {
                    "of_league": batch.league,
                    "seen": head.size,
                    "new_size": new.size,
                    "new_frontier": new.frontier,
                    "new_recorded_at": new.recorded_at,
                },
            )
        if taken.rowcount != 1:
            raise _HeadLost
        return new


def _check_claims(connection: Connection, claims: Sequence[Claim]) -> None:
    """Raise the error of a claim that does not hold.

    It fails the group. The group's requests are then written singly.
    """
    for claim in claims:
        if connection.execute(claim.statement, claim.parameters).rowcount != 1:
            raise claim.otherwise


def read_stream_until(connection: Connection, league: str, until: int, stream: str) -> list[Entry]:
    """Return the entries of a stream up to the position `until`."""
    parameters = {
        "league": league,
        "stream": stream,
        "after": 0,
        "until": sql.EVERYTHING,
        "limit": sql.EVERYTHING,
    }
    read = read_entries(connection, sql.read_stream, parameters)
    return [entry for entry in read if entry.position <= until]


def _together(rows: Sequence[RowWrite]) -> Iterable[tuple[Executable | Table, list[Any]]]:
    """Join neighbouring rows of one statement or table. The order is kept."""
    for _, same in groupby(rows, key=lambda row: id(row[0])):
        group = list(same)
        yield group[0][0], [parameters for _, parameters in group]
