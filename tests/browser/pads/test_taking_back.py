"""What is tapped during an undo is recorded as it was meant, or the page says that it was not."""

import pytest
from playwright.sync_api import expect

from tests.browser.holding import Fault, Held
from tests.browser.padding import ANN, BO, Pad


@pytest.fixture
def page(site, phones, league):
    """A phone without a live stream, which learns of changes only from answers to its requests."""
    held = phones.phone(site, league.scorekeeper)
    held.route("**/live", lambda route: route.abort())
    return held


@pytest.fixture
def pad(page, league, match):
    """The pad of a match in which Ann's round is recorded."""
    held = Pad(page, league.slug, match).open()
    held.tell("Ann", **ANN)
    expect(page.get_by_role("table", name="Scores")).to_contain_text("60")
    held.says("All saved")
    return held


def told(league, match):
    return [(each["round"], *each["winners"]) for each in league.get(f"{match}/rounds")["items"]]


def test_a_round_that_is_told_while_the_one_before_is_taken_back_takes_its_place(
    league, match, pad
):
    answer = Held(pad.page, "**/undo?*", "POST")
    pad.press("Take back")
    answer.wait()
    pad.tell("Bo", **BO)
    pad.says("1 round waits")
    answer.release()
    pad.says("All saved")
    assert told(league, match) == [(1, "bo")]


def test_a_round_that_was_begun_when_the_one_before_is_taken_back_takes_its_place(
    league, match, pad
):
    pad.out("Bo")
    pad.points(**BO)
    expect(pad.page.locator(".foot")).to_contain_text("Round 2: Bo")
    pad.press("Take back")
    pad.says("Taken back.")
    expect(pad.page.locator(".foot")).to_contain_text("Round 1: Bo")
    pad.save()
    pad.says("All saved")
    assert told(league, match) == [(1, "bo")]


def test_an_undo_that_was_overtaken_as_the_network_went_is_said(league, match, page, pad):
    # Silence would be noticed, too, after a while.
    page.add_init_script("setInterval = () => 0")
    pad.open()
    pad.says("All saved")
    league.tell(match, {"type": "note_added", "text": "tea"})
    gone = Fault(page, f"**{match}", lambda route: route.abort())
    pad.press("Take back")
    pad.says("No connection")
    gone.mend()
    pad.press("Take back")
    pad.says("Somebody told something meanwhile. Look, and try again.")
    pad.press("Take back")
    pad.says("Taken back.")
    assert told(league, match) == []


@pytest.fixture
def cards(page, league):
    """A phone in a match card by card, in which Bo has drawn."""
    return with_bos_draw(page, league)


@pytest.fixture
def followed(site, phones, league):
    """The same with a live stream."""
    return with_bos_draw(phones.phone(site, league.scorekeeper), league)


def with_bos_draw(page, league):
    page.match = league.match(dealer="ann")
    begun = {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"}
    league.tell(page.match, *begun)
    page.goto(f"/l/{league.slug}{page.match.replace('/matches/', '/m/')}/cards")
    press(page, "Draw")
    expect(page.get_by_role("row", name="Bo")).to_contain_text("8 cards")
    return page


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("lost", [False, True])
def test_a_tap_card_by_card_is_not_told_before_the_person_sees_what_stands(league, cards, lost):
    sent = []
    cards.on("request", lambda each: "/events" in each.url and sent.append(each.url))
    answer = Held(cards, "**/undo?*", "POST")
    press(cards, "Take back")
    answer.wait()
    press(cards, "Pass")
    answer.release(lost=lost)
    done = "No connection. Try again." if lost else "Taken back."
    expect(cards.get_by_role("alert")).to_contain_text(
        f"{done} What was tapped after it is not told."
    )
    assert sent == []
    press(cards, "Try again")
    refused = "Somebody told something meanwhile" if lost else "without having drawn"
    expect(cards.get_by_role("alert")).to_contain_text(refused)
    assert league.get(cards.match)["turn"] == "bo"


# Its promise is kept once the page has read what this device told: changes wait for earlier reads.
LOOKED_AT_AGAIN = """async () => {
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    const opening = indexedDB.open("scorekeeper");
    await new Promise((done) => (opening.onsuccess = done));
    const change = opening.result.transaction("queues", "readwrite");
    await new Promise((done) => (change.oncomplete = done));
}"""

# A page that nobody looks at gives up its stream, and takes it up again once somebody does.
PUT_AWAY = """() => {
    for (const hidden of [true, false]) {
        Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    }
}"""


def what_stands(league, page):
    """Bo's cards and whose turn it is, after this phone has taken back what it told last."""
    press(page, "Take back")
    expect(page.get_by_role("status")).to_have_text("Taken back.")
    board = league.get(page.match)
    return board["hand_counts"]["bo"], board["turn"]


def test_what_another_tab_of_the_phone_told_since_is_taken_back_first(league, followed):
    other = followed.context.new_page()
    other.goto(followed.url)
    press(other, "Pass")
    expect(other.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    expect(followed.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    followed.evaluate(LOOKED_AT_AGAIN)
    assert what_stands(league, followed) == (8, "bo")


@pytest.mark.parametrize("recorded", [True, False])
def test_a_tap_card_by_card_whose_answer_was_lost_is_taken_back_first(league, followed, recorded):
    if recorded:
        answer = Held(followed, "**/events?*", "POST")
        press(followed, "Pass")
        answer.release(lost=True)
        expect(followed.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    else:
        Fault(followed, "**/events?*", lambda route: route.abort(), once=True)
        press(followed, "Pass")
        expect(followed.get_by_role("alert")).to_contain_text("No connection")
    assert what_stands(league, followed) == (8, "bo")


def test_a_tap_card_by_card_during_which_the_page_was_loaded_anew_is_taken_back_first(
    league, followed
):
    answer = Held(followed, "**/events?*", "POST")
    press(followed, "Pass")
    answer.wait()
    followed.reload()
    expect(followed.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    assert what_stands(league, followed) == (8, "bo")


def cut_off(page):
    """Press "Take back" without a network, and return the network."""
    cut = Fault(page, "**/v1/**", lambda route: route.abort())
    press(page, "Take back")
    expect(page.get_by_role("alert")).to_contain_text("No connection. Try again.")
    return cut


def test_that_there_is_no_connection_is_said_until_something_comes_live(league, followed):
    cut_off(followed)
    league.tell(followed.match, {"type": "note_added", "text": "Tea is ready."})
    expect(followed.get_by_role("alert")).to_have_count(0)
    assert league.get(followed.match)["hand_counts"]["bo"] == 8


def test_that_there_is_no_connection_is_said_until_the_page_follows_again(league, followed):
    cut = cut_off(followed)
    cut.mend()
    followed.evaluate(PUT_AWAY)
    expect(followed.get_by_role("alert")).to_have_count(0)
    assert what_stands(league, followed) == (7, "bo")
