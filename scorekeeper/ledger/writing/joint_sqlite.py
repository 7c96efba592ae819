"""SQLite: the groups of several leagues are one transaction, and so one sync."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection

from scorekeeper.ledger.entries.entry import Entry, read_entries
from scorekeeper.ledger.tables import events, ledgers
from scorekeeper.ledger.writing.inserts import InsertedRows, insert_rows
from scorekeeper.ledger.writing.joint_commit import HeadRow, TakenHead, WantedStream
from scorekeeper.ledger.writing.statements import SQLITE, head

# The driver's own notation: SQLAlchemy's path to it costs more than the rest of a league's append.
_TAKE_HEADS: Final = (
    f"UPDATE {ledgers.name} SET size = ?, frontier = ?, recorded_at = ?"  # noqa: S608
    " WHERE league = ? AND size = ?"
)


class JointSqlite:
    """SQLite's statements about several leagues at once. Reading is no round trip there."""

    def can_join(self, connection: Connection) -> bool:
        return True

    def heads(self, connection: Connection, leagues: Collection[str]) -> Iterator[HeadRow]:
        for league in leagues:
            row = connection.execute(head, {"league": league}).one_or_none()
            if row is not None:
                yield HeadRow(league, *row)

    def streams(self, connection: Connection, wanted: Collection[WantedStream]) -> Iterator[Entry]:
        for league, stream, size in wanted:
            asked = {"league": league, "streams": SQLITE.streams([stream]), "until": size}
            yield from read_entries(connection, SQLITE.find_streams, asked)

    def repeated(self, connection: Connection, ids: Mapping[str, Collection[str]]) -> set[str]:
        return {
            league
            for league, of_league in ids.items()
            if connection.execute(
                SQLITE.find_ids, {"league": league, "ids": SQLITE.ids(of_league)}
            ).first()
        }

    def append(
        self, connection: Connection, heads: Sequence[TakenHead], entries: InsertedRows
    ) -> Collection[str]:
        rows = [(new.size, new.frontier, new.recorded_at, new.league, new.seen) for new in heads]
        with connection.begin():
            taken = connection.exec_driver_sql(_TAKE_HEADS, rows)
            if taken.rowcount != len(rows):
                raise RuntimeError("somebody else has written to the database file")
            insert_rows(connection, events, entries)
        return [new.league for new in heads]
