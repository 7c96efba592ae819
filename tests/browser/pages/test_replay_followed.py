"""An open replay says when its match was amended, and does not change under its reader."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally

SAID = {"en": "This match was amended meanwhile.", "zh-TW": "這場比賽同時有更正。"}
AGAIN = {"en": "Open the page anew", "zh-TW": "重新開啟頁面"}


@pytest.fixture
def match(league):
    held = league.match(dealer="ann")
    league.tell(held, tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30}))
    return held


@pytest.mark.parametrize("language", ["en", "zh-TW"])
@pytest.mark.parametrize("role", ["viewer", "owner"])
def test_a_round_that_is_amended_while_it_is_read(site, phones, league, match, role, language):
    page = phones.phone(site, getattr(league, role), language=language)
    with page.expect_response("**/live"):
        page.goto(f"/l/{league.slug}/m/first/r/1?step=2")
    again = page.get_by_role("button", name=AGAIN[language])
    league.tell(match, {"type": "note_added", "text": "tea"})
    league.tell(match, tally("bo", **{"ann": 1, "oma-ida": 2, "mei": 3}))
    version = league.get(match)["version"]
    league.send(f"{match}/undo", {}, if_match=f'"{version}"')
    expect(page.get_by_role("alert")).to_have_text(f"{SAID[language]} {AGAIN[language]}")
    again.focus()
    page.keyboard.press("Enter")
    expect(again).to_have_count(0)
    expect(page.get_by_role("slider")).to_have_value("2")
