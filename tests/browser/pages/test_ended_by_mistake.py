"""A match that another device ended by mistake is opened again on its page."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import on_both

ROUND = tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30})


@pytest.fixture
def match(league):
    held = league.match(dealer="ann")
    league.tell(held, ROUND)
    return held


def opened(site, phones, league, token, language="en"):
    page = phones.phone(site, token, language=language)
    page.goto(f"/l/{league.slug}/m/first")
    return page


@on_both
@pytest.mark.parametrize("ending", ["match_closed", "match_abandoned"])
def test_whoever_keeps_score_takes_back_the_end(site, phones, league, match, ending):
    # The owner's device ends it, and another one opens it again.
    league.tell(match, {"type": ending, "reason": "late"})
    page = opened(site, phones, league, league.scorekeeper)
    page.get_by_text("Ended by mistake?").click()
    page.get_by_role("button", name="Take back what was told last").click()
    expect(page.get_by_role("link", name="Score")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_text("Ended by mistake?")).to_have_count(0)
    board = league.get(match)
    assert (board["status"], board["totals"]["bo"]) == ("open", 10)


def test_a_round_that_was_told_meanwhile_is_shown_and_not_taken_back(site, phones, league, match):
    closed = league.tell(match, {"type": "match_closed"})
    page = opened(site, phones, league, league.scorekeeper)
    league.send(f"{match}/undo", {}, if_match=f'"{closed["version"]}"')
    league.tell(match, ROUND)
    page.get_by_text("Ended by mistake?").click()
    page.get_by_role("button", name="Take back what was told last").click()
    expect(page.get_by_role("link", name="Replay round 2")).to_be_visible()
    assert league.totals(match)["bo"] == 20


def test_a_note_that_was_told_last_is_said_to_stay(site, phones, league, match):
    league.tell(match, {"type": "match_closed"}, {"type": "note_added", "text": "tea"})
    page = opened(site, phones, league, league.scorekeeper, "zh-TW")
    page.get_by_text("不小心結束了？").click()
    page.get_by_role("button", name="收回最後記下的內容").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    assert league.get(match)["status"] == "won"


def test_it_is_not_offered_to_viewers_nor_while_a_match_runs(site, phones, league, match):
    hint = "Ended by mistake?"
    assert opened(site, phones, league, league.scorekeeper).get_by_text(hint).count() == 0
    league.tell(match, {"type": "match_closed"})
    assert opened(site, phones, league, league.viewer).get_by_text(hint).count() == 0
