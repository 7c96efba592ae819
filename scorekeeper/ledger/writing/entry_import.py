"""Importing a ledger that was recorded elsewhere, entry by entry, with the same bytes."""

from collections.abc import Sequence

from sqlalchemy import Connection, insert

from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.ledger.tables import events, ledgers
from scorekeeper.ledger.writing import statements as sql

_insert_head = insert(ledgers)


def write_entries(connection: Connection, entries: Sequence[Entry]) -> None:
    """Within the caller's transaction, which must write the head too or be taken back."""
    statements = sql.SQLITE if connection.dialect.name == "sqlite" else sql.POSTGRESQL
    rows = [statements.event_row(entry) for entry in entries]
    if rows:
        statements.insert_rows(connection, events, rows)


def write_head(
    connection: Connection,
    league: str,
    *,
    log: str,
    size: int,
    frontier: bytes,
    opened_at: str,
    recorded_at: str,
) -> None:
    """The head row; the times are those of the first and of the last entry."""
    connection.execute(
        _insert_head,
        {
            "league": league,
            "log": log,
            "size": size,
            "frontier": frontier,
            "opened_at": opened_at,
            "recorded_at": recorded_at,
        },
    )
