"""Forms that are sent again after a failure: each thing is done once, and the failure is told."""

import json

import pytest
from playwright.sync_api import expect

from tests.api.serving import ADMIN
from tests.browser.evening import on_both

NO_CONNECTION = "No connection. Try again."
WAIT = "Too many requests from this address had no valid token. Wait for 57 seconds."


@pytest.fixture
def league(site):
    return site.league(["Ann", "Bo"], ["ann", "bo"])


def lose_the_answer(page, address, *, to=None):
    """Lose the answer to the next POST (with the name `to`, if given), which is carried out."""

    lost = []

    def lose(route):
        asked = route.request
        if lost or asked.method != "POST" or (to and to != asked.post_data_json["name"]):
            route.fallback()
            return
        lost.append(asked)
        route.fetch()
        route.abort()

    page.route(address, lose)


def names_in(league):
    return sorted(each["name"] for each in league.get("/players")["items"])


def test_people_are_added_once_though_the_lines_changed_after_a_failure(site, phones, league):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/players")
    typed = page.get_by_role("textbox", name="Names")
    add = page.get_by_role("button", name="Add")
    lose_the_answer(page, "**/players", to="Di")
    typed.fill("Cy\nDi")
    add.click()
    expect(page.get_by_role("alert")).to_have_text(NO_CONNECTION)
    typed.fill("Ed\nDi\nCy\nDi")
    add.click()
    page.get_by_role("button", name="Add all the same").click()
    expect(page.get_by_role("link", name="Ed")).to_be_visible()
    assert names_in(league) == ["Ann", "Bo", "Cy", "Di", "Di", "Ed"]


@on_both
def test_a_league_is_made_once_though_its_people_changed_after_a_failure(site, phones):
    page = phones.phone(site)
    page.context.add_cookies([{"name": "sk_admin", "value": ADMIN, "url": site.url}])
    page.goto("/")
    name = page.get_by_role("textbox", name="League name")
    people = page.get_by_role("textbox", name="Players")
    create = page.get_by_role("button", name="Create league")
    lose_the_answer(page, "**/v1/leagues")
    name.fill("Sundays")
    people.fill("Ann")
    create.click()
    expect(page.get_by_role("alert")).to_have_text(NO_CONNECTION)
    name.fill("Mondays")
    lose_the_answer(page, "**/players", to="Bo")
    people.fill("Ann\nBo")
    create.click()
    expect(page.get_by_role("alert")).to_have_text(NO_CONNECTION)
    people.fill("Ann\nCy")
    create.click()
    expect(page.get_by_role("heading", name="Mondays")).to_be_visible()
    page.get_by_role("link", name="Players").click()
    expect(page.get_by_role("main").get_by_role("listitem")).to_have_text(["Ann", "Bo", "Cy"])
    answered = site.client().get("/v1/leagues", params={"limit": 1000}).json()["items"]
    assert [each["name"] for each in answered].count("Mondays") == 1


def test_whoever_comes_back_to_the_page_opens_another_match(site, phones, league):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/new")
    start = page.get_by_role("button", name="Start match")
    for _ in range(2):
        lose_the_answer(page, "**/matches")
        start.click()
        expect(page.get_by_role("alert")).to_have_text(NO_CONNECTION)
    assert len(league.get("/matches")["items"]) == 1
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    start.click()
    page.wait_for_url("**/pad")
    assert len(league.get("/matches")["items"]) == 2


@pytest.mark.parametrize(
    ("status", "waits", "body", "told"),
    [
        (429, "57", json.dumps({"code": "too-many-requests", "detail": WAIT}), WAIT),
        (429, "57", "<html>", "The service can't answer at the moment. Try again in 57 seconds."),
        (503, "1", "{}", "The service can't answer at the moment. Try again in 1 second."),
        (502, None, "<html>", "The service can't answer at the moment. Try again."),
        (200, None, '{"league', NO_CONNECTION),
    ],
)
def test_a_form_says_why_it_was_not_taken_and_when_to_try_again(
    site, phones, status, waits, body, told
):
    phone = phones.phone(site)
    headers = {"retry-after": waits} if waits else {}
    phone.route(
        "**/v1/session", lambda route: route.fulfill(status=status, headers=headers, body=body)
    )
    phone.goto("/join#K7QF-2M9X")
    phone.get_by_role("textbox", name="Whose phone is this?").fill("Bo")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_role("alert")).to_have_text(told)
