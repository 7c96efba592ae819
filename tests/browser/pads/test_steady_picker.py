"""Cards are tapped quickly one after the other: their buttons do not move, nor does the page."""

import pytest
from playwright.sync_api import expect

PRESSED = {"pad": "Ann", "cards": "Name the drawn card"}
"""The button of each pad that asks for the cards of a hand."""


@pytest.fixture
def begun(league):
    match = league.match(dealer="ann")
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    return match


@pytest.mark.parametrize("path", PRESSED)
def test_a_second_tap_in_the_same_place_lists_the_same_card_again(
    site, phones, league, begun, path
):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}{begun.replace('/matches/', '/m/')}/{path}")
    page.get_by_role("button", name=PRESSED[path], exact=True).click()
    cards = page.get_by_role("group", name="Cards", exact=True)
    nine = cards.get_by_role("button", name="red 9", exact=True).bounding_box()
    for _ in range(2):
        page.mouse.click(nine["x"] + nine["width"] / 2, nine["y"] + nine["height"] / 2)
    listed = page.get_by_role("button", name="Put back")
    expect(listed).to_have_count(2)
    assert [each.get_attribute("aria-label") for each in listed.all()] == ["Put back red 9"] * 2


@pytest.mark.parametrize("path", PRESSED)
def test_a_quick_second_tap_does_not_zoom(site, phones, league, begun, path):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}{begun.replace('/matches/', '/m/')}/{path}")
    expect(page.locator("html")).to_have_css("touch-action", "manipulation")


def test_after_a_wild_card_those_of_the_named_colour_are_offered(site, phones, league, begun):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}{begun.replace('/matches/', '/m/')}/cards")
    colours = page.get_by_role("group", name="Colour", exact=True)
    colours.get_by_role("button", name="wild").click()
    cards = page.get_by_role("group", name="Cards", exact=True)
    cards.get_by_role("button", name="wild", exact=True).click()
    page.get_by_role("group", name="Named colour").get_by_role("button", name="green").click()
    expect(page.get_by_role("heading", name="is on turn")).to_be_visible()
    expect(colours.get_by_role("button", pressed=True)).to_have_accessible_name("green")
    expect(cards.get_by_role("button", name="green 9")).to_be_visible()


def test_a_pad_that_is_opened_in_a_round_offers_the_colour_that_counts(site, phones, league):
    match = league.match(dealer="ann")
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "blue-5"})
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/m/first/cards")
    cards = page.get_by_role("group", name="Cards", exact=True)
    expect(cards.get_by_role("button", name="blue 9")).to_be_visible()


@pytest.mark.parametrize("path", ["pad", "cards"])
def test_a_card_that_is_only_called_after_a_colour_is_among_the_wild_ones(
    site, phones, league, path
):
    extra = {"extra_cards": {"pink-panther": {"count": 2, "points": 40}}}
    opening = {"edition": "classic-2025", "scoring": {"mode": "lowest-total"}}
    league.match(dealer="ann", options=extra, **opening)
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/m/first/{path}")
    if path == "pad":
        page.get_by_role("button", name="Ann", exact=True).click()
    else:
        page.get_by_role("button", name="Start round").click()
    page.get_by_role("group", name="Colour").get_by_role("button", name="wild").click()
    cards = page.get_by_role("group", name="Cards", exact=True)
    expect(cards.get_by_role("button", name="pink-panther")).to_be_visible()
