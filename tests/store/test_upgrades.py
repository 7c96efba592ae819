"""A database that any older version wrote gives the same answers as a new one."""

import asyncio
import hashlib
import json
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import Connection, update

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.rebuilding import Rebuilding, RebuiltView
from scorekeeper.service.integrity.verifying import OnProgress
from scorekeeper.service.integrity.view_upgrade import ViewUpgrade, stale_leagues
from scorekeeper.store import tables, views
from scorekeeper.store.migrate import upgrade
from scorekeeper.store.views import VIEWS
from tests.api.live_client import PATIENCE
from tests.api.server_process import Server, free_port
from tests.api.serving import ADMIN, serving
from tests.commands import invoked
from tests.databases import KINDS, in_database, migrated
from tests.service.findings import found
from tests.service.harming import RATINGS, play_on
from tests.service.harming import VIEWS as REBUILT
from tests.service.integrity.test_rebuild import append_nonsense
from tests.store.older import (
    LEAGUE,
    REVISIONS,
    Rows,
    all_rows,
    answers,
    bring_in,
    derivation_at,
    known_derivations,
    write_as_of,
)


class Fresh(NamedTuple):
    """The league as this version imports it: all rows, and all answers."""

    rows: Rows
    answers: Any


@pytest.fixture(scope="module")
def fresh(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    folder = tmp_path_factory.mktemp("fresh")
    with migrated("sqlite", request, folder) as url:
        bring_in(url, folder)
        with serving(url) as served:
            answered = answers(served)
        assert in_database(url, found) == []
        return Fresh(in_database(url, all_rows), answered)


def test_an_import_fills_every_view(fresh: Fresh) -> None:
    """Ratings are computed on demand, which `answers` does."""
    assert [view.name for view in VIEWS if not fresh.rows[view.name]] == []


def look(url: str, folder: Path, *command: object) -> tuple[int, str]:
    done = invoked(*command, "--database-url", url, "--data-dir", folder)
    return done.exit_code, done.output


# From the oldest on, a database goes through every migration.
QUICK = {*product(["sqlite"], REVISIONS[::4]), ("postgresql", REVISIONS[0])}


@pytest.mark.parametrize(
    ("empty_database_url", "revision"),
    [
        pytest.param(*each, marks=[] if each in QUICK else pytest.mark.slow)
        for each in product(KINDS, REVISIONS)
    ],
    indirect=["empty_database_url"],
)
def test_a_database_of_any_version_answers_as_a_fresh_one(
    revision: str, fresh: Fresh, empty_database_url: str, tmp_path: Path
) -> None:
    url = empty_database_url
    stale = derivation_at(revision) != views.DERIVATION
    write_as_of(url, revision, fresh.rows, stale=stale)
    asyncio.run(upgrade(url))
    code, said = look(url, tmp_path, "doctor")
    assert (code, f"may be wrong: {LEAGUE}. Stop the service and run" in said) == (stale, stale)

    code, said = look(url, tmp_path, "migrate")
    assert (code, "of 1 league: they are made anew from 116 entries" in said) == (0, stale)

    assert look(url, tmp_path, "doctor")[0] == 0
    assert look(url, tmp_path, "verify")[0] == 0
    with serving(url) as served:
        assert answers(served) == fresh.answers


def test_what_views_hold_changes_with_the_number_of_their_derivation_alone(fresh: Fresh) -> None:
    """What views hold is kept as a digest for each number."""
    held = {
        view.name: sorted(json.dumps(row, sort_keys=True) for row in fresh.rows[view.name])
        for view in (*REBUILT, *RATINGS)
    }
    digest = hashlib.sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()
    known = known_derivations()
    assert [each.number for each in known] == list(range(1, len(known) + 1))
    assert (known[-1].number, known[-1].digest) == (views.DERIVATION, digest), (
        "raise DERIVATION in store/views.py by one, and add a line with this digest to "
        f"tests/store/derivations.txt: {digest}"
    )


def test_before_it_is_migrated_nothing_answers_from_it(
    fresh: Fresh, empty_database_url: str, tmp_path: Path
) -> None:
    url = empty_database_url
    write_as_of(url, "0005", fresh.rows, stale=True)
    for command in (("doctor",), ("verify",), ("rebuild",), ("export", LEAGUE, tmp_path / "x")):
        code, said = look(url, tmp_path, *command)
        assert (code != 0, "run scorekeeper migrate" in said) == (True, True)
    if "postgresql" in url:
        code, said = look(url, tmp_path, "serve", "--port", free_port())
        assert (code, "run scorekeeper migrate" in said) == (1, True)


def test_serve_makes_anew_what_is_stale_before_it_answers(
    fresh: Fresh, empty_database_url: str, tmp_path: Path
) -> None:
    """On SQLite `serve` migrates too, from any version."""
    url = empty_database_url
    write_as_of(url, "0005", fresh.rows, stale=True)
    if "postgresql" in url:
        asyncio.run(upgrade(url))
    server = Server(tmp_path, url=url)
    try:
        as_admin = {"authorization": f"Bearer {ADMIN}"}
        address = f"{server.url}/v1/leagues/{LEAGUE}/standings"
        assert (
            httpx.get(address, headers=as_admin, timeout=PATIENCE).json()
            == fresh.answers["/standings"]
        )
    finally:
        server.terminate()
    assert server.printed[0].startswith("Another version wrote the lists and tables of 1 league:")
    greeted = next(n for n, line in enumerate(server.printed) if "serves http" in line)
    assert "All lists and tables were looked at.\n" in server.printed[:greeted]
    assert look(url, tmp_path, "doctor")[0] == 0


def test_a_backup_of_an_older_version_is_right_once_it_was_migrated(
    fresh: Fresh, sqlite_url: str, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.sqlite3"
    write_as_of(f"sqlite+aiosqlite:///{backup}", "0006", fresh.rows, stale=True)
    assert look(sqlite_url, tmp_path, "restore", backup, "--overwrite")[0] == 0
    assert look(sqlite_url, tmp_path, "migrate")[0] == 0
    with serving(sqlite_url) as served:
        assert answers(served) == fresh.answers


@pytest.fixture
def two_stale(fresh: Fresh, database_url: str) -> tuple[str, list[str]]:
    """A database with two leagues whose views another version wrote, and their names."""
    write_as_of(database_url, REVISIONS[-1], fresh.rows, stale=True)
    with serving(database_url) as served:
        league = served.league()
        served.together(play_on(league, 1))
    assert in_database(database_url, stale_leagues) == []
    in_database(database_url, by_another_version)
    return database_url, sorted([LEAGUE, league.slug])


def by_another_version(connection: Connection, derivation: int = 0) -> None:
    connection.execute(update(tables.standings).values(won=77))
    connection.execute(update(tables.stored_views).values(derivation=derivation))


def test_what_was_interrupted_goes_on_where_it_was(
    two_stale: tuple[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, leagues = two_stale
    done: list[str] = []
    rebuild = Rebuilding.rebuild

    async def cut(self: Rebuilding, league: str, progress: OnProgress) -> RebuiltView:
        if done:
            raise LedgerUnavailable("the power went off")
        done.append(league)
        return await rebuild(self, league, progress)

    with monkeypatch.context() as patched:
        patched.setattr(Rebuilding, "rebuild", cut)
        code, said = look(url, tmp_path, "migrate")
        assert (code, "of 2 leagues:" in said, "the power went off" in said) == (1, True, True)
    assert in_database(url, stale_leagues) == [each for each in leagues if each not in done]
    code, said = look(url, tmp_path, "migrate")
    assert (code, "of 1 league:" in said) == (0, True)
    assert look(url, tmp_path, "migrate") == (0, "The database is up to date.\n")
    assert in_database(url, found) == []


def test_several_processes_that_start_at_once_share_the_work(
    fresh: Fresh, postgresql_url: str
) -> None:
    write_as_of(postgresql_url, REVISIONS[-1], fresh.rows, stale=True)
    in_database(postgresql_url, by_another_version)

    async def start() -> None:
        ledger = await Ledger.open(postgresql_url, queues=1)
        try:
            upkeep = ViewUpgrade(ledger)
            await upkeep.run(await upkeep.stale(), lambda _: None, _never)
        finally:
            await ledger.close()

    async def at_once() -> None:
        await asyncio.gather(*(start() for _ in range(3)))

    asyncio.run(at_once())
    assert in_database(postgresql_url, found) == []
    with serving(postgresql_url) as served:
        assert answers(served) == fresh.answers


def _never(league: str, why: str) -> None:
    raise AssertionError(f"{league}: {why}")


def test_a_league_that_cannot_be_made_anew_is_told_of_and_holds_nobody_up(
    two_stale: tuple[str, list[str]], tmp_path: Path
) -> None:
    url, leagues = two_stale
    (other,) = {*leagues} - {LEAGUE}
    asyncio.run(append_nonsense(url, LEAGUE, "evening-1"))
    code, said = look(url, tmp_path, "migrate")
    assert code == 0
    assert f"Warning: {LEAGUE}: its lists and tables stay as they were and may be wrong." in said
    assert "These can't be replayed: evening-1." in said
    assert in_database(url, stale_leagues) == [LEAGUE]
    assert look(url, tmp_path, "doctor")[0] == 1
    assert look(url, tmp_path, "verify", other)[0] == 0


def test_views_of_a_newer_version_are_refused(database_url: str, tmp_path: Path) -> None:
    """An older program would go on counting in its own way."""
    with serving(database_url) as served:
        served.league()
    newer = views.DERIVATION + 1
    in_database(database_url, lambda connection: by_another_version(connection, newer))
    for command in (("serve", "--port", free_port()), ("migrate",), ("rebuild",), ("doctor",)):
        code, said = look(database_url, tmp_path, *command)
        assert (code, "written by a newer scorekeeper" in said) == (1, True), said
