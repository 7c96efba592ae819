"""Card by card: a tap is recorded once, and people see what became of it.

The effects of special cards take few taps, and nothing that was filled in is lost.
"""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.card_tapping import CardPad
from tests.browser.evening import NAMES, SLUGS, on_both
from tests.browser.holding import Fault, Held
from tests.browser.padding import send_home

PEOPLE = dict(zip(SLUGS, NAMES, strict=True))
STARTED = ({"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})


@pytest.fixture
def match(league):
    """A match in which it is Bo's turn."""
    begun = league.match(dealer="ann")
    league.tell(begun, *STARTED)
    return begun


class Cards:
    """A phone that records a match card by card."""

    def __init__(self, page, league, match):
        self.page = page
        self.address = f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards"
        self.alert = page.get_by_role("alert")

    def open(self):
        self.page.goto(self.address)
        expect(self.page.get_by_role("button", name="Take back")).to_be_visible()
        return self

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def recorded(self):
        expect(self.page.get_by_role("status")).to_contain_text("Recorded")


@pytest.fixture
def phone(site, phones, league, match):
    def held():
        return Cards(phones.phone(site, league.scorekeeper), league, match)

    return held


def cut(route):
    route.abort()


def test_a_tap_that_was_overtaken_as_the_network_went_is_sent_again(league, match, phone):
    cards = phone()
    cards.page.route("**/live", cut)
    cards.open()
    league.tell(match, {"type": "note_added", "text": "tea"})
    gone = Fault(cards.page, f"**{match}", cut)
    cards.press("Draw")
    expect(cards.alert).to_contain_text("No connection. Try again.")
    gone.mend()
    cards.press("Try again")
    expect(cards.alert).to_contain_text("Somebody told something meanwhile.")
    cards.press("Try again")
    cards.recorded()
    cards.press("Pass")
    expect(cards.page.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    board = league.get(match)
    assert (board["hand_counts"]["bo"], board["turn"]) == (8, "oma-ida")


def test_a_tap_without_a_network_stays_when_the_network_is_back(league, match, phone):
    cards = phone()
    cards.page.clock.install()
    gone = Fault(cards.page, "**/v1/**", cut)
    with cards.page.expect_event("requestfailed"):
        cards.open()
    cards.page.clock.fast_forward(41_000)
    expect(cards.alert).to_have_text("No connection")
    cards.press("Pass")
    expect(cards.alert).to_contain_text("No connection. Try again.")
    league.tell(match, {"type": "cards_drawn", "player": "bo", "count": 1})
    gone.mend()
    cards.page.clock.fast_forward(5_000)
    expect(cards.page.get_by_role("row", name="Bo")).to_contain_text("8")
    cards.press("Try again")
    cards.recorded()
    assert league.get(match)["turn"] == "oma-ida"


@on_both
def test_take_back_takes_what_this_phone_told_also_after_a_reload(league, match, phone):
    mine, theirs = phone().open(), phone().open()
    mine.press("Draw")
    mine.recorded()
    expect(theirs.page.get_by_role("row", name="Bo")).to_contain_text("8")
    expect(theirs.page.get_by_role("button", name="Take back")).to_be_disabled()

    theirs.press("Pass")
    expect(mine.page.get_by_role("heading", name="Oma Ida is on turn")).to_be_visible()
    theirs.press("Take back")
    expect(mine.page.get_by_role("heading", name="Bo is on turn")).to_be_visible()
    assert league.get(match)["hand_counts"]["bo"] == 8

    mine.open().press("Take back")
    expect(mine.page.get_by_role("status")).to_contain_text("Taken back.")
    expect(mine.page.get_by_role("row", name="Bo")).to_contain_text("7")
    expect(mine.page.get_by_role("button", name="Take back")).to_be_disabled()
    board = league.get(match)
    assert (board["phase"], board["hand_counts"]["bo"]) == ("playing", 7)


def test_what_was_taken_back_elsewhere_is_said(league, match, phone):
    cards = phone().open()
    cards.press("Draw")
    cards.recorded()
    version = league.get(match)["version"]
    league.send(f"{match}/undo", {}, if_match=f'"{version}"')
    expect(cards.page.get_by_role("row", name="Bo")).to_contain_text("7")
    cards.press("Take back")
    expect(cards.alert).to_contain_text("does not count any more")
    expect(cards.page.get_by_role("button", name="Take back")).to_be_disabled()


def test_a_device_that_was_sent_home_is_told_to_ask_for_a_new_code(league, match, phone):
    cards = phone().open()
    # The stream would say so, too.
    Fault(cards.page, "**/live", lambda route: route.abort())
    send_home(league)
    with cards.page.expect_response("**/events*"):
        cards.press("Draw")
    expect(cards.alert).to_contain_text("ask for a new code")
    expect(cards.alert).not_to_contain_text("Bearer")


def test_what_can_not_be_told_any_more_or_by_nobody_is_not_offered(site, phones, league):
    match = league.match("fresh", dealer="ann")
    cards = Cards(phones.phone(site, league.scorekeeper), league, match)

    def open_with_all():
        page = cards.open().page
        page.get_by_text("More", exact=True).click()
        return page.get_by_role("combobox", name="What happened?").locator("option")

    events = open_with_all()
    drawn = events.filter(has_text="Cards drawn for the deal")
    sits_in = events.filter(has_text="Somebody sits in")
    expect(drawn).to_have_count(1)
    expect(sits_in).to_have_count(0)
    league.tell(match, tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30}))
    expect(drawn).to_have_count(0)
    league.send("/players", {"player": "cy", "name": "Cy"})
    open_with_all()
    expect(sits_in).to_have_count(1)


def form_for(cards, what):
    """Open the form for what the page does not offer by itself, and return it."""
    cards.page.get_by_text("More", exact=True).click()
    more = cards.page.locator("details").filter(has_text="What happened?")
    more.get_by_role("combobox", name="What happened?").select_option(what)
    return more


def test_a_hand_is_not_shown_before_its_cards_are_listed(phone):
    form = form_for(phone().open(), "Hand shown")
    tell = form.get_by_role("button", name="Tell")
    expect(tell).to_be_disabled()
    form.get_by_role("button", name="red 9").click()
    expect(tell).to_be_enabled()


def test_nobody_draws_less_than_one_card(phone):
    cards = phone().open()
    form = form_for(cards, "Cards drawn")
    form.get_by_role("combobox", name="Who", exact=True).select_option("bo")
    number = form.get_by_label("How many, where nobody names them")
    number.fill("0")
    form.get_by_role("button", name="Tell").click()
    assert number.evaluate("(field) => field.validity.rangeUnderflow")
    expect(cards.alert).to_have_count(0)
    number.fill("1")
    form.get_by_role("button", name="Tell").click()
    cards.recorded()


def test_whoever_is_out_does_not_deal(site, phones, league):
    scoring = {"mode": "elimination", "target": 100}
    match = league.match("duel", players=["ann", "bo", "oma-ida"], scoring=scoring)
    cards = Cards(phones.phone(site, league.scorekeeper), league, match).open()
    asked = cards.page.get_by_role("group", name="Who deals?").get_by_role("button")
    expect(asked).to_have_text(["Ann", "Bo", "Oma Ida"])
    league.tell(match, tally("ann", **{"bo": 150, "oma-ida": 1}))
    expect(asked.or_(cards.page.get_by_label("Dealer").locator("option"))).to_have_text(
        ["Ann", "Oma Ida"]
    )


def test_whoever_is_out_catches_nobody(site, phones, league):
    """Ann's left neighbour is out, and after her skips it is her turn again."""
    match = league.match(
        "elimination",
        players=["ann", "bo", "oma-ida"],
        scoring={"mode": "elimination", "target": 100},
        dealer="oma-ida",
    )
    skips = ("red", "red", "yellow", "yellow", "green", "green")
    league.tell(
        match,
        tally("ann", **{"bo": 150, "oma-ida": 1}),
        {"type": "round_started", "dealer": "oma-ida"},
        {"type": "first_card_turned", "card": "red-5"},
        *({"type": "card_played", "player": "ann", "card": f"{color}-skip"} for color in skips),
    )
    assert league.get(match)["turn"] == "ann"
    cards = Cards(phones.phone(site, league.scorekeeper), league, match).open()
    expect(cards.page.get_by_role("row", name="Ann")).to_contain_text("1 card")
    expect(cards.page.get_by_role("row", name="Bo")).not_to_contain_text("card")
    cards.press("Caught")
    cards.page.get_by_role("spinbutton", name="Points of Ann").fill("20")
    cards.press("Tell")
    cards.recorded()
    told = league.get(f"{match}/events")["items"]
    assert [e["data"]["by"] for e in told if e["type"] == "uno_caught"] == ["oma-ida"]


def lay_what_does_not_match(cards):
    group = cards.page.get_by_role("group", name="Colour", exact=True)
    group.get_by_role("button", name="blue", exact=True).click()
    cards.press("blue 9")


def test_what_the_rules_forbid_is_said_to_be_not_recorded_until_it_is(league, match, phone):
    cards = phone().open()
    lay_what_does_not_match(cards)
    expect(cards.alert).to_contain_text("B-MATCH")
    expect(cards.alert).to_contain_text("Not recorded.")
    expect(cards.alert.get_by_role("paragraph").first).to_have_text(
        "blue-9 does not match red-5 (B-MATCH): same colour, number or symbol, or a wild."
    )
    cards.press("It was played so")
    cards.recorded()
    expect(cards.alert).to_contain_text("B-MATCH")
    expect(cards.alert).not_to_contain_text("Not recorded.")
    assert league.get(match)["top_card"] == "blue-9"


def test_what_was_tapped_after_what_the_rules_forbid_is_said_to_be_not_told(league, match, phone):
    cards = phone().open()
    answer = Held(cards.page, "**/events?*", "POST")
    lay_what_does_not_match(cards)
    answer.wait()
    cards.press("Pass")
    answer.release()
    said = "Not recorded. What was tapped after it is not told."
    expect(cards.alert).to_contain_text(said)
    assert league.get(match)["turn"] == "bo"


@pytest.fixture
def begun(site, phones, league):
    """A function that opens a match card by card on a phone, at Bo's turn."""

    def held(edition, **opening):
        match = league.match("special", edition=edition, dealer="ann", **opening)
        state = league.tell(match, *STARTED)["state"]
        page = phones.phone(site, league.scorekeeper)
        return CardPad(page, league.slug, match, PEOPLE).open(state)

    return held


def laid(pad, card):
    """Choose a special card for Bo, and return the region that asks about it."""
    region = pad.page.get_by_role("region", name="What does it do?")
    group = pad.page.get_by_role("group", name="Colour", exact=True)
    group.get_by_role("button", name="wild", exact=True).click()
    pad.page.get_by_role("button", name=card, exact=True).click()
    return region


def lay(pad, league):
    """Lay the chosen card, and return the recorded event."""
    pad.page.get_by_role("button", name="Lay it").click()
    expect(pad.page.get_by_role("status")).to_contain_text("Recorded")
    told = league.get("/matches/special/events")["items"]
    return next(each["data"] for each in told if each["type"] == "card_played")


def listed(region, color, card):
    region.get_by_role("group", name="Colour").get_by_role("button", name=color).click()
    region.get_by_role("button", name=card, exact=True).click()


def test_cards_that_are_listed_are_discarded_though_nobody_pressed_add(league, begun):
    pad = begun("mickey")
    listed(laid(pad, "wild friendship"), "green", "green 3")
    pad.page.get_by_role("button", name="Never mind").click()
    region = laid(pad, "wild friendship")
    expect(region.get_by_role("heading", name="Cards are discarded")).to_be_visible()
    listed(region, "red", "red 3")
    told = lay(pad, league)
    assert told["effects"] == [{"type": "discard", "player": "bo", "cards": ["red-3"]}]
    assert league.get("/matches/special")["hand_counts"]["bo"] == 5


def test_hands_go_to_the_left_as_is_shown_unless_somebody_says_otherwise(league, begun):
    pad = begun("hello-kitty")
    region = laid(pad, "swap hands")
    takes = {name: f"{name} takes over the hand of" for name in NAMES}
    for name, left in zip(NAMES, (*NAMES[1:], NAMES[0]), strict=True):
        shown = region.get_by_role("combobox", name=takes[name]).locator("option:checked")
        expect(shown).to_have_text(left)
    region.get_by_role("combobox", name=takes["Ann"]).select_option("oma-ida")
    region.get_by_role("combobox", name=takes["Bo"]).select_option("mei")
    region.get_by_role("combobox", name=takes["Oma Ida"]).select_option("ann")
    region.get_by_role("combobox", name=takes["美美"]).select_option("bo")
    told = lay(pad, league)
    hands = {"ann": "oma-ida", "bo": "mei", "oma-ida": "ann", "mei": "bo"}
    assert told["effects"] == [{"type": "swap", "hands": hands}]


def test_hands_that_went_as_the_rule_has_it_are_one_tap(league, begun):
    pad = begun("hello-kitty")
    laid(pad, "swap hands")
    assert lay(pad, league).get("effects") is None
    assert league.get("/matches/special")["hand_counts"]["ann"] == 6


def test_what_the_table_agreed_on_stands_beside_the_card_that_does_it(league, begun):
    agreed = "The next one draws a card"
    pad = begun("mario", options={"question_block": agreed})
    region = laid(pad, "question block")
    expect(region).to_contain_text(agreed)
    region.get_by_role("combobox", name="What happened?").select_option("Cards are drawn")
    region.get_by_role("combobox", name="Who").select_option("Oma Ida")
    told = lay(pad, league)
    assert told["effects"] == [{"type": "draw", "player": "oma-ida", "count": 1}]
    pad.page.goto(f"/l/{league.slug}/m/special")
    expect(pad.page.get_by_role("main")).to_contain_text(agreed)


def test_who_went_out_is_said_while_the_other_hands_are_told(site, phones, league, begun):
    pad = begun("basic", house_rules={"hand_size": 2})
    board = phones.phone(site, league.viewer)
    board.goto(f"/l/{league.slug}/m/special/tv")
    players = ("bo", "oma-ida", "mei", "ann", "bo")
    plays = [
        {"type": "card_played", "player": player, "card": f"red-{number}"}
        for number, player in enumerate(players, 1)
    ]
    league.tell("/matches/special", *plays)
    for page in (pad.page, board):
        expect(page.get_by_text("Bo went out.", exact=True)).to_be_visible()


def test_a_board_says_what_a_card_without_a_colour_is_called(site, phones, league, begun):
    begun("mario")
    star = {"type": "card_played", "player": "bo", "card": "super-star", "color": "green"}
    league.tell("/matches/special", star)
    board = phones.phone(site, league.viewer)
    board.goto(f"/l/{league.slug}/m/special/tv")
    expect(board.get_by_text("super star", exact=True)).to_be_visible()


def test_what_was_said_of_a_tap_is_not_asked_of_the_next_one(phone):
    cards = phone().open()
    cards.press("blue")
    cards.press("blue 7")
    cards.press("It was played so")
    cards.recorded()
    expect(cards.alert).to_contain_text("blue-7 does not match red-5")
    answer = Held(cards.page, "**/events?*", "POST")
    cards.press("Draw")
    answer.wait()
    expect(cards.page.get_by_role("button", name="It was played so")).to_have_count(0)
    answer.release()
    expect(cards.alert).to_have_count(0)


def test_each_button_says_whose_it_is_where_several_have_its_name(league, phone):
    match = league.match("short", dealer="ann", house_rules={"hand_size": 2})
    laid = {"type": "card_played", "player": "bo", "card": "red-draw-two"}
    league.tell(match, *STARTED, laid)
    page = phone().page
    page.goto(f"/l/{league.slug}/m/short/cards")
    for title in ("Oma Ida owes 2 cards", "美美 is on turn"):
        part = page.get_by_role("region", name=title)
        expect(part.get_by_role("button", name="Draw", exact=True)).to_have_count(1)
    for call in ("UNO", "Caught"):
        button = page.get_by_role("button", name=call, exact=True)
        expect(button).to_have_accessible_description("Bo")
