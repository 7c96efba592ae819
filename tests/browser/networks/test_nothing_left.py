"""Where there is no room for what a page leaves for later, it goes on without it."""

import pytest
from playwright.sync_api import expect

from tests.browser.holding import Fault
from tests.browser.pages.test_replay_by_hand import ROUND

FULL = """
    const refuse = () => { throw new DOMException("", "QuotaExceededError"); };
    Storage.prototype.setItem = refuse;
"""


@pytest.fixture
def full(site, phones):
    """A function that opens a browser whose storage is full."""

    def opened(token, path):
        page = phones.phone(site, token)
        page.add_init_script(FULL)
        page.goto(path)
        return page

    return opened


def test_a_device_that_joins_before_there_is_a_league_is_shown_the_next_page(full, league):
    page = full(league.viewer, "/join#K7QF-2M9X")
    session = {"league": None, "name": "Bo", "role": "admin"}
    Fault(page, "**/v1/session", lambda route: route.fulfill(json=session))
    page.get_by_role("textbox", name="Whose phone is this?").fill("Bo")
    page.get_by_role("button", name="Join").click()
    page.wait_for_url("**/")


def test_a_player_is_shown_the_seat_until_the_page_is_left(full, league):
    cup = {"tournament": "cup", "edition": "basic", "players": ["ann", "bo", "oma-ida", "mei"]}
    league.send("/tournaments", cup | {"name": "Cup"})
    page = full(league.viewer, f"/l/{league.slug}/t/cup/hall")
    page.get_by_role("combobox", name="I am").select_option("ann")
    expect(page.get_by_role("region", name="Where do I sit?")).to_contain_text("You sit at table 1")


def test_a_dispute_is_recorded_and_the_round_is_read_anew(full, league):
    match = league.match(dealer="ann")
    league.tell(match, *ROUND)
    page = full(league.scorekeeper, f"/l/{league.slug}{match.replace('/matches/', '/m/')}/r/1")
    page.get_by_role("button", name="Dispute", exact=True).click()
    page.get_by_label("What is disputed?").fill("That was a nine.")
    with page.expect_navigation():
        page.get_by_role("button", name="Open the dispute").click()
    expect(page.get_by_role("main")).to_contain_text("That was a nine.")
    (told,) = (e for e in league.get(f"{match}/events")["items"] if e["type"] == "dispute_opened")
    assert told["data"]["claim"] == "That was a nine."


# A browser that does not give its caches away, as some do whose disk is damaged.
REFUSING = """
    CacheStorage.prototype.open = async () => { throw new DOMException("", "UnknownError"); };
"""


@pytest.fixture
def damaged(site, phones):
    """A function that opens a browser that reads and writes no caches."""

    def opened(path, *tokens):
        page = phones.phone(site, *tokens)
        page.add_init_script(REFUSING)
        page.goto(path)
        return page

    return opened


def test_without_a_network_it_is_said_that_no_pad_is_kept(damaged):
    page = damaged("/offline")
    expect(page.get_by_role("main")).to_contain_text("No pad of a running match is kept")


def test_whoever_revokes_the_own_device_is_shown_the_way_in(damaged, league):
    page = damaged(f"/l/{league.slug}/admin", league.owner)
    devices = page.get_by_role("table", name="Devices").get_by_role("row")
    devices.filter(has_text="this device").get_by_role("button", name="Revoke").click()
    asked = page.get_by_role("dialog", name="Revoke this device?")
    asked.get_by_role("button", name="Revoke").click()
    page.wait_for_url("**/")
    expect(page.get_by_role("textbox", name="Code")).to_be_visible()
