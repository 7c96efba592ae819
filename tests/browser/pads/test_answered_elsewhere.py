"""What a phone begins to tell, and another one tells first, is not told of a later turn."""

import pytest
from playwright.sync_api import expect

STARTED = ({"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})


@pytest.fixture
def opened(site, phones, league):
    """A function that tells the first events of a match of two, and opens it card by card."""

    def held(*events, **opening):
        match = league.match(**{"dealer": "ann", "players": ["ann", "bo"]} | opening)
        league.tell(match, *events)
        page = phones.phone(site, league.scorekeeper)
        page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards")
        return page, match

    return held


def press(page, *names):
    for name in names:
        page.get_by_role("button", name=name, exact=True).click()


def drawn(player):
    return [{"type": "cards_drawn", "player": player}, {"type": "turn_passed", "player": player}]


def on_turn(page, name):
    expect(page.get_by_role("heading", name=f"{name} is on turn")).to_be_visible()


def test_a_drawn_card_that_was_named_for_a_turn_that_is_over(league, opened):
    page, match = opened(*STARTED)
    press(page, "Name the drawn card", "red 7")
    expect(page.get_by_role("button", name="Put back red 7")).to_be_visible()
    league.tell(match, {"type": "note_added", "text": "tea"})
    league.tell(match, drawn("bo")[0])
    expect(page.get_by_role("row", name="Bo")).to_contain_text("8 cards")
    # It is Bo's turn still, and nobody has said which card it was.
    expect(page.get_by_role("button", name="Put back red 7")).to_be_visible()
    league.tell(match, drawn("bo")[1])
    on_turn(page, "Ann")
    league.tell(match, *drawn("ann"))
    on_turn(page, "Bo")
    press(page, "Draw")
    expect(page.get_by_role("status")).to_contain_text("Recorded")
    last = league.get(f"{match}/events")["items"][-1]
    assert last["data"].get("cards") is None


def test_uno_that_was_called_for_a_card_that_another_phone_told(league, opened):
    begun = ({"type": "round_started", "hands": {"bo": ["red-1", "red-2"]}}, STARTED[1])
    page, match = opened(*begun, house_rules={"hand_size": 2})
    press(page, "UNO called")
    league.tell(match, {"type": "card_played", "player": "bo", "card": "red-1", "uno": True})
    on_turn(page, "Ann")
    press(page, "red 3")
    expect(page.get_by_role("status")).to_contain_text("Recorded")
    last = [each for each in league.get(f"{match}/events")["items"] if not each["inferred"]][-1]
    assert last["data"]["player"] == "ann"
    assert last["data"].get("uno") is None


def test_a_hand_that_another_phone_told(league, opened):
    shown = {"type": "card_played", "player": "bo", "card": "red-1", "uno": True}
    begun = ({"type": "round_started", "hands": {"bo": ["red-1", "red-2"]}}, STARTED[1])
    out = {"type": "card_played", "player": "bo", "card": "red-2"}
    page, match = opened(*begun, shown, *drawn("ann"), out, house_rules={"hand_size": 2})
    press(page, "red 7")
    expect(page.get_by_role("button", name="Put back red 7")).to_be_visible()
    league.tell(match, {"type": "hand_counted", "player": "ann", "points": 12})
    expect(page.get_by_role("button", name="Start round")).to_be_visible()
    again = {"type": "round_started", "hands": {"bo": ["red-1", "red-2"]}, "dealer": "ann"}
    league.tell(match, again, STARTED[1], shown, *drawn("ann"), out)
    expect(page.get_by_role("heading", name="Ann's hand")).to_be_visible()
    expect(page.get_by_role("button", name="Put back")).to_have_count(0)


def test_a_card_and_its_effects_instead_of_which_another_phone_told_a_card(league, opened):
    page, match = opened(*STARTED, edition="hello-kitty", players=["ann", "bo", "mei"])
    press(page, "wild", "swap hands")
    asked = page.get_by_role("region", name="What does it do?")
    expect(asked).to_be_visible()
    league.tell(match, {"type": "note_added", "text": "tea"})
    expect(asked).to_be_visible()
    league.tell(match, {"type": "card_played", "player": "bo", "card": "red-7"})
    on_turn(page, "美美")
    expect(asked).to_be_hidden()


def test_uno_that_was_called_while_somebody_else_drew_for_a_catch(league, opened):
    """The draw that another phone tells is not the question to which UNO belongs."""
    begun = ({"type": "round_started", "hands": {"bo": ["red-1", "red-2"]}}, STARTED[1])
    laid = {"type": "card_played", "player": "bo", "card": "red-1"}
    caught = {"type": "uno_caught", "player": "bo", "by": "ann"}
    page, match = opened(*begun, laid, caught, house_rules={"hand_size": 2})
    press(page, "UNO called")
    league.tell(match, {"type": "cards_drawn", "player": "bo", "count": 2})
    expect(page.get_by_role("row", name="Bo")).to_contain_text("3 cards")
    expect(page.get_by_role("button", name="UNO called")).to_have_attribute("aria-pressed", "true")
    press(page, "red 3")
    expect(page.get_by_role("status")).to_contain_text("Recorded")
    last = [each for each in league.get(f"{match}/events")["items"] if not each["inferred"]][-1]
    assert last["data"]["uno"] is True


def test_two_cards_with_which_another_phone_did_not_answer(league, opened):
    """Whoever may lay on a draw and whoever is on turn after it are asked at the same time."""
    rules = {"stacking": "any", "at_once": "identical"}
    laid = {"type": "card_played", "player": "bo", "card": "red-draw-two"}
    three = ["ann", "bo", "mei"]
    page, match = opened(*STARTED, laid, players=three, house_rules=rules)
    answer, turn = page.get_by_label("How many").all()
    answer.fill("2")
    expect(turn).to_have_value("1")
    league.tell(match, {"type": "cards_drawn", "player": "mei", "count": 2})
    expect(page.get_by_role("heading", name="美美 owes")).to_be_hidden()
    expect(page.get_by_label("How many")).to_have_value("1")
