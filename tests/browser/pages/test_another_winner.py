"""What if another player had gone out in a round that was told as a whole."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.pages.test_tried_otherwise import trying


@pytest.fixture
def league(site):
    return site.league()


def tried(replay, winner, **points):
    """Try another winner, and fill in the points that the form asks for."""
    replay.press("Another winner")
    replay.page.get_by_role("combobox", name="Winner").select_option(label=winner)
    for name, count in points.items():
        replay.page.get_by_label(f"Points of {name}", exact=True).fill(str(count))
    replay.press("Try")
    expect(replay.page.get_by_role("status")).to_contain_text("would change")


def scores(league, match):
    return league.get(f"{match}/rounds")["items"][0]["scores"]


def test_the_round_is_amended_to_another_winner(site, phones, league):
    """A hand of which the cards were told keeps them, and the new winner's hand counts no more."""
    match = league.match(dealer="ann")
    hands = {"bo": {"points": 12}, "oma-ida": {"cards": ["red-5", "wild"]}, "mei": {"points": 7}}
    league.tell(match, {"type": "round_tallied", "winners": ["ann"], "hands": hands})
    replay = trying(site, phones, league, match, "round_tallied")
    tried(replay, "Bo", Ann=30)
    assert replay.changes()["/rounds/1/scores/bo"] == ("12", "0")
    reason = replay.page.get_by_label("Why")
    expect(reason).to_have_value(
        "Step 1 (The round is told as a whole: Ann went out (B-OUT)): Bo in place of Ann"
    )
    replay.press("Amend")
    expect(replay.page.get_by_role("status")).to_have_text("The log is amended.")
    assert scores(league, match) == {"ann": 30, "bo": 0, "oma-ida": 55, "mei": 7}


def test_points_that_were_typed_stay_when_the_winner_is_chosen_after_them(site, phones, league):
    match = league.match(dealer="ann")
    league.tell(match, tally("ann", **{"bo": 12, "oma-ida": 3, "mei": 7}))
    replay = trying(site, phones, league, match, "round_tallied")
    replay.press("Another winner")
    points = replay.page.get_by_label("Points of Oma Ida", exact=True)
    points.fill("33")
    replay.page.get_by_role("combobox", name="Winner").select_option(label="Bo")
    expect(replay.page.get_by_label("Points of Ann", exact=True)).to_be_visible()
    assert points.input_value() == "33"


def test_no_points_are_asked_for_where_none_were_told(site, phones, league):
    match = league.match(dealer="ann", edition="classic-2025")
    league.tell(match, {"type": "round_tallied", "winners": ["ann"]})
    replay = trying(site, phones, league, match, "round_tallied")
    tried(replay, "Bo")
    expect(replay.page.get_by_role("spinbutton")).to_have_count(0)
    assert replay.changes()["/match/rounds_won/bo"] == ("0", "1")


def test_scores_that_were_written_down_are_told_anew_for_everybody(site, phones, league):
    match = league.match(dealer="ann")
    written = {"ann": 0, "bo": 40, "oma-ida": 9, "mei": 7}
    league.tell(match, {"type": "round_tallied", "winners": ["ann"], "scores": written})
    replay = trying(site, phones, league, match, "round_tallied")
    tried(replay, "Bo", Ann=20, Bo=0)
    changes = replay.changes()
    assert changes["/rounds/1/scores/ann"] == ("0", "20")
    assert changes["/rounds/1/scores/bo"] == ("40", "0")
    assert "/rounds/1/scores/mei" not in changes


def test_a_hand_that_is_missing_is_named(site, phones, league):
    match = league.match(dealer="ann")
    hands = {"bo": {"points": 12}, "oma-ida": {"points": 3}, "mei": {"points": 7}}
    league.tell(match, {"type": "round_tallied", "winners": ["ann"], "hands": hands})
    replay = trying(site, phones, league, match, "round_tallied")
    replay.press("Another winner")
    replay.page.get_by_role("combobox", name="Winner").select_option(label="Bo")
    replay.press("Try")
    expect(replay.page.get_by_role("alert")).to_contain_text("Ann")
    assert replay.changes() == {}
