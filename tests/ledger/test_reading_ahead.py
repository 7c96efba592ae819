"""Long readings of a ledger ask the server for the next part while one part is processed."""

import asyncio
from contextlib import aclosing

import pytest
from sqlalchemy import BigInteger, bindparam, select

from scorekeeper.ledger import ledger as ledgers
from scorekeeper.ledger.postgres_database import prefetch
from tests.ledger.asking import LEAGUE, noting
from tests.ledger.integrity.test_erasure import erasing


async def taken(generator):
    async with aclosing(generator) as each:
        return [one async for one in each]


async def turns():
    """Let everybody else have many turns of the loop."""
    for _ in range(20):
        await asyncio.sleep(0)


def counting(begun, number):
    async def read():
        begun.append(number)
        await asyncio.sleep(0)
        return number

    return read()


def test_one_is_under_way_before_it_is_asked_for_and_no_more(run):
    begun = []

    async def go_through():
        seen = []
        async for number in prefetch(counting(begun, number) for number in range(4)):
            await turns()
            seen.append((number, begun.copy()))
        return seen

    assert run(go_through()) == [
        (0, [0, 1]),
        (1, [0, 1, 2]),
        (2, [0, 1, 2, 3]),
        (3, [0, 1, 2, 3]),
    ]


def test_what_takes_longer_still_comes_in_its_turn(run):
    async def slow_first():
        first_may_end = asyncio.Event()

        async def first():
            await first_may_end.wait()
            return "first"

        async def second():
            first_may_end.set()
            return "second"

        return await taken(prefetch(iter([first(), second()])))

    assert run(slow_first()) == ["first", "second"]


def test_whoever_stops_early_leaves_nothing_under_way(run):
    ended = []

    async def never():
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("never")

    async def stop_after_one():
        async with aclosing(prefetch(iter([counting([], 1), never()]))) as each:
            async for _ in each:
                await turns()
                break
        return len(asyncio.all_tasks())

    assert run(stop_after_one()) == 1
    assert ended == ["never"]


def test_what_fails_is_raised_in_its_turn_and_ends_it(run):
    seen = []

    async def failing():
        raise LookupError("gone")

    async def go_through():
        async for one in prefetch(iter([counting([], 1), failing(), counting([], 3)])):
            await turns()
            seen.append(one)

    with pytest.raises(LookupError, match="gone"):
        run(go_through())
    assert seen == [1]


def test_pieces_of_work_are_read_in_their_order_and_ahead_where_a_server_does_it(
    ledger, database_url, run
):
    begun = []

    def work(number):
        def read(connection):
            begun.append(number)
            asked = select(bindparam("number", type_=BigInteger))
            return connection.execute(asked, {"number": number}).scalar()

        return read

    async def go_through():
        seen = []
        async with aclosing(ledger.each(work(number) for number in range(5))) as each:
            async for number in each:
                seen.append((number, len(begun)))
                await turns()
        return seen

    run(go_through())  # this run opens the connections
    begun.clear()
    seen = run(go_through())
    assert [number for number, _ in seen] == begun == list(range(5))
    more = 1 if database_url.startswith("postgresql") else 0
    assert [count for _, count in seen] == [min(5, number + 1 + more) for number in range(5)]


@pytest.mark.parametrize("at_once", [1, 2, 16])
def test_what_is_new_in_streams_comes_in_the_order_they_were_asked_for(
    ledger, run, monkeypatch, at_once
):
    monkeypatch.setattr(ledgers, "_STREAMS_AT_ONCE", at_once)
    streams = [f"match:{name}" for name in ("b", "a", "B", "c")]
    for stream in streams:
        run(ledger.append(noting(stream, 4)))
    run(ledger.append(erasing(streams[0], 2, run(ledger.stream(LEAGUE, streams[0]))[1].position)))
    after = dict(zip(streams, (0, 3, 4, 1), strict=True)) | {"match:none": 0}
    found = run(taken(ledger.since_of(LEAGUE, after)))
    assert found == [run(ledger.since(LEAGUE, *each)) for each in after.items()]
    assert [(erased, len(new.inferred)) for erased, new in found] == [
        (1, 4),
        (0, 1),
        (0, 0),
        (0, 3),
        (0, 0),
    ]
    assert run(taken(ledger.since_of(LEAGUE, {}))) == []
