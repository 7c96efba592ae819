"""Where nothing can be stored, pages say so, and nothing that was entered is lost."""

import pytest
from playwright.sync_api import expect

from tests.browser.padding import ANN, BO, Pad

# IndexedDB that fails after so many writes as `window.room` says, as on a full disk.
FULL = """
    const commit = IDBTransaction.prototype.commit;
    window.room = Infinity;
    IDBTransaction.prototype.commit = function () {
        if (this.mode === "readwrite" && window.room-- <= 0) this.abort();
        else commit.apply(this);
    };
"""
# IndexedDB that may not be used at all, as by a policy, and as in private windows of old browsers.
REFUSING = """
    IDBFactory.prototype.open = () => { throw new DOMException("", "SecurityError"); };
"""
FAILING = """
    IDBFactory.prototype.open = () => {
        const request = { error: new DOMException("", "InvalidStateError") };
        setTimeout(() => request.onerror());
        return request;
    };
"""
NOT_KEPT = "Not kept: make room on this phone, and tap again."


@pytest.fixture
def phone(site, phones, league):
    def held(**how):
        page = phones.phone(site, league.scorekeeper, **how)
        page.add_init_script(FULL)
        return page

    return held


def fill(page, after=0):
    """Let `after` more writes succeed."""
    page.evaluate(f"window.room = {after}")


def clear(page):
    page.evaluate("window.room = Infinity")


def test_a_round_that_is_not_kept_is_said_and_stays_to_be_told_again(league, match, phone):
    pad = Pad(phone(), league.slug, match).open()
    pad.says("All saved")
    fill(pad.page)
    pad.tell("Ann", **ANN)
    pad.says(NOT_KEPT)
    expect(pad.page.get_by_role("status")).not_to_contain_text("wait")
    assert league.get(match)["round"] == 0
    pressed = pad.page.get_by_role("button", name="Ann", exact=True)
    expect(pressed).to_have_attribute("aria-pressed", "true")
    expect(pad.page.get_by_role("spinbutton", name="Points of Bo")).to_have_value("10")
    clear(pad.page)
    pad.save()
    expect(pad.page.get_by_role("table", name="Scores")).to_contain_text("60")
    pad.says("All saved")
    assert league.totals(match)["ann"] == 60


def test_what_was_begun_meanwhile_comes_after_the_round_that_was_not_kept(league, match, phone):
    pad = Pad(phone(), league.slug, match).open()
    pad.says("All saved")
    fill(pad.page)
    pad.out("Ann")
    pad.points(**ANN)
    # Both presses happen in one task, before the first has had a result.
    pad.page.evaluate(
        """() => {
            const button = (name) => [...document.querySelectorAll("#root button")]
                .find((each) => each.textContent === name);
            button("Save round").click();
            button("Bo").click();
        }"""
    )
    pad.says(NOT_KEPT)
    expect(pad.page.locator(".foot")).to_contain_text("Round 1: Ann")
    clear(pad.page)
    pad.save()
    expect(pad.page.get_by_role("table", name="Scores")).to_contain_text("60")
    bo = pad.page.get_by_role("button", name="Bo", exact=True)
    expect(bo).to_have_attribute("aria-pressed", "true")
    pad.points(**BO)
    expect(pad.page.locator(".foot")).to_contain_text("Round 2: Bo")
    pad.save()
    expect(pad.page.get_by_role("table", name="Scores")).to_contain_text("6")
    pad.says("All saved")
    assert [each["winners"] for each in league.get(f"{match}/rounds")["items"]] == [["ann"], ["bo"]]


def test_a_round_that_is_not_thrown_away_stays_and_that_is_said(league, match, phone):
    pad = Pad(phone(), league.slug, match).open()
    pad.tell("Ann", Bo=10_000, Oma_Ida=2, 美美=3)
    pad.press("It is right")
    refused = pad.page.get_by_role("group", name="Round 1 was not accepted")
    expect(refused).to_be_visible()
    fill(pad.page)
    pad.press("Throw away")
    pad.says(NOT_KEPT)
    expect(refused).to_be_visible()
    clear(pad.page)
    pad.press("Throw away")
    expect(refused).to_be_hidden()
    pad.says("All saved")
    expect(pad.page.get_by_role("status")).not_to_contain_text(NOT_KEPT)


