"""Only what a person last entered counts, after editing, undoing or discarding."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import on_both
from tests.browser.padding import ANN, BO, Pad


def refused_round(pad):
    """Let the service refuse a round, begin to edit it, and return its group."""
    pad.tell("Ann", Bo=10_000, Oma_Ida=2, 美美=3)
    pad.press("It is right")
    refused = pad.page.get_by_role("group", name="Round 1 was not accepted")
    expect(refused).to_be_visible()
    pad.press("Edit")
    return refused


@pytest.mark.parametrize("dropped", ["Throw away", "Take back"])
def test_what_is_told_anew_counts_though_the_refused_round_is_dropped(league, match, pads, dropped):
    pad = pads()
    refused = refused_round(pad)
    pad.press(dropped)
    expect(refused).to_be_hidden()
    pad.points(Bo=7)
    pad.save()
    expect(pad.page.get_by_role("table", name="Scores")).to_contain_text("12")
    pad.says("All saved")
    assert league.totals(match)["ann"] == 12


def foot(pad):
    return pad.page.locator(".foot")


def test_the_foot_names_the_round_that_is_told_anew(pads):
    pad = pads()
    refused_round(pad)
    expect(foot(pad)).to_contain_text("Round 1: Ann")


def test_a_round_that_was_put_aside_comes_back_as_it_was_told(pads):
    """It comes back by its cards, though the refused round before it was entered by points."""
    pad = pads()
    pad.tell("Ann", Bo=10_000, Oma_Ida=2, 美美=3)
    pad.press("It is right")
    expect(pad.page.get_by_role("group", name="Round 1 was not accepted")).to_be_visible()
    points = pad.page.get_by_role("switch", name="Points", exact=True)
    pad.out("Bo")
    points.uncheck()
    pad.hand("Ann", ("red", "red 9"))
    pad.press("Edit")
    expect(points).to_be_checked()
    pad.points(Bo=7)
    pad.save()
    pad.says("All saved")
    expect(points).not_to_be_checked()
    hand = pad.page.get_by_role("listitem").filter(has_text="Ann's hand")
    expect(hand).to_contain_text("1 card · 9 points")


def test_the_foot_names_the_round_that_was_begun_though_another_phone_saves_it(pads):
    mine, theirs = pads(), pads()
    mine.out("Ann")
    mine.points(**ANN)
    theirs.tell("Bo", **BO)
    expect(mine.page.get_by_role("table", name="Scores")).to_contain_text("6")
    expect(foot(mine)).to_contain_text("Round 1: Ann")
    mine.save()
    expect(mine.page.get_by_role("group", name="Two accounts of round 1")).to_be_visible()


@pytest.fixture
def miscounted(league, match, pads):
    """A pad, and its first round, refused: Ann went out, and the others hold a card each.

    Somebody began the round card by card, and nobody told all that was laid and drawn.
    """
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    pad = pads()
    pad.out("Ann")
    for name, color in (("Bo", "red"), ("Oma Ida", "green"), ("美美", "blue")):
        pad.hand(name, (color, f"{color} 9"))
    pad.save()
    return pad, pad.page.get_by_role("group", name="Round 1 was not accepted")


def test_hands_that_hold_other_numbers_of_cards_than_the_log_knows_are_told_as_played(
    league, match, miscounted
):
    pad, refused = miscounted
    expect(refused).to_contain_text("by the book it holds 7 (X-COUNT)")
    refused.get_by_role("button", name="It was played so").click()
    pad.says("All saved")
    expect(refused).to_be_hidden()
    assert league.totals(match)["ann"] == 27
    pad.press("Take back")
    pad.says("Taken back.")
    assert league.get(match)["phase"] == "playing"


def test_a_round_that_is_told_as_played_leaves_the_form(league, match, miscounted):
    """It would look like the next round there, and one more press would count it twice."""
    pad, refused = miscounted
    refused.get_by_role("button", name="Edit").click()
    refused.get_by_role("button", name="It was played so").click()
    pad.says("All saved")
    expect(pad.page.get_by_role("button", name="Ann", pressed=True)).to_have_count(0)
    expect(pad.page.get_by_role("button", name="Save round")).to_be_disabled()
    assert league.totals(match)["ann"] == 27


def test_what_is_told_as_played_can_replace_what_another_phone_told(league, match, miscounted):
    """The amendment replaces all of the round, so that no number of cards is known there."""
    pad, refused = miscounted
    expect(refused).to_be_visible()
    league.tell(match, tally("bo", ann=1, mei=3, **{"oma-ida": 2}))
    refused.get_by_role("button", name="It was played so").click()
    pad.press("Replace by mine")
    pad.press("Replace")
    pad.says("All saved")
    assert league.totals(match)["ann"] == 27


def test_what_can_not_have_happened_is_not_told_as_played(pads):
    pad = pads()
    refused = refused_round(pad)
    expect(refused.get_by_role("button")).to_have_text(["Edit", "Throw away"])


@pytest.fixture
def called_otherwise(site):
    """A league of people whose names differ from their slugs."""
    return site.league(("Eve", "Frédéric", "美美"), ("e", "f", "mei"))


def test_a_refusal_calls_people_by_their_names(site, phones, called_otherwise):
    league = called_otherwise
    match = league.match(players=["e", "f", "mei"], dealer="e")
    pad = Pad(phones.phone(site, league.scorekeeper), league.slug, match).open()
    pad.tell("Frédéric", Eve=10_001, 美美=3)
    pad.press("It is right")
    refused = pad.page.get_by_role("group", name="Round 1 was not accepted")
    expect(refused).to_contain_text("No hand that Eve can hold is worth 10001 points.")


def test_a_winner_who_was_out_already_leaves_the_form(site, phones, league):
    """Bo's hand of round 1 took him out of the match, as another phone told it."""
    match = league.match(dealer="ann", scoring={"mode": "elimination", "target": 100})
    pad = Pad(phones.phone(site, league.scorekeeper), league.slug, match).open()
    pad.cut()
    pad.tell("Bo", Ann=1, Oma_Ida=2, 美美=3)
    league.tell(match, tally("ann", bo=101, mei=0, **{"oma-ida": 0}))
    pad.join()
    pad.press("Mine is another round")
    refused = pad.page.get_by_role("group", name="Round 2 was not accepted")
    expect(refused).to_contain_text("Bo is out of this match.")
    expect(pad.page.get_by_role("table", name="Scores")).to_contain_text("Bo · out")
    pad.press("Edit")
    save = pad.page.get_by_role("button", name="Save round")
    expect(save).to_be_disabled()
    pad.out("Ann")
    save.click()
    pad.says("All saved")
    assert league.totals(match) == {"ann": 0, "bo": 101, "oma-ida": 2, "mei": 3}


