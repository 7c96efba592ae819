"""What is tapped during an undo is recorded as it was meant, or the page says that it was not."""

import pytest
from playwright.sync_api import expect

from tests.browser.holding import Held
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


@pytest.fixture
def cards(page, league):
    """A phone in a match card by card, in which Bo has drawn."""
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
