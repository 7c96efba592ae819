"""`rebuild`: stored views are made anew from the log."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from sqlalchemy import Connection, Table, delete, func, insert, make_url, select, update

from scorekeeper.ledger.entry import Draft
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.tables import events
from scorekeeper.ledger.writing.append import Completion, Decision, Request
from scorekeeper.store.tables import matches, ratings, results, standings
from tests.api.serving import serving
from tests.commands import invoked
from tests.databases import KINDS, in_database, migrated
from tests.service.filling import fill_matches, rate_to_the_end
from tests.service.findings import found
from tests.service.harming import NAMES, RATINGS, VIEWS, changed, deleted, play_on

TABLES = (*VIEWS, ratings)


def rows(*tables: Table) -> Callable[[Connection], dict[str, list[Any]]]:
    return lambda connection: {
        table.name: sorted(map(repr, connection.execute(select(table)).mappings()))
        for table in tables
    }


def rebuild(url: str, *arguments: str) -> Result:
    return invoked("rebuild", "--database-url", url, *arguments)


@pytest.fixture(scope="module")
def filled_on(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], tuple[str, str]]]:
    """Fills one database of each kind when it is first needed; cases alternate between them."""
    with ExitStack() as kept:

        @cache
        def fill_on(kind: str) -> tuple[str, str]:
            url = kept.enter_context(migrated(kind, request, tmp_path_factory.mktemp("rebuilt")))
            with serving(url) as served:
                league = served.league()
                fill_matches(league)
                rate_to_the_end(served, league.slug)
            return url, league.slug

        yield fill_on


@pytest.fixture(scope="module", params=KINDS)
def filled(
    request: pytest.FixtureRequest, filled_on: Callable[[str], tuple[str, str]]
) -> tuple[str, str]:
    """A database with something of everything, and the name of its league."""
    return filled_on(request.param)


def invented(connection: Connection, table: Table) -> None:
    row = dict(connection.execute(select(table)).mappings().first() or {})
    for column in table.primary_key:
        if column.name in {"match", "player", "other", "tournament"}:
            connection.execute(insert(table).values({**row, column.name: "invented"}))


def renamed(connection: Connection, table: Table) -> None:
    """Move one row to another key."""
    key = [column for column in table.primary_key if column.name != "league"]
    row = connection.execute(select(table)).mappings().first()
    assert row is not None
    where = [column == row[column.name] for column in table.primary_key]
    connection.execute(update(table).where(*where).values({key[0]: "zz"}))


HARMS = (changed, deleted, invented, renamed)


# The comparison does not depend on the database, so on PostgreSQL one harm a table is enough.
@pytest.mark.parametrize(
    ("filled", "table", "harm"),
    [
        *product(["sqlite"], TABLES, HARMS),
        *product(["postgresql"], TABLES, HARMS[:1]),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in product(["postgresql"], TABLES, HARMS[1:])
        ),
    ],
    ids=lambda each: getattr(each, "__name__", str(each)),
    indirect=["filled"],
    scope="module",
)
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
    if in_database(url, rows(*RATINGS)) != computed:
        with serving(url) as served:
            rate_to_the_end(served, league)
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
        rate_to_the_end(served, league)
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


async def append_nonsense(url: str, league: str, match: str) -> None:
    """Append an entry with a sound hash and a body that the rules don't know."""
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
    """The league's table is left as well, since what the match adds to it is unknown."""
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
    assert [after[table.name] for table in (results, standings)] == [
        harmed[table.name] for table in (results, standings)
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
        assert (answer.status_code, answer.json()["reason"]) == (409, "log-unsound")
    after = in_database(database_url, rows(*VIEWS))
    assert {name for name in before if before[name] != after[name]} == {"matches"}


def test_entries_that_are_gone_are_missed(database_url: str) -> None:
    with serving(database_url) as served:
        league = served.league()
        served.together(play_on(league, 1))
    in_database(database_url, lambda c: c.execute(delete(events).where(events.c.position > 9)))
    done = rebuild(database_url)
    assert done.exit_code == 1
    assert "The entry at position 10 is not as it was recorded" in done.output


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
        rate_to_the_end(served, league)
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