@on_both
def test_a_replacement_is_this_phones_last_tap_and_taken_back_first(league, match, pads):
    mine, theirs = pads(), pads()
    mine.tell("Ann", **ANN)
    mine.says("All saved")
    mine.out("Ann")
    mine.points(**ANN)
    expect(theirs.page.get_by_role("table", name="Scores")).to_contain_text("60")
    theirs.tell("Bo", **BO)
    theirs.says("All saved")
    mine.save()
    mine.press("Replace by mine")
    mine.press("Replace")
    expect(mine.page.get_by_role("table", name="Scores")).to_contain_text("120")

    expect(theirs.page.get_by_role("table", name="Scores")).to_contain_text("120")
    theirs.press("Take back")
    theirs.says("does not count any more")

    mine.press("Take back")
    mine.says("Taken back.")
    assert league.totals(match) == {"ann": 60, "bo": 6, "oma-ida": 0, "mei": 0}
    mine.press("Take back")
    expect(mine.page.get_by_role("table", name="Scores")).not_to_contain_text("60")
    assert league.totals(match) == {"ann": 0, "bo": 6, "oma-ida": 0, "mei": 0}


def test_each_replacement_is_asked_about(league, match, pads):
    mine = pads()
    both = mine.page.get_by_role("group", name="Two accounts of round")
    for _ in range(2):
        mine.out("Ann")
        mine.points(**ANN)
        league.tell(match, tally("bo", **{"ann": 1, "oma-ida": 2, "mei": 3}))
        mine.save()
        expect(both).to_be_visible()
        expect(mine.page.get_by_role("dialog")).to_have_count(0)
        mine.press("Replace by mine")
        mine.press("Replace")
        expect(both).to_be_hidden()
        mine.settled()


