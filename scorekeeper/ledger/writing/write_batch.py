"""The write batch of one group: what its ledger holds, and what the group's decisions add to it.

Nothing of a batch is cached or visible to others before the group has taken the head. Computations
of some milliseconds run off the event loop. On SQLite, all work with the database does so anyway,
on a thread of its own. On PostgreSQL, this work runs on the event loop, and other tasks run only
while it waits for the server.
"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from msgspec.structs import replace
from sqlalchemy.util import await_only

from scorekeeper.ledger.clock import Clock, as_text, time_ordered_id
from scorekeeper.ledger.entry import (
    Draft,
    Entry,
    ErasureTarget,
    Header,
    encode_header,
    first_erased,
    make_entry,
    without_content,
)
from scorekeeper.ledger.merkle_tree import SALT_SIZE, body_digest, grow, leaf_hash
from scorekeeper.ledger.writing.append import (
    AppendResult,
    Claim,
    Completion,
    Decision,
    NothingToWrite,
    Request,
    RequestOutcome,
    RowWrite,
    Seen,
    StoredAnswer,
    Tail,
)
from scorekeeper.ledger.writing.head_cache import UNWRITTEN, LedgerHead, StreamHead
from scorekeeper.ledger.writing.kept_answers import answer_row

T = TypeVar("T")

_LOG_BYTES = 8
# So many drafts can be made into entries within a few milliseconds.
_FEW = 256

_End: TypeAlias = tuple[int, str | None]
"""The version of a stream, and the hash that its next entry links to."""


class OffLoop(Protocol):
    """Runs a computation so that it does not hold up the event loop.

    The work must not read from the database, and nothing else may touch its data meanwhile.
    """

    def __call__(self, work: Callable[[], T], /) -> T: ...


def at_once(work: Callable[[], T]) -> T:
    """Run the work here: no event loop runs on this thread, or the work is short."""
    return work()


def on_a_thread(work: Callable[[], T]) -> T:
    """Run the work on a thread, and wait for it as the connection waits for the server."""
    return await_only(asyncio.to_thread(work))


class _Made(NamedTuple):
    """What a decision leads to. `ends` has the new end of each stream that it is written to."""

    entries: list[Entry]
    leaves: list[bytes]
    ends: dict[str, _End]
    completion: Completion[Any]


class TakesLong(Exception):
    """Deciding would take long. The caller has to decide on a thread, on what was `seen`."""

    def __init__(self, seen: Seen) -> None:
        super().__init__()
        self.seen = seen


class WriteBatch:
    """What a ledger holds for a group of requests, and what the group adds to it, in memory.

    `streams`, `known` and `answers` must hold all recorded things that the requests name. `head` is
    None if the ledger is not open. `read_stream` reads all entries of a stream. `off_loop` runs
    computations over many drafts. `found_recorded` tells whether `known` or `answers` had anything
    at the beginning.
    """

    def __init__(
        self,
        league: str,
        *,
        clock: Clock,
        head: LedgerHead | None,
        streams: dict[str, StreamHead],
        known: dict[str, Entry],
        answers: dict[bytes, StoredAnswer],
        read_stream: Callable[[str], Sequence[Entry]],
        off_loop: OffLoop = at_once,
    ) -> None:
        self.league = league
        self.log: str | None = None if head is None else head.log
        self.opened_at: str | None = None
        self.size = 0 if head is None else head.size
        self.recorded_at: str = "" if head is None else head.recorded_at
        self._moment = clock()
        # All entries of a group have one time, never earlier than the last entry's.
        self.time = max(as_text(self._moment), self.recorded_at)
        self.streams = streams
        self.entries: list[Entry] = []
        self.leaves: list[bytes] = []
        self.rows: list[RowWrite] = []
        self.claims: list[Claim] = []
        self.answers: list[dict[str, Any]] = []
        self.erased: list[ErasureTarget] = []
        self.overwrites = False
        self.found_recorded = bool(known or answers)
        self._known = known
        self._answered = answers
        self._read_stream = read_stream
        self._off_loop = off_loop

    @property
    def only_events(self) -> bool:
        """Whether there are events to be written, and nothing else."""
        beyond = self.opened_at or self.answers or self.rows or self.claims or self.erased
        return bool(self.entries) and not beyond

    def outcome(self, request: Request[Any]) -> RequestOutcome:
        """Decide a request. An exception that its decision raises is returned as its outcome."""
        try:
            return self.decide(request)
        except Exception as error:  # noqa: BLE001
            return error

    def head_after(self, head: LedgerHead) -> LedgerHead:
        """Return the head as it is once this batch is written after `head`."""
        frontier = grow(head.frontier, head.size, self.leaves)
        return LedgerHead(head.log, self.size, frontier, self.recorded_at, head.epoch)

    def decide(self, request: Request[Any]) -> AppendResult[Any] | NothingToWrite[Any]:
        """Run one request's decision on the batch, and add its result to the batch.

        An exception leaves the batch as it was. Raises TakesLong.
        """
        seen = self._seen(request)
        if request.takes_long is not None and request.takes_long(seen):
            raise TakesLong(seen)
        decision = request.decide(seen)
        if isinstance(decision, NothingToWrite):
            self.streams.update(self._heads(request, decision.carried, (), {}))
            return decision
        if decision.drafts and self.log is None and not decision.open:
            raise ValueError(f"the ledger of {self.league} is not open")
        for place in decision.erase:
            _check_named(request, place.stream)
        log = self.log or f"scorekeeper/{self.league}/{os.urandom(_LOG_BYTES).hex()}"
        run = self._off_loop if len(decision.drafts) > _FEW else at_once
        made = run(partial(self._made, request, decision, log))
        entries, completion = made.entries, made.completion
        streams = self._heads(request, decision.carried, entries, made.ends)

        if decision.open and self.log is None:
            self.log, self.opened_at, self.recorded_at = log, self.time, self.time
        if entries:
            self.recorded_at = self.time
            self.size += len(entries)
            self.entries += entries
            self.leaves += made.leaves
            for entry in entries:
                self._known[entry.id] = entry
        self.streams.update(streams)
        self.rows += completion.rows
        self.claims += completion.claims
        self.overwrites |= completion.overwrites or bool(decision.erase)
        for answer in completion.answers:
            self._answered[answer.key] = answer
            self.answers.append(answer_row(self.league, answer, self.time))
        if decision.erase:
            self._erase(decision.erase)
        return AppendResult(entries, self.size, completion.value)

    def _seen(self, request: Request[Any]) -> Seen:
        tails: dict[str, Tail] = {}
        for stream in request.streams:
            end = self.streams.get(stream, UNWRITTEN)
            tails[stream] = Tail(end.version, end.carried, end.entries)
        known, answered = self._known, self._answered
        return Seen(
            tails,
            {one: known[one] for one in request.ids if one in known},
            {key: answered[key] for key in request.answer_keys if key in answered}
            if answered
            else {},
            self.size,
            self.log is not None,
            self._whole,
        )

    def _whole(self, stream: str) -> Sequence[Entry]:
        whole = [
            *self._read_stream(stream),
            *(entry for entry in self.entries if entry.stream == stream),
        ]
        if not self.erased:
            return whole
        return without_content(whole, frozenset(place.position for place in self.erased))

    def _erase(self, places: Sequence[ErasureTarget]) -> None:
        """Hide erased content, and what was derived from it, from the decisions after this one."""
        self.erased += places
        first = first_erased(places)
        for stream in first:
            end = self.streams[stream]
            whole = tuple(self._whole(stream))
            self.streams[stream] = StreamHead(end.version, end.link, None, whole)
            self._known.update((entry.id, entry) for entry in whole if entry.id in self._known)
        for key, answer in self._answered.items():
            if answer.about in first and int(answer.etag or 0) >= first[answer.about]:
                self._answered[key] = replace(answer, body=b"")

    def _heads(
        self,
        request: Request[Any],
        carried: Mapping[str, object],
        entries: Sequence[Entry],
        ends: Mapping[str, _End],
    ) -> dict[str, StreamHead]:
        """Return the heads of the streams that a decision wrote to or carries a value for.

        `ends` are the new ends of the streams that it wrote `entries` to.
        """
        heads: dict[str, StreamHead] = {}
        for stream, value in carried.items():
            _check_named(request, stream)
            version, link = ends.get(stream) or self._end(stream)
            heads[stream] = StreamHead(version, link, value, ())
        for stream, (version, link) in ends.items():
            if stream not in heads:
                before = self.streams.get(stream, UNWRITTEN)
                new = [entry for entry in entries if entry.stream == stream]
                heads[stream] = StreamHead(version, link, before.carried, (*before.entries, *new))
        return heads

    def _end(self, stream: str) -> _End:
        head = self.streams.get(stream, UNWRITTEN)
        return head.version, head.link

    def _made(self, request: Request[Any], decision: Decision[Any], log: str) -> _Made:
        entries, leaves, ends = self._entries(request, decision.drafts, log)
        return _Made(entries, leaves, ends, decision.complete(entries))

    def _entries(
        self, request: Request[Any], drafts: Sequence[Draft], log: str
    ) -> tuple[list[Entry], list[bytes], dict[str, _End]]:
        ids = self._ids(request, drafts)
        salts = os.urandom(SALT_SIZE * len(ids))
        ends: dict[str, _End] = {}
        entries: list[Entry] = []
        leaves: list[bytes] = []
        for index, draft in enumerate(drafts):
            stream = draft.stream
            if stream not in ends:
                _check_named(request, stream)
                ends[stream] = self._end(stream)
            version, link = ends[stream]
            salt = salts[index * SALT_SIZE : (index + 1) * SALT_SIZE]
            header = Header(
                actor=request.actor,
                digest=body_digest(salt, draft.body).hex(),
                id=ids[index],
                inferred=draft.inferred,
                log=log,
                position=self.size + index + 1,
                prev=link,
                schema=draft.schema,
                stream=stream,
                time=self.time,
                told_by=None if draft.told_by is None else ids[draft.told_by],
                type=draft.type,
                version=version + 1,
            )
            stored = encode_header(header)
            leaf = leaf_hash(stored)
            entry = make_entry(self.league, header, stored, leaf, draft.body, salt)
            ends[stream] = (entry.version, entry.hash)
            entries.append(entry)
            leaves.append(leaf)
        return entries, leaves, ends

    def _ids(self, request: Request[Any], drafts: Sequence[Draft]) -> list[str]:
        named = frozenset(request.ids)
        ids: list[str] = []
        for draft in drafts:
            if draft.id is None:
                ids.append(time_ordered_id(self._moment))
            elif draft.id in self._known or draft.id not in named:
                raise ValueError(
                    f"the event id {draft.id} is taken, or the request did not name it"
                )
            else:
                ids.append(draft.id)
        if len(ids) > 1 and len(set(ids)) != len(ids):
            raise ValueError("an event id stands twice in one decision")
        return ids


def _check_named(request: Request[Any], stream: str) -> None:
    if stream not in request.streams:
        raise ValueError(f"the request does not name the stream {stream}")
