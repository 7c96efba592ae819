"""Opening a database to read, if it has the tables that this program works with."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.store.migrate import check_file, check_tables


@asynccontextmanager
async def open_ledger_to_read(url: str) -> AsyncGenerator[Ledger]:
    """Open the database at `url` only for reading. A service may be using it.

    Raises DatabaseNotReady, LedgerUnavailable.
    """
    check_file(url)
    async with await Ledger.open_to_read(url) as ledger:
        await ledger.read(check_tables)
        yield ledger
