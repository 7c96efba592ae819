"""What a ledger takes and keeps: entries in their order, rows beside them, one turn at a time."""

import ast
import asyncio
import re
from textwrap import dedent

import pytest
from sqlalchemy import text

from scorekeeper.ledger.database_errors import LedgerOverloaded, LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.reading import PART_BYTES, Contents
from scorekeeper.ledger.writing import append
from scorekeeper.ledger.writing.append import AppendResult, Completion, Decision, NothingToWrite
from scorekeeper.store import leagues, matches
from tests.ledger.asking import (
    BODY,
    LEAGUE,
    MATCH,
    appending,
    check_whole,
    counted,
    deciding,
    draft,
    new_id,
    noting,
    opening,
    telling,
    together,
    whole,
)


def test_versions_count_in_a_stream_and_positions_in_the_ledger(ledger, run):
    for stream in (MATCH, "match:two", MATCH):
        run(ledger.append(noting(stream, 2)))
    entries = run(check_whole(ledger))
    assert [(entry.stream, entry.version) for entry in entries] == [
        ("league", 1),
        (MATCH, 1),
        (MATCH, 2),
        ("match:two", 1),
        ("match:two", 2),
        (MATCH, 3),
        (MATCH, 4),
    ]
    assert run(ledger.version(LEAGUE, MATCH)) == 4
    assert run(ledger.version(LEAGUE, "match:none")) == 0


def test_an_entry_is_read_as_it_was_returned(ledger, run):
    appended = run(ledger.append(telling(MATCH, [new_id(), new_id()])))
    assert appended.size == 3
    assert run(ledger.stream(LEAGUE, MATCH)) == appended.entries
    assert appended.value == [entry.hash for entry in appended.entries]
    entry = appended.entries[0]
    assert (entry.actor, entry.body, entry.type, entry.schema) == (
        "t-scorer",
        BODY,
        "note_added",
        1,
    )


def test_a_stream_is_read_in_parts(ledger, run):
    run(ledger.append(noting(MATCH, 9)))

    def versions(**bounds):
        return [entry.version for entry in run(ledger.stream(LEAGUE, MATCH, **bounds))]

    assert versions(after=7) == [8, 9]
    assert versions(until=2) == [1, 2]
    assert versions(after=3, until=8, limit=2) == [4, 5]


def test_one_request_may_write_several_streams(ledger, run):
    request = deciding(
        lambda seen: appending(draft("tournament:cup"), draft(MATCH), draft("tournament:cup")),
        streams=("tournament:cup", MATCH),
    )
    run(ledger.append(request))
    assert [(e.stream, e.version) for e in run(check_whole(ledger))[1:]] == [
        ("tournament:cup", 1),
        (MATCH, 1),
        ("tournament:cup", 2),
    ]


def test_an_inferred_entry_names_the_told_one_even_before_it(ledger, run):
    told = new_id()
    request = deciding(
        lambda seen: appending(draft(MATCH, inferred=True, told_by=1), draft(MATCH, told)),
        ids=(told,),
    )
    inferred, said = run(ledger.append(request)).entries
    assert (inferred.inferred, inferred.told_by) == (True, told)
    assert (said.inferred, said.told_by, said.id) == (False, None, told)
    assert run(ledger.contents(LEAGUE, MATCH, until=2)).inferred == [True, False]


def test_a_decision_gets_what_the_last_one_carried(ledger, run):
    seen_tails = []

    def decide(seen):
        seen_tails.append(seen.tails[MATCH])
        return appending(draft(MATCH), carried={MATCH: counted(seen.tails[MATCH]) + 1})

    run(together(ledger, deciding(decide), deciding(decide)))
    run(ledger.append(deciding(decide)))
    assert [(tail.version, tail.carried, tail.entries) for tail in seen_tails] == [
        (0, None, ()),
        (1, 1, ()),
        (2, 2, ()),
    ]


def test_a_decision_that_carries_nothing_leaves_its_entries_to_the_next(ledger, run):
    for _ in range(3):
        run(ledger.append(noting(MATCH, carry=False)))
    assert run(ledger.append(noting(MATCH, 2))).value == [4, 5]


def test_the_whole_stream_can_be_looked_at_with_what_the_group_added(ledger, run):
    run(ledger.append(noting(MATCH, 2)))
    whole_streams = []
    look = deciding(lambda seen: NothingToWrite(whole_streams.append(seen.whole(MATCH))))
    run(together(ledger, noting(MATCH), look))
    assert [entry.version for entry in whole_streams[0]] == [1, 2, 3]
    assert whole_streams[0] == run(ledger.stream(LEAGUE, MATCH))


def test_nothing_is_remembered_by_a_ledger_opened_anew(ledger, opened, database_url, run):
    run(ledger.append(noting(MATCH, 3)))
    run(ledger.close())
    again = opened(database_url)
    assert run(again.append(noting(MATCH))).value == [4]
    run(check_whole(again))