NOTE = {"type": "note_added", "text": "From the paper sheet"}


@pytest.mark.parametrize("beside", [[], [NOTE]])
def test_a_round_that_was_inserted_is_replaced_and_no_other(league, match, pads, beside):
    mine = pads()
    league.tell(match, tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30}))
    expect(mine.page.get_by_role("table", name="Scores")).to_contain_text("60")
    mine.out("Ann")
    mine.points(**ANN)
    forgotten = tally("bo", **{"ann": 1, "oma-ida": 2, "mei": 3})
    league.tell(match, NOTE)
    place = league.get(f"{match}/events")["items"][-1]["version"] + 1
    amendment = {"type": "log_amended", "from": place, "remove": 0, "reason": "Forgotten"}
    league.tell(match, amendment | {"insert": [*beside, forgotten, *beside]})
    mine.save()
    mine.press("Replace by mine")
    mine.press("Replace")
    mine.settled()
    assert league.totals(match) == {"ann": 120, "bo": 0, "oma-ida": 0, "mei": 0}
    rounds = league.get(f"{match}/rounds")["items"]
    assert [each["winners"] for each in rounds] == [["ann"], ["ann"]]
    *_, replaced = (
        each["data"]
        for each in league.get(f"{match}/events")["items"]
        if each["data"].get("insert")
    )
    assert [one for one in replaced["insert"] if one["type"] == "note_added"] == [*beside, *beside]


def test_what_may_be_saved_already_is_not_taken_back_without_a_network(league, match, pads):
    mine = pads()
    mine.cut()
    mine.tell("Ann", **ANN)
    mine.says("1 round waits")
    mine.press("Take back")
    mine.says("It may be saved already. Take it back once there is a connection.")
    mine.join()
    scores = mine.page.get_by_role("table", name="Scores")
    expect(scores).to_contain_text("60")
    mine.press("Take back")
    mine.says("Taken back.")
    assert league.totals(match)["ann"] == 0


@pytest.mark.parametrize("typed", ["1.5", "-3"])
def test_what_is_no_number_of_points_stays_as_it_was_typed_until_it_is_mended(pads, typed):
    """The point was dropped, and what came after it stood in front: 51."""
    pad = pads()
    pad.out("Ann")
    pad.points(Oma_Ida=20, 美美=30)
    bo = pad.page.get_by_role("spinbutton", name="Points of Bo")
    bo.press_sequentially(typed)
    expect(bo).to_have_value(typed)
    expect(pad.page.get_by_role("button", name="Save round")).to_be_disabled()
    bo.press("ControlOrMeta+A")
    bo.press_sequentially("15")
    expect(bo).to_have_value("15")
    expect(foot(pad)).to_contain_text("Ann +65")


def test_a_wheel_that_scrolls_the_page_changes_no_points(pads):
    pad = pads()
    pad.page.set_viewport_size({"width": 1024, "height": 400})
    pad.out("Ann")
    pad.points(Bo=12, Oma_Ida=20, 美美=30)
    last = pad.page.get_by_role("spinbutton", name="Points of 美美")
    expect(last).to_be_focused()
    last.hover()
    pad.page.mouse.wheel(0, -120)
    expect(last).not_to_be_focused()
    expect(last).to_have_value("30")
    expect(foot(pad)).to_contain_text("Ann +62")
