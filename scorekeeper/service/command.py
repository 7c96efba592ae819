"""Carrying out a request that writes: once, however often it comes.

A use case says what is its own: which streams it looks at, and what follows from what is there.
What all of them have in common is done here: a request that comes again under one of its keys is
answered as then, and a new answer is kept under them in the append's own transaction.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from scorekeeper.ledger.entry import Draft, Entry, ErasureTarget
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import (
    Claim,
    Completion,
    Decision,
    NothingToWrite,
    Request,
    RowWrite,
    Seen,
    StoredAnswer,
)
from scorekeeper.service.refused import Refused

Replayed = Literal["true", "partial"]
Opened = Literal["league", "player", "match", "tournament"]

_CREATED = 201

T = TypeVar("T")


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


KeyOfHolder: TypeAlias = Callable[[str], IdempotencyKey]
"""Makes the key of a request from the id of the token, or of the code, that it holds for."""


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
    """An answer under each of the keys, to be written with the append. `about`: as in Command."""
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


class CommandResult(Struct, Generic[T], frozen=True, kw_only=True):
    """What follows from the entries of a command.

    `value` is returned to the caller. `kept` answers a retry, and so has no secrets. `rows` of
    other tables are written with the entries, where each of the `claims` holds. `about`: as in
    Command, if only the entries tell it.
    """

    value: T
    kept: Outcome
    rows: Sequence[RowWrite] = ()
    claims: Sequence[Claim] = ()
    about: str | None = None


class Writing(Struct, Generic[T], frozen=True, kw_only=True):
    """Record `drafts`; all but `complete` is as in the ledger's Decision."""

    drafts: Sequence[Draft]
    complete: Callable[[Sequence[Entry]], CommandResult[T]]
    carried: Mapping[str, object] = {}
    open: bool = False
    erase: Sequence[ErasureTarget] = ()


class Command(Struct, Generic[T], frozen=True, kw_only=True):
    """A request to write to one ledger, by the token with the id `actor`.

    `decide` is pure and may run again. It returns a Writing; or an Outcome, if what is asked was
    recorded before; or NothingToWrite, if no answer is to be kept either. `value` turns an answer
    that was kept into what `carry_out` returns. `about` names what the answer tells of: the kept
    answer is purged with it. The rest is as in the ledger's Request.
    """

    league: str
    actor: str
    about: str
    decide: Callable[[Seen], Writing[T] | Outcome | NothingToWrite[T]]
    value: Callable[[Outcome], T]
    keys: tuple[IdempotencyKey, ...] = ()
    streams: Sequence[str] = ()
    ids: Sequence[str] = ()
    weight: int = 1
    takes_long: Callable[[Seen], bool] | None = None

    async def carry_out(self, ledger: Ledger) -> T:
        """Raises Refused, what `decide` raises, and LedgerUnavailable; nothing is written then."""
        request = Request(
            league=self.league,
            actor=self.actor,
            streams=self.streams,
            ids=self.ids,
            answer_keys=tuple([each.key for each in self.keys]),
            decide=self._decided,
            weight=self.weight,
            takes_long=self.takes_long,
        )
        return (await ledger.append(request)).value

    def _decided(self, seen: Seen) -> Decision[T] | NothingToWrite[T]:
        """Keys first: whoever repeats a request is answered as then, whatever holds now."""
        for key in self.keys:
            answer = seen.answers.get(key.key)
            if answer is not None:
                return self._unchanged(seen, replayed_answer(answer, key))
        writing = self.decide(seen)
        if isinstance(writing, Outcome):
            return self._unchanged(seen, writing)
        if isinstance(writing, NothingToWrite):
            return writing
        return Decision(
            drafts=writing.drafts,
            carried=writing.carried,
            open=writing.open,
            erase=writing.erase,
            complete=lambda entries: self._completed(writing.complete(entries)),
        )

    def _completed(self, written: CommandResult[T]) -> Completion[T]:
        return Completion(
            value=written.value,
            rows=written.rows,
            claims=written.claims,
            answers=stored_answer(self.keys, written.kept, about=written.about or self.about),
        )

    def _unchanged(self, seen: Seen, outcome: Outcome) -> Decision[T] | NothingToWrite[T]:
        """Append nothing; a key that was new to this request names it from now on."""
        value = self.value(outcome)
        new = tuple(key for key in self.keys if key.key not in seen.answers)
        if not new:
            return NothingToWrite(value)
        kept = stored_answer(new, outcome, about=self.about)
        return Decision(drafts=(), complete=lambda _: Completion(value=value, answers=kept))


def itself(outcome: Outcome) -> Outcome:
    """The `value` of commands that return nothing but their answer."""
    return outcome
