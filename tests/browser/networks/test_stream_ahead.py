"""The live stream may tell what a phone has told before the phone has the answer to it.

A person who saw it would tap for the next player, while what was put together for the last one
(that UNO was called, how many cards are laid) is not emptied yet.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.holding import Held
from tests.browser.waiting import until

STREAMED = """
window.streamed = "";
const ask = fetch;
window.fetch = async (address, ...how) => {
    const answer = await ask(address, ...how);
    if (!String(address).endsWith("/live")) return answer;
    const [copy, body] = answer.body.tee();
    const read = async () => {
        for await (const text of copy.pipeThrough(new TextDecoderStream())) streamed += text;
    };
    read().catch(() => {});  // The page has ended the stream.
    return new Response(body, answer);
};
"""
TOLD = "(text) => streamed.includes(text)"
DRAWN = """async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}"""


class Phone:
    """A phone on which a round is told card by card, and on which a test sees what streams tell."""

    def __init__(self, page, address):
        page.add_init_script(STREAMED)
        page.goto(address)
        self.page = page

    def tap(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def asks(self, heading):
        expect(self.page.get_by_role("heading", name=heading)).to_be_visible()

    def asks_still(self, heading):
        """Check what is asked now, without waiting for it."""
        assert self.page.get_by_role("heading", name=heading).is_visible()

    def is_told(self, text):
        """Wait until the stream has told this, and what it tells would be on the screen."""
        until(self.page, TOLD, text)
        self.page.evaluate(DRAWN)


@pytest.fixture
def opened(site, phones, league):
    def at(*events, **opening):
        match = league.match(dealer="mei", **opening)
        league.tell(match, *events)
        page = phones.phone(site, league.scorekeeper)
        address = f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards"
        return match, Phone(page, address)

    return at


BEGUN = {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"}


def test_uno_is_called_for_the_player_for_whom_it_was_tapped(opened):
    hands = {"ann": ["red-1", "red-9"]}
    _, phone = opened({**BEGUN[0], "hands": hands}, BEGUN[1], house_rules={"hand_size": 2})
    phone.asks("Ann is on turn")
    phone.tap("UNO called")
    answer = Held(phone.page, "**/events?*", "POST")
    phone.tap("red 1")
    answer.wait()
    phone.is_told('"turn":"bo"')
    phone.asks_still("Ann is on turn")
    answer.release()
    phone.asks("Bo is on turn")
    called = phone.page.get_by_role("button", name="UNO called")
    expect(called).to_have_attribute("aria-pressed", "false")


def test_what_others_told_meanwhile_is_shown_with_the_answer(league, opened):
    match, phone = opened(*BEGUN)
    answer = Held(phone.page, "**/events?*", "POST")
    phone.tap("Draw")
    answer.wait()
    league.tell(match, {"type": "turn_passed", "player": "ann"})
    phone.is_told('"turn":"bo"')
    phone.asks_still("Ann is on turn")
    answer.release()
    phone.asks("Bo is on turn")
    expect(phone.page.get_by_role("row", name="Ann")).to_contain_text("8 cards")


def test_what_was_told_is_shown_though_its_answer_is_lost(opened):
    _, phone = opened(*BEGUN)
    answer = Held(phone.page, "**/events?*", "POST")
    phone.tap("red 1")
    answer.wait()
    phone.is_told('"turn":"bo"')
    phone.asks_still("Ann is on turn")
    answer.release(lost=True)
    phone.asks("Bo is on turn")
    expect(phone.page.get_by_role("alert")).to_contain_text("No connection. Try again.")


def test_a_tap_on_what_stands_after_taking_back_is_told(league, opened):
    match, phone = opened(*BEGUN)
    phone.tap("red 1")
    phone.asks("Bo is on turn")
    answer = Held(phone.page, "**/undo?*", "POST")
    phone.tap("Take back")
    answer.wait()
    phone.is_told(f'"version":{league.get(match)["version"]}')
    phone.asks_still("Bo is on turn")
    answer.release()
    phone.asks("Ann is on turn")
    phone.tap("red 2")
    phone.asks("Bo is on turn")
    assert league.get(match)["top_card"] == "red-2"
