"""`rebuild`: stored views are made anew from the log, beside the old ones, while appends go on."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Connection, Table, delete, func, insert, make_url, select, update
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from scorekeeper.cli.main import scorekeeper
from scorekeeper.ledger import columns
from scorekeeper.ledger.append import Completion, Decision, Request
from scorekeeper.ledger.draft import Draft
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.tables import events
from scorekeeper.service.checks import rebuilding
from scorekeeper.service.checks.fresh_views import FreshViews
from scorekeeper.store.put_right import FreshView, Key
from scorekeeper.store.tables import (
    leagues,
    matches,
    meetings,
    players,
    rating_progress,
    ratings,
    results,
    standings,
    tokens,
    tournament_tables,
    tournaments,
)
from tests.api.serving import League, Served, note, serving, tally
from tests.databases import KINDS
from tests.service.test_verify import fill, found

T = TypeVar("T")

VIEWS = (matches, tournaments, tournament_tables, results, meetings, standings)
RATINGS = (ratings, rating_progress)
NAMES = (leagues, players, tokens)


def in_database(url: str, work: Callable[[Connection], T]) -> T:
    async def do() -> T:
        engine = create_async_engine(url, poolclass=NullPool)
        try:
            async with engine.begin() as connection:
                return await connection.run_sync(work)
        finally:
            await engine.dispose()

    return asyncio.run(do())


def rows(*tables: Table) -> Callable[[Connection], dict[str, list[Any]]]:
    return lambda connection: {
        table.name: sorted(map(repr, connection.execute(select(table)).mappings()))
        for table in tables
    }


def rebuild(url: str, *arguments: str) -> Result:
    return CliRunner().invoke(scorekeeper, ["rebuild", "--database-url", url, *arguments])


def rated(served: Served, league: str) -> None:
    address = f"/v1/leagues/{league}/players/ann/ratings"
    assert served.ask("GET", address).json()["items"]


@pytest.fixture(scope="module", params=KINDS)
def filled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """A database with something of everything, and the name of its league."""
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("rebuilt") / "rebuilt.sqlite3"
        path.write_bytes(request.getfixturevalue("sqlite_template").read_bytes())
        url = f"sqlite+aiosqlite:///{path}"
    else:
        server = request.getfixturevalue("postgresql")
        url = server.create(migrated=True)
    with serving(url) as served:
        league = served.league()
        fill(league)
        rated(served, league.slug)
    yield url, league.slug
    if request.param != "sqlite":
        server.drop(url)


def changed(connection: Connection, table: Table) -> None:
    """Every column of the view that is no key says something else."""
    for column in table.columns:
        if not column.primary_key:
            value = 77 if column.type.python_type is int else "x"
            connection.execute(update(table).values({column: value}))


def deleted(connection: Connection, table: Table) -> None:
    connection.execute(delete(table))


def invented(connection: Connection, table: Table) -> None:
    row = dict(connection.execute(select(table)).mappings().first() or {})
    for column in table.primary_key:
        if column.name in {"match", "player", "other", "tournament"}:
            connection.execute(insert(table).values({**row, column.name: "invented"}))


def renamed(connection: Connection, table: Table) -> None:
    """One row stands under another key."""
    key = [column for column in table.primary_key if column.name != "league"]
    row = connection.execute(select(table)).mappings().first()
    assert row is not None
    where = [column == row[column.name] for column in table.primary_key]
    connection.execute(update(table).where(*where).values({key[0]: "zz"}))


@pytest.mark.parametrize("table", [*VIEWS, ratings], ids=str)
@pytest.mark.parametrize("harm", [changed, deleted, invented, renamed])
def test_whatever_was_done_to_a_view_is_put_right(
    filled: tuple[str, str], table: Table, harm: Callable[[Connection, Table], None]
) -> None:
    url, league = filled
    sound = in_database(url, rows(*VIEWS, *NAMES))
    computed = in_database(url, rows(*RATINGS))
    in_database(url, lambda connection: harm(connection, table))
    assert in_database(url, found) != []

    done = rebuild(url)
    assert (done.exit_code, done.output.endswith(" rows put right\n")) == (0, True), done.output
    assert in_database(url, found) == []
    assert in_database(url, rows(*VIEWS, *NAMES)) == sound
    assert rebuild(url).output == f"{league}: nothing to put right\n"
    with serving(url) as served:
        rated(served, league)
    assert in_database(url, rows(*RATINGS)) == computed
    assert in_database(url, found) == []


def test_all_views_at_once(filled: tuple[str, str]) -> None:
    url, league = filled
    sound = in_database(url, rows(*VIEWS, *NAMES))

    def harm(connection: Connection) -> None:
        for table in VIEWS:
            deleted(connection, table)

    in_database(url, harm)
    with serving(url) as served:
        answer = served.ask("POST", f"/v1/leagues/{league}/rebuild")
        told = answer.json()
        assert answer.status_code == 200
        inserted = {name: counts["inserted"] for name, counts in told["views"].items()}
        assert inserted == {table.name: len(sound[table.name]) for table in VIEWS} | {
            table.name: 0 for table in RATINGS
        }
        assert told["left"] == []
        rated(served, league)
    assert in_database(url, rows(*VIEWS, *NAMES)) == sound
    assert in_database(url, found) == []


def test_where_nothing_differs_nothing_is_written(filled: tuple[str, str]) -> None:
    url, league = filled

    def row_versions(connection: Connection) -> list[Any]:
        if connection.dialect.name == "sqlite":
            return [Path(str(make_url(url).database)).read_bytes()]
        return [
            connection.exec_driver_sql(f"SELECT xmin, ctid FROM {table.name}").all()
            for table in (*VIEWS, *RATINGS, *NAMES, events)
        ]

    before = in_database(url, lambda c: (rows(*VIEWS, *RATINGS)(c), row_versions(c)))
    done = rebuild(url, league)
    assert (done.exit_code, done.output) == (0, f"{league}: nothing to put right\n")
    assert in_database(url, lambda c: (rows(*VIEWS, *RATINGS)(c), row_versions(c))) == before


def play_on(league: League, number: int) -> Any:
    """A match opened, won and noted, one append at a time."""

    async def play() -> None:
        slug = f"on-{number}"
        opening = league.opening(match=slug, players=["ann", "bo"], scoring={"rounds": 1})
        for path, body in (
            ("/matches", opening),
            (f"/matches/{slug}/events", {"events": [note("a cup of tea")]}),
            (f"/matches/{slug}/events", {"events": [tally("ann", bo=number)]}),
        ):
            answer = await league.owner.asking("POST", path, json=body)
            assert answer.status_code == 201, answer.text

    return play()


@pytest.mark.parametrize("few", [0, 500])
def test_appends_go_on_meanwhile(
    database_url: str, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """Some come while it is folding, some before its transaction, some after it."""
    for module in (columns, rebuilding):
        monkeypatch.setattr(module, "PART", 7)
    monkeypatch.setattr(rebuilding, "_FEW", few)
    with serving(database_url) as served:
        league = served.league()
        for number in range(3):
            served.together(play_on(league, number))
        in_database(database_url, lambda c: [deleted(c, each) for each in VIEWS if each != matches])

        async def rebuild_again() -> list[int]:
            answers = [await league.owner.asking("POST", "/rebuild") for _ in range(3)]
            return [answer.status_code for answer in answers]

        appends = [play_on(league, number) for number in range(3, 23)]
        codes, *_ = served.together(rebuild_again(), *appends)
        assert codes == [200] * 3
        table = league.owner.get("/standings").json()["items"]
        assert [(line["player"], line["played"]) for line in table] == [
            ("ann", 23),
            ("bo", 23),
        ]
        last = league.owner.ask("POST", "/rebuild").json()
        assert {name for name, counts in last["views"].items() if any(counts.values())} == set()
    assert in_database(database_url, found) == []


def test_entries_that_come_before_the_swap_are_in_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded, appended = threading.Event(), threading.Event()
    views = FreshViews.views

    def waiting(fresh: FreshViews) -> Sequence[FreshView]:
        folded.set()
        appended.wait()
        return views(fresh)

    with serving(database_url) as served:
        league = served.league()
        served.together(play_on(league, 1))
        size = int(served.ask("GET", f"{league.root}/log/checkpoint").text.split("\n")[1])
        in_database(database_url, lambda c: [deleted(c, each) for each in VIEWS])
        monkeypatch.setattr(FreshViews, "views", waiting)

        async def play_when_folded() -> None:
            await asyncio.to_thread(folded.wait)
            await play_on(league, 2)
            appended.set()

        answer, _ = served.together(league.owner.asking("POST", "/rebuild"), play_when_folded())
        told = answer.json()
        assert told["size"] > size
        assert told["views"]["matches"] == {"inserted": 1, "updated": 0, "deleted": 0}
        (line, _) = league.owner.get("/standings").json()["items"]
        assert (line["player"], line["played"]) == ("ann", 2)
    assert in_database(database_url, found) == []


def test_entries_that_come_while_rows_are_compared_are_in_it(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was compared already may have changed since, rightly or on top of what was wrong."""
    begun, appended = threading.Event(), threading.Event()
    compare = rebuilding.differing

    def harm(connection: Connection) -> None:
        late = update(results).where(results.c.match == "on-2")
        connection.execute(late.values(points_for=77))

    def waiting(fresh: FreshView, stored: list[dict[str, Any]]) -> tuple[set[Key], set[Key]]:
        compared = compare(fresh, stored)
        if fresh.table is standings:
            begun.set()
            appended.wait()
        return compared

    with serving(database_url) as served:
        league = served.league()
        served.together(play_on(league, 1))
        in_database(database_url, lambda c: [changed(c, meetings), changed(c, standings)])
        monkeypatch.setattr(rebuilding, "differing", waiting)

        async def play_when_compared() -> None:
            await asyncio.to_thread(begun.wait)
            await play_on(league, 2)
            await asyncio.to_thread(in_database, database_url, harm)
            appended.set()

        answer, _ = served.together(league.owner.asking("POST", "/rebuild"), play_when_compared())
        written = {name: sum(each.values()) for name, each in answer.json()["views"].items()}
        assert {name for name, rows in written.items() if rows} == {
            "meetings",
            "results",
            "standings",
        }
        table = league.owner.get("/standings").json()["items"]
        assert [(line["player"], line["played"]) for line in table] == [("ann", 2), ("bo", 2)]
    assert in_database(database_url, found) == []


