"""Two phones at one table open one match: the second is told of the first."""

import pytest
from playwright.sync_api import expect

from tests.browser.evening import SLUGS

SAID = "These people have a match open already."


@pytest.fixture
def form(site, phones, league):
    def opened(language="en"):
        page = phones.phone(site, league.scorekeeper, language=language)
        page.goto(f"/l/{league.slug}/new")
        expect(page.get_by_role("button", name="Start match")).to_be_enabled()
        return page

    return opened


def opened_matches(league):
    return league.get("/matches")["items"]


def test_a_match_that_another_phone_opened_meanwhile_is_gone_on_with(form, league):
    """Each of them would have its own rounds, and its own totals."""
    first, second = form(), form()
    with first.expect_navigation(url="**/pad"):
        first.get_by_role("button", name="Start match").click()
    second.get_by_role("button", name="Start match").click()
    expect(second.locator("[role=status]").filter(has_text=SAID)).to_be_visible()
    assert len(opened_matches(league)) == 1
    with second.expect_navigation(url=first.url):
        second.get_by_role("link", name="Go on with it").click()


def test_whoever_wants_another_match_has_it_with_the_next_tap(form, league):
    league.match("long-ago", players=SLUGS[:2])
    page = form()
    expect(page.get_by_role("link", name="Go on with it")).to_have_attribute(
        "href", f"/l/{league.slug}/m/long-ago/pad"
    )
    with page.expect_navigation(url="**/pad"):
        page.get_by_role("button", name="Start match").click()
    assert len(opened_matches(league)) == 2


def test_other_people_are_not_told(form, league):
    league.match("others", players=SLUGS[:2])
    page = form()
    other = page.get_by_role("checkbox").nth(2)
    other.check()
    expect(page.get_by_text(SAID)).to_have_count(0)
    other.uncheck()
    expect(page.get_by_text(SAID)).to_be_visible()


def test_a_table_of_a_tournament_is_no_match_beside_it(form, league):
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(SLUGS)}
    league.send("/tournaments", cup)
    page = form()
    expect(page.get_by_text(SAID)).to_have_count(0)
    with page.expect_navigation(url="**/pad"):
        page.get_by_role("button", name="Start match").click()
