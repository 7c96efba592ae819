"""Tokens: their digests, never the tokens, and the names that people gave them."""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from scorekeeper.store.tables import ViewRow, admin_sessions, admin_token, tokens

DIGEST_BYTES: Final = 32

_ADMIN = "admin"

_insert = insert(tokens)
_revoke = (
    update(tokens)
    .where(tokens.c.league == bindparam("of_league"), tokens.c.token_id == bindparam("of_token_id"))
    .values(revoked_at=bindparam("new_revoked_at"))
)
_in_force = select(tokens.c.token_id, tokens.c.role, tokens.c.name).where(
    tokens.c.league == bindparam("league"), tokens.c.revoked_at.is_(None)
)
_find = _in_force.where(tokens.c.digest == bindparam("digest"))
_names = select(tokens.c.token_id, tokens.c.name).where(
    tokens.c.league == bindparam("league"),
    tokens.c.token_id.in_(bindparam("token_ids", expanding=True)),
)
_page = (
    _in_force.where(tokens.c.token_id > bindparam("after"))
    .order_by(tokens.c.token_id)
    .limit(bindparam("limit"))
)
_first = (
    select(tokens.c.token_id)
    .where(tokens.c.league == bindparam("league"))
    .order_by(tokens.c.made_at)
    .limit(1)
)
_admin_digest = select(admin_token.c.digest)
_delete_admin = delete(admin_token)
_insert_admin = insert(admin_token)
_delete_sessions = delete(admin_sessions)
_insert_session = insert(admin_sessions)
_sessions = select(admin_sessions.c.digest).where(
    admin_sessions.c.digest.in_(bindparam("digests", expanding=True))
)
_delete_session = delete(admin_sessions).where(admin_sessions.c.digest == bindparam("of_digest"))


class KnownToken(msgspec.Struct, frozen=True):
    """A token in force."""

    token_id: str
    role: str
    name: str


def added(league: str, token_id: str, digest: bytes, role: str, name: str, made_at: str) -> ViewRow:
    return _insert, {
        "league": league,
        "token_id": token_id,
        "digest": digest,
        "role": role,
        "name": name,
        "made_at": made_at,
        "revoked_at": None,
    }


def revoked(league: str, token_id: str, revoked_at: str) -> ViewRow:
    return _revoke, {
        "of_league": league,
        "of_token_id": token_id,
        "new_revoked_at": revoked_at,
    }


def find(connection: Connection, league: str, digest: bytes) -> KnownToken | None:
    """Return the token in force that has this digest, None if there is none."""
    row = connection.execute(_find, {"league": league, "digest": digest}).first()
    return None if row is None else KnownToken(*row)


def names(connection: Connection, league: str, token_ids: Collection[str]) -> dict[str, str]:
    """Return the names of these tokens by id, revoked ones included. Unknown ids are left out."""
    found = connection.execute(_names, {"league": league, "token_ids": list(token_ids)})
    return {row.token_id: row.name for row in found}


def page(
    connection: Connection, league: str, *, after: str | None, limit: int
) -> Sequence[KnownToken]:
    """Return tokens in force in order of id, those after the id `after`."""
    found = connection.execute(_page, {"league": league, "after": after or "", "limit": limit})
    return [KnownToken(*row) for row in found]


def first(connection: Connection, league: str) -> str | None:
    """Return the id of the token that was made with the league, in force or revoked."""
    found: str | None = connection.execute(_first, {"league": league}).scalar()
    return found


def admin_digest(connection: Connection) -> bytes | None:
    """Return the digest of the admin token, None before the first one is made."""
    digest: bytes | None = connection.execute(_admin_digest).scalar()
    return digest


def add_first_admin(connection: Connection, digest: bytes) -> None:
    """Store the first admin token, within the caller's transaction.

    Raises IntegrityError if there is an admin token already.
    """
    connection.execute(_insert_admin, {"holder": _ADMIN, "digest": digest})


def set_admin(connection: Connection, digest: bytes) -> None:
    """Replace the admin token, within the caller's transaction.

    The sessions of browsers that were let in as the admin end with the former token.
    """
    connection.execute(_delete_admin)
    connection.execute(_delete_sessions)
    connection.execute(_insert_admin, {"holder": _ADMIN, "digest": digest})


def add_admin_session(connection: Connection, digest: bytes) -> None:
    """Store the session of an admin's browser, within the caller's transaction."""
    connection.execute(_insert_session, {"digest": digest})


def admin_sessions_among(connection: Connection, digests: Collection[bytes]) -> set[bytes]:
    """Return those of these digests that belong to the session of an admin's browser."""
    found = connection.execute(_sessions, {"digests": list(digests)})
    return {bytes(digest) for digest in found.scalars()}


def end_admin_session(connection: Connection, digest: bytes) -> None:
    """End the session with this digest, if there is one, within the caller's transaction."""
    connection.execute(_delete_session, {"of_digest": digest})