async def append_nonsense(url: str, league: str, match: str) -> None:
    """An entry with a sound hash that says nothing the rules know."""
    body = b'{"type":"nonsense"}'
    draft = Draft(stream=f"match:{match}", type="nonsense", schema=1, body=body)
    decision: Decision[None] = Decision(drafts=(draft,), complete=lambda _: Completion(value=None))
    ledger = await Ledger.open(url)
    try:
        request = Request(
            league=league, actor="admin", streams=(draft.stream,), decide=lambda _: decision
        )
        await ledger.append(request)
    finally:
        await ledger.close()


def test_a_match_that_cannot_be_replayed_is_left_and_named(database_url: str) -> None:
    """Nor can anybody tell what it adds to the league's table, which is left as well."""
    with serving(database_url) as served:
        league = served.league()
        served.together(play_on(league, 1))
        broken = league.match(match="broken")
    asyncio.run(append_nonsense(database_url, league.slug, broken.slug))
    sound = in_database(database_url, rows(matches))
    in_database(database_url, lambda c: [changed(c, matches), deleted(c, standings)])
    harmed = in_database(database_url, rows(*VIEWS))

    done = rebuild(database_url)
    assert done.exit_code == 1
    assert done.output == (
        f"{league.slug}: 1 rows put right; "
        "these can't be replayed and stay as they are, and so does the league's table: broken\n"
    )
    after = in_database(database_url, rows(*VIEWS))
    left = [row for row in harmed["matches"] if "'match': 'broken'" in row]
    right = [row for row in sound["matches"] if "'match': 'on-1'" in row]
    assert after["matches"] == sorted([*left, *right])
    assert [after[table.name] for table in (results, meetings, standings)] == [
        harmed[table.name] for table in (results, meetings, standings)
    ]


