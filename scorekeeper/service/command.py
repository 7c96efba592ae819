"""Carrying out a request that writes: once, however often it is sent.

A use case defines only its own part: the streams that it looks at, and the decision that follows
from them. The part that all use cases share is here. A request that is repeated under one of its
keys gets the first answer again. A new answer is kept under the keys, in the append's own
transaction.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

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
    Tail,
)
from scorekeeper.service.refused import Refused

Replayed = Literal["true", "partial"]
Opened = Literal["league", "player", "match", "tournament"]

T = TypeVar("T")


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a request that writes.

    `created`: this very request appended something. `version`: that of the stream after it, if the
    resource has a stream. `replayed`: an earlier try had already recorded all of the request
    (`true`) or a part of it (`partial`).
    """

    body: bytes
    created: bool
    version: int | None = None
    replayed: Replayed | None = None


class IdempotencyKey(msgspec.Struct, frozen=True):
    """Names one request; `key` and `request` are SHA-256 digests of its name and its content.

    `exists`: the code of the refusal if another request has the name already. `lasting`: the name
    is known for as long as what the request wrote, and not only for a day.
    """

    key: bytes
    request: bytes
    exists: str = "idempotency-key-reused"
    lasting: bool = False


KeyOfHolder: TypeAlias = Callable[[str], IdempotencyKey]
"""Returns the key of a request. The argument is the id of the token or code it is valid for."""


def idempotency_key(
    *, token_id: str, method: str, path: str, key: str, body: bytes
) -> IdempotencyKey:
    """Return the key for an Idempotency-Key header. It is valid for one token, method and path."""
    named = f"{token_id}\0{method}\0{path}\0{key}".encode()
    return IdempotencyKey(hashlib.sha256(named).digest(), hashlib.sha256(body).digest())


def opening_key(opened: Opened, slug: str, whole: object) -> IdempotencyKey:
    """Return the key of the request that opens something under a slug.

    `whole` is the parsed request. The same opening sent again gets the first answer.
    """
    request = msgspec.json.encode(whole, order="sorted")
    return IdempotencyKey(
        hashlib.sha256(f"opening\0{opened}\0{slug}".encode()).digest(),
        hashlib.sha256(request).digest(),
        exists=f"{opened}-exists",
        lasting=True,
    )


def events_key(stream: str, ids: Sequence[str], events: object) -> IdempotencyKey:
    """Return the key of a batch of events with these ids, which is answered as a whole."""
    named = "\0".join(("events", stream, *ids)).encode()
    content = msgspec.json.encode(events, order="sorted")
    return IdempotencyKey(
        hashlib.sha256(named).digest(),
        hashlib.sha256(content).digest(),
        exists="event-id-reused",
        lasting=True,
    )


def replayed_answer(answer: StoredAnswer, key: IdempotencyKey) -> Outcome:
    """Return a kept answer to a repeated request.

    Raises Refused if the answer was given to another request than `key` names, or was erased.
    """
    if answer.request != key.request:
        raise Refused(key.exists)
    if not answer.body:
        raise Refused("event-erased", reason="answer")
    version = None if answer.etag is None else int(answer.etag)
    return Outcome(body=answer.body, created=False, version=version, replayed="true")


