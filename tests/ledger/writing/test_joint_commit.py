"""Requests for several leagues that arrive together share a commit. Each has its own outcome."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine, event, text

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import AppendResult, NothingToWrite
from scorekeeper.store import leagues as stored_leagues
from tests.ledger.asking import (
    MATCH,
    appending,
    check_whole,
    counting,
    draft,
    keyed,
    new_id,
    noting,
    opening,
    telling,
    together,
)
from tests.ledger.outside import CUT

LEAGUES = ("club", "family", "friday", "office", "school")


@pytest.fixture
def open_leagues(opened, run):
    """Opens a ledger with one commit queue, and opens the leagues in it."""

    def open_them(url, leagues=LEAGUES, **settings):
        ledger = opened(url, queues=1, **settings)
        run(together(ledger, *map(opening, leagues)))
        return ledger

    return open_them


@pytest.fixture
def ledger(open_leagues, database_url) -> Ledger:
    return open_leagues(database_url)


def in_each(asked, leagues=LEAGUES):
    return [asked(league) for league in leagues]


def values(outcomes):
    return [outcome.value for outcome in outcomes]


def commits_of(ledger, run):
    """How many transactions wrote the matches of all leagues, on PostgreSQL."""
    count = text("SELECT count(DISTINCT xmin::text) FROM events WHERE stream LIKE 'match:%'")
    return run(ledger.read(lambda connection: connection.execute(count).scalar_one()))


@contextmanager
def counting_commits():
    commits = []
    heard = commits.append
    event.listen(Engine, "commit", heard)
    try:
        yield commits
    finally:
        event.remove(Engine, "commit", heard)


def check_all(ledger, run, sizes):
    for league, size in sizes.items():
        assert len(run(check_whole(ledger, league))) == size


@pytest.mark.parametrize("events", [1, 2, 64, 128])
def test_the_leagues_of_a_turn_are_one_transaction_on_postgresql(
    open_leagues, postgresql_url, run, events
):
    ledger = open_leagues(postgresql_url)
    outcomes = run(together(ledger, *in_each(lambda one: noting(MATCH, events, league=one))))
    assert values(outcomes) == [list(range(1, events + 1))] * len(LEAGUES)
    assert commits_of(ledger, run) == 1
    check_all(ledger, run, dict.fromkeys(LEAGUES, 1 + events))


def test_the_leagues_of_a_turn_are_one_transaction_on_sqlite(open_leagues, sqlite_url, run):
    ledger = open_leagues(sqlite_url)
    run(together(ledger, *in_each(lambda one: noting(MATCH, league=one))))
    with counting_commits() as commits:
        outcomes = run(together(ledger, *in_each(lambda one: noting(MATCH, 2, league=one))))
    assert values(outcomes) == [[2, 3]] * len(LEAGUES)
    assert len(commits) == 1
    check_all(ledger, run, dict.fromkeys(LEAGUES, 4))


def test_leagues_are_each_their_own_where_tables_are_distributed(
    open_leagues, postgresql_url, run, monkeypatch
):
    monkeypatch.setattr("scorekeeper.ledger.writing.joint_statements._HAS_CITUS", "SELECT true")
    ledger = open_leagues(postgresql_url)
    outcomes = run(together(ledger, *in_each(lambda one: noting(MATCH, league=one))))
    assert values(outcomes) == [[1]] * len(LEAGUES)
    assert commits_of(ledger, run) == len(LEAGUES)


def test_several_requests_of_a_league_keep_their_order(ledger, run):
    requests = [noting(MATCH, league=one) for _ in range(3) for one in LEAGUES]
    outcomes = run(together(ledger, *requests))
    assert values(outcomes) == [[1]] * 5 + [[2]] * 5 + [[3]] * 5
    check_all(ledger, run, dict.fromkeys(LEAGUES, 4))


def test_whatever_else_a_league_writes_stands_beside_the_others(ledger, run):
    """An opening, a kept answer, other rows, very many events, an erasure, a refusal, a failure."""
    first = run(ledger.append(noting(MATCH, league="school")))
    place = first.entries[0]

    def fail(seen):
        raise LookupError("not in this league")

    erasing = replace(
        noting(MATCH, league="school"),
        decide=lambda seen: appending(draft(MATCH), erase=[place]),
    )
    outcomes = run(
        together(
            ledger,
            noting(MATCH, league="friday"),
            opening("new"),
            keyed(MATCH, "once", league="club"),
            noting(MATCH, league="family", rows=[stored_leagues.added("row", "a name")]),
            noting(MATCH, 300, league="office"),
            erasing,
            replace(noting(MATCH, league="friday"), decide=fail),
            noting(MATCH, league="friday", expected=7),
            noting(MATCH, league="friday"),
        )
    )
    assert type(outcomes[6]) is LookupError
    assert outcomes[7] == NothingToWrite("at 1")
    others = [*outcomes[:6], outcomes[8]]
    assert {type(one) for one in others} == {AppendResult}
    assert run(ledger.append(keyed(MATCH, "once", league="club"))).value == others[2].value
    check_all(
        ledger, run, {"friday": 3, "new": 1, "club": 2, "family": 2, "office": 301, "school": 3}
    )
    [erased] = run(ledger.at_positions("school", [place.position]))
    assert erased.body is None


def test_an_id_that_is_recorded_is_answered_alike_and_no_other_league_waits_for_it(ledger, run):
    ids = [new_id(), new_id()]
    before = run(ledger.append(telling(MATCH, ids, league="club")))
    decided = []
    requests = [counting(telling(MATCH, [new_id()], league=one), decided) for one in LEAGUES[1:]]
    outcomes = run(together(ledger, telling(MATCH, ids, league="club"), *requests))
    assert outcomes[0] == NothingToWrite(before.value)
    assert {type(one) for one in outcomes[1:]} == {AppendResult}
    assert len(decided) == len(requests)
    check_all(ledger, run, {"club": 3, "family": 2, "friday": 2})


def test_a_known_key_is_answered_as_then_beside_what_its_league_writes(ledger, run):
    """The kept answer comes first, even where the request would come to something else now."""
    keyed_one = keyed(MATCH, "key", league="club")

    def decide(seen):
        if not seen.answers and seen.tails[MATCH].version > 0:
            return NothingToWrite("another version was expected")
        return keyed_one.decide(seen)

    asked = replace(keyed_one, decide=decide)
    before = run(ledger.append(asked))
    beside = [noting("match:two", league="club"), *(noting(MATCH, league=x) for x in LEAGUES[1:])]
    outcomes = run(together(ledger, asked, *beside))
    assert outcomes[0] == NothingToWrite(before.value)
    assert {type(one) for one in outcomes[1:]} == {AppendResult}


def test_an_id_that_another_process_records_meanwhile_is_answered_alike(
    open_leagues, opened, postgresql_url, run
):
    ledger, other = open_leagues(postgresql_url), opened(postgresql_url)
    run(together(ledger, *in_each(lambda one: noting(MATCH, league=one))))
    told = new_id()
    before = run(other.append(telling(MATCH, [told], league="club")))
    outcomes = run(together(ledger, *in_each(lambda one: telling(MATCH, [told], league=one))))
    assert outcomes[0] == NothingToWrite(before.value)
    assert {type(one) for one in outcomes[1:]} == {AppendResult}
    check_all(ledger, run, dict.fromkeys(LEAGUES, 3))


def test_a_head_that_another_process_took_is_decided_again_alone(
    open_leagues, opened, postgresql_url, run
):
    ledger, other = open_leagues(postgresql_url), opened(postgresql_url)
    run(together(ledger, *in_each(lambda one: noting(MATCH, league=one))))
    run(other.append(noting(MATCH, league="family")))
    decided = {league: [] for league in LEAGUES}
    requests = in_each(lambda one: counting(noting(MATCH, league=one), decided[one]))
    outcomes = run(together(ledger, *requests))
    assert values(outcomes) == [[2], [3], [2], [2], [2]]
    assert {league: len(calls) for league, calls in decided.items()} == {
        **dict.fromkeys(LEAGUES, 1),
        "family": 2,
    }
    run(together(ledger, *in_each(lambda one: noting(MATCH, league=one))))
    check_all(ledger, run, {**dict.fromkeys(LEAGUES, 4), "family": 5})


def test_leagues_that_nobody_remembers_are_written_together_too(ledger, opened, database_url, run):
    run(together(ledger, *in_each(lambda one: noting(MATCH, 3, league=one))))
    run(ledger.close())
    fresh = opened(database_url, queues=1)
    asked = [noting(MATCH, league=one) for one in (*LEAGUES, "nowhere")]
    with counting_commits() as commits:
        outcomes = run(together(fresh, *asked))
    assert values(outcomes[:-1]) == [[4]] * len(LEAGUES)
    assert "is not open" in str(outcomes[-1])
    assert len(commits) <= 3  # for reading, for the leagues, for the one that is not open
    check_all(fresh, run, dict.fromkeys(LEAGUES, 5))


def test_each_league_s_commit_is_told(ledger, run):
    told = []
    ledger.on_commit(lambda league, size: told.append((league, size)))
    run(together(ledger, *in_each(lambda one: noting(MATCH, 2, league=one))))
    assert sorted(told) == [(league, 3) for league in LEAGUES]


def test_a_connection_cut_in_between_is_told_to_all_and_the_next_turn_goes_on(
    open_leagues, opened, postgresql_url, run
):
    ledger, other = open_leagues(postgresql_url), opened(postgresql_url)
    request = noting(MATCH, league="school")

    def cut_and_decide(seen):
        with ThreadPoolExecutor(1) as elsewhere:
            elsewhere.submit(
                asyncio.run, other.read(lambda c: c.execute(text(CUT)).scalar())
            ).result()
        return request.decide(seen)

    cutting = replace(request, decide=cut_and_decide)
    outcomes = run(together(ledger, noting(MATCH, league="club"), cutting))
    assert [type(outcome) for outcome in outcomes] == [LedgerUnavailable] * 2
    outcomes = run(together(ledger, *in_each(lambda one: noting(MATCH, league=one))))
    assert values(outcomes) == [[1]] * len(LEAGUES)


def test_a_full_disk_is_told_to_all_and_nothing_is_half_written(open_leagues, sqlite_url, run):
    ledger = open_leagues(sqlite_url)
    writer = ledger._queues[0]._writer
    run(writer.run(lambda c: c.exec_driver_sql("PRAGMA max_page_count=1")))
    run(writer.run(lambda c: c.rollback()))
    outcomes = run(together(ledger, *in_each(lambda one: noting(MATCH, 64, league=one))))
    assert {type(outcome) for outcome in outcomes} == {LedgerUnavailable}
    run(writer.run(lambda c: c.exec_driver_sql("PRAGMA max_page_count=1000000")))
    run(writer.run(lambda c: c.rollback()))
    outcomes = run(together(ledger, *in_each(lambda one: noting(MATCH, 64, league=one))))
    assert {type(outcome) for outcome in outcomes} == {AppendResult}
    check_all(ledger, run, dict.fromkeys(LEAGUES, 65))
