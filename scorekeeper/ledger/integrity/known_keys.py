"""The public keys that an installation signed with, kept in its database."""

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from scorekeeper.ledger.tables import signing_keys

_keys = select(signing_keys.c.public_key).order_by(signing_keys.c.ordinal.desc())
_last = select(func.max(signing_keys.c.ordinal))
_delete = delete(signing_keys).where(signing_keys.c.public_key == bindparam("of_key"))
_insert = insert(signing_keys)
_FIRST = 1


def known_keys(connection: Connection) -> list[bytes]:
    """The key in force, then those before it, the latest first; none before the first start."""
    return [bytes(key) for key in connection.execute(_keys).scalars()]


def adopt_first_key(connection: Connection, public: bytes) -> None:
    """Put a key in force that is the first, within the caller's transaction.

    Raises IntegrityError where another one is, however lately it came.
    """
    connection.execute(_insert, {"ordinal": _FIRST, "public_key": public})


def adopt_key(connection: Connection, public: bytes) -> None:
    """Put a key in force, within the caller's transaction.

    Raises IntegrityError where somebody else does the same at this moment.
    """
    last: int | None = connection.execute(_last).scalar()
    ordinal = _FIRST if last is None else last + 1
    connection.execute(_delete, {"of_key": public})
    connection.execute(_insert, {"ordinal": ordinal, "public_key": public})
