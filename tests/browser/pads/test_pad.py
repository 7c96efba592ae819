"""A round is never lost and never counted twice, whatever the network and the other phone do."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import each_on_sqlite_one_on_postgresql, on_both
from tests.browser.holding import Fault
from tests.browser.padding import ANN, BO, Pad, send_home, tell_though_sent_home, told_by_two
from tests.browser.waiting import until


def rounds(league, match):
    return [(r["winners"], r["scores"]) for r in league.get(f"{match}/rounds")["items"]]


def test_a_round_by_its_cards_in_two_taps_and_the_cards(league, match, pads):
    pad = pads()
    pad.out("Ann")
    pad.hand("Bo", ("red", "red 9"), ("wild", "wild"))
    pad.hand("Oma Ida", ("blue", "blue skip"))
    expect(pad.page.get_by_role("button", name="Save round")).to_be_disabled()
    pad.hand("美美", ("green", "green 7"))
    expect(pad.page.get_by_text("Ann +86")).to_be_visible()
    pad.save()
    pad.says("All saved")
    assert league.totals(match) == {"ann": 86, "bo": 0, "oma-ida": 0, "mei": 0}
    scores = pad.page.get_by_role("table", name="Scores")
    expect(scores.get_by_role("row", name="Ann")).to_contain_text("86")


def test_the_pad_says_which_round_is_told_next(pads):
    pad = pads()
    heading = pad.page.locator(".who h2")
    expect(heading).to_have_text("Round 1: Who went out?")
    pad.tell("Ann", **ANN)
    expect(heading).to_have_text("Round 2: Who went out?")


def test_what_the_box_no_longer_holds_is_grey(pads):
    pad = pads()
    pad.out("Ann")
    pad.hand("Bo", ("red", "red 0"))
    zero = pad.page.get_by_role("group", name="Cards").get_by_role("button", name="red 0")
    expect(zero).to_be_disabled()


def test_an_unlikely_number_is_asked_about_once(league, match, pads):
    pad = pads()
    pad.tell("Ann", Bo=351, Oma_Ida=1, 美美=1)
    pad.press("Change")
    assert rounds(league, match) == []
    pad.save()
    pad.press("It is right")
    pad.says("All saved")
    assert league.totals(match)["ann"] == 353


def test_an_unlikely_hand_of_cards_is_opened_to_be_changed(pads):
    pad = pads()
    pad.out("Ann")
    pad.hand("Oma Ida", *[("wild", "wild draw four")] * 4, *[("wild", "wild")] * 4)
    pad.hand("Bo", ("red", "red 9"))
    pad.hand("美美", ("red", "red 9"))
    pad.save()
    pad.press("Change")
    hand = pad.page.get_by_role("button", name="Oma Ida's hand")
    expect(hand).to_be_focused()
    expect(hand).to_have_attribute("aria-expanded", "true")
    expect(pad.page.get_by_role("button", name="Put back")).to_have_count(8)


def test_what_is_half_told_survives_a_reload_and_counts_once(league, match, pads):
    """Phones unload pages in the background, and a change of the language reloads the page."""
    pad = pads()
    pad.out("Ann")
    pad.hand("Bo", ("red", "red 9"), ("wild", "wild"))
    pad.open()
    ann = pad.page.get_by_role("group", name="Who went out?").get_by_role("button", name="Ann")
    expect(ann).to_have_attribute("aria-pressed", "true")
    expect(pad.page.locator(".hands")).to_contain_text("2 cards · 59 points")
    pad.hand("Oma Ida", ("blue", "blue skip"))
    pad.hand("美美", ("green", "green 7"))
    pad.save()
    pad.says("All saved")
    assert league.totals(match) == {"ann": 86, "bo": 0, "oma-ida": 0, "mei": 0}
    pad.open()
    expect(ann).to_have_attribute("aria-pressed", "false")


def test_what_is_half_told_is_still_the_round_that_was_begun(league, match, pads):
    """Somebody else has told it meanwhile: both accounts are shown, and neither is lost."""
    mine, _ = told_by_two(pads)
    mine.open()
    mine.save()
    expect(mine.page.get_by_role("group", name="Two accounts of round 1")).to_be_visible()
    assert len(rounds(league, match)) == 1


def test_rounds_told_without_a_network_survive_a_reload(league, match, pads):
    pad = pads()
    pad.cut()
    for _ in range(3):
        pad.tell("Ann", **ANN)
    pad.says("3 rounds wait")
    assert rounds(league, match) == []
    pad.open()
    pad.says("3 rounds wait")
    pad.join()
    pad.says("All saved")
    assert league.totals(match)["ann"] == 180


@on_both
def test_an_answer_that_was_lost_counts_once(league, match, pads):
    pad = pads()
    lost = []

    def lose(route):
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    pad.page.context.route("**/events?*", lose)
    pad.tell("Ann", **ANN)
    pad.says("waits")
    pad.tell("Bo", **BO)
    pad.says("All saved")
    assert lost == [201]
    assert league.totals(match) == {"ann": 60, "bo": 6, "oma-ida": 0, "mei": 0}


@each_on_sqlite_one_on_postgresql("by", ["points", "cards"])
def test_two_phones_that_tell_the_same_round_count_once(league, match, pads, by):
    mine, theirs = pads(), pads()
    for pad, cards in ((mine, ("red 9", "red 1")), (theirs, ("red 1", "red 9"))):
        pad.out("Ann")
        if by == "points":
            pad.points(**ANN)
        else:
            pad.hand("Bo", *(("red", card) for card in cards))
            pad.hand("Oma Ida", ("blue", "blue skip"))
            pad.hand("美美", ("green", "green skip"), ("green", "green 8"), ("green", "green 2"))
    theirs.save()
    theirs.says("All saved")
    mine.save()
    mine.says("Counted once.")
    assert league.totals(match)["ann"] == 60


def test_the_same_points_of_other_cards_are_two_accounts(league, match, pads):
    pad = pads()
    pad.out("Ann")
    pad.hand("Bo", ("red", "red 9"))
    pad.hand("Oma Ida", ("blue", "blue 1"))
    pad.hand("美美", ("green", "green 1"))
    league.tell(match, tally("ann", **{"bo": ["red-8", "red-1"], "oma-ida": 1, "mei": 1}))
    pad.save()
    both = pad.page.get_by_role("group", name="Two accounts of round 1")
    expect(both).to_contain_text("red 8, red 1")
    expect(both).to_contain_text("red 9")


def test_two_rounds_that_wait_are_each_held_against_their_round(league, match, pads):
    mine, theirs = pads(), pads()
    mine.cut()
    mine.tell("Ann", **ANN)
    mine.tell("Bo", **BO)
    mine.says("2 rounds wait")
    theirs.tell("Ann", **ANN)
    theirs.says("All saved")
    mine.join()
    mine.says("Counted once.")
    mine.settled()
    assert league.totals(match) == {"ann": 60, "bo": 6, "oma-ida": 0, "mei": 0}


@each_on_sqlite_one_on_postgresql(
    "choice, expected",
    [
        ("Keep theirs", {"ann": 0, "bo": 6}),
        ("Throw away", {"ann": 0, "bo": 6}),
        ("Mine is another round", {"ann": 60, "bo": 6}),
        ("Replace by mine", {"ann": 60, "bo": 0}),
    ],
)
def test_accounts_that_differ_are_decided_by_the_person(league, match, pads, choice, expected):
    mine, _ = told_by_two(pads)
    mine.save()
    both = mine.page.get_by_role("group", name="Two accounts of round 1")
    expect(both).to_be_visible()
    assert league.totals(match)["ann"] == 0
    mine.press(choice)
    if choice == "Replace by mine":
        mine.press("Replace")
    expect(both).to_be_hidden()
    mine.settled()
    assert {p: league.totals(match)[p] for p in ("ann", "bo")} == expected


def test_a_question_stays_as_it_is_while_nobody_can_be_reached(league, match, pads):
    mine, _ = told_by_two(pads)
    mine.save()
    both = mine.page.get_by_role("group", name="Two accounts of round 1")
    expect(both).to_be_visible()
    mine.cut()
    mine.back()
    mine.says("No connection")
    expect(both).to_be_visible()
    mine.press("Keep theirs")
    mine.says("All saved")
    assert {p: league.totals(match)[p] for p in ("ann", "bo")} == {"ann": 0, "bo": 6}


def test_an_account_replaces_another_that_replaced_one_and_gives_way_again(league, match, pads):
    held = [pads() for _ in range(3)]
    for points, pad in enumerate(held, 10):
        pad.out("Ann")
        pad.points(**ANN | {"Bo": points})
    for pad in held:
        pad.save()
        if pad is not held[0]:
            pad.press("Replace by mine")
            pad.press("Replace")
        pad.says("All saved")
    assert league.totals(match)["ann"] == 62
    for pad, total in zip(reversed(held), (61, 60, 0), strict=True):
        pad.press("Take back")
        pad.says("Taken back.")
        assert league.totals(match)["ann"] == total


def test_an_account_replaces_a_round_of_which_cards_were_taken_back(league, match, pads):
    pad = pads()
    pad.out("Ann")
    pad.points(**ANN)
    cards = [{"type": "card_played", "player": "bo", "card": card} for card in ("red-7", "red-8")]
    first = {"type": "first_card_turned", "card": "red-5"}
    version = league.tell(match, {"type": "round_started"}, first, cards[0])["version"]
    league.send(f"{match}/undo", {}, if_match=f'"{version}"')
    behind = tally("bo", ann=4, **{"oma-ida": 4, "mei": 4})
    league.tell(match, cards[1], tally("bo", ann=3, **{"oma-ida": 3, "mei": 3}), behind)
    pad.save()
    pad.press("Replace by mine")
    pad.press("Replace")
    pad.says("All saved")
    assert league.totals(match) == {"ann": 60, "bo": 12, "oma-ida": 0, "mei": 0}
    assert league.get(match)["voided"] == 0


def test_a_note_in_between_asks_nobody(league, match, pads):
    pad = pads()
    pad.out("Ann")
    league.tell(match, {"type": "note_added", "text": "tea"})
    pad.points(**ANN)
    pad.save()
    pad.says("All saved")
    assert league.totals(match)["ann"] == 60


def test_a_round_that_is_refused_stays_with_its_reason(league, match, pads):
    pad = pads()
    pad.cut()
    pad.tell("Ann", **ANN)
    pad.tell("Bo", Ann=10_000, Oma_Ida=2, 美美=3)
    pad.press("It is right")
    pad.tell("Ann", **ANN)
    pad.says("3 rounds wait")
    pad.join()
    refused = pad.page.get_by_role("group", name="Round 2 was not accepted")
    expect(refused).to_be_visible()
    assert league.totals(match)["ann"] == 60
    pad.press("Throw away")
    expect(refused).to_be_hidden()
    pad.says("All saved")
    assert league.totals(match) == {"ann": 120, "bo": 0, "oma-ida": 0, "mei": 0}


def test_a_round_that_is_refused_is_put_right(league, match, pads):
    pad = pads()
    pad.cut()
    pad.tell("Ann", Bo=10_000, Oma_Ida=2, 美美=3)
    pad.press("It is right")
    pad.tell("Bo", **BO)
    pad.join()
    refused = pad.page.get_by_role("group", name="Round 1 was not accepted")
    expect(refused).to_be_visible()
    pad.press("Edit")
    pad.points(Bo=10)
    pad.save()
    expect(refused).to_be_hidden()
    pad.says("All saved")
    assert league.totals(match) == {"ann": 15, "bo": 6, "oma-ida": 0, "mei": 0}


@on_both
def test_take_back_takes_this_phones_last_round(league, match, pads):
    mine, theirs = pads(), pads()
    mine.tell("Ann", **ANN)
    mine.says("All saved")
    expect(theirs.page.get_by_role("table", name="Scores")).to_contain_text("60")
    theirs.tell("Bo", **BO)
    theirs.says("All saved")
    theirs.press("Take back")
    theirs.says("Taken back.")
    assert league.totals(match) == {"ann": 60, "bo": 0, "oma-ida": 0, "mei": 0}


def test_a_device_that_was_sent_home_keeps_what_it_told(league, match, pads):
    pad = pads()
    tell_though_sent_home(league, pad)
    pad.says("1 round waits")


def test_a_device_that_was_sent_home_takes_nothing_back(league, match, pads):
    pad = pads()
    pad.tell("Ann", **ANN)
    pad.says("All saved")
    # The stream would say so, too.
    Fault(pad.page, "**/live", lambda route: route.abort())
    send_home(league)
    with pad.page.expect_response("**/undo*"):
        pad.press("Take back")
    pad.says("ask for a new code")
    assert league.totals(match)["ann"] == 60


def test_a_match_that_was_won_meanwhile_is_said(league, match, pads):
    pad = pads()
    pad.out("Ann")
    pad.points(**ANN)
    league.tell(
        match,
        {
            "type": "round_tallied",
            "winners": ["bo"],
            "hands": {"ann": {"points": 200}, "oma-ida": {"points": 200}, "mei": {"points": 200}},
        },
    )
    pad.save()
    pad.press("Mine is another round")
    expect(pad.page.get_by_role("group", name="Round 2 was not accepted")).to_be_visible()
    expect(pad.page.get_by_text("The match is over. What you told is kept here.")).to_be_visible()


# Gives the test access to the database, to close it as a browser may: without any event.
CLOSABLE = """
    const open = indexedDB.open.bind(indexedDB);
    indexedDB.open = (...told) => {
        const request = open(...told);
        request.addEventListener("success", () => (globalThis.kept = request.result));
        return request;
    };