def test_rows_are_executed_in_the_order_they_were_given(ledger, run):
    rename = text("UPDATE leagues SET name = name || :more WHERE league = :league")
    rows = [
        leagues.added("one", "a"),
        (rename, {"league": "one", "more": "b"}),
        leagues.added("two", "c"),
        (rename, {"league": "two", "more": "d"}),
        (rename, {"league": "one", "more": "e"}),
    ]
    run(ledger.append(noting(MATCH, rows=rows)))
    found = run(ledger.read(lambda c: leagues.page(c, after=None, limit=9)))
    assert [one.name for one in found] == ["abe", "cd"]


def test_a_decision_without_drafts_may_write_rows_and_answers(ledger, run):
    def decide(seen):
        return Decision(
            drafts=(),
            complete=lambda entries: Completion(value="kept", rows=[leagues.added("one", "a")]),
        )

    appended = run(ledger.append(deciding(decide)))
    assert (appended.entries, appended.value) == ([], "kept")
    assert run(ledger.read(lambda c: leagues.name(c, "one"))) == "a"
    assert len(run(check_whole(ledger))) == 1


def test_a_ledger_is_opened_once(opened, database_url, run):
    ledger = opened(database_url)
    outcomes = run(together(ledger, *(opening(value=number) for number in range(5))))
    assert [outcome.value for outcome in outcomes] == [0] + ["exists"] * 4
    assert len(run(check_whole(ledger))) == 1


def test_a_ledger_that_is_not_open_takes_nothing(ledger, run):
    assert run(ledger.head("nowhere")) is None
    with pytest.raises(ValueError, match="not open"):
        run(ledger.append(noting(MATCH, league="nowhere")))


def test_each_ledger_has_a_name_of_its_own_and_its_own_positions(ledger, run):
    run(ledger.append(opening("saturday")))
    entries = run(check_whole(ledger, "saturday"))
    assert [entry.position for entry in entries] == [1]
    heads = [run(ledger.head(league)) for league in (LEAGUE, "saturday")]
    assert heads[0].log.startswith("scorekeeper/friday/")
    assert heads[1].log.startswith("scorekeeper/saturday/")


def test_two_databases_give_one_league_two_names(run, opened, sqlite_url, postgresql_url):
    names = set()
    for url in (sqlite_url, postgresql_url):
        ledger = opened(url)
        run(ledger.append(opening()))
        names.add(run(ledger.head(LEAGUE)).log)
    assert len(names) == 2


def test_recorded_time_never_runs_backwards(opened, database_url, run):
    moments = [1_800_000_000_000_000, 1_700_000_000_000_000, 1_800_000_000_000_001]
    ledger = opened(database_url, clock=lambda: moments.pop(0))
    run(ledger.append(opening()))
    run(ledger.append(noting(MATCH)))
    run(ledger.append(noting(MATCH)))
    assert [entry.time for entry in run(check_whole(ledger))] == [
        "2027-01-15T08:00:00.000000Z",
        "2027-01-15T08:00:00.000000Z",
        "2027-01-15T08:00:00.000001Z",
    ]


@pytest.mark.parametrize(
    "decision",
    [
        appending(draft("match:unnamed")),
        appending(draft(MATCH, new_id())),
        appending(draft(MATCH), carried={"match:unnamed": 1}),
    ],
    ids=["stream", "id", "carried"],
)
def test_a_decision_keeps_to_what_its_request_names(ledger, run, decision):
    with pytest.raises(ValueError, match="name"):
        run(ledger.append(deciding(lambda seen: decision)))
    assert len(run(check_whole(ledger))) == 1


def test_work_in_a_transaction_is_all_or_nothing(ledger, run):
    def half(connection):
        connection.execute(*leagues.added("half", "done"))
        raise LookupError("stop")

    with pytest.raises(LookupError):
        run(ledger.transact(LEAGUE, half))
    assert run(ledger.read(lambda c: leagues.name(c, "half"))) is None
    run(ledger.transact(LEAGUE, lambda c: c.execute(*leagues.added("half", "done")) and None))
    assert run(ledger.transact(LEAGUE, lambda c: leagues.rename(c, "half", "whole")))
    assert run(ledger.read(lambda c: leagues.name(c, "half"))) == "whole"


def test_work_takes_its_turn_among_the_requests(ledger, run):
    async def three():
        return await asyncio.gather(
            ledger.append(noting(MATCH, rows=[leagues.added("one", "a")])),
            ledger.transact(LEAGUE, lambda c: leagues.rename(c, "one", "b")),
            ledger.append(noting(MATCH)),
        )

    assert run(three())[1] is True
    assert run(ledger.read(lambda c: leagues.name(c, "one"))) == "b"


def test_more_than_may_wait_is_turned_away_and_not_written(opened, database_url, run):
    ledger = opened(database_url, capacity=3)
    run(ledger.append(opening()))
    outcomes = run(together(ledger, *(noting(MATCH) for _ in range(5))))
    assert [type(outcome) for outcome in outcomes] == [AppendResult] * 3 + [LedgerOverloaded] * 2
    assert issubclass(LedgerOverloaded, LedgerUnavailable)
    assert len(run(check_whole(ledger))) == 4


