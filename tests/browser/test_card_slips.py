"""Card by card: a tap is told once, and a person sees what became of it."""

import pytest
from padding import PATIENCE_MS
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import on_both
from tests.browser.holding import Held

STARTED = ({"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})


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


@on_both
def test_take_back_takes_what_this_phone_told_also_after_a_reload(league, match, phone):
    mine, theirs = phone().open(), phone().open()
    mine.press("Draw")
    mine.recorded()
    expect(theirs.page.get_by_role("row", name="Bo")).to_contain_text("8")
    expect(theirs.page.get_by_role("button", name="Take back")).to_be_disabled()

    theirs.press("Pass")
    expect(mine.page.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    theirs.press("Take back")
    expect(mine.page.get_by_role("heading", name="Bo is on turn")).to_be_visible()
    assert league.get(match)["hand_counts"]["bo"] == 8

    mine.open().press("Take back")
    expect(mine.page.get_by_role("row", name="Bo")).to_contain_text("7")
    expect(mine.page.get_by_role("button", name="Take back")).to_be_disabled()
    board = league.get(match)
    assert (board["phase"], board["hand_counts"]["bo"]) == ("playing", 7)


def test_what_was_taken_back_elsewhere_is_said(league, match, phone):
    cards = phone().open()
    cards.press("Draw")
    cards.recorded()
    version = league.get(match)["version"]
    league.send(f"{match}/undo", {}, if_match=f'"{version}"')
    expect(cards.page.get_by_role("row", name="Bo")).to_contain_text("7")
    cards.press("Take back")
    expect(cards.alert).to_contain_text("does not count any more")
    expect(cards.page.get_by_role("button", name="Take back")).to_be_disabled()


def test_whoever_is_out_does_not_deal(site, phones, league):
    scoring = {"mode": "elimination", "target": 100}
    match = league.match("duel", players=["ann", "bo", "oma-ida"], scoring=scoring)
    cards = Cards(phones.phone(site, league.scorekeeper), league, match).open()
    asked = cards.page.get_by_role("group", name="Who deals?").get_by_role("button")
    expect(asked).to_have_text(["Ann", "Bo", "Oma Ida"])
    league.tell(match, tally("ann", **{"bo": 150, "oma-ida": 1}))
    expect(asked.or_(cards.page.get_by_label("Dealer").locator("option"))).to_have_text(
        ["Ann", "Oma Ida"]
    )


def test_whoever_is_out_catches_nobody(site, phones, league):
    """Ann's left neighbour is out, and she is on turn again after her skips."""
    match = league.match(
        "elimination",
        players=["ann", "bo", "oma-ida"],
        scoring={"mode": "elimination", "target": 100},
        dealer="oma-ida",
    )
    skips = ("red", "red", "yellow", "yellow", "green", "green")
    league.tell(
        match,
        tally("ann", **{"bo": 150, "oma-ida": 1}),
        {"type": "round_started", "dealer": "oma-ida"},
        {"type": "first_card_turned", "card": "red-5"},
        *({"type": "card_played", "player": "ann", "card": f"{color}-skip"} for color in skips),
    )
    assert league.get(match)["turn"] == "ann"
    cards = Cards(phones.phone(site, league.scorekeeper), league, match).open()
    cards.press("Caught")
    cards.page.get_by_role("spinbutton", name="Points of Ann").fill("20")
    cards.press("Tell")
    cards.recorded()
    told = league.get(f"{match}/events")["items"]
    assert [e["data"]["by"] for e in told if e["type"] == "uno_caught"] == ["oma-ida"]


def lay_what_does_not_match(cards):
    group = cards.page.get_by_role("group", name="Colour", exact=True)
    group.get_by_role("button", name="blue", exact=True).click()
    cards.press("blue 9")


def test_what_the_rules_forbid_is_said_to_be_not_recorded_until_it_is(league, match, phone):
    cards = phone().open()
    lay_what_does_not_match(cards)
    expect(cards.alert).to_contain_text("B-MATCH")
    expect(cards.alert).to_contain_text("Not recorded.")
    cards.press("It was played so")
    cards.recorded()
    expect(cards.alert).to_contain_text("B-MATCH")
    expect(cards.alert).not_to_contain_text("Not recorded.")
    assert league.get(match)["top_card"] == "blue-9"


def test_what_was_tapped_after_what_the_rules_forbid_is_said_to_be_not_told(league, match, phone):
    cards = phone().open()
    answer = Held(cards.page, "**/events?*", "POST")
    lay_what_does_not_match(cards)
    answer.wait()
    cards.press("Pass")
    answer.release()
    said = "Not recorded. What was tapped after it is not told."
    expect(cards.alert).to_contain_text(said)
    assert league.get(match)["turn"] == "bo"
