"""What is pressed once more, since nothing seems to happen yet, is done once."""

import pytest
from padding import ANN, BO
from playwright.sync_api import expect

from tests.browser.holding import Held

pytestmark = pytest.mark.parametrize("site", ["sqlite"], indirect=True, scope="session")


def test_the_last_round_is_taken_back_and_not_the_one_before(league, match, pads):
    pad = pads()
    for told in (ANN, {name: 2 * points for name, points in ANN.items()}):
        pad.tell("Ann", **told)
        pad.says("All saved")
        pad.settled()
    answer = Held(pad.page, "**/undo?*", "POST")
    pad.press("Take back")
    answer.wait()
    pad.press("Take back")
    answer.release()
    pad.says("Taken back.")
    pad.tell("Bo", **BO)
    pad.says("All saved")
    assert league.totals(match) == {"ann": 60, "bo": 6, "oma-ida": 0, "mei": 0}


def test_what_was_told_last_card_by_card_is_taken_back_once(site, phones, league):
    match = league.match(dealer="ann")
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards")
    bo = page.get_by_role("row", name="Bo")
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(bo).to_contain_text("8 cards")
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    back = page.get_by_role("button", name="Take back")
    answer = Held(page, "**/undo?*", "POST")
    back.click()
    answer.wait()
    back.click()
    answer.release()
    expect(page.get_by_role("heading", name="Bo is on turn")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(bo).to_contain_text("8 cards")


PRESSED_ON_AND_ON = """(button) => {
    button.click();
    setInterval(() => button.click(), 10);
}"""


def test_a_phone_comes_in_once(site, phones, league):
    made = league.send("/invitations", {"role": "scorekeeper", "uses": 6})
    page = phones.phone(site)
    page.goto(made["url"])
    page.get_by_role("textbox", name="Whose phone is this?").fill("Bo")
    sent = []
    page.on("request", lambda each: each.method == "POST" and sent.append(each.url))
    page.route(f"**/l/{league.slug}", late)
    page.get_by_role("button", name="Join").evaluate(PRESSED_ON_AND_ON)
    expect(page.get_by_role("heading", name="Friday evenings")).to_be_visible()
    assert sent == [f"{site.url}/v1/session"]
    assert [each["name"] for each in league.get("/tokens")["items"]].count("Bo") == 1


def late(route):
    route.request.frame.page.wait_for_timeout(300)
    route.fallback()


def test_an_invitation_is_made_once(site, phones, league):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    page.route("**/admin", late)
    page.get_by_role("button", name="Invite", exact=True).evaluate(PRESSED_ON_AND_ON)
    expect(page.get_by_role("region", name="Show this to whom you invite")).to_be_visible()
    assert len(league.get("/invitations")["items"]) == 1


def test_whoever_comes_back_to_a_form_that_led_on_can_send_it_again(site, phones):
    page = phones.phone(site)
    page.goto("/")
    code = page.get_by_role("textbox", name="Code")
    code.fill("K7QF-2M9X")
    page.route("**/join", lambda route: route.fulfill(status=204))
    join = page.get_by_role("button", name="Join")
    join.click()
    expect(join).to_be_disabled()
    page.unroute("**/join")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    join.click()
    page.wait_for_url("**/join*")
