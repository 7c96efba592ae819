"""The code that lets the first browser in as the admin, while there is no league."""

from scorekeeper.ledger.databases.database_errors import is_duplicate
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.identity.admin import ADMIN_LANE
from scorekeeper.service.identity.codes import code_digest, new_code, read_code
from scorekeeper.store import invitations


async def new_setup_code(url: str) -> str | None:
    """A new code in place of the one before; None where the database has a league.

    None, too, where another process made one at the same moment: that one is in force.

    Raises LedgerInUse where another process has the SQLite file.
    """
    code = new_code()
    letters = read_code(code)
    assert letters is not None
    digest = await code_digest(letters)
    ledger = await Ledger.open(url)
    try:
        made = await ledger.transact(ADMIN_LANE, lambda c: invitations.set_setup_code(c, digest))
    except Exception as error:
        if not is_duplicate(error):
            raise
        made = False
    finally:
        await ledger.close()
    return code if made else None
