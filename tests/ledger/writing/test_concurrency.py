"""Concurrent requests: on one stream, with one id, across processes, and beside readers."""

import asyncio

import pytest
from msgspec.structs import replace
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from scorekeeper.ledger.writing.append import AppendResult, NothingToWrite
from scorekeeper.store import leagues
from tests.ledger.asking import LEAGUE, check_whole, keyed, new_id, noting, opening, telling

MATCH = "match:one"


@pytest.fixture
def ledgers(opened, database_url, run):
    """Two ledgers on one PostgreSQL database, as in two processes. SQLite allows only one."""
    both = [opened(database_url)]
    if database_url.startswith("postgresql"):
        both.append(opened(database_url))
    run(both[0].append(opening()))
    return both


@pytest.fixture
def two_ledgers(opened, postgresql_url, run):
    both = [opened(postgresql_url), opened(postgresql_url)]
    run(both[0].append(opening()))
    return both


def dealt(ledgers, number):
    return ledgers[number % len(ledgers)]


def test_fifty_writers_on_one_stream_get_each_version_once(ledgers, run):
    async def write_all():
        async def write(writer):
            return [(await dealt(ledgers, writer).append(noting(MATCH))).value[0] for _ in "ab"]

        return await asyncio.gather(*(write(writer) for writer in range(50)))

    versions = [version for pair in run(write_all()) for version in pair]
    assert sorted(versions) == list(range(1, 101))
    assert len(run(check_whole(ledgers[0]))) == 101


def test_of_two_with_one_expected_version_one_wins(ledgers, run):
    async def both():
        return await asyncio.gather(
            *(dealt(ledgers, number).append(noting(MATCH, expected=0)) for number in range(10))
        )

    outcomes = run(both())
    assert sorted(type(outcome) is AppendResult for outcome in outcomes) == [False] * 9 + [True]
    assert [outcome.value for outcome in outcomes if type(outcome) is NothingToWrite] == [
        "at 1"
    ] * 9


@pytest.mark.parametrize("times", [200, pytest.param(1_000, marks=pytest.mark.slow)])
def test_repeats_of_one_id_make_one_event_and_identical_answers(ledgers, run, times):
    event_id = new_id()

    async def repeat():
        return await asyncio.gather(
            *(dealt(ledgers, n).append(telling(MATCH, [event_id])) for n in range(times))
        )

    outcomes = run(repeat())
    assert sum(type(outcome) is AppendResult for outcome in outcomes) == 1
    assert len({tuple(outcome.value) for outcome in outcomes}) == 1
    assert len(run(check_whole(ledgers[0]))) == 2


def test_repeats_of_one_key_make_one_event_and_identical_answers(ledgers, run):
    async def repeat():
        return await asyncio.gather(
            *(dealt(ledgers, n).append(keyed(MATCH, "same")) for n in range(100))
        )

    outcomes = run(repeat())
    assert sum(type(outcome) is AppendResult for outcome in outcomes) == 1
    assert len({outcome.value for outcome in outcomes}) == 1
    assert len(run(check_whole(ledgers[0]))) == 2


def test_partly_overlapping_ids_are_each_recorded_once(ledgers, run):
    ids = [new_id() for _ in range(40)]

    async def overlap():
        await asyncio.gather(
            *(
                dealt(ledgers, first).append(telling(MATCH, ids[first : first + 8]))
                for first in range(33)
            )
        )

    run(overlap())
    entries = run(check_whole(ledgers[0]))
    assert {entry.id for entry in entries[1:]} == set(ids)
    assert len(entries) == 41


