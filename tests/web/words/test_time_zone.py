"""Pages tell and choose days in the time zone of the installation; the API goes on in UTC."""

import re
from html import unescape

import pytest

from scorekeeper.days import minute_of
from tests.api.serving import serving, tally
from tests.databases import migrated
from tests.web.looked_at import shown
from tests.web.shown_tables import shown_tables

PLAYERS = ["ann", "bo"]
# In California Friday evening, and the last day of 2025. In Taipei Saturday, and New Year's Day.
EVENING = "2026-11-21T03:00:00Z"
NEW_YEAR = "2025-12-31T20:00:00Z"
WHOLE_DAY = "date,edition,players,points\n2026-11-20,classic-2025,ann bo,- 20\n"


@pytest.fixture(scope="module", params=["America/Los_Angeles", "Asia/Taipei"])
def zone(request):
    return request.param


@pytest.fixture(scope="module")
def league(request, zone, tmp_path_factory):
    """A league with a match of an evening in California, one at New Year, and an imported one."""
    with (
        migrated("sqlite", request, tmp_path_factory.mktemp("zone")) as url,
        serving(url, time_zone=zone) as running,
    ):
        league = running.league()
        for at in (NEW_YEAR, EVENING):
            opening = {"edition": "classic-2025", "players": PLAYERS, "at": at}
            body = {**opening, "events": [tally("ann", bo=500)]}
            assert league.scorekeeper.post("/matches", body).status_code == 201
        answer = league.owner.post("/imports", {"file": "old.csv", "text": WHOLE_DAY})
        assert answer.status_code == 200, answer.text
        yield league


@pytest.fixture(scope="module")
def in_california(zone):
    return zone == "America/Los_Angeles"


def test_titles_tell_the_day_of_the_zone_and_that_of_an_import_as_it_was_written(
    league, in_california
):
    front = unescape(shown(league, "", {}))
    titles = sorted(re.findall(r">(UNO, 2025 · [^<]*)<", front))
    days = ["Dec 31, 2025", "Nov 20, 2026", "Nov 20, 2026 (2)"]
    if not in_california:
        days = ["Jan 1, 2026", "Nov 20, 2026", "Nov 21, 2026"]
    assert titles == [f"UNO, 2025 · {day}" for day in days]


def _last_matches(league, query):
    rows = shown_tables(shown(league, "/table", query)).get("Standings of the league", [[]])[1:]
    return {(row[1], row[-1]) for row in rows}


def test_the_table_tells_and_chooses_days_of_the_zone(league, in_california):
    evening = "2026-11-20" if in_california else "2026-11-21"
    assert _last_matches(league, {}) == {("3", evening)}
    friday = {"from": "2026-11-20", "to": "2026-11-20"}
    on_friday = "2" if in_california else "1"
    assert _last_matches(league, friday) == {(on_friday, "2026-11-20")}
    figures = shown_tables(shown(league, "/players/ann", friday))["Results"]
    assert ["Last match", "2026-11-20"] in figures
    assert ["Matches", on_friday] in figures


def _seasons(text):
    return re.findall(r"<span>(\d{4})<", re.sub(r"<span[^>]*>✓ </span>", "", text))


def test_a_season_is_a_year_of_the_zone(league, in_california):
    season = {"from": "2026-01-01", "to": "2026-12-31"}
    seasons = ["2026", "2025"] if in_california else ["2026"]
    assert _seasons(shown(league, "/table", season)) == seasons
    assert {played for played, _ in _last_matches(league, season)} == {
        "2" if in_california else "3"
    }


@pytest.mark.parametrize("imported", ["2026-01-01", "2025-12-31"])
def test_all_seasons_are_offered_after_new_years_eve(league, in_california, imported):
    """A day without a time of day sorts before the evening before it, west of Greenwich."""
    other = league.served.league()
    evening = {"edition": "classic-2025", "players": PLAYERS, "at": "2026-01-01T03:00:00Z"}
    body = {**evening, "events": [tally("ann", bo=500)]}
    assert other.scorekeeper.post("/matches", body).status_code == 201
    text = WHOLE_DAY.replace("2026-11-20", imported)
    assert other.owner.post("/imports", {"file": "old.csv", "text": text}).status_code == 200
    # The evening is in 2025 in California, and in 2026 in Taipei.
    held = {imported[:4], "2025" if in_california else "2026"}
    assert _seasons(shown(other, "/table", {})) == sorted(held, reverse=True)
    assert _seasons(shown(other, "/players/ann", {})) == sorted(held, reverse=True)


def test_a_time_of_day_is_that_of_the_zone(league, zone):
    match = league.viewer.get("/matches").json()["items"][-1]["match"]
    times = re.findall(r'<time datetime="([^"]*Z)">([^<]*)<', shown(league, f"/m/{match}/r/1", {}))
    assert times
    for at, written in times:
        assert re.search(r" UTC[-+]0[78]:00$", written)
        assert written == minute_of(at, zone)


def test_the_api_goes_on_in_utc(league):
    friday = {"from": "2026-11-20", "to": "2026-11-20"}
    lines = league.viewer.get("/standings", params=friday).json()["items"]
    assert {(line["played"], line["last_played"]) for line in lines} == {(1, "2026-11-20")}
    whole = league.viewer.get("/standings").json()["items"]
    assert {line["last_played"] for line in whole} == {"2026-11-21"}
    assert len(league.viewer.get("/matches", params=friday).json()["items"]) == 1


def test_an_import_is_recognised_when_it_is_sent_again_with_a_correction(league):
    body = {"file": "old.csv", "text": WHOLE_DAY, "preview": True}
    outcomes = [
        match["outcome"]
        for told in (body, body | {"text": WHOLE_DAY.replace("20\n", "21\n")})
        for match in league.owner.post("/imports", told).json()["matches"]
    ]
    assert outcomes == ["already-there", "different"]
