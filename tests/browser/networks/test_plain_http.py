"""An evening at home without HTTPS, where browsers send fewer headers about a request's origin."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.chromium import AT_HOME
from tests.browser.evening import Site
from tests.browser.holding import Fault
from tests.browser.padding import ANN, Pad


@pytest.fixture
def home(site):
    return Site(site.url.replace("127.0.0.1", AT_HOME))


def test_a_phone_is_invited_scores_through_a_cut_and_is_sent_home(home, phones, league, match):
    owner, guest = phones.phone(home, league.owner), phones.phone(home)
    owner.goto(f"/l/{league.slug}/admin")
    assert not owner.evaluate("isSecureContext")
    owner.get_by_role("button", name="Invite").click()
    link = owner.get_by_role("region", name="Show this").get_by_role("link").get_attribute("href")

    guest.goto(link)
    guest.get_by_role("textbox", name="Whose phone is this?").fill("Bo's own")
    guest.get_by_role("button", name="Join").click()
    guest.wait_for_url(f"**/l/{league.slug}")
    pad = Pad(guest, league.slug, match).open()
    pad.cut()
    pad.tell("Ann", **ANN)
    pad.says("1 round waits")
    pad.open()
    pad.says("1 round waits")
    pad.join()
    pad.says("All saved")
    assert league.totals(match)["ann"] == 60

    owner.reload()
    device = owner.get_by_role("row", name="Bo's own")
    device.get_by_role("button", name="Revoke").click()
    expect(device).to_have_count(0)
    pad.says("ask for a new code")


# The state of a tab that is in the background, or on a locked phone.
UNSEEN = """() => {
    Object.defineProperty(document, "hidden", { configurable: true, value: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
SEEN = """() => {
    delete document.hidden;
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_pads_in_many_tabs_leave_connections_to_the_one_that_is_looked_at(home, phones, league):
    """A browser has at most six connections to a service, and an organiser has more tables."""
    first = phones.phone(home, league.scorekeeper)
    tabs = [first, *(first.context.new_page() for _ in range(6))]
    pads = [Pad(tab, league.slug, league.match(f"table-{at}")) for at, tab in enumerate(tabs)]
    for pad in pads:
        with pad.page.expect_response("**/live"):
            pad.open()
        pad.page.evaluate(UNSEEN)
    first.evaluate(SEEN)
    pads[0].tell("Ann", **ANN)
    pads[0].says("All saved")
    tabs[-1].evaluate(SEEN)
    league.tell("/matches/table-6", tally("bo", ann=7, **{"oma-ida": 0, "mei": 0}))
    expect(tabs[-1].get_by_role("table", name="Scores")).to_contain_text("7")


def test_what_there_is_to_decide_is_shown_though_the_service_was_upgraded(
    home, phones, league, match
):
    """The new version serves this code at another address."""
    pad = Pad(phones.phone(home, league.scorekeeper), league.slug, match).open()
    Fault(pad.page, "**/troubles.js", lambda route: route.fulfill(status=404), once=True)
    pad.out("Ann")
    pad.points(**ANN)
    league.tell(match, tally("bo", ann=1, **{"oma-ida": 2, "mei": 3}))
    pad.save()
    both = pad.page.get_by_role("group", name="Two accounts of round 1")
    expect(both).to_be_visible()


@pytest.fixture
def running(home, phones, league, match):
    """A page of a running round; the code that pages load later is served elsewhere by now."""
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    page = phones.phone(home, league.scorekeeper)

    def opened(path, module):
        page.goto(f"/l/{league.slug}/m/first/{path}")
        return page, Fault(page, f"**/{module}.js", lambda route: route.fulfill(status=404))

    return opened


def test_more_is_told_card_by_card_though_the_service_was_upgraded(running):
    page, moved = running("cards", "telling")
    more = page.get_by_text("More", exact=True)
    cut = Fault(page, "**/events?*", lambda route: route.abort())
    page.get_by_role("button", name="Draw", exact=True).click()
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    # The page asks whether it is served still. What was tapped is not lost by a reload.
    with page.expect_response("**/cards"):
        more.click()
    cut.mend()
    again.click()
    expect(page.get_by_role("status")).to_contain_text("Recorded")
    more.click()
    with page.expect_navigation():
        more.click()
    moved.mend()
    more.click()
    expect(page.get_by_role("combobox", name="What happened?")).to_be_visible()


def test_a_replay_says_that_the_service_was_upgraded(running):
    page, _ = running("r/1", "dispute")
    page.get_by_role("button", name="Dispute").click()
    said = "The service was renewed meanwhile. Open the page anew."
    expect(page.get_by_role("status")).to_have_text(said)
