"""The pages of a league: each filter shows the numbers that the API has for it."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import NAMES, SLUGS, on_both

PEOPLE = dict(zip(SLUGS, NAMES, strict=True))
CLOSED = {"type": "match_closed"}
SEASON = {"from": "2025-01-01", "to": "2025-12-31"}
PAIRS = [["ann", "oma-ida"], ["bo", "mei"]]
COUNTS = ("played", "won", "rounds", "rounds_won")


@pytest.fixture
def league(site):
    """Two seasons of two editions, one match with partners, and a best round."""
    league = site.league()
    for number, (day, winner, opening) in enumerate(
        [
            ("2025-03-01", "ann", {}),
            ("2025-11-20", "bo", {"edition": "hello-kitty"}),
            ("2026-01-05", "ann", {"teams": PAIRS}),
            ("2026-02-05", "mei", {"players": list(SLUGS[1:])}),
        ]
    ):
        match = league.match(f"match-{number}", at=f"{day}T20:00:00Z", **opening)
        players = opening.get("players", SLUGS)
        left = dict.fromkeys(players, 10 * (number + 1))
        del left[winner]
        league.tell(match, tally(winner, **left), CLOSED)
    return league


def rows_of(page, caption):
    """Return the texts of the rows of a table, without its heading."""
    table = page.get_by_role("table", name=caption)
    return [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]


def come_to(page, control):
    """Press a control that leads to a page, and wait until all of that page is there."""
    with page.expect_navigation():
        control.click()


def figures(each):
    return [str(each[name]) for name in COUNTS]


@on_both
def test_a_table_is_chosen_by_season_and_edition(site, phones, league):
    page = phones.phone(site, league.viewer)
    page.goto(f"/l/{league.slug}")
    come_to(page, page.get_by_role("link", name="Table", exact=True))

    def assert_it_is_told_by_the_api(**query):
        lines = league.get("/standings", **query)["items"]
        shown = [row[:5] for row in rows_of(page, "Standings of the league")]
        few = [" few matches" if line["small_sample"] else "" for line in lines]
        assert shown == [
            [f"{line['rank']}. {PEOPLE[line['player']]}{hint}", *figures(line)]
            for line, hint in zip(lines, few, strict=True)
        ]
        return [line["player"] for line in lines]

    everybody = assert_it_is_told_by_the_api()
    assert set(everybody) == set(SLUGS)
    seasons = page.get_by_role("navigation", name="Season")
    come_to(page, seasons.get_by_role("link", name="2025"))
    people = assert_it_is_told_by_the_api(**SEASON)
    for player, row in zip(people, rows_of(page, "Head-to-heads"), strict=True):
        met = league.get(f"/players/{player}/statistics", **SEASON)["opponents"]
        told = {each["player"]: f"{each['won']} of {each['played']}" for each in met}
        assert row == [PEOPLE[player], *(told.get(other, "–") for other in people)]
    (best, *_) = rows_of(page, "Best rounds")
    assert best[0] == "Round 1 of match-1"
    won = league.get("/matches/match-1/rounds/1")
    assert best[1:] == ["Bo", str(sum(won["hand_points"].values()))]
    expect(page.locator("svg.plot .line")).to_have_count(len(people))

    page.get_by_text("More to choose by").click()
    page.get_by_role("combobox", name="Edition").select_option("hello-kitty")
    come_to(page, page.get_by_role("button", name="Show"))
    assert_it_is_told_by_the_api(edition="hello-kitty", **SEASON)
    expect(page.get_by_text("Season 2025 · ")).to_be_visible()


def rate_to_the_end(league):
    """Ask until all results are rated, since a page that is opened waits only for a second."""
    last = max(each["finished"] for each in league.get("/results")["items"])
    while (found := league.get("/players/ann")["rating"]) is None or found["as_of"] < last:
        pass


@on_both
def test_a_person_has_partners_streaks_and_a_rating_with_its_band(site, phones, league):
    rate_to_the_end(league)
    page = phones.phone(site, league.viewer)
    page.goto(f"/l/{league.slug}/table")
    come_to(page, page.get_by_role("link", name="Ann"))
    expect(page.get_by_role("heading", name="Ann")).to_be_visible()

    told = league.get("/players/ann/statistics")
    results = dict(rows_of(page, "Results"))
    assert results["Longest row of matches won"] == str(told["statistics"]["longest_streak"])
    assert results["Matches won in a row, up to the last one"] == str(told["statistics"]["streak"])
    for caption, people in (("Partners", "partners"), ("Opponents", "opponents")):
        shown = [row[:5] for row in rows_of(page, caption)]
        assert shown == [[PEOPLE[each["player"]], *figures(each)] for each in told[people]]
    assert len(told["partners"]) == 1

    rating = league.get("/players/ann")["rating"]
    expect(page.get_by_text(f"{rating['mu']:.2f} ± {rating['sigma']:.2f}")).to_be_visible()
    expect(page.locator("svg.plot .band")).to_have_count(1)
    page.get_by_text("Strength by match").first.click()
    assert rows_of(page, "Strength by match") == [
        [
            f"{number}. {each['match']}",
            *(f"{each[name]:.2f}" for name in ("mu", "sigma", "ordinal")),
        ]
        for number, each in enumerate(league.get("/players/ann/ratings")["items"], 1)
    ]