@pytest.mark.parametrize("after", [1, 2])
def test_a_round_that_is_kept_and_not_sent_waits_for_room(league, match, phone, after):
    """The phone becomes full after storing the round, or after storing that it is being sent."""
    pad = Pad(phone(), league.slug, match).open()
    pad.says("All saved")
    fill(pad.page, after)
    pad.tell("Ann", **ANN)
    status = pad.page.get_by_role("status")
    expect(status).to_have_text("1 round waits · This phone may be full.")
    clear(pad.page)
    pad.back()
    pad.says("All saved")
    expect(status).not_to_contain_text("full")
    assert league.totals(match)["ann"] == 60


def test_it_is_said_in_chinese(league, phone):
    match = league.match(dealer="ann", scoring={"mode": "first-out"})
    pad = Pad(phone(language="zh-TW"), league.slug, match)
    pad.page.goto(pad.address)
    pad.says("全部記好了")
    fill(pad.page)
    ann = pad.page.get_by_role("button", name="Ann")
    ann.click()
    pad.press("記下這一輪")
    pad.says("沒有存下：請清出手機空間，再按一次。")
    expect(ann).to_have_attribute("aria-pressed", "true")


def test_what_is_recorded_card_by_card_is_shown_and_taken_back(league, match, phone):
    """The page itself remembers what it recorded, as long as it is open."""
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    page = phone()
    page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards")
    bo = page.get_by_role("row", name="Bo")
    expect(bo).to_contain_text("7 cards")
    fill(page)
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Recorded")
    expect(bo).to_contain_text("8 cards")
    back = page.get_by_role("button", name="Take back")
    back.click()
    expect(bo).to_contain_text("7 cards")
    expect(back).to_be_disabled()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "refused", "said"),
    [
        ("en", REFUSING, "This browser lets pages store nothing, so no round can be saved."),
        ("zh-TW", FAILING, "這個瀏覽器不讓網頁儲存資料，存不了任何一輪。"),
    ],
    ids=["refused", "failed"],
)
def test_a_browser_that_lets_pages_store_nothing_is_named(
    site, phones, league, language, refused, said
):
    match = league.match(dealer="ann", scoring={"mode": "first-out"})
    page = phones.phone(site, league.scorekeeper, language=language)
    page.add_init_script(refused)
    pad = Pad(page, league.slug, match)
    page.goto(pad.address)
    pad.says(said)
    ann = page.get_by_role("button", name="Ann")
    ann.click()
    pad.settled()
    expect(page.get_by_role("status")).not_to_contain_text(said)
    page.locator(".foot button").last.click()
    pad.says(said)
    expect(ann).to_have_attribute("aria-pressed", "true")
    assert league.get(match)["round"] == 0
    page.goto(pad.address.replace("/pad", "/cards"))
    page.locator(".asked form button").click()
    back = page.locator(".foot button")
    expect(back).to_be_enabled()
    back.click()
    expect(back).to_be_disabled()
    assert league.get(match)["round"] == 0


# Browsers leave what was written in memory for a while, unless a transaction asks for the disk.
WATCHED = """
    const begin = IDBDatabase.prototype.transaction;
    window.written = [];
    IDBDatabase.prototype.transaction = function (...told) {
        const begun = begin.apply(this, told);
        if (begun.mode === "readwrite") window.written.push(begun.durability);
        return begun;
    };
"""


def test_a_round_that_waits_is_on_the_disk_before_it_is_said_to_wait(site, phones, league, match):
    page = phones.phone(site, league.scorekeeper)
    page.add_init_script(WATCHED)
    pad = Pad(page, league.slug, match).open()
    pad.cut()
    pad.tell("Ann", **ANN)
    pad.says("1 round waits")
    written = page.evaluate("window.written")
    assert written != []
    assert set(written) == {"strict"}
