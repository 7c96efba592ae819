"""Names that are written from right to left stand in the order in which people sit."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import SLUGS

NAMES = ("ليلى", "عمر", "زيد", "a\u202e1 b")
LEFTS = """(each, names) => {
    each.style.whiteSpace = "nowrap";
    const words = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    const found = names.map(() => null);
    while (words.nextNode()) {
        names.forEach((name, at) => {
            const start = words.currentNode.data.indexOf(name);
            if (start < 0 || found[at] !== null) return;
            const place = document.createRange();
            place.setStart(words.currentNode, start);
            place.setEnd(words.currentNode, start + name.length);
            found[at] = place.getBoundingClientRect().left;
        });
    }
    return found;
}"""


@pytest.fixture
def league(site):
    """With a tournament, and a match of which a round is played."""
    found = site.league(NAMES)
    match = found.match(dealer="ann")
    found.tell(match, tally("ann", **{"bo": 111, "oma-ida": 222, "mei": 333}))
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(SLUGS)}
    found.send("/tournaments", cup)
    return found


def called(players):
    return [NAMES[SLUGS.index(player)] for player in players]


def assert_in_order(place, parts):
    lefts = place.evaluate(LEFTS, parts)
    assert None not in lefts, parts
    assert lefts == sorted(lefts), parts


@pytest.mark.parametrize("role", ["viewer", "scorekeeper"])
def test_seats_and_partners_stand_as_they_sit(site, phones, league, role):
    cup = league.get("/tournaments/cup/schedule")["segments"]
    first, then = (segment["tables"][0] for segment in cup[:2])
    page = phones.phone(site, getattr(league, role), size=(1920, 1080))
    page.goto(f"/l/{league.slug}/t/cup/print")
    seats = page.get_by_role("region", name="Segment 1, table 1").locator("tbody tr").first
    assert_in_order(seats.locator("td").first, called(first["rounds"][0]["players"]))
    partners = called(player for team in first["teams"] for player in team)
    page.goto(f"/l/{league.slug}/t/cup")
    cells = page.get_by_role("table", name="Schedule").get_by_role("row").nth(1)
    assert_in_order(cells, partners)
    page.goto(f"/l/{league.slug}/t/cup/hall")
    expect(page.get_by_role("combobox", name="I am")).to_be_visible()
    partners = called(player for team in then["teams"] for player in team)
    assert_in_order(page.get_by_role("region", name="Next: segment 2").locator("li"), partners)


def test_each_score_stands_behind_its_name_and_is_written_as_a_number(site, phones, league):
    page = phones.phone(site, league.viewer, size=(1920, 1080))
    for address in ("m/first", "m/first/tv"):
        page.goto(f"/l/{league.slug}/{address}")
        scores = page.locator(".score")
        expect(scores.first).to_be_visible()
        for score in scores.all():
            name, _, number = score.inner_text().rpartition(" ")
            assert_in_order(score, [name, number])
            assert_in_order(score, list(dict.fromkeys(number)))


def test_a_step_is_told_in_its_order(site, phones, league):
    page = phones.phone(site, league.viewer, size=(1920, 1080))
    page.goto(f"/l/{league.slug}/m/first/r/1?step=2")
    told = page.locator("#step-2 p > span")
    winner, second, *others = NAMES
    expect(told).to_contain_text(f"Nothing for {winner}.")
    parts = [winner, second, "scores", "111", *others, "333", "Nothing for", "Totals:"]
    assert_in_order(told, ["Round 1 goes to", *parts])
