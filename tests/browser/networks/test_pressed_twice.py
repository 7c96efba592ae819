"""Whatever is pressed again, because nothing seemed to happen, is done once."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.holding import Fault, Held
from tests.browser.padding import ANN, BO, Pad

SLOWLY = """(button, shown) => {
    // The second tap of one gesture comes only when what the first one does is shown.
    const label = button.textContent;
    const tap = (detail) => [...document.querySelectorAll("button")]
        .find((each) => each.textContent === label)
        .dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, detail}));
    const watch = new MutationObserver(() => {
        if (!document.body.textContent.includes(shown)) return;
        watch.disconnect();
        tap(2);
        document.body.dataset.tapped = "twice";
    });
    watch.observe(document.body, {subtree: true, childList: true, characterData: true});
    tap(1);
}"""


def test_the_last_round_is_taken_back_and_not_the_one_before(league, match, pads):
    pad = pads()
    for told in (ANN, {name: 2 * points for name, points in ANN.items()}):
        pad.tell("Ann", **told)
        pad.says("All saved")
        pad.settled()
    answer = Held(pad.page, "**/undo?*", "POST")
    pad.press("Take back")
    answer.wait()
    pad.press("Take back")
    answer.release()
    pad.says("Taken back.")
    pad.tell("Bo", **BO)
    pad.says("All saved")
    assert league.totals(match) == {"ann": 60, "bo": 6, "oma-ida": 0, "mei": 0}


def test_a_double_tap_takes_back_one_round(league, match, pads):
    pad = pads()
    for told in (ANN, {name: 2 * points for name, points in ANN.items()}):
        pad.tell("Ann", **told)
        pad.says("All saved")
        pad.settled()
    expect(pad.page.get_by_role("table", name="Scores")).to_contain_text("180")
    back = pad.page.get_by_role("button", name="Take back")
    back.evaluate(SLOWLY, "Taken back.")
    expect(pad.page.locator("body")).to_have_attribute("data-tapped", "twice")
    pad.tell("Bo", **BO)
    pad.says("All saved")
    assert league.totals(match) == {"ann": 60, "bo": 6, "oma-ida": 0, "mei": 0}


@pytest.fixture
def asked(league, match, pads):
    """A pad that asks about round 1, and then about round 2: both are recorded differently."""
    pad = pads()
    pad.cut()
    pad.tell("Ann", **ANN)
    pad.tell("Ann", **ANN)
    pad.says("2 rounds wait")
    theirs = tally("bo", ann=1, **{"oma-ida": 2, "mei": 3})
    league.tell(match, theirs, theirs)
    pad.join()
    expect(pad.page.get_by_role("group", name="Two accounts of round 1")).to_be_visible()
    return pad


def asks_about_the_second_alone(pad):
    pad.says("1 round waits")
    expect(pad.page.get_by_role("group", name="Two accounts of round 2")).to_be_visible()
    pad.press("Keep theirs")
    pad.says("All saved")


def test_a_double_tap_answers_one_question(asked):
    """The next question appears in the same place, before anybody can have read it."""
    keep = asked.page.get_by_role("button", name="Keep theirs")
    keep.evaluate(SLOWLY, "Two accounts of round 2")
    expect(asked.page.locator("body")).to_have_attribute("data-tapped", "twice")
    asks_about_the_second_alone(asked)


def test_a_press_that_began_at_one_question_does_not_answer_the_next(asked):
    other = Pad(asked.page.context.new_page(), "", "")
    other.page.goto(asked.page.url)
    expect(other.page.get_by_role("group", name="Two accounts of round 1")).to_be_visible()
    asked.page.get_by_role("button", name="Keep theirs").hover()
    asked.page.mouse.down()
    other.press("Keep theirs")
    other.says("1 round waits")
    asked.back()
    expect(asked.page.get_by_role("group", name="Two accounts of round 2")).to_be_visible()
    asked.page.mouse.up()
    asks_about_the_second_alone(asked)


def tap_twice(button):
    button.dblclick()


def hold_enter(button):
    button.focus()
    for _ in range(3):
        button.page.keyboard.down("Enter")
    button.page.keyboard.up("Enter")


@pytest.mark.parametrize("press", [tap_twice, hold_enter])
def test_one_round_is_saved_though_another_was_put_aside_for_it(league, match, pads, press):
    pad = pads()
    pad.tell("Ann", Bo=10_000, Oma_Ida=2, 美美=3)
    pad.press("It is right")
    expect(pad.page.get_by_role("group", name="Round 1 was not accepted")).to_be_visible()
    pad.out("Bo")
    pad.points(**BO)
    pad.press("Edit")
    pad.points(**ANN)
    press(pad.page.get_by_role("button", name="Save round"))
    pad.says("All saved")
    expect(pad.page.locator(".foot")).to_contain_text("Round 2: Bo")
    assert league.totals(match) == {"ann": 60, "bo": 0, "oma-ida": 0, "mei": 0}


def test_what_was_told_last_card_by_card_is_taken_back_once(site, phones, league):
    match = league.match(dealer="ann")
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards")
    bo = page.get_by_role("row", name="Bo")
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(bo).to_contain_text("8 cards")
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    back = page.get_by_role("button", name="Take back")
    answer = Held(page, "**/undo?*", "POST")
    back.click()
    answer.wait()
    back.click()
    answer.release()
    expect(page.get_by_role("heading", name="Bo is on turn")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(bo).to_contain_text("8 cards")


class Drawing:
    """A phone at Bo's turn, with the house rule to draw until a card can be played."""

    def __init__(self, site, phones, league):
        rules = {"drawing": "until-playable"}
        self.match = league.match(dealer="ann", house_rules=rules)
        begun = {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"}
        league.tell(self.match, *begun)
        self.page = phones.phone(site, league.scorekeeper)
        self.page.goto(f"/l/{league.slug}{self.match.replace('/matches/', '/m/')}/cards")
        self.draw = self.page.get_by_role("button", name="Draw", exact=True)
        self.back = self.page.get_by_role("button", name="Take back")
        self.holds(7)

    def holds(self, number):
        expect(self.page.get_by_role("row", name="Bo")).to_contain_text(f"{number} cards")

    def passes(self):
        """Pass, which comes last: every earlier tap is recorded by then, or never will be."""
        self.page.get_by_role("button", name="Pass", exact=True).click()
        expect(self.page.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()


@pytest.fixture
def drawing(site, phones, league):
    return Drawing(site, phones, league)


def drawn(league, drawing):
    return league.get(drawing.match)["hand_counts"]["bo"] - 7


def test_a_double_tap_draws_once_and_two_taps_twice(league, drawing):
    drawing.draw.dblclick()
    drawing.holds(8)
    drawing.draw.click()
    drawing.holds(9)
    drawing.draw.click()
    drawing.passes()
    assert drawn(league, drawing) == 3


def test_a_double_tap_draws_once_though_the_answer_comes_in_between(league, drawing):
    drawing.draw.evaluate(SLOWLY, "Recorded")
    expect(drawing.page.locator("body")).to_have_attribute("data-tapped", "twice")
    drawing.passes()
    assert drawn(league, drawing) == 1


def test_what_is_tapped_again_while_it_is_recorded_is_told_once(league, drawing):
    answer = Held(drawing.page, "**/events?*", "POST")
    drawing.draw.click()
    answer.wait()
    drawing.draw.click()
    answer.release()
    drawing.passes()
    assert drawn(league, drawing) == 1


def test_a_double_tap_takes_back_one_draw(league, drawing):
    for number in (8, 9):
        drawing.draw.click()
        drawing.holds(number)
    sent = []
    drawing.page.on("request", lambda each: "/undo" in each.url and sent.append(each.url))
    drawing.back.evaluate(SLOWLY, "Taken back.")
    expect(drawing.page.locator("body")).to_have_attribute("data-tapped", "twice")
    drawing.page.evaluate("async () => void (await (await fetch(location.href)).text())")
    drawing.passes()
    assert (len(sent), drawn(league, drawing)) == (1, 1)


def test_a_tab_that_is_held_goes_on_from_button_to_button(drawing):
    drawing.draw.focus()
    for _ in range(2):
        drawing.page.keyboard.down("Tab")
    drawing.page.keyboard.up("Tab")
    expect(drawing.draw).not_to_be_focused()
    expect(drawing.page.get_by_role("button", name="Pass", exact=True)).not_to_be_focused()


def test_a_key_that_is_held_draws_once(league, drawing):
    hold_enter(drawing.draw)
    drawing.holds(8)
    drawing.passes()
    assert drawn(league, drawing) == 1


PRESSED_ON_AND_ON = """(button) => {
    button.click();
    setInterval(() => button.click(), 10);
}"""


def test_a_phone_comes_in_once(site, phones, league):
    made = league.send("/invitations", {"role": "scorekeeper", "uses": 6})
    page = phones.phone(site)
    page.goto(made["url"])
    page.get_by_role("textbox", name="Whose phone is this?").fill("Bo")
    sent = []
    page.on("request", lambda each: each.method == "POST" and sent.append(each.url))
    page.route(f"**/l/{league.slug}", late)
    page.get_by_role("button", name="Join").evaluate(PRESSED_ON_AND_ON)
    expect(page.get_by_role("heading", name="Friday evenings")).to_be_visible()
    assert sent == [f"{site.url}/v1/session"]
    assert [each["name"] for each in league.get("/tokens")["items"]].count("Bo") == 1


def late(route):
    route.request.frame.page.wait_for_timeout(300)
    route.fallback()


def test_an_invitation_is_made_once(site, phones, league):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    page.route("**/admin", late)
    page.get_by_role("button", name="Invite", exact=True).evaluate(PRESSED_ON_AND_ON)
    expect(page.get_by_role("region", name="Show this to whom you invite")).to_be_visible()
    assert len(league.get("/invitations")["items"]) == 1


def test_whoever_comes_back_to_a_form_that_led_on_can_send_it_again(site, phones):
    page = phones.phone(site)
    page.goto("/")
    code = page.get_by_role("textbox", name="Code")
    code.fill("K7QF-2M9X")
    staying = Fault(page, "**/join", lambda route: route.fulfill(status=204))
    join = page.get_by_role("button", name="Join")
    join.click()
    expect(join).to_be_disabled()
    staying.mend()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    join.click()
    page.wait_for_url("**/join*")
