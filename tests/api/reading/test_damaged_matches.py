"""One match whose log can't be read any more does not take the others' lists and pages with it."""

import html
import re
from functools import partial

import pytest
from sqlalchemy import and_, delete, update
from structlog.testing import capture_logs

from scorekeeper.ledger.tables import events
from tests.api.closed_matches import played as play
from tests.api.serving import serving, tally
from tests.api.tournaments.test_tournaments import opened
from tests.databases import in_database
from tests.web.looked_at import shown

EVENING = "evening"
UNREADABLE = "This match can't be read"


def entry(league, match, version):
    stream = events.c.stream == f"match:{match}"
    return and_(events.c.league == league, stream, events.c.version == version)


def overwrite(connection, league, match, version=2):
    connection.execute(
        update(events).where(entry(league, match, version)).values(body=b'{"type":"nons')
    )


def lose_the_opening(connection, league, match):
    connection.execute(delete(events).where(entry(league, match, 1)))


DAMAGES = {
    "the opening overwritten": partial(overwrite, version=1),
    "an entry overwritten": overwrite,
    "the opening lost": lose_the_opening,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_the_other_open_matches_stay_listed(database_url, damage):
    with serving(database_url) as served:
        league = served.league()
        for match in ("before", EVENING, "after"):
            league.match(match=match, players=["ann", "bo"]).tell(tally("ann", bo=7))
    in_database(database_url, partial(damage, league=league.slug, match=EVENING))
    with serving(database_url) as again:
        league.served = league.viewer.served = league.scorekeeper.served = again
        listed = {each["match"]: each for each in league.viewer.get("/matches").json()["items"]}
        assert set(listed) == {"before", EVENING, "after"}
        assert listed["after"]["totals"] == listed["before"]["totals"] == {"ann": 0, "bo": 7}
        lost = listed[EVENING]
        assert (lost["status"], lost["round"], lost["totals"]) == ("open", 0, {})
        assert lost["players"] == ["ann", "bo"]
        told_on = {"events": [tally("bo", ann=3)]}
        assert league.scorekeeper.post("/matches/after/events", told_on).status_code == 201
        page = html.unescape(shown(league, "", {}))
        assert f'<a href="/l/{league.slug}/m/after">' in page
        (told,) = re.findall(rf"<p[^>]*>[^\n]*{UNREADABLE}[^\n]*</p>", page)
        assert f'<a href="/l/{league.slug}/m/{EVENING}">{EVENING}</a>' in told
        assert f"scorekeeper verify {league.slug}" in told


def test_the_log_tells_of_it_once_however_often_it_is_listed(sqlite_url):
    with serving(sqlite_url) as served:
        league = served.league()
        for match in (EVENING, "after"):
            league.match(match=match).tell(tally("ann", bo=7, cy=0, di=0))
    for match in (EVENING, "after"):
        in_database(sqlite_url, partial(overwrite, league=league.slug, match=match))
    with serving(sqlite_url) as again, capture_logs() as logged:
        league.viewer.served = again
        for _ in range(3):
            assert league.viewer.get("/matches").status_code == 200
    told = [each["match"] for each in logged if each["event"] == "match unreadable"]
    assert sorted(told) == ["after", EVENING]


def test_a_league_whose_only_match_is_damaged_does_not_say_that_none_was_played(sqlite_url):
    with serving(sqlite_url) as served:
        league = served.league()
        league.match(match=EVENING).tell(tally("ann", bo=7, cy=0, di=0))
    in_database(sqlite_url, partial(overwrite, league=league.slug, match=EVENING))
    with serving(sqlite_url) as again:
        league.served = league.viewer.served = again
        page = html.unescape(shown(league, "", {}))
        assert UNREADABLE in page
        assert "No match has been played yet" not in page


def test_the_wall_of_a_tournament_shows_the_other_tables(sqlite_url):
    with serving(sqlite_url) as served:
        league = served.league([f"p{each}" for each in range(8)])
        slug, body = opened(league, players=[f"p{each}" for each in range(8)])
        lost, other = body["segments"][0]["tables"]
    in_database(sqlite_url, partial(overwrite, league=league.slug, match=lost["match"], version=1))
    with serving(sqlite_url) as again:
        league.served = league.viewer.served = again
        found, stands = league.viewer.get(f"/tournaments/{slug}/board").json()["tables"]
        assert (stands["match"], stands["round"]) == (other["match"], 1)
        assert found == {
            "table": 1,
            "match": lost["match"],
            "seats": lost["rounds"][0]["players"],
            "dealer": None,
            "round": 0,
            "rounds": 4,
            "scores": {},
            "status": "open",
        }
        assert UNREADABLE in html.unescape(shown(league, f"/t/{slug}/hall", {}))


def test_the_season_has_no_best_round_of_it(sqlite_url):
    with serving(sqlite_url) as served:
        league = served.league()
        matches = [
            play(league, tally("ann", bo=points), players=["ann", "bo"], at="2026-01-02T20:00:00Z")
            for points in (7, 9)
        ]
    in_database(sqlite_url, partial(overwrite, league=league.slug, match=matches[1].slug))
    with serving(sqlite_url) as again:
        league.served = league.viewer.served = again
        season = {"from": "2026-01-01", "to": "2026-12-31"}
        page = shown(league, "/table", season)
        assert f"/m/{matches[0].slug}/r/1" in page
        assert f"/m/{matches[1].slug}/r/1" not in page
