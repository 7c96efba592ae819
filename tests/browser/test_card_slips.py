"""Card by card: a tap is told once, and a person sees what became of it."""

import pytest
from padding import PATIENCE_MS
from playwright.sync_api import expect

STARTED = ({"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})


@pytest.fixture
def league(site):
    return site.league()


@pytest.fixture
def match(league):
    """A round in which Bo is on turn."""
    begun = league.match(dealer="ann")
    league.tell(begun, *STARTED)
    return begun


class Cards:
    """One phone that follows a match card by card."""

    def __init__(self, page, league, match):
        self.page = page
        self.address = f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards"
        self.alert = page.get_by_role("alert")

    def open(self):
        self.page.goto(self.address)
        expect(self.page.get_by_role("button", name="Take back")).to_be_visible()
        return self

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def recorded(self):
        expect(self.page.get_by_role("status")).to_contain_text("Recorded", timeout=PATIENCE_MS)


@pytest.fixture
def phone(site, phones, league, match):
    def held():
        return Cards(phones.phone(site, league.scorekeeper), league, match)

    return held


def cut(route):
    route.abort()


def test_a_tap_that_was_overtaken_as_the_network_went_is_sent_again(league, match, phone):
    cards = phone()
    cards.page.route("**/live", cut)
    cards.open()
    league.tell(match, {"type": "note_added", "text": "tea"})
    cards.page.route(f"**{match}", cut)
    cards.press("Draw")
    expect(cards.alert).to_contain_text("No connection. Try again.")
    cards.page.unroute(f"**{match}")
    cards.press("Try again")
    expect(cards.alert).to_contain_text("Somebody told something meanwhile.")
    cards.press("Try again")
    cards.recorded()
    cards.press("Pass")
    expect(cards.page.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    board = league.get(match)
    assert (board["hand_counts"]["bo"], board["turn"]) == (8, "oma-ida")


def test_a_tap_without_a_network_stays_when_the_network_is_back(league, match, phone):
    cards = phone()
    cards.page.clock.install()
    cards.page.route("**/v1/**", cut)
    with cards.page.expect_event("requestfailed"):
        cards.open()
    cards.page.clock.fast_forward(41_000)
    expect(cards.alert).to_have_text("No connection")
    cards.press("Pass")
    expect(cards.alert).to_contain_text("No connection. Try again.")
    league.tell(match, {"type": "cards_drawn", "player": "bo", "count": 1})
    cards.page.unroute("**/v1/**")
    cards.page.clock.fast_forward(5_000)
    expect(cards.page.get_by_role("row", name="Bo")).to_contain_text("8", timeout=PATIENCE_MS)
    cards.press("Try again")
    cards.recorded()
    assert league.get(match)["turn"] == "oma-ida"