def stored_answer(
    keys: Sequence[IdempotencyKey], outcome: Outcome, *, about: str
) -> tuple[StoredAnswer, ...]:
    """Return an answer under each key, to be written with the append. `about`: as in Command."""
    etag = None if outcome.version is None else str(outcome.version)
    return tuple(
        StoredAnswer(
            key=key.key,
            request=key.request,
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
    other tables are written with the entries, if each of the `claims` holds. `about`: as in
    Command, if it is known only from the entries.
    """

    value: T
    kept: Outcome
    rows: Sequence[RowWrite] = ()
    claims: Sequence[Claim] = ()
    about: str | None = None


class Writing(Struct, Generic[T], frozen=True, kw_only=True):
    """A decision to record `drafts`. All fields but `complete` are as in the ledger's Decision."""

    drafts: Sequence[Draft]
    complete: Callable[[Sequence[Entry]], CommandResult[T]]
    carried: Mapping[str, object] = {}
    open: bool = False
    erase: Sequence[ErasureTarget] = ()


class Command(Struct, Generic[T], frozen=True, kw_only=True):
    """A request to write to one ledger, by the token with the id `actor`.

    `decide` is pure and may run again. It returns a Writing; or an Outcome, if what is asked was
    recorded before; or NothingToWrite, if no answer is to be kept either. `about` names the subject
    of the answer. If the subject is erased, so is the kept answer. A request that lacks one of the
    `keys` has None in its place. `folds` has a fold for streams whose value is carried to the next
    decision also if this one writes nothing: else each refusal would read a long stream again. The
    other fields are as in the ledger's Request.
    """

    league: str
    actor: str
    about: str
    decide: Callable[[Seen], Writing[T] | Outcome | NothingToWrite[T | Outcome]]
    keys: Sequence[IdempotencyKey | None] = ()
    streams: Sequence[str] = ()
    ids: Sequence[str] = ()
    weight: int = 1
    takes_long: Callable[[Seen], bool] | None = None
    folds: Mapping[str, Callable[[Tail], object]] = {}

    async def carry_out(self, ledger: Ledger) -> T | Outcome:
        """Carry out the command. Return its `value`, or the first answer if it is a repeated one.

        Raises Refused, what `decide` raises, and LedgerUnavailable. Nothing is written then.
        """
        request: Request[T | Outcome | Refused] = Request(
            league=self.league,
            actor=self.actor,
            streams=self.streams,
            ids=self.ids,
            answer_keys=tuple([each.key for each in self._given_keys]),
            decide=self._decided,
            weight=self.weight,
            takes_long=self.takes_long,
        )
        value = (await ledger.append(request)).value
        try:
            if isinstance(value, Refused):
                raise value
            return value
        finally:
            # A refusal's traceback holds this frame, which must not hold the refusal in turn.
            del value

    @property
    def _given_keys(self) -> Sequence[IdempotencyKey]:
        return [key for key in self.keys if key is not None]

    def _decided(self, seen: Seen) -> Decision[T | Outcome] | NothingToWrite[T | Outcome | Refused]:
        """Decide on folded streams, and carry what was folded, whatever the decision is."""
        folded = {
            stream: fold(seen.tails[stream])
            for stream, fold in self.folds.items()
            if seen.tails[stream].entries
        }
        if not folded:
            return self._decided_on(seen)
        tails = {stream: Tail(seen.tails[stream].version, folded[stream], ()) for stream in folded}
        try:
            decision = self._decided_on(replace(seen, tails={**seen.tails, **tails}))
        except Refused as refused:
            return NothingToWrite(refused, folded)
        return replace(decision, carried={**folded, **decision.carried})

    def _decided_on(self, seen: Seen) -> Decision[T | Outcome] | NothingToWrite[T | Outcome]:
        """Decide, but look for kept answers first.

        A repeated request gets its first answer, even if it would be refused now.
        """
        for key in self._given_keys:
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

    def _completed(self, written: CommandResult[T]) -> Completion[T | Outcome]:
        return Completion(
            value=written.value,
            rows=written.rows,
            claims=written.claims,
            answers=stored_answer(
                self._given_keys, written.kept, about=written.about or self.about
            ),
        )

    def _unchanged(
        self, seen: Seen, outcome: Outcome
    ) -> Decision[T | Outcome] | NothingToWrite[T | Outcome]:
        """Append nothing. Keep the answer under the keys that had none yet."""
        new = [key for key in self._given_keys if key.key not in seen.answers]
        if not new:
            return NothingToWrite(outcome)
        kept = stored_answer(new, outcome, about=self.about)
        return Decision(drafts=(), complete=lambda _: Completion(value=outcome, answers=kept))
