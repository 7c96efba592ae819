"""The screen of a phone stays on while a match is open and its pad is looked at."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.waiting import until

# The locks that the page was given, as a browser gives them to a page that somebody looks at.
LOCKS = """
    globalThis.locks = [];
    Object.defineProperty(navigator, "wakeLock", { value: {
        request: async () => {
            const lock = { released: false, release: async () => void (lock.released = true) };
            locks.push(lock);
            return lock;
        },
    } });
"""
LOOKED_AT = "() => void document.dispatchEvent(new Event('visibilitychange'))"
HELD = "(held) => held === locks.filter((each) => !each.released).length"


@pytest.mark.parametrize("path", ["pad", "cards"])
def test_the_screen_stays_on_until_the_match_is_over(site, phones, league, match, path):
    page = phones.phone(site, league.scorekeeper)
    page.add_init_script(LOCKS)
    page.goto(f"/l/{league.slug}/m/first/{path}")
    until(page, HELD, 1)
    page.evaluate(LOOKED_AT)
    assert page.evaluate("locks.length") == 1
    page.evaluate("locks[0].release()")
    page.evaluate(LOOKED_AT)
    until(page, HELD, 1)
    told = tally("ann", **{"bo": 1, "oma-ida": 2, "mei": 3})
    league.tell(match, told, {"type": "match_closed"})
    expect(page.get_by_text("The match is over.")).to_be_visible()
    page.evaluate(LOOKED_AT)
    until(page, HELD, 0)
