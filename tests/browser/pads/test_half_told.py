"""Card by card, what is half told is still there when the page comes again, in any language."""

import pytest
from playwright.sync_api import expect

STARTED = ({"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})


@pytest.fixture
def pad(site, phones, league, match):
    """A function that opens the pad of the match after these events are told."""

    def opened(*told):
        if told:
            league.tell(match, *told)
        page = phones.phone(site, league.scorekeeper)
        page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards")
        return page

    return opened


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def test_a_hand_that_is_half_listed(pad, league, match):
    page = pad()
    page.get_by_text("List the cards dealt").click()
    button(page, "Bo's hand").click()
    for card in ("red 9", "red 0"):
        button(page, card).click()
    page.reload()
    expect(button(page, "Put back red 9")).to_be_visible()
    button(page, "red 1").click()
    button(page, "Start round").click()
    expect(page.get_by_role("status")).to_contain_text("Recorded")
    told = league.get(f"{match}/events")["items"]
    started = next(each["data"] for each in told if each["type"] == "round_started")
    assert started["hands"] == {"bo": ["red-9", "red-0", "red-1"]}


def test_a_card_with_one_of_its_effects(pad):
    page = pad(*STARTED)
    button(page, "wild").click()
    button(page, "red ribbon").click()
    page.get_by_role("group", name="Colour of these cards").get_by_role(
        "button", name="red", exact=True
    ).click()
    button(page, "red 4").click()
    button(page, "Add").click()
    page.reload()
    expect(page.get_by_role("listitem")).to_contain_text("Bo discards red 4")


def test_a_hand_that_is_half_listed_in_the_other_language(pad):
    page = pad(*STARTED)
    button(page, "Name the drawn card").click()
    button(page, "red 9").click()
    page.get_by_role("link", name="中文").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-TW")
    expect(page.locator(".hand button")).to_have_count(1)
    page.get_by_role("button", name="抽牌", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("已記錄")


def test_nothing_of_it_once_somebody_has_told_something_since(pad, league, match):
    page = pad(*STARTED)
    # The page is not told of it, so that it keeps what it knew.
    page.route("**/live", lambda route: route.abort())
    page.reload()
    button(page, "Name the drawn card").click()
    button(page, "red 9").click()
    league.tell(match, {"type": "cards_drawn", "player": "bo"})
    page.reload()
    expect(button(page, "Name the drawn card")).to_be_visible()
    expect(page.get_by_role("button", name="Put back")).to_have_count(0)
