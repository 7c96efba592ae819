"""What pads and replays say of conflicts, refusals and outages."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.holding import Fault
from tests.browser.padding import ANN, BO, tell_though_sent_home, told_by_two

WAIT = "This token has asked too often. Wait for 57 seconds."
# What a screen reader says by itself: each such part, as it reads once a word in it is another.
HEARING = """() => {
    window.heard = [];
    const spoken = "[role=status], [role=alert], [aria-live]";
    const hear = (changes) => changes.filter(({oldValue, target}) => oldValue !== target.data)
        .map(({target}) => (target.closest ? target : target.parentElement)?.closest(spoken))
        .forEach((part) => part && heard.push(part.textContent));
    const all = {subtree: true, childList: true, characterDataOldValue: true};
    new MutationObserver(hear).observe(document.body, all);
}"""
DOWN = "The service can't answer at the moment. Try again in 5 seconds."
OUTAGES = [
    (429, {"code": "too-many-requests", "detail": WAIT}, WAIT),
    (503, {"code": "unavailable", "detail": "The database is starting."}, DOWN),
]


def answering(status, problem):
    def answer(route):
        headers = {"retry-after": "5", "content-type": "application/problem+json"}
        route.fulfill(status=status, headers=headers, body=json.dumps(problem))

    return answer


def test_two_accounts_are_announced_and_one_replaces_the_other_without_a_warning(pads):
    mine, theirs = pads(), pads()
    warnings = []
    mine.page.on("console", lambda said: warnings.append(said.text))
    mine.out("Ann")
    mine.points(**ANN)
    theirs.tell("Bo", **BO)
    theirs.says("All saved")
    mine.save()
    mine.says("Decide about round 1 · 1 round waits")
    mine.press("Replace by mine")
    asked = mine.page.get_by_role("dialog")
    expect(asked).to_have_accessible_description(re.compile("read like this:.*Ann.*Bo: 10 points"))
    mine.press("Cancel")
    expect(asked).to_be_hidden()
    mine.press("Replace by mine")
    mine.press("Replace")
    mine.says("All saved")
    assert not [text for text in warnings if "submission" in text]


def test_what_a_tap_does_is_said_to_whoever_does_not_see_it(pads):
    pad = pads()
    page = pad.page
    pad.says("All saved")
    page.evaluate(HEARING)
    pad.out("Ann")
    pad.hand("Bo", ("red", "red 9"), ("red", "red 8"))
    assert page.evaluate("[...new Set(heard)]") == ["1 card · 9 points", "2 cards · 17 points"]
    pad.points(Bo=351, Oma_Ida=20, 美美=30)
    save = page.get_by_role("button", name="Save round")
    expect(save).to_have_accessible_description("Round 1: Ann +401")
    page.evaluate("heard = []")
    save.click()
    doubt = "Bo with 351 points: that is more than seven of the worst cards."
    expect(page.get_by_role("dialog")).to_have_accessible_name(doubt)
    pad.press("It is right")
    expect(page.get_by_role("table", name="Scores")).to_contain_text("401")
    pad.says("All saved")
    assert set(page.evaluate("heard")) == {"1 round waits", "All saved", "Ann401"}


def test_what_others_play_and_what_is_listed_is_said_to_whoever_does_not_see_it(
    site, phones, league, match
):
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/m/first/cards")
    expect(page.get_by_role("heading", name="Bo is on turn")).to_be_visible()
    page.evaluate(HEARING)
    league.tell(match, {"type": "card_played", "player": "bo", "card": "red-7"})
    expect(page.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    assert said(page) == {"Bo 6 cards · red 7 · red · Oma Ida is on turn"}
    page.get_by_role("button", name="Name the drawn card").click()
    for card in ("red 9", "red 8"):
        page.get_by_role("button", name=card, exact=True).click()
    assert said(page) == {"1 card", "2 cards"}
    page.get_by_role("button", name="Put back red 9").click()
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.get_by_role("row", name="Oma Ida")).to_contain_text("8 cards")
    expect(page.get_by_role("status")).to_have_text("Recorded")
    assert said(page) == {"1 card", "Recorded"}
    page.get_by_role("group", name="Cards", exact=True).get_by_role("button", name="red 8").click()
    expect(page.get_by_role("status")).to_have_text("Recorded · red 8")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("status")).to_have_text("Taken back.")


def said(page):
    """Return what a screen reader has said since it was asked last."""
    return {text for text in page.evaluate("heard.splice(0)") if text}


def test_a_round_after_the_end_is_refused_in_words_for_people(league, match, pads):
    pad = pads()
    pad.out("Ann")
    pad.points(**ANN)
    league.tell(match, tally("bo", ann=200, **{"oma-ida": 200, "mei": 200}))
    pad.save()
    pad.press("Mine is another round")
    refused = pad.page.get_by_role("group", name="Round 2 was not accepted")
    expect(refused).to_contain_text("The match is over. What you told is kept here.")
    expect(refused).not_to_contain_text("round_tallied")
    pad.says("Decide about round 2 · 1 round waits")


@pytest.mark.parametrize(("status", "problem", "said"), OUTAGES)
def test_whoever_answers_that_it_can_not_is_no_missing_connection(
    site, phones, league, match, pads, status, problem, said
):
    pad = pads()
    outage = Fault(pad.page, "**/events?*", answering(status, problem))
    pad.tell("Ann", **ANN)
    pad.says("1 round waits · The service can't answer at the moment.")
    outage.mend()
    pad.says("All saved")

    cards = phones.phone(site, league.scorekeeper)
    outage = Fault(cards, "**/events?*", answering(status, problem))
    cards.goto(f"/l/{league.slug}/m/first/cards")
    cards.get_by_role("button", name="Start round").click()
    expect(cards.get_by_role("alert")).to_contain_text(said)
    outage.mend()
    cards.get_by_role("button", name="Try again").click()
    expect(cards.get_by_role("status")).to_contain_text("Recorded")

    replay = phones.phone(site, league.scorekeeper)
    replay.goto(f"/l/{league.slug}/m/first/r/1")
    replay.get_by_role("button", name="What if").click()
    replay.route("**/what-if?*", answering(status, problem))
    replay.get_by_role("button", name="Not played").click()
    expect(replay.get_by_role("alert")).to_have_text(said)


def test_a_seat_keeps_its_name_on_buttons_beside_whoever_sits_in(league, match, pads):
    league.send("/players", {"player": "dora", "name": "Dora"})
    league.tell(match, tally("bo", ann=1, **{"oma-ida": 2, "mei": 3}))
    league.tell(match, {"type": "player_substituted", "player": "bo", "substitute": "dora"})
    pad = pads()
    who = pad.page.get_by_role("group", name="Who went out?")
    expect(who.get_by_role("button", name="Bo", exact=True)).to_contain_text("Dora")
    pad.out("Ann")
    expect(pad.page.get_by_role("button", name="Bo's hand", exact=True)).to_contain_text("Dora")
    pad.points(**ANN)
    expect(pad.page.get_by_text("Dora for Bo")).to_have_count(2)


def test_what_was_said_of_a_round_that_waited_is_over_once_it_is_saved(site, league, match, pads):
    pad = pads()
    tell_though_sent_home(league, pad)
    again = league.send("/tokens", {"role": "scorekeeper", "name": "Ann's phone"})["token"]
    pad.page.context.add_cookies([site.cookie(again)])
    pad.says("All saved")
    expect(pad.page.get_by_role("status")).to_have_text("All saved")
    assert league.totals(match)["ann"] == 60


def differing(pads):
    """Return a pad that asks about two accounts of round 1, and the pad that recorded it first."""
    mine, theirs = told_by_two(pads)
    mine.save()
    mine.says("Decide about round 1")
    return mine, theirs


def replace(pad):
    pad.press("Replace by mine")
    pad.press("Replace")


def test_an_account_replaces_another_though_other_rounds_were_told_since(league, match, pads):
    mine, theirs = differing(pads)
    theirs.tell("Bo", **BO)
    theirs.says("All saved")
    replace(mine)
    mine.says("All saved")
    first, second = league.get(f"{match}/rounds")["items"]
    assert (first["winners"], second["winners"]) == (["ann"], ["bo"])


def test_whoever_replaces_an_account_that_is_another_by_now_is_asked_again(league, match, pads):
    mine, _ = differing(pads)
    round_ = league.get(f"{match}/rounds/1")
    told = tally("mei", **{"ann": 7, "bo": 8, "oma-ida": 9})
    first, last = round_["first_version"], round_["last_version"]
    amendment = {"type": "log_amended", "from": first, "remove": last + 1 - first, "insert": [told]}
    league.tell(match, amendment | {"reason": "It was 美美."})
    replace(mine)
    asked = mine.page.get_by_role("group", name="Two accounts of round 1")
    expect(asked).to_contain_text("Ann: 7 points")
    expect(mine.page.get_by_role("status")).to_have_text("Decide about round 1 · 1 round waits")
    assert league.get(f"{match}/rounds/1")["winners"] == ["mei"]
    replace(mine)
    mine.says("All saved")
    assert league.get(f"{match}/rounds/1")["winners"] == ["ann"]


@pytest.mark.parametrize("path", ["pad", "cards"])
def test_a_match_that_ends_is_said_to_be_over(site, phones, league, match, path):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/m/first/{path}")
    expect(page.get_by_role("button", name="Take back")).to_be_visible()
    page.evaluate(HEARING)
    league.tell(match, tally("bo", ann=200, **{"oma-ida": 200, "mei": 200}))
    over = "The match is over. ★ Bo "
    expect(page.get_by_text(over)).to_be_visible()
    assert over in page.evaluate("heard")


def test_what_stays_as_it_was_is_not_said_again_with_each_letter(site, phones, league):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/t/new")
    page.get_by_text("House rules", exact=True).click()
    for rule in ("jump_in", "at_once"):
        page.locator(f"[name='house.{rule}']").select_option(index=1)
    expect(page.locator("#at-odds")).to_contain_text("exclude each other")
    page.evaluate(HEARING)
    page.get_by_role("textbox", name="People who are new").press_sequentially("Cy\nDi\nEd\nFy\nGo")
    assert len(set(heard := page.evaluate("heard"))) == len(heard) == 2


@pytest.mark.parametrize("path", ["/join", "/l/{}/new", "/l/{}/t/new"])
def test_a_hint_under_a_field_is_read_out_with_it(site, phones, league, path):
    page = phones.phone(site, league.scorekeeper)
    page.goto(path.format(league.slug))
    expect(page.locator("form :is(input, select)").first).to_be_visible()
    for edition in page.locator("option[value=mario]").all():
        edition.locator("..").select_option("mario")
    hints = page.locator("form label + p.hint")
    expect(hints).not_to_have_count(0)
    for hint in hints.all():
        field = hint.locator("xpath=preceding-sibling::label[1]").locator("input, select, textarea")
        told = hint.inner_text() or hint.text_content()
        expect(field).to_have_accessible_description(told.strip())
