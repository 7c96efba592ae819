"""If an earlier round is taken back, a round that was begun is saved under its new number."""

import pytest
from playwright.sync_api import expect

from tests.browser.holding import Held
from tests.browser.padding import ANN, BO


def told(league, match):
    return [(each["round"], *each["winners"]) for each in league.get(f"{match}/rounds")["items"]]


def recorded(pad, winner, total, **points):
    pad.tell(winner, **points)
    expect(scores(pad)).to_contain_text(str(total))
    pad.says("All saved")


def scores(pad):
    return pad.page.get_by_role("table", name="Scores")


def foot(pad):
    return pad.page.locator(".foot")


def refused(pad, number):
    return pad.page.get_by_role("group", name=f"Round {number} was not accepted")


def begin(pad, winner, **points):
    pad.out(winner)
    pad.points(**points)


def tell_on(pad, shown):
    """Save the refused round again, after checking that the form shows its new number."""
    pad.press("Edit")
    expect(foot(pad)).to_contain_text(shown)
    pad.save()
    pad.says("All saved")


@pytest.fixture
def both(pads):
    """A phone that recorded round 1, and one that shows it."""
    theirs, mine = pads(), pads()
    recorded(theirs, "Ann", 60, **ANN)
    expect(scores(mine)).to_contain_text("60")
    return theirs, mine


def test_a_round_that_was_begun_when_another_phone_takes_back_the_last_one(league, match, both):
    theirs, mine = both
    begin(mine, "Bo", **BO)
    theirs.press("Take back")
    expect(scores(mine)).not_to_contain_text("60")
    mine.save()
    expect(refused(mine, 2)).to_contain_text("the next is round 1")
    tell_on(mine, "Round 1: Bo")
    assert told(league, match) == [(1, "bo")]


def test_rounds_that_wait_when_another_phone_takes_back_the_last_one(league, match, both):
    theirs, mine = both
    mine.cut()
    mine.tell("Bo", **BO)
    mine.tell("Ann", **ANN)
    mine.says("2 rounds wait")
    theirs.press("Take back")
    theirs.says("Taken back.")
    mine.join()
    expect(refused(mine, 2)).to_be_visible()
    tell_on(mine, "Round 1: Bo")
    assert told(league, match) == [(1, "bo"), (2, "ann")]


def test_the_round_before_is_told_anew_before_the_one_behind_it_is(league, match, both):
    theirs, mine = both
    begin(mine, "Bo", **BO)
    theirs.press("Take back")
    theirs.says("Taken back.")
    mine.save()
    expect(refused(mine, 2)).to_be_visible()
    recorded(theirs, "Ann", 60, **ANN)
    expect(scores(mine)).to_contain_text("60")
    tell_on(mine, "Round 2: Bo")
    assert told(league, match) == [(1, "ann"), (2, "bo")]


def test_a_round_that_took_another_place_is_not_counted_as_the_one_told_anew_there(
    league, match, both
):
    theirs, mine = both
    begin(mine, "Ann", **ANN)
    theirs.press("Take back")
    theirs.says("Taken back.")
    mine.save()
    mine.press("Edit")
    expect(foot(mine)).to_contain_text("Round 1: Ann")
    recorded(theirs, "Ann", 60, **ANN)
    mine.save()
    expect(mine.page.get_by_role("group", name="Two accounts of round 1")).to_be_visible()
    mine.press("Mine is another round")
    mine.says("All saved")
    assert told(league, match) == [(1, "ann"), (2, "ann")]


def test_the_answer_of_a_take_back_is_lost_and_a_round_told_meanwhile(league, match, pads):
    pad = pads()
    recorded(pad, "Ann", 60, **ANN)
    begin(pad, "Bo", **BO)
    answer = Held(pad.page, "**/undo?*", "POST")
    pad.press("Take back")
    answer.wait()
    pad.save()
    answer.release(lost=True)
    expect(refused(pad, 2)).to_be_visible()
    tell_on(pad, "Round 1: Bo")
    assert told(league, match) == [(1, "bo")]


@pytest.mark.parametrize("dropped", ["Throw away", "Take back"])
def test_a_round_that_was_begun_behind_a_refused_one_takes_its_place(league, match, pads, dropped):
    pad = pads()
    pad.tell("Ann", Bo=10_000, Oma_Ida=2, 美美=3)
    pad.press("It is right")
    expect(refused(pad, 1)).to_be_visible()
    begin(pad, "Bo", **BO)
    expect(foot(pad)).to_contain_text("Round 2: Bo")
    pad.press(dropped)
    expect(refused(pad, 1)).to_be_hidden()
    expect(foot(pad)).to_contain_text("Round 1: Bo")
    pad.save()
    pad.says("All saved")
    assert told(league, match) == [(1, "bo")]


def test_a_round_that_was_begun_behind_another_round_counts_though_it_reads_the_same(
    league, match, pads
):
    theirs, mine = pads(), pads()
    mine.cut()
    mine.tell("Ann", **ANN)
    theirs.tell("Bo", **BO)
    theirs.says("All saved")
    mine.join()
    both = mine.page.get_by_role("group", name="Two accounts of round 1")
    expect(both).to_be_visible()
    begin(mine, "Ann", **ANN)
    expect(foot(mine)).to_contain_text("Round 2: Ann")
    mine.press("Mine is another round")
    expect(scores(mine)).to_contain_text("60")
    expect(foot(mine)).to_contain_text("Round 3: Ann")
    mine.save()
    mine.says("All saved")
    assert told(league, match) == [(1, "bo"), (2, "ann"), (3, "ann")]


def test_what_was_begun_comes_after_the_refused_round_that_is_told_anew(league, match, pads):
    pad = pads()
    pad.tell("Ann", Bo=10_000, Oma_Ida=2, 美美=3)
    pad.press("It is right")
    expect(refused(pad, 1)).to_be_visible()
    begin(pad, "Bo", **BO)
    pad.press("Edit")
    expect(foot(pad)).to_contain_text("Round 1: Ann")
    pad.page.reload()
    expect(foot(pad)).to_contain_text("Round 1: Ann")
    pad.points(Bo=7)
    pad.save()
    expect(scores(pad)).to_contain_text("12")
    expect(foot(pad)).to_contain_text("Round 2: Bo")
    pad.save()
    expect(scores(pad)).to_contain_text("6")
    pad.says("All saved")
    assert told(league, match) == [(1, "ann"), (2, "bo")]


def test_a_key_that_is_held_takes_back_one_round(league, match, pads):
    pad = pads()
    for total in (60, 120):
        recorded(pad, "Ann", total, **ANN)
    pad.page.get_by_role("button", name="Take back").focus()
    pad.page.keyboard.down("Enter")
    pad.says("Taken back.")
    for _ in range(3):
        pad.page.keyboard.down("Enter")
    pad.page.keyboard.up("Enter")
    recorded(pad, "Bo", 6, **BO)
    assert told(league, match) == [(1, "ann"), (2, "bo")]
