"""What is pressed is large enough for a thumb."""

import pytest

from tests.browser.every_page import PAGES, with_everything
from tests.browser.keyboard.test_every_control import opened

# Whoever presses a label presses its control. A link within a sentence is as high as its line.
SMALL = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
.filter((each) => {
    const {width, height} = (each.closest("label") ?? each).getBoundingClientRect();
    const {parentElement: around, textContent: words} = each;
    const inSentence = around.matches("p, li, dd") && around.textContent.trim() !== words.trim()
        && getComputedStyle(each).display === "inline";
    return each.checkVisibility({visibilityProperty: true}) && each.tabIndex >= 0 && !inSentence
        && Math.min(width, height) < 44;
}).map((each) => each.outerHTML.slice(0, 80))"""
CLAIMED = ("/l/{}/m/claimed", "/l/{}/m/claimed/r/1")


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


@pytest.mark.parametrize("path", PAGES + CLAIMED)
def test_what_is_pressed_is_large_enough_for_a_thumb(phone, played, path):
    opened(phone, played, path)
    assert phone.evaluate(SMALL) == []
