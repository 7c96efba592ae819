"""What if: steps at which nothing can differ, and whose numbers would change."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.pages.test_replay_by_hand import CHALLENGED, ROUND, Replay

GUILTY = ["red-1", "red-2", "green-3", "green-4", "yellow-1", "yellow-2"]
INNOCENT = ["green-1", "green-2", "green-3", "green-4", "yellow-1", "yellow-2"]


@pytest.fixture
def league(site):
    return site.league()


def trying(site, phones, league, match, kind):
    """The replay at the step of an event of this kind, with "What if" open."""
    kinds = [item["event"]["type"] for item in league.get(f"{match}/rounds/1/replay")["items"]]
    replay = Replay(phones.phone(site, league.owner), league, match).open(kinds.index(kind) + 1)
    replay.press("What if")
    return replay


@pytest.mark.parametrize(
    ("told", "found", "other"),
    [
        ({"guilty": True}, "Guilty", "Innocent"),
        ({"hand": GUILTY}, "Guilty", "Innocent"),
        ({"hand": INNOCENT}, "Innocent", "Guilty"),
    ],
)
def test_the_verdict_that_was_found_changes_nothing(site, phones, league, told, found, other):
    match = league.match(dealer="ann")
    *before, challenge = CHALLENGED
    league.tell(match, *before, {"type": challenge["type"], "by": challenge["by"]} | told)
    replay = trying(site, phones, league, match, challenge["type"])
    status = replay.page.get_by_role("status")
    replay.press(other)
    expect(status).to_contain_text("numbers would change")
    replay.press(found)
    expect(status).to_have_text("No number would change.")
    assert replay.changes() == {}
    expect(replay.page.get_by_role("button", name="Amend")).to_have_count(0)
    replay.press(other)
    expect(status).to_contain_text("numbers would change")


def test_the_card_that_was_told_changes_nothing(site, phones, league):
    match = league.match(dealer="ann")
    league.tell(match, *ROUND[:3])
    replay = trying(site, phones, league, match, "card_played")
    replay.press("Another card")
    colours = replay.page.get_by_role("group", name="Colour of the card")
    cards = replay.page.get_by_role("group", name="Cards", exact=True)
    status = replay.page.get_by_role("status")
    for card, said in (("red 7", "No number would change."), ("red 6", "would change")):
        colours.get_by_role("button", name="red", exact=True).click()
        cards.get_by_role("button", name=card, exact=True).click()
        expect(status).to_contain_text(said)


def test_what_was_amended_since_is_tried_as_corrected(site, phones, league):
    match = league.match(dealer="ann")
    told = league.tell(match, tally("ann", bo=1, mei=3, **{"oma-ida": 2}))["version"] - 1
    mended = tally("ann", bo=1, mei=3, **{"oma-ida": 20})
    league.tell(
        match,
        {"type": "log_amended", "from": told, "remove": 1, "insert": [mended], "reason": "twenty"},
    )
    replay = trying(site, phones, league, match, "round_tallied")
    replay.page.get_by_role("link", name="As recorded").click()
    replay.press("What if")
    replay.press("Not played")
    expect(replay.page.get_by_role("alert")).to_contain_text("amend the log as corrected")
    replay.page.get_by_role("link", name="As corrected").click()
    replay.press("What if")
    replay.press("Not played")
    expect(replay.page.get_by_role("status")).to_contain_text("would change")


def test_of_a_note_it_is_not_said_that_nobody_told_it(site, phones, league):
    match = league.match(dealer="ann")
    league.tell(match, *ROUND[:3], {"type": "note_added", "text": "Bo thinks."})
    replay = trying(site, phones, league, match, "note_added")
    asking = replay.page.locator("#asking section")
    expect(asking).to_have_text("Notes, disputes, rulings and amendments can't be tried otherwise.")


def test_what_changes_is_said_by_the_names_of_people_and_their_teams(site, phones):
    """The slugs in the log look like names of fields, numbers or colours."""
    called = {"1": "Ann", "total": "Bo", "won": "Oma Ida", "red": "美美"}
    league = site.league(list(called.values()), list(called))
    match = league.match(players=list(called), teams=[["1", "won"], ["total", "red"]], dealer="1")
    hands = {"1": {"points": 2}, "won": {"points": 3}, "red": {"points": 0}}
    league.tell(match, {"type": "round_tallied", "winners": ["total"], "hands": hands})
    replay = trying(site, phones, league, match, "round_tallied")
    replay.press("Not played")
    expect(replay.page.get_by_role("status")).to_contain_text("would change")
    rows = replay.page.locator("tr[data-at]")
    shown = {
        row.get_attribute("data-at"): row.locator("th, td").all_text_contents()
        for row in rows.all()
    }
    assert shown["/match/teams/0/total"] == ["Ann + Oma Ida · Total", "5", "0"]
    assert shown["/match/totals/1"] == ["Ann · Total", "5", "0"]
    assert shown["/match/rounds_won/total"] == ["Bo · Rounds won", "1", "0"]
    assert shown["/rounds/1/winners/0"] == ["Winner · 1", "Bo", "–"]
    assert shown["/rounds/1/players/0"] == ["Seat · 1", "Ann", "–"]
    assert shown["/rounds/1/hands/1/points"] == ["Ann · Hand · Points", "2", "–"]


def test_it_is_said_which_card_is_to_be_another(site, phones, league):
    match = league.match(dealer="ann")
    league.tell(match, *ROUND)
    replay = trying(site, phones, league, match, "round_tallied")
    replay.press("Another card")
    first = replay.page.get_by_role("button", name="Ann: red skip", exact=True)
    other = replay.page.get_by_role("button", name="Oma Ida: wild", exact=True)
    expect(first).to_have_attribute("aria-current", "true")
    other.click()
    expect(other).to_have_attribute("aria-current", "true")
    expect(first).to_have_attribute("aria-current", "false")


def test_the_focus_stays_in_what_if_while_the_steps_are_gone_through_by_keys(site, phones, league):
    match = league.match(dealer="ann")
    league.tell(match, *ROUND[:4])
    replay = trying(site, phones, league, match, "card_played")
    otherwise = replay.page.get_by_role("button", name="Not played")
    otherwise.press("Enter")
    expect(replay.page.get_by_role("status")).to_contain_text("would change")
    otherwise.press("ArrowRight")
    replay.at(4, 4)
    expect(replay.page.locator("#asking section")).to_be_focused()
