"""A large league is folded in a process of its own, and put right by the service that asked."""

import multiprocessing
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, delete, select, update

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.tables import events
from scorekeeper.service import rebuild_processes
from scorekeeper.service.integrity.rebuild_fold import RebuildFold
from scorekeeper.service.readers import SMALL_LEAGUE
from scorekeeper.store.tables import matches, ratings, results, standings
from tests.api.serving import League, Served, serving
from tests.databases import KINDS, in_database, migrated
from tests.forked_programs import instead_of_new_ones
from tests.service.filling import fill_matches, rate_to_the_end
from tests.service.findings import found
from tests.service.harming import VIEWS, changed, deleted, play_on


@pytest.fixture(scope="module", params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with migrated(request.param, request, tmp_path_factory.mktemp("apart")) as url:
        yield url


@pytest.fixture(scope="module")
def served(url: str) -> Iterator[Served]:
    """Every league is taken to be large."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rebuild_processes, "SMALL_LEAGUE", 0)
        if url.startswith("sqlite"):
            patch.setattr(multiprocessing, "get_context", instead_of_new_ones)
        with serving(url, offload=True) as served:
            yield served


@pytest.fixture(scope="module")
def league(served: Served) -> League:
    league = served.league()
    fill_matches(league)
    rate_to_the_end(served, league.slug)
    return league


# What the other process does on PostgreSQL is shown by what it puts right, and the rest on SQLite.
quick_on_sqlite = pytest.mark.parametrize(
    "url",
    ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)],
    indirect=True,
    scope="module",
)


@pytest.fixture
def folded_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fold in this process is a fault."""
    monkeypatch.delattr(RebuildFold, "begin")


def harmed(connection: Connection) -> None:
    deleted(connection, matches)
    for table in (results, standings, ratings):
        changed(connection, table)


@pytest.mark.usefixtures("folded_here")
def test_what_differs_is_put_right(url: str, league: League) -> None:
    """Some rows are missing, some differ, and ratings are dropped and computed again."""
    others = multiprocessing.active_children()
    for harm, written in (
        (harmed, {"matches", "results", "standings", "ratings", "rating_progress"}),
        (lambda connection: None, set()),
        (lambda connection: changed(connection, ratings), {"ratings", "rating_progress"}),
    ):
        in_database(url, harm)
        told = league.owner.ask("POST", "/rebuild").json()
        assert {name for name, rows in told["views"].items() if any(rows.values())} == written
        assert told["left"] == []
        assert in_database(url, found) == []
        rate_to_the_end(league.served, league.slug)
    assert {*multiprocessing.active_children()} <= {*others}


@quick_on_sqlite
@pytest.mark.usefixtures("folded_here")
def test_entries_that_come_meanwhile_are_in_it(url: str, served: Served, league: League) -> None:
    in_database(url, lambda c: [deleted(c, each) for each in VIEWS])
    answer, _ = served.together(league.owner.asking("POST", "/rebuild"), play_on(league, 1))
    assert answer.status_code == 200
    assert in_database(url, found) == []


@quick_on_sqlite
@pytest.mark.usefixtures("folded_here")
def test_a_log_that_was_changed_is_refused(url: str, served: Served) -> None:
    league = served.league()
    served.together(play_on(league, 1))
    stands = select(events.c.salt).where(events.c.league == league.slug, events.c.position == 3)
    salt = in_database(url, lambda c: c.execute(stands).scalar_one())
    entry = update(events).where(events.c.league == league.slug, events.c.position == 3)
    in_database(url, lambda c: c.execute(entry.values(salt=bytes(16))))
    answer = league.owner.ask("POST", "/rebuild")
    in_database(url, lambda c: c.execute(entry.values(salt=salt)))
    assert (answer.status_code, answer.json()["reason"]) == (409, "log-unsound")
    assert "position 3" in answer.json()["detail"]


@quick_on_sqlite
@pytest.mark.usefixtures("folded_here")
def test_a_process_that_is_killed_leaves_everything_as_it_was(
    url: str, league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before its first request, and in the transaction that would swap the views."""
    its_matches = delete(matches).where(matches.c.league == league.slug)
    in_database(url, lambda c: c.execute(its_matches))
    harm = in_database(url, found)
    assert harm
    ask = rebuild_processes._Process._ask
    for after in (0, 1):
        asked: list[object] = []

        def killed(process, work, after=after, asked=asked):
            if len(asked) == after:
                process._process.kill()
                process._process.join()
            asked.append(work)
            return ask(process, work)

        monkeypatch.setattr(rebuild_processes._Process, "_ask", killed)
        with pytest.raises(LedgerUnavailable, match="ended"):
            league.served.together(league.served.services.rebuilding.rebuild(league.slug))
        assert in_database(url, found) == harm
    monkeypatch.undo()
    assert league.owner.ask("POST", "/rebuild").status_code == 200
    assert in_database(url, found) == []


def test_at_the_closing_whoever_waits_is_told_at_once(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuild_processes, "SMALL_LEAGUE", 0)
    monkeypatch.setattr(multiprocessing, "get_context", instead_of_new_ones)

    async def story(served: Served, league: str) -> None:
        processes = rebuild_processes.RebuildProcesses(served.services.ledger, sqlite_url)
        async with processes.fold_of(league) as fold:
            # The process is stopped before its first request, so that nobody answers.
            await processes.close()
            with pytest.raises(LedgerUnavailable, match="ended"):
                await fold.begin(lambda _: None)
        with pytest.raises(LedgerUnavailable, match="closed"):
            async with processes.fold_of(league):
                pass

    with serving(sqlite_url) as served:
        league = served.league()
        served.together(story(served, league.slug))


def test_a_small_league_is_folded_here(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To start a process takes longer."""
    monkeypatch.setattr(rebuild_processes, "SMALL_LEAGUE", SMALL_LEAGUE)
    monkeypatch.delattr(rebuild_processes._Process, "__init__")
    with serving(sqlite_url, offload=True) as served:
        assert served.league().owner.ask("POST", "/rebuild").status_code == 200
