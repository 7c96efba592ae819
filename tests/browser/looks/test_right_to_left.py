"""Names in right-to-left scripts are shown in the order of the seats."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import SLUGS
from tests.browser.padding import Pad

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
    """A league with a tournament, and a match with one round."""
    found = site.league(NAMES)
    match = found.match(dealer="ann")
    found.tell(match, tally("ann", **{"bo": 111, "oma-ida": 222, "mei": 333}))
    cup = {"tournament": "cup", "name": "כוס 3", "edition": "basic", "players": list(SLUGS)}
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
    right = tally("ann", **{"bo": 111, "oma-ida": 222, "mei": 334})
    log = league.get("/matches/first/events")["items"]
    entry = next(each["version"] for each in log if each["type"] == "round_tallied")
    amended = {"type": "log_amended", "from": entry, "remove": 1, "insert": [right]}
    league.tell("/matches/first", amended | {"reason": "No."})
    page = phones.phone(site, league.viewer, size=(1920, 1080))
    page.goto(f"/l/{league.slug}/m/first/r/1?step=2")
    page.get_by_role("button", name="Side by side").click()
    readings = page.locator(".accounts section p").filter(has_text="Round 1 goes to")
    expect(readings).to_have_count(2)
    winner, second, *others = NAMES
    parts = [winner, second, "scores", "111", *others, "33", "Nothing for", "Totals:"]
    for told in [page.locator("#step-2 p > span"), *readings.all()]:
        expect(told).to_contain_text(f"Nothing for {winner}.")
        assert_in_order(told, ["Round 1 goes to", *parts])


def test_a_number_behind_a_name_is_no_part_of_it(site, phones, league):
    disputed = {"type": "dispute_opened", "by": "ann", "round": 1, "claim": "7 not 5"}
    league.tell("/matches/first", disputed)
    page = phones.phone(site, league.viewer, size=(1920, 1080))
    page.goto(f"/l/{league.slug}/m/first/r/1")
    dispute = page.get_by_role("region", name="Disputes").locator("p").first
    assert_in_order(dispute, ["ليلى", "7 not", "5"])
    page.goto(f"/l/{league.slug}/t")
    assert_in_order(page.locator(".links li"), ["כוס", "4 players"])


def test_two_accounts_of_a_round_give_each_hand_its_points(site, phones, league):
    match = "/matches/first"
    mine, theirs = (
        Pad(phones.phone(site, league.scorekeeper), league.slug, match).open() for _ in range(2)
    )
    for pad, points in ((mine, 10), (theirs, 11)):
        pad.out(NAMES[0])
        pad.points(**dict.fromkeys(NAMES[1:], points))
    theirs.save()
    theirs.says("All saved")
    mine.save()
    told = mine.page.get_by_role("group", name="Two accounts of round 2").locator("li")
    expect(told.first).to_be_visible()
    for hand in told.all():
        name, _, points = hand.inner_text().partition(": ")
        assert_in_order(hand, [name, points.partition(" ")[0], "points"])


def test_who_sits_where_is_told_in_its_order(site, phones, league):
    page = phones.phone(site, league.viewer, size=(1920, 1080))
    page.goto(f"/l/{league.slug}/t/cup/hall")
    first = league.get("/tournaments/cup/board")["tables"][0]["seats"]
    for player in SLUGS[:3]:
        page.get_by_role("combobox", name="I am").select_option(player)
        left, partner, right = called((first * 2)[first.index(player) + 1 :][:3])
        told = page.locator(".mine p").first
        assert_in_order(told, ["partner", partner, "is to your left", right, "to your right"])
        assert_in_order(told, [partner, left, "is to your left"])