@pytest.mark.parametrize("events", [240, pytest.param(30_000, marks=pytest.mark.slow)])
def test_a_reader_that_follows_six_writers_misses_nothing(ledgers, run, events):
    async def follow_and_write():
        async def write(writer):
            for _ in range(events // 6):
                await dealt(ledgers, writer).append(noting(f"match:{writer}"))

        async def follow():
            position = 0
            while position < events + 1:
                for entry in (await ledgers[0].part(LEAGUE, position, 500)).entries:
                    assert entry.position == position + 1
                    position = entry.position

        async with asyncio.timeout(240):
            await asyncio.gather(follow(), *(write(writer) for writer in range(6)))

    run(follow_and_write())
    assert len(run(check_whole(ledgers[0]))) == events + 1


def test_a_ledger_is_opened_once_by_two(opened, postgresql_url, run):
    both = [opened(postgresql_url), opened(postgresql_url)]

    async def open_both():
        return await asyncio.gather(*(ledger.append(opening(value="opened")) for ledger in both))

    assert sorted(outcome.value for outcome in run(open_both())) == ["exists", "opened"]
    assert len(run(check_whole(both[0]))) == 1


def test_what_another_process_appended_reaches_the_decision(two_ledgers, run):
    one, other = two_ledgers
    run(one.append(noting(MATCH)))
    run(other.append(noting(MATCH, 2)))
    tails = []
    request = noting(MATCH)
    decide = request.decide

    def watched(seen):
        tails.append(seen.tails[MATCH])
        return decide(seen)

    assert run(one.append(replace(request, decide=watched))).value == [4]
    # The request is decided on the remembered tail, loses the head, and is decided again.
    assert [(tail.version, tail.carried, len(tail.entries)) for tail in tails] == [
        (1, 1, 0),
        (3, 1, 2),
    ]


def test_whoever_lost_the_head_locks_it_until_nobody_else_writes(two_ledgers, run):
    one, other = two_ledgers
    seen = []

    def watched(request):
        def decide(found):
            seen.append(found.size)
            return request.decide(found)

        return replace(request, decide=decide)

    run(one.append(noting(MATCH)))
    for _ in range(3):
        run(other.append(noting(MATCH)))
        run(one.append(watched(noting(MATCH))))
    # Only the first was decided in vain, on what was remembered.
    assert seen == [2, 3, 5, 7]
    run(one.append(watched(noting(MATCH))))
    run(other.append(noting(MATCH)))
    run(one.append(watched(noting(MATCH))))
    # The last size was remembered again, so the next request was once more decided in vain.
    assert seen[4:] == [8, 9, 10]
    run(check_whole(one))


def test_nobody_is_refused_for_what_another_process_has_changed_since(two_ledgers, run):
    one, other = two_ledgers
    run(one.append(noting(MATCH)))
    run(other.append(noting(MATCH)))
    # The first ledger still remembers version 1.
    assert run(one.append(noting(MATCH, expected=2))).value == [3]
    run(other.append(noting(MATCH)))
    assert run(one.append(noting(MATCH, expected=9))) == NothingToWrite("at 4")
    assert run(one.append(noting(MATCH, expected=3))) == NothingToWrite("at 4")


def test_a_long_absence_is_caught_up(two_ledgers, run):
    one, other = two_ledgers
    run(one.append(noting(MATCH, 3)))
    run(other.append(noting(MATCH, 700)))
    run(other.append(noting("match:two", 700)))
    assert run(one.append(noting(MATCH))).value == [704]
    run(check_whole(one))


def test_a_transaction_held_open_between_two_writers(two_ledgers, postgresql_url, run):
    """The first has the head and waits; the second waits for the head; a reader sees neither."""
    one, other = two_ledgers
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")

    async def hold():
        engine = create_async_engine(postgresql_url, poolclass=NullPool)
        async with engine.connect() as connection, asyncio.timeout(30):

            async def until_waiting(count):
                while await one.read(lambda c: c.execute(waiting).scalar()) != count:
                    pass

            blocking = await connection.begin()
            await connection.execute(*leagues.added("held", "a name"))
            first = asyncio.create_task(
                one.append(noting(MATCH, rows=[leagues.added("held", "another name")]))
            )
            await until_waiting(1)
            second = asyncio.create_task(other.append(noting(MATCH)))
            await until_waiting(2)
            assert len((await one.part(LEAGUE, 0, 10)).entries) == 1
            await blocking.rollback()
            outcomes = await asyncio.gather(first, second)
        await engine.dispose()
        return [outcome.value for outcome in outcomes]

    assert run(hold()) == [[1], [2]]
    assert len(run(check_whole(one))) == 3
