"""A pad that is opened without a network shows the state that the phone saw last."""

import re
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import SLUGS
from tests.browser.padding import ANN, Pad
from tests.browser.waiting import until

KEPT = """async (round) => {
    const page = await (await caches.open("pages")).match(location.pathname, {ignoreVary: true});
    return page !== undefined && (await page.text()).includes(`"round":${round}`);
}"""


def scores(pad):
    return pad.page.get_by_role("table", name="Scores")


def controlled(pad):
    """Reload the page, so that the worker caches it from now on."""
    pad.page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    return pad.open()


# The page with which a pad is cached next comes to it only when `late()` is called.
LATE = """() => {
    const ask = self.fetch;
    self.fetch = async (asked, how) => {
        const answer = await ask(asked, how);
        if (!asked.url?.endsWith("/pad") || self.late) return answer;
        await new Promise((come) => (self.late = come));
        return answer;
    };
}"""
PASSED = "async () => void (await (await fetch(location.pathname)).text())"


@contextmanager
def kept(pad, round_=1):
    """Wait until the page is cached with the round that the body of the `with` records."""
    with pad.page.expect_response("**/pad"):
        yield
    until(pad.page, KEPT, round_)


@pytest.mark.parametrize("whose", ["mine", "theirs"])
def test_a_round_that_reads_like_the_last_one_on_record_is_another(league, match, pads, whose):
    mine, theirs = controlled(pads()), pads()
    with kept(mine):
        (mine if whose == "mine" else theirs).tell("Ann", **ANN)
    mine.settled()
    mine.page.context.set_offline(True)
    mine.page.reload()
    expect(scores(mine)).to_contain_text("60")
    mine.out("Ann")
    mine.points(**ANN)
    expect(mine.page.locator(".foot")).to_contain_text("Round 2: Ann")
    mine.save()
    mine.says("1 round waits")
    mine.page.context.set_offline(False)
    mine.says("All saved")
    assert league.totals(match)["ann"] == 120


def test_a_page_that_comes_late_does_not_replace_a_newer_one(pads):
    pad = controlled(pads())
    (worker,) = pad.page.context.service_workers
    worker.evaluate(LATE)
    pad.tell("Ann", **ANN)
    until(worker, "() => self.late !== undefined")
    with kept(pad, round_=2):
        pad.tell("Ann", **ANN)
    worker.evaluate("late()")
    pad.page.evaluate(PASSED)
    pad.page.context.set_offline(True)
    pad.page.reload()
    expect(scores(pad)).to_contain_text("120")


def test_it_is_the_same_pad_at_its_address_in_a_language(pads):
    mine = controlled(pads())
    mine.page.get_by_role("link", name="English").click()
    expect(mine.page).to_have_url(re.compile(r"\?lang=en$"))
    with kept(mine):
        mine.tell("Ann", **ANN)
    mine.page.context.set_offline(True)
    mine.open()
    expect(scores(mine)).to_contain_text("60")


@pytest.mark.parametrize("path", ["/", "/l/{}", "/l/{}/m/never-opened/pad"])
def test_without_a_network_any_page_leads_to_the_pads_of_matches_that_run(
    site, phones, league, path
):
    """An app that was opened from the home screen has no field for an address."""
    cup = {"tournament": "cup", "name": 'Tom & "Jo"', "edition": "basic", "players": list(SLUGS)}
    running = league.send("/tournaments", cup)["segments"][0]["tables"][0]["match"]
    over = league.match(dealer="ann")
    told = tally("ann", **{"bo": 5, "oma-ida": 0, "mei": 0})
    league.tell(over, told, {"type": "match_closed"})
    page = phones.phone(site, league.scorekeeper)
    pad = controlled(Pad(page, league.slug, f"/matches/{running}").open())
    page.goto(f"/l/{league.slug}/m/first/pad")
    until(page, "async () => (await (await caches.open('pages')).keys()).length >= 2")
    page.context.set_offline(True)
    page.goto(path.format(league.slug))
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    links = page.get_by_role("main").get_by_role("listitem").get_by_role("link")
    expect(links).to_have_text(['Tom & "Jo" · Segment 1, table 1'])
    links.click()
    expect(page).to_have_url(re.compile(f"{pad.address}$"))
    expect(scores(pad)).to_be_visible()


def test_the_page_that_was_wanted_comes_once_there_is_a_network_again(pads):
    page = controlled(pads()).page
    page.context.set_offline(True)
    page.goto("/join")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Join a league")).to_be_visible()


def test_the_page_that_was_wanted_comes_in_the_language_that_was_chosen_meanwhile(pads):
    page = controlled(pads()).page
    page.context.set_offline(True)
    page.goto("/join")
    page.get_by_role("link", name="中文").click()
    page.wait_for_url("**/*lang=zh-TW")
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="加入聯盟")).to_be_visible()


def test_it_is_asked_for_by_itself_as_soon_as_the_browser_says_so(site, phones):
    page = phones.phone(site, language="zh-TW")
    page.goto("/offline")
    expect(page.get_by_role("main")).to_contain_text("沒有保存進行中比賽的計分板")
    with page.expect_request("**/offline"):
        page.evaluate("dispatchEvent(new Event('online'))")
