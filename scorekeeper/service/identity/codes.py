"""Codes that people read from a screen and type: eight letters of Crockford's base 32."""

import asyncio
import hashlib
import re
import secrets
from typing import Final

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH: Final = 8
_HALF: Final = 4
# Crockford's alphabet reads these as the digits that they look like.
_ALIKE: Final = str.maketrans("OIL", "011")
_CODE: Final = re.compile(rf"[{_LETTERS}]{{{_LENGTH}}}")
_MOST_TYPED: Final = 40
# A code has 40 bits of chance only. A hash that costs about ten milliseconds keeps whoever finds
# the database from trying them all; it has one salt, so that a code can be looked up by its hash.
_SALT: Final = b"scorekeeper invitation"
_COST: Final = 2**13


def new_code() -> str:
    """Such as `K7QF-2M9X`."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    return f"{letters[:_HALF]}-{letters[_HALF:]}"


def read_code(typed: str) -> str | None:
    """The letters of a code as typed: in any case, with or without dash and blanks.

    None for what is no code.
    """
    if len(typed) > _MOST_TYPED:
        return None
    letters = re.sub(r"[\s-]", "", typed).upper().translate(_ALIKE)
    return letters if _CODE.fullmatch(letters) else None


async def code_digest(letters: str) -> bytes:
    """The hash under which a code is kept, computed in a thread."""
    return await asyncio.to_thread(_digest, letters)


def _digest(letters: str) -> bytes:
    return hashlib.scrypt(letters.encode(), salt=_SALT, n=_COST, r=8, p=1, dklen=32)