def test_nothing_is_made_from_a_log_that_was_changed(database_url: str) -> None:
    with serving(database_url) as served:
        league = served.league()
        served.together(play_on(league, 1))
    before = in_database(database_url, rows(*VIEWS))

    def harm(connection: Connection) -> None:
        last = connection.execute(select(func.max(events.c.position))).scalar_one()
        told = update(events).where(events.c.position == last - 1)
        connection.execute(told.values(body=b'{"type":"note_added","text":"x"}'))
        changed(connection, matches)

    in_database(database_url, harm)
    done = rebuild(database_url)
    assert done.exit_code == 1
    assert done.output.startswith(f"{league.slug}: left as it is. The entry at position ")
    with serving(database_url) as served:
        answer = served.ask("POST", f"{league.root}/rebuild")
        assert (answer.status_code, answer.json()["reason"]) == (409, "entries-changed")
    after = in_database(database_url, rows(*VIEWS))
    assert {name for name in before if before[name] != after[name]} == {"matches"}


def test_entries_that_are_gone_are_missed(database_url: str) -> None:
    with serving(database_url) as served:
        league = served.league()
        served.together(play_on(league, 1))
    in_database(database_url, lambda c: c.execute(delete(events).where(events.c.position > 9)))
    done = rebuild(database_url)
    assert done.exit_code == 1
    assert "lacks the entry at position 10" in done.output


