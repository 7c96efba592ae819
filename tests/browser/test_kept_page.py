"""A pad that is opened without a network stands where the phone saw it last."""

import re
from contextlib import contextmanager

import pytest
from padding import ANN
from playwright.sync_api import expect

pytestmark = pytest.mark.parametrize("site", ["sqlite"], indirect=True, scope="session")

KEPT = """async () => {
    const page = await (await caches.open("pages")).match(location.pathname, {ignoreVary: true});
    return page !== undefined && (await page.text()).includes('"round":1');
}"""


def scores(pad):
    return pad.page.get_by_role("table", name="Scores")


def controlled(pad):
    """From here on a worker keeps its page."""
    pad.page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    return pad.open()


@contextmanager
def kept(pad):
    """What is done has a round on record, with which the page is kept."""
    with pad.page.expect_response("**/pad"):
        yield
    while not pad.page.evaluate(KEPT):
        continue


@pytest.mark.parametrize("whose", ["mine", "theirs"])
def test_a_round_that_reads_like_the_last_one_on_record_is_another(league, match, pads, whose):
    mine, theirs = controlled(pads()), pads()
    with kept(mine):
        (mine if whose == "mine" else theirs).tell("Ann", **ANN)
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


def test_it_is_the_same_pad_at_its_address_in_a_language(pads):
    mine = controlled(pads())
    mine.page.get_by_role("link", name="English").click()
    expect(mine.page).to_have_url(re.compile(r"\?lang=en$"))
    with kept(mine):
        mine.tell("Ann", **ANN)
    mine.page.context.set_offline(True)
    mine.open()
    expect(scores(mine)).to_contain_text("60")
