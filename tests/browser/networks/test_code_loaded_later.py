"""Code that a page loads when it is first needed: a browser does not try a failed import again."""

import pytest
from playwright.sync_api import expect

from tests.browser.card_tapping import CardPad
from tests.browser.evening import NAMES, SLUGS
from tests.browser.holding import Fault

BEGUN = [
    {"type": "round_started"},
    {"type": "first_card_turned", "card": "red-5"},
    {"type": "card_played", "player": "bo", "card": "red-7"},
]


@pytest.fixture
def page(site, phones, league):
    return phones.phone(site, league.scorekeeper)


@pytest.fixture
def running(league):
    match = league.match(dealer="ann", house_rules={"jump_in": "any"})
    league.tell(match, *BEGUN)
    return match


def test_jumping_in_is_offered_after_the_next_tap_once_there_is_a_connection(page, league, running):
    cut = Fault(page, "**/jump_in.js", lambda route: route.abort())
    CardPad(page, league.slug, running, dict(zip(SLUGS, NAMES, strict=True))).open({})
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("No connection")
    jump_in = page.get_by_role("button", name="Jump in")
    expect(jump_in).to_have_count(0)
    cut.mend()
    page.get_by_role("button", name="Name the drawn card").click()
    expect(jump_in).to_be_visible()
    expect(alert).to_have_count(0)


def test_more_is_opened_once_there_is_a_connection_with_what_was_listed(page, league, running):
    page.goto(f"/l/{league.slug}/m/first/cards")
    page.get_by_role("button", name="Name the drawn card").click()
    page.get_by_role("button", name="red 9").click()
    more = page.get_by_text("More", exact=True)
    cut = Fault(page, "**/*", lambda route: route.abort())
    more.click()
    expect(page.get_by_role("alert")).to_have_text("No connection. Try again.")
    cut.mend()
    more.click()
    more.click()
    expect(page.get_by_role("combobox", name="What happened?")).to_be_visible()
    expect(page.get_by_role("button", name="Put back red 9")).to_be_visible()


def test_a_dispute_is_opened_once_there_is_a_connection(page, league, running):
    page.goto(f"/l/{league.slug}/m/first/r/1?step=2")
    dispute = page.get_by_role("button", name="Dispute")
    cut = Fault(page, "**/*", lambda route: route.abort())
    dispute.click()
    expect(page.get_by_role("status")).to_have_text("No connection. Try again.")
    cut.mend()
    dispute.click()
    expect(page.get_by_role("textbox", name="What is disputed?")).to_be_visible()


@pytest.fixture
def disputed(league, running):
    league.tell(running, {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "No."})
    return running


def test_rulings_are_offered_once_there_is_a_connection(site, phones, league, disputed):
    page = phones.phone(site, league.owner)
    cut = Fault(page, "**/rulings.js", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.goto(f"/l/{league.slug}/m/first/r/1")
    uphold = page.get_by_role("button", name="Uphold", exact=True)
    expect(uphold).to_have_count(0)
    cut.mend()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(uphold).to_be_visible()


def test_a_match_is_followed_once_there_is_a_connection(page, league, running):
    cut = Fault(page, "**/following.js", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.goto(f"/l/{league.slug}/m/first/r/1")
    cut.mend()
    with page.expect_response("**/live"):
        page.evaluate("dispatchEvent(new Event('online'))")
