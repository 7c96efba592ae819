"""The figures of a player on a phone: all that stands beside numbers is seen without scrolling."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import SLUGS

PHONE = (390, 844)
PAST_THE_EDGE = """(region) => region.scrollWidth > region.clientWidth
    || region.querySelector("caption").getBoundingClientRect().right > innerWidth"""


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_results_by_seat_and_by_players_fit(site, phones, league, language):
    match = league.match(dealer="ann")
    first, *others = SLUGS
    league.tell(match, tally(first, **dict.fromkeys(others, 200)), {"type": "match_closed"})
    phone = phones.phone(site, league.viewer, language=language, size=PHONE)
    phone.goto(f"/l/{league.slug}/players/{first}")
    seats = phone.locator(".brief").locator("..")
    expect(seats).to_have_count(2)
    assert [each.evaluate(PAST_THE_EDGE) for each in seats.all()] == [False, False]
