"""A name that is there already, or typed twice, is added only if somebody says so a second time."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import ADMIN
from tests.browser.evening import NAMES, SLUGS
from tests.browser.networks.test_sent_again import NO_CONNECTION, lose_the_answer, names_in

PEOPLE = sorted(NAMES)


@pytest.fixture
def players(site, phones, league):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/players")
    return page


def asked(page):
    return page.get_by_role("dialog", name="The same name again?")


def add(page, typed):
    page.get_by_role("textbox", name="Names").fill(typed)
    page.get_by_role("button", name="Add", exact=True).click()


@pytest.mark.parametrize(
    ("typed", "there", "twice"),
    [
        ("Bo", ["Bo"], []),
        ("Cy\n bO ", ["Bo"], []),
        ("ＢＯ\nomaida", ["Bo", "Oma Ida"], []),
        ("Cy\ncy", [], ["Cy"]),
        ("美 美\n\u200bBo", ["美美", "Bo"], []),
    ],
)
def test_nobody_is_added_again_by_mistake(players, league, typed, there, twice):
    add(players, typed)
    for label, names in (("In the league already:", there), ("Typed more than once:", twice)):
        part = asked(players).locator("[data-names]").filter(has_text=label)
        expect(part).to_be_visible(visible=bool(names))
        expect(part.get_by_role("listitem")).to_have_text(names)
    # The safe choice is the first one, and has the focus.
    expect(asked(players).get_by_role("button").first).to_be_focused()
    players.keyboard.press("Enter")
    expect(asked(players)).to_be_hidden()
    assert names_in(league) == PEOPLE
    expect(players.get_by_role("textbox", name="Names")).to_have_value(typed)


def test_two_people_may_have_one_name(players, league):
    add(players, "Bo\nCy")
    expect(asked(players)).to_be_visible()
    players.keyboard.press("Escape")
    players.get_by_role("button", name="Add", exact=True).click()
    with players.expect_navigation():
        asked(players).get_by_role("button", name="Add all the same").click()
    expect(players.get_by_role("main").get_by_role("link", name="Bo", exact=True)).to_have_count(2)
    assert names_in(league) == sorted([*PEOPLE, "Bo", "Cy"])


def test_whoever_another_phone_has_added_meanwhile_counts_too(players, league):
    league.send("/players", {"name": "Cy"})
    add(players, "Cy")
    expect(asked(players).get_by_role("listitem").filter(visible=True)).to_have_text(["Cy"])


def test_a_name_whose_answer_was_lost_is_sent_again_without_a_question(players, league):
    lose_the_answer(players, "**/players")
    add(players, "Cy")
    expect(players.get_by_role("alert")).to_have_text(NO_CONNECTION)
    with players.expect_navigation():
        players.get_by_role("button", name="Add", exact=True).click()
    assert names_in(league) == sorted([*PEOPLE, "Cy"])


def test_a_new_tournament_asks_as_well(site, phones, league):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/t/new?players=ann&players=oma-ida&players=mei")
    page.get_by_role("textbox", name="Name of the tournament").fill("The cup")
    page.get_by_role("textbox", name="People who are new").fill("Bo")
    page.get_by_role("button", name="Open tournament").click()
    asked(page).get_by_role("button", name="Change").click()
    expect(page.get_by_role("textbox", name="People who are new")).to_be_focused()
    assert names_in(league) == PEOPLE
    assert league.get("/tournaments")["items"] == []


def test_a_substitute_of_a_name_that_is_there_is_asked_about(site, phones, league):
    cup = {"tournament": "cup", "name": "The cup", "edition": "basic", "players": list(SLUGS)}
    league.send("/tournaments", cup)
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/t/cup")
    page.get_by_text("Somebody sits in", exact=True).click()
    page.get_by_role("textbox", name="Name of somebody new").fill("bo")
    page.get_by_role("button", name="Sit in", exact=True).click()
    asked(page).get_by_role("button", name="Change").click()
    expect(page.get_by_role("textbox", name="Name of somebody new")).to_be_focused()
    assert names_in(league) == PEOPLE


def test_a_first_league_asks_before_it_is_there(site, phones):
    page = phones.phone(site)
    page.context.add_cookies([{"name": "sk_admin", "value": ADMIN, "url": site.url}])
    page.goto("/")
    page.get_by_role("textbox", name="League name").fill("Doubles")
    page.get_by_role("textbox", name="Players").fill("Cy\nDi\nCY")
    page.get_by_role("button", name="Create league").click()
    expect(asked(page).get_by_role("listitem").filter(visible=True)).to_have_text(["Cy"])
    asked(page).get_by_role("button", name="Change").click()
    expect(page.get_by_role("textbox", name="Players")).to_be_focused()
    expect(page.get_by_role("textbox", name="Players")).to_have_value("Cy\nDi\nCY")
    assert "doubles" not in site.client().get("/v1/leagues").text