"""


def test_a_round_is_saved_though_the_browser_has_closed_the_database(league, match, pads):
    pad = pads()
    pad.page.add_init_script(CLOSABLE)
    pad.open()
    until(pad.page, "() => globalThis.kept !== undefined")
    pad.page.evaluate("kept.close()")
    pad.tell("Ann", **ANN)
    pad.says("All saved")
    assert league.totals(match)["ann"] == 60


@pytest.mark.parametrize(("points", "asked"), [(ANN, False), (BO, True)], ids=["same", "other"])
def test_a_round_that_two_tabs_of_a_phone_tell_without_a_network_counts_once(
    league, match, pads, points, asked
):
    one = pads()
    other = Pad(one.page.context.new_page(), league.slug, match).open()
    cut = one.cut()
    one.tell("Ann", **ANN)
    one.says("1 round waits")
    other.tell("Bo" if asked else "Ann", **points)
    other.says("2 rounds wait")
    cut.mend()
    other.back()
    if asked:
        expect(other.page.get_by_role("group", name="Two accounts of round 1")).to_be_visible()
        other.press("Keep theirs")
    other.settled()
    assert rounds(league, match) == [(["ann"], {"ann": 60, "bo": 0, "oma-ida": 0, "mei": 0})]


def test_a_tab_that_is_looked_at_again_says_what_waits_since_another_one_told_it(
    league, match, pads
):
    one = pads()
    other = Pad(one.page.context.new_page(), league.slug, match).open()
    other.says("All saved")
    one.cut()
    one.tell("Ann", **ANN)
    other.seen()
    other.says("1 round waits")
