"""Requests with a toy decider: a stream's state is the number of its events."""

import asyncio
import hashlib
import json
from uuid import uuid4

import rfc8785
from msgspec.structs import replace

from scorekeeper.ledger.entry import Draft
from scorekeeper.ledger.merkle_tree import tree_root
from scorekeeper.ledger.writing.append import (
    Completion,
    Decision,
    NothingToWrite,
    Request,
    StoredAnswer,
)

LEAGUE = "friday"
MATCH = "match:one"
BODY = b'{"text":"a note","type":"note_added"}'


def new_id():
    return str(uuid4())


def counted(tail):
    """Return the number of a stream's events, from the carried state and the entries after it."""
    count = (tail.carried or 0) + len(tail.entries)
    assert count == tail.version
    return count


def draft(stream, event_id=None, body=BODY, **more):
    return Draft(stream=stream, type="note_added", schema=1, body=body, id=event_id, **more)


def opening(league=LEAGUE, value="opened"):
    """Opens the ledger with one event in the league's own stream, if it is not open."""

    def decide(seen):
        if seen.exists:
            return NothingToWrite("exists")
        return Decision(
            drafts=[draft("league")],
            carried={"league": 1},
            complete=lambda entries: Completion(value=value),
            open=True,
        )

    return Request(league=league, actor="t-owner", streams=("league",), decide=decide)


def noting(stream, count=1, *, league=LEAGUE, expected=None, rows=(), carry=True):
    """Appends `count` events; the value is their versions."""

    def decide(seen):
        tail = seen.tails[stream]
        before = counted(tail)
        if expected is not None and tail.version != expected:
            return NothingToWrite(f"at {tail.version}")
        return Decision(
            drafts=[draft(stream) for _ in range(count)],
            carried={stream: before + count} if carry else {},
            complete=lambda entries: Completion(
                value=[entry.version for entry in entries], rows=rows
            ),
        )

    return Request(league=league, actor="t-scorer", streams=(stream,), decide=decide)


def telling(stream, ids, *, league=LEAGUE):
    """Appends those of `ids` that are not recorded; the value is the hashes of all of them."""

    def decide(seen):
        new = [event_id for event_id in ids if event_id not in seen.known]
        old = [seen.known[event_id].hash for event_id in ids if event_id in seen.known]
        if not new:
            return NothingToWrite(old)
        return Decision(
            drafts=[draft(stream, event_id) for event_id in new],
            carried={stream: counted(seen.tails[stream]) + len(new)},
            complete=lambda entries: Completion(value=old + [entry.hash for entry in entries]),
        )

    return Request(
        league=league, actor="t-scorer", streams=(stream,), ids=tuple(ids), decide=decide
    )


def keyed(stream, key, *, league=LEAGUE, about=None, lasting=False):
    """Appends one event under a key, and answers alike when the key comes again."""
    digest = hashlib.sha256(key.encode()).digest()

    def decide(seen):
        if digest in seen.answers:
            return NothingToWrite(seen.answers[digest].body)

        def complete(entries):
            body = entries[0].hash.encode()
            answer = StoredAnswer(
                key=digest,
                request=b"r" * 32,
                etag="1",
                body=body,
                about=about,
                lasting=lasting,
            )
            return Completion(value=body, answers=[answer])

        return Decision(drafts=[draft(stream)], complete=complete)

    return Request(
        league=league, actor="t-scorer", streams=(stream,), answer_keys=(digest,), decide=decide
    )


def deciding(decide, streams=(MATCH,), ids=()):
    return Request(league=LEAGUE, actor="t-scorer", streams=streams, ids=ids, decide=decide)


def appending(*drafts, **more):
    return Decision(drafts=drafts, complete=lambda entries: Completion(value=None), **more)


def together(ledger, *requests):
    """Requests that reach the ledger in one turn of the loop, and so make one group."""

    async def all_at_once():
        return await asyncio.gather(
            *(ledger.append(request) for request in requests), return_exceptions=True
        )

    return all_at_once()


def counting(request, calls):
    """Return the request with its decisions counted.

    A group that fails is decided again, request by request.
    """

    def decide(seen):
        calls.append(request)
        return request.decide(seen)

    return replace(request, decide=decide)


async def whole(ledger, league=LEAGUE, step=1_000):
    entries = []
    while part := (await ledger.part(league, len(entries), step)).entries:
        entries += part
    return entries


def merkle_root(leaves):
    """RFC 9162, section 2.1.1, word for word."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    left, right = merkle_root(leaves[:split]), merkle_root(leaves[split:])
    return hashlib.sha256(b"\x01" + left + right).digest()


async def check_whole(ledger, league=LEAGUE):
    """Check order, chains, digests and tree of a ledger, and return its entries."""
    entries = await whole(ledger, league)
    head = await ledger.head(league)
    assert head.size == len(entries)
    assert [entry.position for entry in entries] == list(range(1, len(entries) + 1))
    assert len({entry.id for entry in entries}) == len(entries)
    assert [entry.time for entry in entries] == sorted(entry.time for entry in entries)
    ends = {}
    leaves = []
    for entry in entries:
        header = json.loads(entry.header)
        assert rfc8785.dumps(header) == entry.header
        version, link = ends.get(entry.stream, (0, None))
        assert header["version"] == entry.version == version + 1
        assert header["prev"] == link
        if entry.body is None:
            assert entry.salt is None
        else:
            assert header["digest"] == hashlib.sha256(entry.salt + entry.body).hexdigest()
        assert header["log"] == head.log
        leaf = hashlib.sha256(b"\x00" + entry.header).digest()
        ends[entry.stream] = (entry.version, leaf.hex())
        leaves.append(leaf)
    assert tree_root(head.frontier) == merkle_root(leaves)
    return entries
