"""What is pressed is large enough for a thumb."""

import pytest

from tests.browser.evening import NAMES, SLUGS
from tests.browser.every_page import PAGES, with_everything
from tests.browser.keyboard.test_every_control import opened

# Whoever presses a label presses its control. A reference to a clause within a text, and the number
# of a step, are as high as their lines.
SMALL = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
.filter((each) => {
    const {width, height} = (each.closest("label") ?? each).getBoundingClientRect();
    const refers = /^(#|\\/e\\/)/.test(each.getAttribute("href"));
    return each.checkVisibility({visibilityProperty: true}) && each.tabIndex >= 0 && !refers
        && Math.min(width, height) < 44;
}).map((each) => each.outerHTML.slice(0, 80))"""
ROUNDS = ("/l/{}/m/claimed", "/l/{}/m/claimed/r/1", "/l/{}/m/second/pad")
BEGUN = ("/l/{}", "/l/{}/players", "/l/{}/table", "/l/{}/m/first")


@pytest.fixture(scope="module")
def played(site):
    league = with_everything(site)
    match = league.match(match="claimed", dealer="ann")
    tally = {"type": "round_tallied", "winners": ["ann"]}
    hands = {player: {"points": 10} for player in ("bo", "oma-ida", "mei")}
    dispute = {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "No."}
    league.tell(match, tally | {"hands": hands}, dispute)
    return league


@pytest.fixture(scope="module", params=["en", "zh-TW"])
def phone(request, site, lasting, played):
    return lasting.phone(site, played.owner, language=request.param)


@pytest.mark.parametrize("path", PAGES + ROUNDS)
def test_what_is_pressed_is_large_enough_for_a_thumb(phone, played, path):
    opened(phone, played, path)
    assert phone.evaluate(SMALL) == []


@pytest.mark.parametrize("people", [0, 4])
def test_where_to_begin_is_large_enough_for_a_thumb(site, phones, people):
    league = site.league(NAMES[:people], SLUGS[:people])
    phone = phones.phone(site, league.owner)
    for path in BEGUN[:3]:
        opened(phone, league, path)
        assert phone.evaluate(SMALL) == []
    if people:
        league.match()
        opened(phone, league, BEGUN[-1])
        assert phone.evaluate(SMALL) == []
