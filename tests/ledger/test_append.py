import asyncio
from functools import partial

import pytest
from asking import (
    BODY,
    LEAGUE,
    check_whole,
    counted,
    draft,
    keyed,
    new_id,
    noting,
    opening,
    telling,
    whole,
)
from msgspec.structs import replace
from sqlalchemy import text

from scorekeeper.ledger.append import Answered, Appended, Completion, Decision, Request
from scorekeeper.ledger.contents import Contents
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.statements import delete_answers
from scorekeeper.ledger.unavailable import LedgerOverloaded, LedgerUnavailable
from scorekeeper.store import leagues

MATCH = "match:one"


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


def told_of(ledger, *requests):
    """What each request came to, of which nobody waits for one; the first ear is always deaf."""

    async def listen():
        loop = asyncio.get_running_loop()
        failures = []
        loop.set_exception_handler(lambda _, context: failures.append(context["exception"]))
        futures = [loop.create_future() for _ in requests]
        ledger.append_soon(noting("match:deaf"), lambda _: 1 / 0)
        ledger.append_soon(noting("match:late"), lambda _: lambda: 1 / 0)
        for request, future in zip(requests, futures, strict=True):
            ledger.append_soon(request, future.set_result)
        came_to = await asyncio.gather(*futures)
        loop.set_exception_handler(None)
        assert [type(failure) for failure in failures] == [ZeroDivisionError] * 2
        return came_to

    return listen()


def test_who_does_not_wait_is_told_the_same_whatever_others_make_of_it(ledger, run):
    def refuse(_):
        raise KeyError("no such player")

    done, refused, answered = run(
        told_of(ledger, noting(MATCH), deciding(refuse), deciding(lambda _: Answered("no")))
    )
    assert isinstance(done, Appended)
    assert (done.value, done.entries[0].version) == ([1], 1)
    assert isinstance(refused, KeyError)
    assert answered == Answered("no")
    assert run(ledger.append(noting(MATCH))).value == [2]


def test_what_is_left_to_do_is_done_when_all_of_a_group_were_told(ledger, run):
    async def listen():
        loop = asyncio.get_running_loop()
        heard, over = [], loop.create_future()

        def last(name):
            heard.append(f"last of {name}")
            if len(heard) == 2 * len("abc"):
                over.set_result(heard)

        def told(name, _):
            heard.append(name)
            return partial(last, name)

        for name in "abc":
            ledger.append_soon(noting(f"match:{name}"), partial(told, name))
        return await over

    assert run(listen()) == ["a", "b", "c", "last of a", "last of b", "last of c"]


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


def test_what_was_folded_for_a_refusal_is_carried_too(ledger, run):
    run(ledger.append(noting(MATCH, 3, carry=False)))
    run(ledger.append(deciding(lambda seen: Answered("no", carried={MATCH: 3}))))
    tails = []
    run(ledger.append(deciding(lambda seen: Answered(tails.append(seen.tails[MATCH])))))
    assert (tails[0].carried, tails[0].entries) == (3, ())


def test_the_whole_stream_can_be_looked_at_with_what_the_group_added(ledger, run):
    run(ledger.append(noting(MATCH, 2)))
    whole_streams = []
    look = deciding(lambda seen: Answered(whole_streams.append(seen.whole(MATCH))))
    run(together(ledger, noting(MATCH), look))
    assert [entry.version for entry in whole_streams[0]] == [1, 2, 3]
    assert whole_streams[0] == run(ledger.stream(LEAGUE, MATCH))


def test_nothing_is_remembered_by_a_ledger_opened_anew(ledger, opened, database_url, run):
    run(ledger.append(noting(MATCH, 3)))
    run(ledger.close())
    again = opened(database_url)
    assert run(again.append(noting(MATCH))).value == [4]
    run(check_whole(again))


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
    assert isinstance(outcomes[1], Answered)
    assert len(run(check_whole(ledger))) == 3


