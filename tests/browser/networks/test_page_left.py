"""A page that is left has nothing open in the phone's database, which would block the next page.

WebKit keeps a page that is left, for whoever goes back to it. What such a page has begun ends only
if the page is shown again; until then no other page can write. Chromium drops the page.
"""

import pytest

from tests.browser.padding import ANN, Pad
from tests.browser.waiting import until

# A page that is left is told first that it is hidden.
WATCHED = """
    const begin = IDBDatabase.prototype.transaction;
    const end = IDBTransaction.prototype.commit;
    window.begun = { hidden: 0, seen: 0 };
    window.ended = 0;
    IDBDatabase.prototype.transaction = function (...told) {
        window.begun[document.hidden ? "hidden" : "seen"] += 1;
        return begin.apply(this, told);
    };
    IDBTransaction.prototype.commit = function () {
        window.ended += 1;
        end.apply(this);
    };
"""
# Until the answer is there, the page has begun all that it begins at once.
LEFT = """async () => {
    Object.defineProperty(document, "hidden", { configurable: true, value: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    await fetch("/v1/me");
    delete document.hidden;
    window.begun.seen = 0;
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}"""


@pytest.fixture
def watched(site, phones, league, match):
    def opened(path):
        page = phones.phone(site, league.scorekeeper)
        page.add_init_script(WATCHED)
        page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/{path}")
        until(page, "() => window.begun.seen > 0")
        return page

    return opened


# What a page reads when it is opened. The pad reads before it sends what waits, while it sends and
# after it; the page of cards reads what was told, and what was not sent.
@pytest.mark.parametrize(("path", "reads"), [("pad", 3), ("cards", 2)])
def test_a_page_reads_nothing_when_it_is_left_and_reads_when_it_is_seen_again(watched, path, reads):
    page = watched(path)
    until(page, f"() => window.begun.seen >= {reads}")
    page.evaluate(LEFT)
    until(page, "() => window.begun.seen > 0")
    assert page.evaluate("window.begun.hidden") == 0


@pytest.mark.parametrize("path", ["pad", "cards"])
def test_what_a_page_has_begun_to_read_ends_without_it(watched, path):
    page = watched(path)
    until(page, "() => window.ended >= window.begun.seen")


def test_what_a_page_writes_ends_without_it(watched, league, match):
    page = watched("pad")
    pad = Pad(page, league.slug, match)
    pad.tell("Ann", **ANN)
    pad.says("All saved")
    until(page, "() => window.ended >= window.begun.seen")
