"""Card by card with a keyboard alone: no action loses the focus."""

import pytest
from playwright.sync_api import expect

from tests.browser.card_tapping import SHOWN, called
from tests.browser.keyboard.by_keys import Keys
from tests.browser.waiting import until

HANDS = {
    "ann": ["red-1", "red-9", "wild-draw-four", "blue-0"],
    "bo": ["red-2", "green-7", "red-reverse"],
}
STARTED = (
    {"type": "round_started", "hands": HANDS},
    {"type": "first_card_turned", "card": "red-5"},
)


class CardsByKeys(Keys):
    """The pad card by card, used by keyboard."""

    def open(self, league, match):
        self.page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards")
        expect(self.page.get_by_role("button", name="Take back")).to_be_visible()
        return self

    def button(self, name, place=None):
        self.press((place or self.page).get_by_role("button", name=name, exact=True))

    def card(self, card, place=None):
        place = place or self.page
        color = card.partition("-")[0]
        colors = place.get_by_role("group", name="Colour")
        self.press(colors.get_by_role("button", name=color, exact=True))
        cards = place.get_by_role("group", name="Cards", exact=True)
        self.press(cards.get_by_role("button", name=called(card), exact=True))

    def stands(self, heading):
        """Check that this heading is the current question and has the focus, to be read out."""
        expect(self.page.get_by_role("heading", name=heading)).to_be_focused()

    def recorded(self, entry):
        until(self.page, SHOWN, entry)
        self.is_somewhere()


@pytest.fixture
def opened(site, phones, league):
    def held(*events, **opening):
        match = league.match(**{"edition": "basic", "dealer": "mei"} | opening)
        if events:
            league.tell(match, *events)
        return CardsByKeys(phones.phone(site, league.scorekeeper)).open(league, match)

    return held


def test_the_deal(opened):
    keys = opened(dealer=None)
    keys.press(keys.page.get_by_text("List the cards dealt"))
    keys.button("Bo's hand")
    keys.card("red-2", keys.page.locator("details"))
    keys.is_somewhere()
    keys.button("Put back red 2")
    keys.is_somewhere()
    keys.button("美美", keys.page.get_by_role("group", name="Who deals?"))
    keys.stands("Which card is turned up?")
    keys.card("red-5")
    keys.stands("Ann is on turn")
    keys.button("Take back")
    expect(keys.page.get_by_role("heading", name="Which card is turned up?")).to_be_visible()
    keys.is_somewhere()


def test_what_is_laid(opened):
    keys = opened(*STARTED)
    keys.card("red-1")
    keys.stands("Bo is on turn")
    keys.card("green-7")
    alert = keys.page.get_by_role("alert")
    expect(alert).to_be_visible()
    keys.is_somewhere()
    keys.button("Never mind", alert)
    expect(alert).to_be_hidden()
    keys.is_somewhere()
    keys.card("green-7")
    keys.button("It was played so", alert)
    keys.stands("Oma Ida is on turn")


def test_what_is_drawn(opened):
    keys = opened(*STARTED)
    keys.button("Name the drawn card")
    keys.is_somewhere()
    keys.button("Never mind")
    keys.is_somewhere()
    keys.button("Name the drawn card")
    keys.card("blue-9")
    keys.button("Put back blue 9")
    keys.is_somewhere()
    keys.card("blue-8")
    keys.button("Draw")
    keys.recorded(4)
    keys.button("Pass")
    keys.stands("Bo is on turn")


def test_a_wild_draw_four_and_its_challenge(opened):
    keys = opened(*STARTED)
    keys.card("wild-draw-four")
    keys.stands("Ann names a colour")
    named = keys.page.get_by_role("group", name="Named colour")
    keys.button("blue", named)
    keys.stands("Bo owes 4 cards")
    keys.button("Name the cards")
    keys.is_somewhere()
    keys.button("Challenge")
    keys.is_somewhere()


