"""The last signed checkpoint of each log as the database has it, for all machines that share it."""

from sqlalchemy import Connection, bindparam, insert, select, update

from scorekeeper.ledger.tables import checkpoints

_read = select(checkpoints.c.note).where(checkpoints.c.league == bindparam("league"))
_insert = insert(checkpoints)
_replace = (
    update(checkpoints)
    .where(
        checkpoints.c.league == bindparam("of_league"),
        checkpoints.c.note == bindparam("seen"),
    )
    .values(note=bindparam("new"))
)


def recorded_note(connection: Connection, league: str) -> str | None:
    """The note of the checkpoint signed last, None where there is none."""
    note: str | None = connection.execute(_read, {"league": league}).scalar()
    return note


def record_note(connection: Connection, league: str, seen: str | None, note: str) -> bool:
    """Put a note in place of the one that was seen; whether that one was still there.

    Within the caller's transaction. Raises IntegrityError where somebody else records the first.
    """
    if seen is None:
        if recorded_note(connection, league) is not None:
            return False
        connection.execute(_insert, {"league": league, "note": note})
        return True
    named = {"of_league": league, "seen": seen, "new": note}
    return connection.execute(_replace, named).rowcount == 1
