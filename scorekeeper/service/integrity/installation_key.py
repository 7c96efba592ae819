"""The one key that all processes of an installation sign with."""

import asyncio
import base64
from functools import partial
from pathlib import Path

from scorekeeper.ledger.databases.database_errors import is_duplicate
from scorekeeper.ledger.hashing.signing_key import SigningKey, SigningKeyUnusable
from scorekeeper.ledger.integrity.known_keys import adopt_first_key, adopt_key, known_keys
from scorekeeper.ledger.ledger import Ledger

_OF_NO_LEAGUE = ""
_ED25519 = b"\x01"
_ADOPT = "`scorekeeper key adopt`"


async def signing_key(ledger: Ledger, path: Path) -> SigningKey:
    """The key in a file; where there is none, and none ever signed, a new one.

    Raises SigningKeyUnusable where the database is signed with another one.
    """
    known = await ledger.read(known_keys)
    if known:
        return await asyncio.to_thread(_in_force, path, known[0])
    key = await asyncio.to_thread(SigningKey.load, path)
    if not ledger.writable:
        return key
    try:
        await ledger.transact(_OF_NO_LEAGUE, partial(adopt_first_key, public=key.public))
    except Exception as error:
        if not is_duplicate(error):
            raise
    # Another process may have been first, with a key of its own.
    return await asyncio.to_thread(_in_force, path, (await ledger.read(known_keys))[0])


async def prepare_signing_key(url: str, path: Path) -> None:
    """Do it once, before processes start that need it. Raises as `signing_key`, and LedgerInUse."""
    ledger = await Ledger.open(url, queues=1)
    try:
        await signing_key(ledger, path)
    finally:
        await ledger.close()


async def adopt_signing_key(url: str, path: Path) -> tuple[bytes, bool]:
    """Put the key in a file in force; it is made where there is none.

    Its public half, and whether another one was in force. Raises SigningKeyUnusable, LedgerInUse.
    """
    ledger = await Ledger.open(url, queues=1)
    try:
        known = await ledger.read(known_keys)
        key = await asyncio.to_thread(SigningKey.load, path)
        if known[:1] != [key.public]:
            await ledger.transact(_OF_NO_LEAGUE, partial(adopt_key, public=key.public))
        return key.public, known[:1] not in ([], [key.public])
    finally:
        await ledger.close()


def shown_key(public: bytes) -> str:
    """A public key as it ends the lines of `…/log/key`."""
    return base64.b64encode(_ED25519 + public).decode()


def why_not_in_force(path: Path, found: bytes | None, in_force: bytes) -> str | None:
    """What to do where a file has another key than the database is signed with, or none."""
    if found == in_force:
        return None
    signed = f"this database is signed with the key {shown_key(in_force)}"
    there = "Put the file of that key there; SCOREKEEPER_SIGNING_KEY names another place"
    if found is None:
        return f"there is no signing key {path}, and {signed}. {there}. {_ADOPT} makes a new one"
    return (
        f"{path} holds the key {shown_key(found)}, and {signed}. {there}. To change to the one "
        f"that is there, run {_ADOPT}"
    )


def _in_force(path: Path, public: bytes) -> SigningKey:
    try:
        key = SigningKey.read(path)
    except FileNotFoundError as error:
        raise SigningKeyUnusable(why_not_in_force(path, None, public)) from error
    why = why_not_in_force(path, key.public, public)
    if why is not None:
        raise SigningKeyUnusable(why)
    return key
