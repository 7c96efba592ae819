"""Live pages after sleep, a clock set back, a restored backup, or a return through history."""

import json
import time

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import SLUGS

AN_HOUR_MS = 3_600_000


@pytest.fixture
def wall(site, phones, league, match):
    """A wall's board, with a clock that the test controls."""
    held = phones.phone(site, league.viewer, size=(1920, 1080))
    held.clock.install()
    held.address = f"/l/{league.slug}{match.replace('matches', 'm')}/tv"
    return held


def test_a_board_that_slept_asks_anew_as_soon_as_it_is_awake(wall):
    """The dead stream would otherwise be noticed only by time-outs."""
    with wall.expect_request("**/live"):
        wall.goto(wall.address)
    expect(wall.get_by_role("row", name="Bo")).to_be_visible()
    with wall.expect_request("**/live"):
        wall.clock.fast_forward(AN_HOUR_MS + 17_000)
        wall.clock.run_for(3_000)


def test_a_board_whose_clock_is_put_back_notices_silence_all_the_same(wall):
    wall.context.route("**/live", lambda route: route.abort())
    with wall.expect_event("requestfailed"):
        wall.goto(wall.address)
    wall.clock.set_system_time(time.time() - AN_HOUR_MS / 1_000)
    wall.clock.run_for(1_000)
    expect(wall.get_by_role("status")).to_be_empty()
    wall.clock.fast_forward(41_000)
    expect(wall.get_by_role("status")).to_contain_text("No connection since")


@pytest.mark.parametrize("page", ["tv", "pad", "cards"])
def test_what_an_older_copy_of_the_book_lacks_is_not_shown_any_more(
    site, phones, league, match, page
):
    told = tally("ann", **{"bo": 5, "oma-ida": 2, "mei": 3})
    older, newer = (league.tell(match, told)["state"] for _ in range(2))
    assert (older["totals"]["ann"], newer["totals"]["ann"]) == (10, 20)
    resync = f"id: {older['position']}\nevent: resync\ndata: {{}}\n\n"
    restored = f"{resync}event: state\ndata: {json.dumps(older)}\n\n"
    phone = phones.phone(site, league.scorekeeper)

    def follow(route):
        """Send the newer state first, and the restored older one once the page reconnects."""
        came_back = "last-event-id" in route.request.headers
        route.fulfill(
            body=restored if came_back else f"event: state\ndata: {json.dumps(newer)}\n\n"
        )

    phone.context.route("**/live", follow)
    phone.goto(f"/l/{league.slug}{match.replace('matches', 'm')}/{page}")
    expect(phone.get_by_role("row", name="Ann")).to_contain_text("10")


@pytest.mark.parametrize("page", ["tv", "pad", "cards"])
def test_what_came_of_an_entry_is_shown_though_the_stream_was_cut_right_behind_it(
    site, phones, league, match, page
):
    phone = phones.phone(site, league.scorekeeper)
    pieces = []

    def follow(route):
        """Send nothing to a page that names the entry as its last."""
        has_it = route.request.headers.get("last-event-id") == str(position)
        route.fulfill(body=pieces.pop() if pieces and not has_it else "")

    position = league.get(match)["position"]
    phone.context.route("**/live", follow)
    phone.goto(f"/l/{league.slug}{match.replace('matches', 'm')}/{page}")
    expect(phone.get_by_role("row", name="Ann")).to_be_visible()
    state = league.tell(match, tally("ann", **{"bo": 77, "oma-ida": 0, "mei": 0}))["state"]
    position = state["position"]
    entry = f"id: {position}\nevent: entry\ndata: {{}}\n\n"
    pieces += [f"{entry}event: state\ndata: {json.dumps(state)}\n\n", entry]
    expect(phone.get_by_role("row", name="Ann")).to_contain_text("77")


@pytest.mark.parametrize("address", ["", "/m/{match}", "/t/cup"])
def test_a_page_that_is_gone_back_to_shows_what_was_recorded_since(site, phones, address):
    league = site.league()
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": SLUGS}
    match = league.send("/tournaments", cup)["segments"][0]["tables"][0]["match"]
    board = league.get(f"/matches/{match}")
    phone = phones.phone(site, league.viewer)
    phone.goto(f"/l/{league.slug}{address.format(match=match)}")
    expect(phone.locator("main")).not_to_contain_text("77")
    phone.goto("/e/basic")
    first, *others = board["players"]
    league.tell(f"/matches/{match}", tally(first, **dict.fromkeys(others, 77)))
    phone.go_back()
    expect(phone.locator("main")).to_contain_text("77")


def test_a_page_that_the_browser_kept_whole_is_made_anew_where_there_is_a_network(
    phones, site, league, match
):
    came_back = "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"
    phone = phones.phone(site, league.viewer)
    phone.goto(f"/l/{league.slug}")
    league.tell(match, tally("ann", **{"bo": 77, "oma-ida": 0, "mei": 0}))
    phone.context.set_offline(True)
    with phone.expect_event("requestfailed"):
        phone.evaluate(came_back)
    expect(phone.get_by_role("row", name="Ann 0", exact=True)).to_be_visible()
    phone.context.set_offline(False)
    phone.evaluate(came_back)
    expect(phone.get_by_role("row", name="Ann 77", exact=True)).to_be_visible()
