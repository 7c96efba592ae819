"""`rebuild` derives views beside the old ones, while appends go on."""

import asyncio
import threading
from collections.abc import Sequence

import pytest
from sqlalchemy import Connection, update

from scorekeeper.ledger.database_errors import LedgerOverloaded
from scorekeeper.ledger.writing import long_decisions
from scorekeeper.service.integrity import rebuild_fold
from scorekeeper.service.integrity.fresh_rows import Comparison, Difference, FreshView
from scorekeeper.service.integrity.fresh_views import FreshViews
from scorekeeper.service.integrity.rebuilding import RebuiltView
from scorekeeper.store.tables import matches, results, standings
from scorekeeper.store.views import STANDINGS, Row
from tests.api.serving import serving
from tests.databases import in_database
from tests.service.findings import found
from tests.service.harming import VIEWS, changed, deleted, play_on


@pytest.mark.parametrize("few", [0, 500])
def test_appends_go_on_meanwhile(
    database_url: str, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """Some appends come during the fold, some before its transaction, and some after it."""
    monkeypatch.setattr("scorekeeper.ledger.integrity.raw_rows.PART", 7)
    monkeypatch.setattr(rebuild_fold, "PART", 7)
    monkeypatch.setattr(rebuild_fold, "_FEW", few)
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
    """Rows that were compared already may have changed since, whether they were right or wrong."""
    begun, appended = threading.Event(), threading.Event()
    compare = Comparison.take

    def harm(connection: Connection) -> None:
        late = update(results).where(results.c.match == "on-2")
        connection.execute(late.values(points_for=77))

    def waiting(comparison: Comparison, stored: Sequence[Row]) -> list[Difference]:
        compared = list(compare(comparison, stored))
        if comparison.view is STANDINGS:
            begun.set()
            appended.wait()
        return compared

    with serving(database_url) as served:
        league = served.league()
        served.together(play_on(league, 1))
        in_database(database_url, lambda c: changed(c, standings))
        monkeypatch.setattr(Comparison, "take", waiting)

        async def play_when_compared() -> None:
            await asyncio.to_thread(begun.wait)
            await play_on(league, 2)
            await asyncio.to_thread(in_database, database_url, harm)
            appended.set()

        answer, _ = served.together(league.owner.asking("POST", "/rebuild"), play_when_compared())
        written = {name: sum(each.values()) for name, each in answer.json()["views"].items()}
        assert {name for name, rows in written.items() if rows} == {"results", "standings"}
        table = league.owner.get("/standings").json()["items"]
        assert [(line["player"], line["played"]) for line in table] == [("ann", 2), ("bo", 2)]
    assert in_database(database_url, found) == []


def test_only_so_many_rebuilds_of_a_league_wait(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another league is rebuilt nevertheless."""
    monkeypatch.setattr(long_decisions, "MOST_WAITING", 2)
    with serving(sqlite_url) as served:
        league, other = served.league(), served.league()
        slugs = [league.slug] * 3 + [other.slug]

        async def all_at_once() -> list[RebuiltView | BaseException]:
            rebuild = served.services.rebuilding.rebuild
            return await asyncio.gather(*map(rebuild, slugs), return_exceptions=True)

        (done,) = served.together(all_at_once())
        assert [isinstance(each, LedgerOverloaded) for each in done] == [False, False, True, False]
        assert [isinstance(each, RebuiltView) for each in done] == [True, True, False, True]
