"""`verify`: a sound database is found sound, and any change by hand is found and named."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest
from hypothesis import HealthCheck, reject, settings
from hypothesis import given as over
from hypothesis import strategies as st
from sqlalchemy import Connection, Table, delete, insert, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from scorekeeper.ledger import tables as ledger_tables
from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.ledger.tables import events, ledgers, tree_nodes
from scorekeeper.service.integrity import replayed_matches
from scorekeeper.store import tables as view_tables
from scorekeeper.store.tables import leagues, rating_progress, results, stored_views
from scorekeeper.store.views import VIEWS
from tests.api.serving import note, serving
from tests.databases import KINDS, migrated, sqlite_engine
from tests.service.filling import fill
from tests.service.findings import found, verified, verify

T = TypeVar("T")

CHECKED = (
    events,
    ledgers,
    *(view.table for view in VIEWS),
    leagues,
    stored_views,
    tree_nodes,
)
UNCHECKED = {
    "admin_token": "of no league, and known to no ledger",
    "answers": "kept for retries for a while, and follow from no entry",
    "invitations": "outside of the ledger, as the names of tokens are",
    "setup_code": "of no league, and good until there is one",
    "admin_sessions": "of no league, and known to no ledger",
    "signing_keys": "of the installation, and known to no ledger; the key itself is checked by it",
    "checkpoints": "compared where it was signed; test_verify_signed.py changes it",
    "rating_progress": "any position that the ledger has reached is sound; a later one is found",
}
# Free text and secrets' hashes, of which no ledger knows anything; an export's manifest covers the
# names in it.
BESIDE = {"leagues.name", "players.name", "tokens.name", "tokens.digest"}
COLUMNS = [
    (table, column.name)
    for table in CHECKED
    for column in table.columns
    if f"{table.name}.{column.name}" not in BESIDE
]


@pytest.fixture(scope="module")
def filled_on(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], str]]:
    """Fills one database of each kind when it is first needed; cases alternate between them."""
    with ExitStack() as kept:

        @cache
        def fill_on(kind: str) -> str:
            folder = tmp_path_factory.mktemp("verified")
            url = kept.enter_context(migrated(kind, request, folder))
            with serving(url) as served:
                fill(served.league())
                served.league().match(events=[note()])
            return url

        yield fill_on


@pytest.fixture(scope="module", params=KINDS)
def filled(request: pytest.FixtureRequest, filled_on: Callable[[str], str]) -> str:
    """The address of a database with two leagues."""
    return filled_on(request.param)


class Tampered:
    """A database that is changed by hand and put back after each look."""

    def __init__(self, connection: Connection, run: Callable[[Callable[[], Any]], Any]) -> None:
        self._connection = connection
        self._run = run
        self.rows = {table: self.look(rows_of(table)) for table in CHECKED}

    def look(self, work: Callable[[Connection], T]) -> T:
        def look() -> T:
            try:
                return work(self._connection)
            finally:
                self._connection.rollback()

        return cast("T", self._run(look))


def rows_of(table: Table) -> Callable[[Connection], list[dict[str, Any]]]:
    every = select(table).order_by(*table.primary_key)
    return lambda connection: [dict(row) for row in connection.execute(every).mappings()]


@pytest.fixture(scope="module")
def tampered(filled: str) -> Iterator[Tampered]:
    """One connection for all cases. A SQLite file is opened without a thread of its own."""
    if filled.startswith("sqlite"):
        with sqlite_engine(filled).connect() as connection:
            yield Tampered(connection, lambda look: look())
        return
    with asyncio.Runner() as runner:
        engine = create_async_engine(filled, poolclass=NullPool)
        opened = runner.run(engine.connect().start())
        connection = opened.sync_connection
        assert connection is not None
        yield Tampered(connection, lambda look: runner.run(opened.run_sync(lambda _: look())))
        runner.run(opened.close())
        runner.run(engine.dispose())


def one_byte_changed(stands: object, *, is_id: bool) -> st.SearchStrategy[object]:
    """Draw the value with one of its bytes changed. An id remains a UUID."""
    match stands:
        case bytes():
            return st.tuples(st.integers(0, max(0, len(stands) - 1)), st.integers(1, 255)).map(
                lambda at: stands[: at[0]] + bytes([stands[at[0]] ^ at[1]]) + stands[at[0] + 1 :]
            )
        case int():
            return st.tuples(st.integers(1, 255), st.integers(0, 6)).map(
                lambda at: stands ^ at[0] << 8 * at[1]
            )
        case str():
            letters = "0123456789abcdef" if is_id else '0123456789abcdefTZ-:"]'
            places = [at for at, letter in enumerate(stands) if letter != "-" or not is_id]
            changed = st.tuples(st.sampled_from(places), st.sampled_from(letters)).map(
                lambda at: stands[: at[0]] + at[1] + stands[at[0] + 1 :]
            )
            return changed.filter(lambda instead: instead != stands)
    raise TypeError(stands)


def test_no_table_is_forgotten() -> None:
    known = ledger_tables.metadata.tables.keys() | view_tables.metadata.tables.keys()
    assert {table.name for table in CHECKED} == known - UNCHECKED.keys()


def test_a_sound_database_is_sound(filled: str, tampered: Tampered) -> None:
    assert tampered.look(found) == []
    done = verify(filled)
    assert done.exit_code == 0, done.output
    assert done.output.count(": sound.") == 2
    assert done.output.endswith("All of it agrees.\n")


def test_text_that_is_no_utf_8_is_told(filled_on: Callable[[str], str], tmp_path: Path) -> None:
    """SQLite keeps any bytes as text."""
    file = tmp_path / "copy.sqlite3"
    with sqlite_engine(filled_on("sqlite")).connect() as connection:
        connection.exec_driver_sql("VACUUM INTO ?", (str(file),))
    with closing(sqlite3.connect(file)) as copy, copy:
        copy.execute("UPDATE events SET type = CAST(x'ff' AS TEXT) WHERE position = 2")
    done = verify(f"sqlite+aiosqlite:///{file}")
    assert done.exit_code == 1
    assert r"The row of position 2 has the type '\\xff'; its header says" in done.output


def change_a_byte(tampered: Tampered, table: Table, column: str, choose: st.DataObject) -> None:
    rows = [row for row in tampered.rows[table] if row[column] is not None]
    row = rows[choose.draw(st.integers(0, len(rows) - 1))]
    instead = choose.draw(one_byte_changed(row[column], is_id=column == "event_id"))
    key = [each == row[each.name] for each in table.primary_key]
    change = update(table).where(*key).values({column: instead})

    def look(connection: Connection) -> list[Flaw]:
        connection.execute(change)
        return found(connection)

    try:
        flaws = tampered.look(look)
    except DBAPIError:
        reject()  # no database keeps two rows under one key
    assert any(names(flaw, table, column, row) for flaw in flaws), (instead, flaws[:5])


def often(times: int) -> settings:
    return settings(
        deadline=None,
        max_examples=times,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.function_scoped_fixture,
            HealthCheck.filter_too_much,
        ],
    )


# The comparison does not depend on the database, so on PostgreSQL one column a table is enough.
LAST_COLUMNS = dict(COLUMNS)


@pytest.mark.parametrize(
    ("filled", "table", "column"),
    [
        *(("sqlite", *each) for each in COLUMNS),
        *(("postgresql", *each) for each in LAST_COLUMNS.items()),
    ],
    ids=str,
    indirect=["filled"],
    scope="module",
)
@often(2)
@over(choose=st.data())
def test_any_byte_that_is_changed_is_found_and_named(
    tampered: Tampered, table: Table, column: str, choose: st.DataObject
) -> None:
    change_a_byte(tampered, table, column, choose)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=str)
@often(10)
@over(choose=st.data())
def test_any_byte_of_any_row_that_is_changed_is_found_and_named(
    tampered: Tampered, table: Table, column: str, choose: st.DataObject
) -> None:
    change_a_byte(tampered, table, column, choose)


def names(flaw: Flaw, table: Table, column: str, row: dict[str, Any]) -> bool:
    """Whether a finding says where to look: the table, and the column or the entry."""
    place = flaw.place or ""
    if table is events and column != "league":
        return "events." in place and f" {row['position']}" in flaw.detail
    return place.startswith(f"{table.name}.") or (column == "league" and "league" in flaw.detail)


@pytest.mark.parametrize("table", [table for table in CHECKED if table is not tree_nodes], ids=str)
def test_a_row_that_is_gone_is_missed(tampered: Tampered, table: Table) -> None:
    for row in (tampered.rows[table][0], tampered.rows[table][-1]):
        key = [each == row[each.name] for each in table.primary_key]

        def look(connection: Connection, key: list[Any] = key) -> list[Flaw]:
            connection.execute(delete(table).where(*key))
            return found(connection)

        assert tampered.look(look)


def test_a_row_too_many_is_found(tampered: Tampered) -> None:
    league = tampered.rows[leagues][0]["league"]
    rows = {
        **{view.table: tampered.rows[view.table][0] | {view.subject: "forged"} for view in VIEWS},
        tree_nodes: {"level": 1, "number": 1, "hash": b"x" * 32},
        leagues: {"league": "nowhere", "name": "Nowhere"},
    }
    for table, row in rows.items():

        def look(
            connection: Connection, table: Table = table, row: dict[str, Any] = row
        ) -> list[Flaw]:
            connection.execute(insert(table).values({"league": league} | row))
            return found(connection)

        first, *others = tampered.look(look)
        assert (first.place or "").startswith(f"{table.name}.")
        # Ratings are derived from results alone. If a person has two results at one position, no
        # database promises which one is rated first, and in one of the orders no rating changes.
        behind = {(flaw.place or "").partition(".")[0] for flaw in others}
        assert behind <= ({"ratings"} if table is results else set())


def test_ratings_as_of_a_position_that_is_not_there_yet_are_found(tampered: Tampered) -> None:
    """Such ratings would leave out results until the ledger has reached that position."""

    def look(connection: Connection) -> list[Flaw]:
        size = select(ledgers.c.size).where(ledgers.c.league == rating_progress.c.league)
        ahead = size.scalar_subquery() + 1
        connection.execute(update(rating_progress).values(as_of=ahead))
        return found(connection)

    assert {flaw.place for flaw in tampered.look(look)} >= {"rating_progress.as_of"}


def test_content_that_is_gone_without_an_erasure_is_found(tampered: Tampered) -> None:
    position = tampered.rows[events][-1]["position"]
    league = tampered.rows[events][-1]["league"]
    where = [events.c.league == league, events.c.position == position]

    def look(connection: Connection) -> list[Flaw]:
        connection.execute(update(events).where(*where).values(body=None, salt=None))
        return found(connection)

    assert "erasure-untold" in {flaw.code for flaw in tampered.look(look)}


@pytest.mark.parametrize("bound", ["_FEW_UNPACKED", "_MOST_UNPACKED"])
def test_matches_that_are_packed_away_are_replayed_alike(
    tampered: Tampered, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpacked = tampered.look(verified)
    monkeypatch.setattr(replayed_matches, bound, 3)
    monkeypatch.setattr("scorekeeper.ledger.integrity.raw_rows.PART", 7)
    assert tampered.look(verified) == unpacked


def test_exit_codes(filled: str, tampered: Tampered, tmp_path: Path) -> None:
    league = tampered.rows[leagues][0]["league"]
    assert verify(filled, league).output.count(": sound.") == 1
    unknown = verify(filled, "nowhere")
    assert (unknown.exit_code, "no league nowhere" in unknown.output) == (2, True)
    none = verify(f"sqlite+aiosqlite:///{tmp_path / 'none'}")
    assert (none.exit_code, "there is no database" in none.output) == (2, True)
