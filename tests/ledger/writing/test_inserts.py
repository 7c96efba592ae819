"""Rows that are inserted many at a time are all written or none, on either database."""

import asyncio

import pytest
from msgspec.structs import replace
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from scorekeeper.ledger.integrity.raw_rows import write_entries
from scorekeeper.ledger.writing.append import (
    AppendResult,
    Completion,
    Decision,
    NothingToWrite,
    Request,
)
from scorekeeper.store import matches
from tests.ledger.asking import LEAGUE, check_whole, new_id, noting, opening, telling

FEW_AND_MANY = pytest.mark.parametrize("count", [1, 31, 32, 64, 300])


def a_match(name, position=1):
    return matches.added(
        league=LEAGUE,
        match=name,
        opened=position,
        edition="basic",
        players=["ann", "悠"],
        opened_at="2026-01-01T00:00:00.000000Z",
        held_at="2026-01-01T00:00:00.000000Z",
        summary=matches.Summary(
            status="open", substitutes=[], winners=[], open_disputes=0, ending=None
        ),
    )


def listed(ledger, run):
    found = run(
        ledger.read(
            lambda c: matches.page(c, LEAGUE, matches.MatchFilter(player="悠"), limit=1_000)
        )
    )
    return [(each.match, each.status) for each in reversed(found)]


@FEW_AND_MANY
def test_new_rows_are_written_with_the_entries_and_in_their_order_among_statements(
    ledger, run, count
):
    names = [f"match-{number:03}" for number in range(count)]
    close_all = (
        text("UPDATE matches SET status = 'won' WHERE league = :league"),
        {"league": LEAGUE},
    )
    rows = [a_match(name, place) for place, name in enumerate(names, 1)]
    run(ledger.append(noting("match:one", count, rows=[*rows, close_all, a_match("last", 1_000)])))
    assert listed(ledger, run) == [*((name, "won") for name in names), ("last", "open")]
    assert len(run(check_whole(ledger))) == 1 + count


@FEW_AND_MANY
def test_rows_without_an_entry_are_written_as_well(ledger, run, count):
    rows = [a_match(f"match-{number:03}", number) for number in range(count)]
    decision = Decision(drafts=[], complete=lambda entries: Completion(value="kept", rows=rows))
    request = Request(league=LEAGUE, actor="t-owner", streams=(), decide=lambda seen: decision)
    assert run(ledger.append(request)).value == "kept"
    assert len(listed(ledger, run)) == count
    assert run(ledger.head(LEAGUE)).size == 1


@FEW_AND_MANY
def test_a_row_that_is_there_already_stops_its_own_request_and_no_other(ledger, run, count):
    run(ledger.append(noting("match:one", rows=[a_match("match-000")])))
    again = [a_match(f"match-{number:03}", number) for number in reversed(range(count))]

    async def together():
        return await asyncio.gather(
            ledger.append(noting("match:two", 2)),
            ledger.append(noting("match:one", count, rows=again)),
            ledger.append(noting("match:one", rows=[a_match("new", 1_000)])),
            return_exceptions=True,
        )

    outcomes = run(together())
    assert [isinstance(outcome, AppendResult) for outcome in outcomes] == [True, False, True]
    assert listed(ledger, run) == [("match-000", "open"), ("new", "open")]
    assert len(run(check_whole(ledger))) == 1 + 1 + 2 + 1


@FEW_AND_MANY
def test_of_many_ids_those_that_are_known_are_found_again(ledger, run, count):
    ids = [new_id() for _ in range(2 * count)]
    first = run(ledger.append(telling("match:one", ids[:count])))
    more = run(ledger.append(telling("match:one", ids)))
    again = run(ledger.append(telling("match:one", ids)))
    assert more.value[:count] == first.value
    assert isinstance(again, NothingToWrite)
    assert again.value == more.value
    assert len(run(check_whole(ledger))) == 1 + 2 * count


def elsewhere(ledger, run, count):
    """Entries of another ledger, relabelled as this league's."""
    run(ledger.append(opening("away")))
    entries = run(ledger.append(noting("match:one", count, league="away"))).entries
    return [replace(entry, league="home") for entry in entries]


@FEW_AND_MANY
def test_a_transaction_that_begins_with_new_rows_can_be_taken_back(ledger, run, count):
    entries = elsewhere(ledger, run, count)

    def half(connection):
        write_entries(connection, entries)
        raise LookupError("stop")

    with pytest.raises(LookupError):
        run(ledger.transact("home", half))
    assert run(ledger.part("home", 0, 10)).entries == []
    run(ledger.transact("home", lambda connection: write_entries(connection, entries)))
    assert run(ledger.part("home", 0, 1_000)).entries == entries


@FEW_AND_MANY
def test_a_key_that_is_taken_is_an_integrity_error(ledger, run, count):
    entries = elsewhere(ledger, run, count)
    run(ledger.transact("home", lambda connection: write_entries(connection, entries[-1:])))
    with pytest.raises(IntegrityError):
        run(ledger.transact("home", lambda connection: write_entries(connection, entries)))
    assert run(ledger.part("home", 0, 1_000)).entries == entries[-1:]