def test_a_verdict_that_is_lacking(opened):
    laid = {"type": "card_played", "player": "ann", "card": "wild-draw-four", "color": "blue"}
    keys = opened({"type": "round_started"}, STARTED[1], laid)
    keys.button("Challenge")
    alert = keys.page.get_by_role("alert")
    expect(alert.get_by_role("button", name="Innocent")).to_be_visible()
    keys.is_somewhere()
    keys.button("Innocent", alert)
    expect(alert).to_be_hidden()
    keys.is_somewhere()


def test_calls_of_uno(opened):
    hands = {"ann": ["red-1", "red-9"], "bo": ["red-2", "red-3"]}
    keys = opened(
        {"type": "round_started", "hands": hands}, STARTED[1], house_rules={"hand_size": 2}
    )
    keys.button("UNO called")
    expect(keys.page.get_by_role("button", name="UNO called")).to_be_focused()
    keys.card("red-1")
    keys.stands("Bo is on turn")
    keys.card("red-2")
    keys.stands("Oma Ida is on turn")
    keys.button("Caught, Bo")
    expect(keys.page.get_by_role("heading", name="Bo owes 2 cards")).to_be_visible()
    keys.is_somewhere()


def test_a_card_and_what_it_does(opened):
    keys = opened(
        *STARTED, edition="basic", house_rules={"seven": "swap"}, players=["bo", "ann", "mei"]
    )
    keys.card("green-7")
    place = keys.page.get_by_role("region", name="With whom?")
    expect(place).to_be_visible()
    keys.is_somewhere()
    keys.button("Never mind", place)
    expect(place).to_be_hidden()
    keys.stands("Bo is on turn")


def test_a_jump_in_and_a_note(opened):
    laid = {"type": "card_played", "player": "ann", "card": "red-1"}
    keys = opened(*STARTED, laid, house_rules={"jump_in": "any"})
    keys.button("Jump in")
    keys.is_somewhere()
    keys.button("Oma Ida", keys.page.get_by_role("group", name="Who jumps in?"))
    expect(keys.page.get_by_role("heading", name="美美 is on turn")).to_be_visible()
    keys.is_somewhere()
    keys.press(keys.page.get_by_text("More", exact=True))
    keys.type(keys.page.get_by_label("Text", exact=True), "tea")
    keys.button("Tell")
    keys.recorded(6)
    keys.button("Take back")
    keys.is_somewhere()


def test_hands_at_the_end(opened):
    hands = {"ann": ["red-1", "red-9"]}
    out = [{"type": "card_played", "player": "ann", "card": card} for card in hands["ann"]]
    begun = {"type": "round_started", "hands": hands}
    told = (begun, STARTED[1], out[0], {**out[1], "as_played": True})
    keys = opened(*told, house_rules={"hand_size": 2})
    keys.card("red-2")
    keys.button("Put back red 2")
    keys.is_somewhere()
    keys.card("red-3")
    keys.card("red-4")
    keys.button("Show hand")
    keys.stands("Oma Ida's hand")
    keys.type(keys.page.get_by_role("spinbutton", name="Points of Oma Ida"), "7")
    keys.button("Only the points")
    keys.stands("美美's hand")
    keys.type(keys.page.get_by_role("spinbutton", name="Points of 美美"), "7")
    keys.button("Only the points")
    expect(keys.page.get_by_role("button", name="Start round")).to_be_visible()
    keys.is_somewhere()


def test_a_round_that_wins_the_match(opened):
    begun = {"type": "round_started", "hands": {"ann": ["red-skip", "red-9"]}}
    two = {"edition": "classic-2025", "players": ["ann", "mei"], "house_rules": {"hand_size": 2}}
    keys = opened(begun, STARTED[1], **two)
    keys.card("red-skip")
    keys.recorded(4)
    keys.card("red-9")
    expect(keys.page.get_by_text("The match is over.")).to_be_focused()