def test_rows_of_a_league_that_has_no_ledger_are_deleted(filled: tuple[str, str]) -> None:
    url, league = filled
    sound = in_database(url, rows(*VIEWS, *NAMES))

    def harm(connection: Connection) -> None:
        for table in VIEWS:
            row = connection.execute(select(table)).mappings().first()
            assert row is not None
            where = [column == row[column.name] for column in table.primary_key]
            connection.execute(update(table).where(*where).values(league="elsewhere"))

    in_database(url, harm)
    assert rebuild(url, league).exit_code == 0
    assert in_database(url, found) != []
    done = rebuild(url)
    assert done.exit_code == 0
    assert done.output.splitlines()[1:] == [
        f"elsewhere: {len(VIEWS)} rows put right; there is no such league"
    ]
    assert in_database(url, rows(*VIEWS, *NAMES)) == sound
    with serving(url) as served:
        rated(served, league)
    assert in_database(url, found) == []


def test_a_league_that_is_not_there(sqlite_url: str) -> None:
    done = rebuild(sqlite_url, "nowhere")
    assert (done.exit_code, done.output.startswith("nowhere: left as it is.")) == (1, True)


def test_on_sqlite_the_service_has_to_do_it_itself(sqlite_url: str) -> None:
    with serving(sqlite_url) as served:
        served.league()
        done = rebuild(sqlite_url)
    assert done.exit_code == 1
    assert "is in use by another process" in done.output


def test_under_one_key_the_answer_is_that_of_the_first_time(database_url: str) -> None:
    with serving(database_url) as served:
        league = served.league()
        served.together(play_on(league, 1))
        in_database(database_url, lambda c: deleted(c, matches))
        request = {"headers": {"idempotency-key": "k"}}
        first, again = (league.owner.ask("POST", "/rebuild", **request) for _ in range(2))
        assert first.json()["views"]["matches"]["inserted"] == 1
        assert first.content == again.content
        assert [each.headers.get("idempotency-replayed") for each in (first, again)] == [
            None,
            "true",
        ]
        assert not any(league.owner.ask("POST", "/rebuild").json()["views"]["matches"].values())
