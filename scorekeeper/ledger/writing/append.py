"""The request of an append, and its outcome.

A request names the streams it looks at and brings a decision, a pure function from what the ledger
holds to what shall be written. Requests for one ledger are decided in order, each on what the ones
before it left, and are written together in one transaction:

    def decide(seen: Seen) -> Decision[Outcome] | NothingToWrite[Outcome]:
        tail = seen.tails[stream]
        state = fold(tail.carried or initial, tail.entries)   # carried is at version - len(entries)
        ...
        if refused:
            return NothingToWrite(refusal)
        return Decision(drafts=drafts, carried={stream: state_after}, complete=complete)

    def complete(entries: Sequence[Entry]) -> Completion[Outcome]:
        outcome = ...   # computed once, from the entries as they will be stored
        answer = StoredAnswer(key=..., request=..., status=201, body=outcome.body)
        return Completion(value=outcome, rows=[matches.added(...)], answers=[answer])
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, TypeAlias, TypeVar

import msgspec
from sqlalchemy import Executable, Table

from scorekeeper.ledger.entry import Draft, Entry, ErasureTarget

T = TypeVar("T")

RowWrite = tuple[Executable, Mapping[str, Any]] | tuple[Table, Mapping[str, Any]]
"""A statement (insert, update, delete) and its parameters, or a table and all columns of a new row.

Rows are written in the order they were given. Neighbours that share one statement object, or a
table, travel together, so keep statements as module constants. New rows are handed to the driver
as they are: text, integers and bytes.
"""


class StoredAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer kept under a key, so that the same request is answered alike when it comes again.

    `key` and `request` are digests of what names the request and of the request itself. `etag` is
    the version that the answer shows, where it is about a stream. `about` names what the answer
    tells of, so that it can be purged with it: of an answer that told of erased content the key is
    kept and the body is empty. Unless it is `lasting`, it may be gone after 24 hours.
    """

    key: bytes
    request: bytes
    status: int
    body: bytes
    etag: str | None = None
    about: str | None = None
    lasting: bool = False


class Tail(msgspec.Struct, frozen=True):
    """The end of a stream as the decision sees it, the requests decided just before included.

    `version` is 0 where nothing was recorded. `carried` is what the last decision on this stream
    left, if this process still holds it; `entries` are those recorded after it, all of them if it
    is None.
    """

    version: int
    carried: object | None
    entries: Sequence[Entry]


class Seen(msgspec.Struct, frozen=True):
    """What a decision is made on.

    `tails` has each stream that the request names; `known` those of its ids that are recorded, in
    whatever stream of the league; `answers` those of its keys that were answered. `exists` tells
    whether the ledger is open, `size` how many entries it has. `whole` gives all entries of a
    stream, read anew from the first: only for the few decisions that look further back than a tail.
    """

    tails: Mapping[str, Tail]
    known: Mapping[str, Entry]
    answers: Mapping[bytes, StoredAnswer]
    size: int
    exists: bool
    whole: Callable[[str], Sequence[Entry]]


class Claim(msgspec.Struct, frozen=True):
    """A statement that has to change a row: else nothing is written, and `otherwise` is raised.

    For what lies beside the ledger and is there so many times only. A decision can't see it.
    """

    statement: Executable
    parameters: Mapping[str, Any]
    otherwise: Exception


class Completion(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """What follows from the entries of a decision.

    `rows` of other tables and `answers` are written in the append's own transaction, where each of
    the `claims` holds; `value` is handed back to the caller. `overwrites`: what the rows take away
    must not stay in the database's files.
    """

    value: T
    rows: Sequence[RowWrite] = ()
    claims: Sequence[Claim] = ()
    overwrites: bool = False
    answers: Sequence[StoredAnswer] = ()


class Decision(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """Record `drafts`, all or nothing, in this order.

    `complete` is called once with the entries they become; its result counts only if the group
    takes the head. `carried` is kept for the streams it names and handed to the next decision on
    them: it must describe the stream with these drafts and must never be changed afterwards.
    `open` opens a ledger that does not exist yet. A decision without drafts may still write rows
    and answers. `erase` names entries, of streams that the request names, whose content goes for
    good, and with it the answers that told of them or of what came after them.
    """

    drafts: Sequence[Draft]
    complete: Callable[[Sequence[Entry]], Completion[T]]
    carried: Mapping[str, object] = {}
    open: bool = False
    erase: Sequence[ErasureTarget] = ()


class NothingToWrite(msgspec.Struct, Generic[T], frozen=True):
    """Record nothing and hand `value` back: a refusal, or the answer to a repeated request."""

    value: T


SMALL_WEIGHT: Final = 64
"""A request that appends no more events than that shares a turn with others."""


class Request(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """A request to append to one ledger.

    `actor` is the id of the token that records. `ids` are the event ids that the client gave, in
    their canonical text (lower case); a draft's own id must be one of them. `decide` must be pure:
    it runs off the event loop on SQLite, and runs again where another process was first, or where
    an id turns out to be recorded. `weight` is about how many events it may append. `takes_long`
    tells, at once, whether deciding on what is seen takes more than some milliseconds.
    """

    league: str
    actor: str
    decide: Callable[[Seen], Decision[T] | NothingToWrite[T]]
    streams: Sequence[str] = ()
    ids: Sequence[str] = ()
    answer_keys: Sequence[bytes] = ()
    weight: int = 1
    takes_long: Callable[[Seen], bool] | None = None

    @property
    def is_large(self) -> bool:
        """Whether it is written by itself, and small ones come first."""
        return self.weight > SMALL_WEIGHT


class AppendResult(msgspec.Struct, Generic[T], frozen=True):
    """What was recorded. `size` is the ledger's after these entries."""

    entries: Sequence[Entry]
    size: int
    value: T


RequestOutcome: TypeAlias = AppendResult[Any] | NothingToWrite[Any] | Exception
"""What one request of a group came to; an exception is its own and of no other."""