def test_a_caller_who_went_away_is_not_written_if_still_waiting(ledger, run):
    async def leave():
        waiting = asyncio.create_task(ledger.append(noting(MATCH)))
        gone = asyncio.create_task(ledger.append(noting(MATCH)))
        await asyncio.sleep(0)
        gone.cancel()
        return await waiting

    assert run(leave()).value == [1]
    run(ledger.append(noting("match:two")))
    assert [entry.stream for entry in run(check_whole(ledger))] == ["league", MATCH, "match:two"]


def test_what_waits_is_written_before_closing(opened, database_url, run):
    ledger = opened(database_url)
    run(ledger.append(opening()))

    async def close_on_them():
        waiting = [asyncio.create_task(ledger.append(noting(MATCH))) for _ in range(5)]
        await asyncio.sleep(0)
        await ledger.close()
        with pytest.raises(LedgerUnavailable):
            await ledger.append(noting(MATCH))
        return await asyncio.gather(*waiting)

    assert [done.value for done in run(close_on_them())] == [[1], [2], [3], [4], [5]]


def test_the_columns_say_what_the_headers_say(ledger, run):
    run(ledger.append(telling(MATCH, [new_id()])))
    columns = text(
        "SELECT position, stream, version, event_id, type, schema, recorded_at FROM events "
        "ORDER BY position"
    )
    rows = run(ledger.read(lambda c: c.execute(columns).all()))
    assert [
        (position, stream, version, str(event_id).replace("-", ""), kind, schema, time)
        for position, stream, version, event_id, kind, schema, time in rows
    ] == [
        (e.position, e.stream, e.version, e.id.replace("-", ""), e.type, e.schema, e.time)
        for e in run(whole(ledger))
    ]


def test_a_page_ends_before_it_has_more_than_a_mebibyte(ledger, run):
    """Any number of long entries can be asked for at once, and a page is in memory whole."""
    third, whole_page = (b"x" * (PART_BYTES * thirds // 3) for thirds in (1, 4))
    drafts = [draft(MATCH, body=each) for each in (BODY, third, third, BODY, whole_page, BODY)]
    run(ledger.append(deciding(lambda seen: appending(*drafts))))

    async def ends(read):
        """Return the positions at which pages end."""
        found, last, more = [], None, True
        while more:
            entries, more = await read(last)
            last = entries[-1]
            found.append(last.position)
        return found

    def of_ledger(last):
        return ledger.part(LEAGUE, last.position if last else 0, 1_000)

    def of_stream(last):
        return ledger.stream_part(LEAGUE, MATCH, after=last.version if last else 0, limit=1_000)

    assert run(ends(of_ledger)) == run(ends(of_stream)) == [5, 6, 7]


def test_reading_off_the_end_is_empty(ledger: Ledger, run):
    assert run(ledger.part(LEAGUE, 1, 10)).entries == []
    assert run(ledger.stream("nowhere", MATCH)) == []


def test_what_a_fold_needs_of_a_stream_is_what_its_entries_hold(ledger, run):
    run(ledger.append(opening()))
    for stream in ("match:a", "match:b", "match:a"):
        run(ledger.append(noting(stream, 2)))
    entries = run(ledger.stream(LEAGUE, "match:a", until=3))
    contents = run(ledger.contents(LEAGUE, "match:a", until=3))
    assert contents.bodies == b"[" + b",".join(entry.body for entry in entries) + b"]"
    assert contents.inferred == [entry.inferred for entry in entries]
    assert (contents.version, contents.position) == (3, entries[-1].position)
    assert run(ledger.contents(LEAGUE, "match:c", until=9)) == Contents(b"[]", [], 0, 0)


def test_some_headers_of_a_stream_are_read_by_their_versions(ledger, run):
    run(ledger.append(opening()))
    for stream in ("match:a", "match:b", "match:a"):
        run(ledger.append(noting(stream, 2)))
    entries = run(ledger.stream(LEAGUE, "match:a"))
    found = run(ledger.headers(LEAGUE, "match:a", [4, 2, 99]))
    assert sorted(each.position for each in found) == [entries[at - 1].position for at in (2, 4)]
    assert run(ledger.headers(LEAGUE, "match:a", [])) == []


def test_the_example_of_a_request_names_what_there_is():
    example = dedent("\n".join(re.findall(r"^(?: {4}.*)?$", append.__doc__, re.MULTILINE)))
    steps = list(ast.walk(ast.parse(example)))
    types = {each.id for each in steps if isinstance(each, ast.Name) and each.id[0].isupper()}
    of_the_caller = {"Outcome"}
    assert {"NothingToWrite", "StoredAnswer"} <= types
    assert types - of_the_caller <= vars(append).keys()
    rows = [
        each.attr
        for each in steps
        if isinstance(each, ast.Attribute) and ast.unparse(each.value) == "matches"
    ]
    assert rows
    assert all(hasattr(matches, name) for name in rows)
