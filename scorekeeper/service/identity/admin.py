"""The admin token, which opens leagues and may do all; it is made outside the API only."""

from datetime import UTC, datetime

from sqlalchemy import Connection

from scorekeeper.ledger.databases.database_errors import is_duplicate
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.identity.access import new_admin_token, token_digest
from scorekeeper.store import tokens
from scorekeeper.store.migrate import check, check_file, check_tables

ADMIN_LANE = ""
"""What is of no league is written by the commit queue that this name falls to."""


async def has_admin_token(url: str) -> bool:
    """Asked beside whoever serves the database. Raises DatabaseNotReady."""
    check_file(url)
    ledger = await Ledger.open_to_read(url)
    try:
        await ledger.read(check_tables)
        return await ledger.read(tokens.admin_digest) is not None
    finally:
        await ledger.close()


async def first_admin_token(url: str) -> str | None:
    """Make the admin token where there is none; the token, which is kept as a hash only.

    Raises LedgerInUse.
    """
    return await _make(url, renew=False)


async def renew_admin_token(url: str) -> str:
    """Make a new admin token; the old one ends. Raises LedgerInUse, DatabaseNotReady."""
    await check(url)
    made = await _make(url, renew=True)
    assert made is not None
    return made


async def _make(url: str, *, renew: bool) -> str | None:
    token = new_admin_token()
    made_at = datetime.now(UTC).isoformat()  # noqa: TID251 a command's own clock

    def make(connection: Connection) -> bool:
        if renew:
            tokens.set_admin(connection, token_digest(token), made_at)
            return True
        if tokens.admin_digest(connection) is not None:
            return False
        # Another process may make one now: whoever is second must not put it out of force.
        tokens.add_first_admin(connection, token_digest(token), made_at)
        return True

    ledger = await Ledger.open(url)
    try:
        return token if await ledger.transact(ADMIN_LANE, make) else None
    except Exception as error:
        if renew or not is_duplicate(error):
            raise
        return None  # another process made it at the same moment
    finally:
        await ledger.close()
