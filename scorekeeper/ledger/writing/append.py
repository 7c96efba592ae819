"""The request of an append, and its outcome.

A request names the streams that it reads, and has a decision: a pure function from what the ledger
holds to what shall be written. Requests for one ledger are decided in order. Each sees what the
requests before it have added. All are written together in one transaction:

    def decide(seen: Seen) -> Decision[Outcome] | NothingToWrite[Outcome]:
        tail = seen.tails[stream]
        state = fold(tail.carried or initial, tail.entries)   # carried is at version - len(entries)
        ...
        if refused:
            return NothingToWrite(refusal)
        return Decision(drafts=drafts, carried={stream: state_after}, complete=complete)

    def complete(entries: Sequence[Entry]) -> Completion[Outcome]:
        outcome = ...   # computed once, from the entries as they will be stored
        answer = StoredAnswer(key=..., request=..., body=outcome.body)
        return Completion(value=outcome, rows=[matches.added(...)], answers=[answer])
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, TypeAlias, TypeVar

import msgspec
from sqlalchemy import Executable, Table

from scorekeeper.ledger.entry import Draft, Entry, ErasureTarget

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

RowWrite = tuple[Executable, Mapping[str, Any]] | tuple[Table, Mapping[str, Any]]
"""A statement (insert, update, delete) and its parameters, or a table and all columns of a new row.

Rows are written in the order they were given. Neighbouring rows that share a statement object or a
table are sent together, so keep statements as module constants. The values of new rows are handed
to the driver without conversion: text, integers and bytes.
"""


class StoredAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer kept under a key, so that the same request is answered alike when it comes again.

    `key` is a digest of what names the request, `request` a digest of the request itself. `about`
    names what the answer is about, such as a stream. `etag` is then the version of the stream that
    the answer shows. If that content is erased, the answer is purged: the key is kept, and the body
    is empty. Unless an answer is `lasting`, it may be deleted after 24 hours.
    """

    key: bytes
    request: bytes
    body: bytes
    etag: str | None = None
    about: str | None = None
    lasting: bool = False


class Tail(msgspec.Struct, frozen=True):
    """The end of a stream as a decision sees it. It includes the requests decided just before.

    `version` is 0 if nothing was recorded. `carried` is the value that an earlier decision carried
    for this stream, None if this process does not hold one. `entries` are the entries recorded
    after `carried`, or all of them if it is None.
    """

    version: int
    carried: object | None
    entries: Sequence[Entry]


class Seen(msgspec.Struct, frozen=True):
    """What a decision is made on.

    `tails` has each stream that the request names. `known` has the entries with an id that the
    request names, in any stream of the league. `answers` has the answers under the keys that the
    request names. `exists` tells whether the ledger is open, `size` how many entries it has.
    `whole` reads all entries of a stream again from the first. It is meant for the few decisions
    that look further back than a tail.
    """

    tails: Mapping[str, Tail]
    known: Mapping[str, Entry]
    answers: Mapping[bytes, StoredAnswer]
    size: int
    exists: bool
    whole: Callable[[str], Sequence[Entry]]


class Claim(msgspec.Struct, frozen=True):
    """A statement that has to change exactly one row of a table beside the ledger.

    If it does not, nothing of the request is written and `otherwise` is raised. A decision can't
    see such a table, so it can't check, for instance, whether an invitation has uses left.
    """

    statement: Executable
    parameters: Mapping[str, Any]
    otherwise: Exception


class Completion(msgspec.Struct, Generic[T_co], frozen=True, kw_only=True):
    """What follows from the entries of a decision.

    `rows` of other tables and `answers` are written in the append's own transaction, if each of the
    `claims` holds. `value` is handed back to the caller. `overwrites`: what the rows delete or
    replace must not stay in the database's files.
    """

    value: T_co
    rows: Sequence[RowWrite] = ()
    claims: Sequence[Claim] = ()
    overwrites: bool = False
    answers: Sequence[StoredAnswer] = ()


class Decision(msgspec.Struct, Generic[T_co], frozen=True, kw_only=True):
    """Record `drafts`, all or nothing, in this order.

    `complete` is called once with the entries that the drafts become. Its result counts only if the
    group takes the head. `carried` has values by stream, which the next decision on the stream
    gets. A value must describe the stream with these drafts, and must never be changed afterwards.
    `open` opens a ledger that does not exist yet. A decision without drafts may still write rows
    and answers. `erase` names entries whose content is deleted for good, in streams that the
    request names. The kept answers about these streams are purged, too, from the first erased
    version on.
    """

    drafts: Sequence[Draft]
    complete: Callable[[Sequence[Entry]], Completion[T_co]]
    carried: Mapping[str, object] = {}
    open: bool = False
    erase: Sequence[ErasureTarget] = ()


class NothingToWrite(msgspec.Struct, Generic[T_co], frozen=True):
    """Record nothing and hand `value` back: a refusal, or the answer to a repeated request.

    `carried`: as in Decision.
    """

    value: T_co
    carried: Mapping[str, object] = {}


SMALL_WEIGHT: Final = 64
"""A request of at most this weight is small: it shares a turn with requests of other ledgers."""


class Request(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """A request to append to one ledger.

    `actor` is the id of the token that records. `ids` are the event ids that the client gave, in
    their canonical text (lower case). A draft's own id must be one of them. `decide` must be pure:
    it runs off the event loop on SQLite, and runs again if another process was first, or if an id
    turns out to be recorded. `weight` is about how many events the request may append. `takes_long`
    must return quickly. It tells whether deciding on what is seen takes more than some
    milliseconds.
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
        """Whether the request gets a turn of its own, which alternates with turns of small ones."""
        return self.weight > SMALL_WEIGHT


class AppendResult(msgspec.Struct, Generic[T], frozen=True):
    """What was recorded. `size` is the number of the ledger's entries after these."""

    entries: Sequence[Entry]
    size: int
    value: T


RequestOutcome: TypeAlias = AppendResult[Any] | NothingToWrite[Any] | Exception
"""The outcome of one request of a group. An exception fails this request and no other."""
