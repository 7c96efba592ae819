"""Requests that arrive together are written together, and each gets its own outcome."""

import asyncio
from functools import partial

import pytest

from scorekeeper.ledger.writing.append import AppendResult, Decision, NothingToWrite
from scorekeeper.store import leagues
from tests.ledger.asking import (
    LEAGUE,
    MATCH,
    check_whole,
    deciding,
    draft,
    new_id,
    noting,
    opening,
    telling,
    together,
)

PATIENCE = 60


@pytest.mark.parametrize("events", [1, 5, 127, 128, 129, 300])
def test_a_group_of_any_size_is_written_whole(ledger, run, events):
    outcomes = run(together(ledger, *(noting(f"match:{nth}") for nth in range(events))))
    assert {tuple(outcome.value) for outcome in outcomes} == {(1,)}
    assert len(run(check_whole(ledger))) == 1 + events


def test_a_refusal_writes_nothing_and_stops_nobody(ledger, run):
    outcomes = run(
        together(ledger, noting(MATCH), noting(MATCH, expected=7), noting(MATCH, expected=1))
    )
    assert [outcome.value for outcome in outcomes] == [[1], "at 1", [2]]
    assert isinstance(outcomes[1], NothingToWrite)
    assert len(run(check_whole(ledger))) == 3


def ended(_):
    """Look for what is not there."""
    return next(iter(()))


def test_a_search_in_vain_stops_nobody(ledger, run):
    """No future takes a StopIteration."""

    async def story():
        async with asyncio.timeout(PATIENCE):
            outcomes = await together(ledger, noting(MATCH), deciding(ended), noting(MATCH))
            for ask in (ledger.read, partial(ledger.transact, LEAGUE)):
                with pytest.raises(RuntimeError, match="StopIteration"):
                    await ask(ended)
            return [*outcomes, await ledger.append(noting(MATCH))]

    first, failure, second, third = run(story())
    assert [each.value for each in (first, second, third)] == [[1], [2], [3]]
    assert isinstance(failure, RuntimeError)
    assert isinstance(failure.__cause__, StopIteration)


def test_an_exception_of_a_decision_is_its_own(ledger, run):
    def fail(seen):
        raise LookupError("not in this league")

    def fail_late(seen):
        return Decision(drafts=[draft(MATCH)], complete=fail, carried={MATCH: 99})

    outcomes = run(
        together(ledger, noting(MATCH), deciding(fail), deciding(fail_late), noting(MATCH))
    )
    assert [type(outcome) for outcome in outcomes] == [
        AppendResult,
        LookupError,
        LookupError,
        AppendResult,
    ]
    assert outcomes[3].value == [2]
    run(check_whole(ledger))


def test_a_row_that_fails_inside_a_group_fails_alone(ledger, run):
    bad = leagues.added("bad", None)
    requests = [
        noting(MATCH, rows=[leagues.added(f"row-{number}", "a name")]) for number in range(6)
    ]
    requests[3] = noting(MATCH, rows=[leagues.added("row-3", "a name"), bad])
    outcomes = run(together(ledger, *requests))
    assert [isinstance(outcome, AppendResult) for outcome in outcomes] == [True] * 3 + [False] + [
        True
    ] * 2
    assert [outcome.value for outcome in outcomes if isinstance(outcome, AppendResult)] == [
        [version] for version in range(1, 6)
    ]
    assert len(run(check_whole(ledger))) == 6
    found = run(ledger.read(lambda c: leagues.page(c, after=None, limit=9)))
    assert [one.league for one in found] == ["row-0", "row-1", "row-2", "row-4", "row-5"]


def test_what_a_failed_group_carried_does_not_survive(ledger, run):
    run(together(ledger, noting(MATCH, rows=[leagues.added("bad", None)])))
    tails = []
    run(ledger.append(deciding(lambda seen: NothingToWrite(tails.append(seen.tails[MATCH])))))
    assert (tails[0].version, tails[0].carried) == (0, None)
    assert run(ledger.append(noting(MATCH))).value == [1]


def test_a_group_is_recorded_at_one_time(run, opened, database_url):
    moments = iter(range(1_800_000_000_000_000, 1_800_000_000_000_100))
    ledger = opened(database_url, clock=lambda: next(moments))
    run(ledger.append(opening()))

    async def at_once():
        await asyncio.gather(*(ledger.append(noting(MATCH)) for _ in range(5)))

    run(at_once())
    times = [entry.time for entry in run(check_whole(ledger))]
    assert times[0] < times[1]
    assert len(set(times[1:])) == 1


def test_a_commit_is_told_once_for_its_group_and_what_writes_nothing_is_not_told(ledger, run):
    told = []
    ledger.on_commit(lambda league, size: told.append((league, size)))
    ids = [new_id(), new_id()]
    run(together(ledger, noting(MATCH, 2), telling(MATCH, ids), noting(MATCH, expected=1)))
    assert told == [(LEAGUE, 5)]
    run(ledger.append(telling(MATCH, ids)))
    run(ledger.append(noting(MATCH, expected=1)))
    assert told == [(LEAGUE, 5)]
    run(ledger.append(noting("match:two")))
    assert told == [(LEAGUE, 5), (LEAGUE, 6)]


def test_a_commit_is_told_once_it_can_be_read(ledger, run):
    async def told():
        sizes = []
        heard = asyncio.Event()

        def tell(league, size):
            sizes.append(size)
            heard.set()

        ledger.on_commit(tell)
        appending = asyncio.create_task(ledger.append(noting(MATCH, 3)))
        await heard.wait()
        entries = (await ledger.part(LEAGUE, 1, 10)).entries
        await appending
        return sizes, [entry.position for entry in entries]

    assert run(told()) == ([4], [2, 3, 4])


def test_what_fails_alone_is_told_alone(ledger, run):
    """A row that can't be written makes the group be written one by one."""
    told = []
    ledger.on_commit(lambda league, size: told.append(size))
    broken = noting(MATCH, rows=[leagues.added("home", None)])
    outcomes = run(together(ledger, noting(MATCH), broken, noting(MATCH)))
    assert [type(outcome) for outcome in outcomes][::2] == [AppendResult, AppendResult]
    assert told == [2, 3]