def test_an_exception_of_a_decision_is_its_own(ledger, run):
    def fail(seen):
        raise LookupError("not in this league")

    def fail_late(seen):
        return Decision(drafts=[draft(MATCH)], complete=fail, carried={MATCH: 99})

    outcomes = run(
        together(ledger, noting(MATCH), deciding(fail), deciding(fail_late), noting(MATCH))
    )
    assert [type(outcome) for outcome in outcomes] == [
        Appended,
        LookupError,
        LookupError,
        Appended,
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
    assert [isinstance(outcome, Appended) for outcome in outcomes] == [True] * 3 + [False] + [
        True
    ] * 2
    assert [outcome.value for outcome in outcomes if isinstance(outcome, Appended)] == [
        [version] for version in range(1, 6)
    ]
    assert len(run(check_whole(ledger))) == 6
    found = run(ledger.read(lambda c: leagues.page(c, after=None, limit=9)))
    assert [one.league for one in found] == ["row-0", "row-1", "row-2", "row-4", "row-5"]


def test_what_a_failed_group_carried_does_not_survive(ledger, run):
    run(together(ledger, noting(MATCH, rows=[leagues.added("bad", None)])))
    tails = []
    run(ledger.append(deciding(lambda seen: Answered(tails.append(seen.tails[MATCH])))))
    assert (tails[0].version, tails[0].carried) == (0, None)
    assert run(ledger.append(noting(MATCH))).value == [1]


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


def counting(request, calls):
    """The same request, its decisions counted: a group that fails is decided again, one by one."""

    def decide(seen):
        calls.append(request)
        return request.decide(seen)

    return replace(request, decide=decide)


def test_a_repeated_id_is_known_also_within_its_group(ledger, run):
    event_id = new_id()
    calls = []
    requests = [telling(stream, [event_id]) for stream in (MATCH, "match:two")]
    first, second = run(together(ledger, *(counting(request, calls) for request in requests)))
    assert calls == requests
    assert isinstance(first, Appended)
    assert isinstance(second, Answered)
    assert first.value == second.value
    assert run(ledger.append(telling(MATCH, [event_id]))) == second


def test_nobody_is_decided_on_an_event_that_was_recorded_before(ledger, run):
    """Only the insert shows that the id is known: until then the event was taken to be new."""
    event_id = new_id()
    once = run(ledger.append(telling(MATCH, [event_id])))
    again, late, soon = run(
        together(
            ledger,
            telling(MATCH, [event_id]),
            noting(MATCH, expected=2),
            noting(MATCH, expected=1),
        )
    )
    assert again == Answered(once.value)
    assert late == Answered("at 1")
    assert soon.value == [2]
    assert len(run(check_whole(ledger))) == 3


@pytest.mark.parametrize("refused", [Answered("refused"), KeyError("refused")])
def test_a_known_id_comes_before_whatever_else_is_refused(ledger, run, refused):
    event_id = new_id()
    once = run(ledger.append(telling(MATCH, [event_id])))

    def decide(seen):
        if event_id in seen.known:
            return Answered([seen.known[event_id].hash])
        if isinstance(refused, Exception):
            raise refused
        return refused

    asked = deciding(decide, ids=(event_id,))
    again, other = run(together(ledger, asked, noting(MATCH, expected=1)))
    assert again == Answered(once.value)
    assert other.value == [2]


def test_known_ids_at_the_head_of_a_longer_batch(ledger, run):
    ids = [new_id() for _ in range(5)]
    early = run(ledger.append(telling(MATCH, ids[:2])))
    late = run(ledger.append(telling(MATCH, ids)))
    assert [entry.id for entry in late.entries] == ids[2:]
    assert late.value[:2] == early.value
    assert [entry.id for entry in run(check_whole(ledger))[1:]] == ids


def test_an_answer_is_kept_under_its_key(ledger, run):
    calls = []
    one, two = run(together(ledger, *[counting(keyed(MATCH, "k"), calls)] * 2))
    assert len(calls) == 2
    later = run(ledger.append(keyed(MATCH, "k")))
    assert isinstance(one, Appended)
    assert two == later == Answered(one.value)
    assert len(run(check_whole(ledger))) == 2


def test_answers_about_something_can_be_purged(ledger, run):
    run(ledger.append(keyed(MATCH, "k", about="name:ann")))
    run(ledger.append(keyed(MATCH, "other")))
    purged = {"league": LEAGUE, "about": "name:ann"}
    run(ledger.transact(LEAGUE, lambda c: c.execute(delete_answers, purged)))
    assert isinstance(run(ledger.append(keyed(MATCH, "k"))), Appended)
    assert isinstance(run(ledger.append(keyed(MATCH, "other"))), Answered)


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


def test_an_id_is_not_recorded_twice_by_one_decision(ledger, run):
    event_id = new_id()
    decision = appending(draft(MATCH, event_id), draft(MATCH, event_id))
    with pytest.raises(ValueError, match="twice"):
        run(ledger.append(deciding(lambda seen: decision, ids=(event_id,))))


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
    assert [type(outcome) for outcome in outcomes] == [Appended] * 3 + [LedgerOverloaded] * 2
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


def test_reading_off_the_end_is_empty(ledger: Ledger, run):
    assert run(ledger.entries(LEAGUE, 1, 10)) == []
    assert run(ledger.stream("nowhere", MATCH)) == []


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
        entries = await ledger.entries(LEAGUE, 1, 10)
        await appending
        return sizes, [entry.position for entry in entries]

    assert run(told()) == ([4], [2, 3, 4])


def test_what_fails_alone_is_told_alone(ledger, run):
    """A row that can't be written makes the group be written one by one."""
    told = []
    ledger.on_commit(lambda league, size: told.append(size))
    broken = noting(MATCH, rows=[leagues.added("home", None)])
    outcomes = run(together(ledger, noting(MATCH), broken, noting(MATCH)))
    assert [type(outcome) for outcome in outcomes][::2] == [Appended, Appended]
    assert told == [2, 3]


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
