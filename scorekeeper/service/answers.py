"""Answers to writing requests, and how a repeated request finds the answer it was given."""

import hashlib
from collections.abc import Sequence
from typing import Literal

import msgspec

from scorekeeper.ledger.writing.append import StoredAnswer
from scorekeeper.service.refused import Refused

Replayed = Literal["true", "partial"]
Opened = Literal["league", "player", "match", "tournament"]

_CREATED = 201


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a writing request came to.

    `created` tells whether this very request appended something; `version` is that of the stream
    after it, where the resource has one; `replayed` tells a retry that its first try had counted.
    """

    body: bytes
    created: bool
    version: int | None = None
    replayed: Replayed | None = None


class IdempotencyKey(msgspec.Struct, frozen=True):
    """Names one request; `key` and `request` are SHA-256 digests.

    `exists` is the code of the refusal where another request has the name already. `lasting`: it is
    known for as long as what it wrote, and not for a day only.
    """

    key: bytes
    request: bytes
    exists: str = "idempotency-key-reused"
    lasting: bool = False


def idempotency_key(
    *, token_id: str, method: str, path: str, key: str, body: bytes
) -> IdempotencyKey:
    """A key that a client sent: it holds for one token, method and path."""
    named = f"{token_id}\0{method}\0{path}\0{key}".encode()
    return IdempotencyKey(hashlib.sha256(named).digest(), hashlib.sha256(body).digest())


def opening_key(opened: Opened, slug: str, whole: object) -> IdempotencyKey:
    """The name of the request that opened something under a slug.

    `whole` is the parsed request: the same opening sent again is answered as then.
    """
    request = msgspec.json.encode(whole, order="sorted")
    return IdempotencyKey(
        hashlib.sha256(f"opening\0{opened}\0{slug}".encode()).digest(),
        hashlib.sha256(request).digest(),
        exists=f"{opened}-exists",
        lasting=True,
    )


def events_key(stream: str, ids: Sequence[str], events: object) -> IdempotencyKey:
    """The name of a batch of events by their ids, where it is answered as a whole."""
    named = "\0".join(("events", stream, *ids)).encode()
    content = msgspec.json.encode(events, order="sorted")
    return IdempotencyKey(
        hashlib.sha256(named).digest(),
        hashlib.sha256(content).digest(),
        exists="event-id-reused",
        lasting=True,
    )


def replayed_answer(answer: StoredAnswer, key: IdempotencyKey) -> Outcome:
    """Raises Refused where the answer was given to another request than `key` names, or erased."""
    if answer.request != key.request:
        raise Refused(key.exists)
    if not answer.body:
        raise Refused("event-erased", reason="answer")
    version = None if answer.etag is None else int(answer.etag)
    return Outcome(body=answer.body, created=False, version=version, replayed="true")


def stored_answer(
    keys: tuple[IdempotencyKey, ...], outcome: Outcome, *, about: str
) -> tuple[StoredAnswer, ...]:
    """To be written with the append; `about` names what would be purged with the answer."""
    if not keys:
        return ()
    etag = None if outcome.version is None else str(outcome.version)
    return tuple(
        StoredAnswer(
            key=key.key,
            request=key.request,
            status=_CREATED,
            body=outcome.body,
            etag=etag,
            about=about,
            lasting=key.lasting,
        )
        for key in keys
    )
