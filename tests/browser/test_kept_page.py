"""A pad that is opened without a network stands where the phone saw it last."""

import pytest
from padding import ANN
from playwright.sync_api import expect

pytestmark = pytest.mark.parametrize("site", ["sqlite"], indirect=True, scope="session")

KEPT = """async () => {
    const page = await (await caches.open("pages")).match(location.href, {ignoreVary: true});
    return (await page.text()).includes('"round":1');
}"""


def scores(pad):
    return pad.page.get_by_role("table", name="Scores")


@pytest.mark.parametrize("whose", ["mine", "theirs"])
def test_a_round_that_reads_like_the_last_one_on_record_is_another(league, match, pads, whose):
    mine, theirs = pads(), pads()
    mine.page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    mine.open()
    with mine.page.expect_response("**/pad"):
        (mine if whose == "mine" else theirs).tell("Ann", **ANN)
    while not mine.page.evaluate(KEPT):
        continue
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
