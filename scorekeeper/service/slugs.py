"""Slugs: those that a client gives to what it opens, and those that are made for it."""

import re
import secrets

from scorekeeper.service.answers import IdempotencyKey, Opened
from scorekeeper.service.refused import Refused

_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_DIGITS = 10


def slug_of(opened: Opened, given: str | None, key: IdempotencyKey | None) -> str:
    """The given slug, or else one of our own. Raises Refused (`malformed`).

    Ours follows from the request's key, where it has one: the same request opens the same thing.
    """
    if given is None:
        chance = secrets.token_hex(_DIGITS // 2) if key is None else key.key.hex()[:_DIGITS]
        return f"{opened}-{chance}"
    # The pattern of the wire lets a line break at the end through.
    if _SLUG.fullmatch(given) is None:
        raise Refused("malformed", "A slug has lower-case letters, digits and hyphens only.")
    return given
