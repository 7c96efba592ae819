"""Slugs of what is opened: the client's own, or else one that is made for it."""

import secrets

from scorekeeper.service.answers import IdempotencyKey, Opened

_DIGITS = 10


def slug_of(opened: Opened, given: str | None, key: IdempotencyKey | None) -> str:
    """The given slug, or else a new one.

    That follows from the request's key, where it has one: the same request opens the same thing.
    """
    if given is not None:
        return given
    return f"{opened}-{secrets.token_hex(_DIGITS // 2) if key is None else key.key.hex()[:_DIGITS]}"
