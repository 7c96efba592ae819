"""House rules on the pages: explained, chosen and remembered, and used card by card."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.card_tapping import CardPad
from tests.browser.evening import NAMES, SLUGS
from tests.browser.pages.test_replay_by_hand import Replay

PEOPLE = dict(zip(SLUGS, NAMES, strict=True))
ANN, BO, IDA, MEI = SLUGS


def test_a_house_rule_is_found_by_the_search_of_a_booklet(site, phones):
    phone = phones.phone(site)
    phone.goto("/e/mario#V-SEVEN")
    heading = phone.get_by_role("heading", name="House rules")
    expect(phone.locator("#V-SEVEN")).to_be_in_viewport()
    search = phone.get_by_role("searchbox", name="Search")
    search.fill("exchanges the whole hand")
    expect(phone.get_by_role("status")).to_have_text("1 clause")
    expect(heading).to_be_visible()
    expect(phone.get_by_role("link", name="V-SEVEN")).to_be_visible()
    search.fill("M-STAR")
    expect(phone.get_by_role("listitem").first).to_be_visible()
    expect(heading).to_be_hidden()


def start(phone, league):
    """Open the match, and return its path below the league in the API."""
    phone.get_by_role("button", name="Start match").click()
    phone.wait_for_url("**/pad")
    return f"/matches/{re.search(r'/m/([^/]+)/pad', phone.url)[1]}"


def choose(page, **variants):
    """Choose variants of house rules, each given by the labels of rule and variant."""
    for label, variant in variants.items():
        rule = page.get_by_role("combobox", name=label.replace("_", " "))
        rule.select_option(label=variant)


def test_a_league_chooses_its_house_rules_once_and_repeats_them_with_one_tap(site, phones):
    league = site.league()
    phone = phones.phone(site, league.scorekeeper)
    phone.goto(f"/l/{league.slug}/new")
    expect(phone.get_by_role("combobox", name="Stacking")).to_have_count(0)
    phone.get_by_text("House rules", exact=True).click()
    choose(phone, Stacking="each on its own kind", Seven="exchange hands with somebody")
    phone.get_by_role("spinbutton", name="Cards dealt").fill("9")
    first = league.get(start(phone, league))
    assert first["house_rules"] == {"stacking": "same", "seven": "swap", "hand_size": 9}

    phone.goto(f"/l/{league.slug}/new")
    folded = phone.locator("summary").filter(has_text="House rules")
    expect(folded).to_contain_text("Stacking: each on its own kind; ")
    expect(folded).to_contain_text("Cards dealt: 9")
    again = league.get(start(phone, league))
    assert again["house_rules"] == first["house_rules"]
    assert again["match"] != first["match"]


def test_what_the_question_block_does_is_agreed_once_and_repeated_with_one_tap(site, phones):
    league = site.league()
    phone = phones.phone(site, league.scorekeeper)
    block = phone.get_by_role("textbox", name="What the question block does")
    edition = phone.get_by_role("combobox", name="Edition")
    agreed = {"question_block": "Everybody draws one card"}
    for repeated in (False, True):
        phone.goto(f"/l/{league.slug}/new")
        if not repeated:
            edition.select_option("mario")
            block.fill("Everybody draws one card ")
        expect(block).to_be_visible()
        assert league.get(start(phone, league))["options"].items() >= agreed.items()
    phone.goto(f"/l/{league.slug}/new")
    edition.select_option("basic")
    expect(block).to_be_hidden()
    assert "question_block" not in league.get(start(phone, league))["options"]


def test_what_excludes_each_other_is_said_before_start_and_by_the_service(site, phones):
    league = site.league([f"P{n}" for n in range(10)], [f"p-{n}" for n in range(10)])
    phone = phones.phone(site, league.scorekeeper)
    phone.goto(f"/l/{league.slug}/new")
    phone.get_by_role("combobox", name="Edition").select_option("basic")
    phone.get_by_text("House rules", exact=True).click()
    choose(phone, Jump="wilds too", Several_at_once="identical cards")
    status = phone.locator("#at-odds")
    expect(status).to_have_text("These house rules exclude each other: Several at once, Jump-in.")
    phone.get_by_role("button", name="Start match").click()
    alert = phone.get_by_role("alert")
    expect(alert).to_have_text("The house rules jump_in, at_once exclude each other.")

    choose(phone, Jump="As the booklet says")
    phone.get_by_role("spinbutton", name="Cards dealt").fill("11")
    expect(status).to_contain_text("11 cards for each of 10 people leave none to turn up")
    phone.get_by_role("checkbox", name="P9").uncheck()
    expect(status).to_be_empty()
    board = league.get(start(phone, league))
    assert board["house_rules"] == {"at_once": "identical", "hand_size": 11}


def test_a_number_out_of_range_is_shown_though_it_is_folded_away(site, phones):
    league = site.league()
    phone = phones.phone(site, league.scorekeeper)
    phone.goto(f"/l/{league.slug}/new")
    phone.get_by_text("House rules", exact=True).click()
    dealt = phone.get_by_role("spinbutton", name="Cards dealt")
    dealt.fill("21")
    phone.locator("summary").click()
    expect(dealt).to_be_hidden()
    phone.get_by_role("button", name="Start match").click()
    expect(dealt).to_be_visible()
    assert league.get("/matches")["items"] == []


def test_a_tournament_is_opened_with_the_house_rules_of_the_league(site, phones):
    league = site.league()
    league.match(house_rules={"zero": "pass"})
    desk = phones.phone(site, league.scorekeeper, size=(1280, 900))
    desk.goto(f"/l/{league.slug}/t/new")
    for name in NAMES:
        desk.get_by_role("checkbox", name=name, exact=True).check()
    desk.get_by_text("House rules", exact=False).first.click()
    choose(desk, Drawing="until a card can be played")
    desk.get_by_role("textbox", name="Name of the tournament").fill("The cup")
    desk.get_by_role("button", name="Show who sits where").click()
    expect(desk.get_by_role("table", name="Who sits where")).to_be_visible()
    desk.get_by_role("button", name="Open tournament").click()
    desk.wait_for_url(re.compile(r"/t/(?!new)[^?]+$"))
    cup = league.get("/tournaments/" + desk.url.rpartition("/")[2])
    assert cup["house_rules"] == {"zero": "pass", "drawing": "until-playable"}
    table = cup["segments"][0]["tables"][0]["match"]
    assert league.get(f"/matches/{table}")["house_rules"] == cup["house_rules"]


def play(player, card, **how):
    return {"type": "card_played", "player": player, "card": card} | how


def draw(player, *cards, **how):
    return {"type": "cards_drawn", "player": player} | ({"cards": [*cards]} if cards else {}) | how


BEGUN = [{"type": "round_started", "dealer": ANN}, {"type": "first_card_turned", "card": "red-5"}]
EVENINGS = {
    "stacks, exchanges, passes and jumps in": (
        {"stacking": "same", "jump_in": "colored", "seven": "swap", "zero": "pass"},
        [
            play(BO, "red-7", swap_with=MEI),
            play(IDA, "red-0"),
            play(MEI, "red-draw-two"),
            play(ANN, "blue-draw-two"),
            play(MEI, "blue-draw-two", jump_in=True),
            draw(ANN, count=6),
            play(BO, "blue-7", swap_with=ANN),
            play(BO, "blue-7", jump_in=True, swap_with=IDA),
            play(IDA, "wild-draw-four", color="red"),
            play(MEI, "wild-draw-four", color="green"),
            {"type": "wild_draw_four_challenged", "by": ANN, "guilty": False},
        ],
    ),
    "lays several at once": (
        {"at_once": "identical", "stacking": "any"},
        [
            play(BO, "red-skip", count=2),
            play(ANN, "red-draw-two", count=2),
            play(BO, "wild-draw-four", count=2, color="blue"),
            draw(IDA, count=12),
            play(MEI, "blue-3"),
        ],
    ),
    "draws until a card can be played": (
        {"drawing": "until-playable", "forced_play": "drawn"},
        [draw(BO, "blue-1"), draw(BO, "green-2"), draw(BO, "red-9"), play(BO, "red-9")],
    ),
}


@pytest.mark.parametrize(
    ("site", "evening"),
    [
        *(("sqlite", evening) for evening in EVENINGS),
        ("postgresql", "stacks, exchanges, passes and jumps in"),
    ],
    indirect=["site"],
    scope="session",
)
def test_a_table_taps_what_its_house_rules_have(site, phones, evening):
    chosen, events = EVENINGS[evening]
    league = site.league()
    opening = {"edition": "basic", "dealer": ANN, "house_rules": chosen}
    tapped, told = (league.match(match, **opening) for match in ("tapped", "told"))
    league.tell(told, *BEGUN, *events)

    pad = CardPad(phones.phone(site, league.scorekeeper), league.slug, tapped, PEOPLE)
    pad.open(league.get(tapped))
    for event in [*BEGUN, *events]:
        pad.tell(event)

    # Neither the list of other events nor a confirmed violation was needed.
    assert pad.clauses == []
    expect(pad.page.get_by_role("combobox", name="What happened?")).to_be_hidden()
    board, expected = league.get(tapped), league.get(told)
    for each in ("turn", "direction", "top_card", "color", "pending", "hand_counts", "totals"):
        assert board[each] == expected[each]
    assert board["house_rules"] == chosen


def test_a_hit_player_is_offered_what_the_house_rules_let_lie_on_the_penalty(site, phones):
    league = site.league()
    match = league.match(dealer=ANN, house_rules={"stacking": "higher", "wild_draw_four": "free"})
    pad = CardPad(phones.phone(site, league.scorekeeper), league.slug, match, PEOPLE)
    pad.open(league.get(match))
    for event in [*BEGUN, play(BO, "red-draw-two")]:
        pad.tell(event)
    place = pad.page.get_by_role("group", name="Lay on it")
    expect(place.get_by_role("button")).to_have_count(5)
    expect(pad.answers(IDA, "wild-draw-four")).to_be_visible()
    pad.tell(play(IDA, "wild-draw-four", color="blue"))
    expect(place.get_by_role("button")).to_have_count(1)
    expect(pad.page.get_by_role("button", name="Challenge")).to_have_count(0)
    pad.tell(draw(MEI, count=6))
    expect(place).to_have_count(0)


def test_nothing_is_offered_to_be_laid_on_the_last_card_of_a_hand(site, phones):
    league = site.league()
    house = {"stacking": "same", "hand_size": 2}
    match = league.match(dealer=ANN, edition="mario", players=[ANN, BO], house_rules=house)
    league.tell(match, *BEGUN, play(BO, "red-1"), play(ANN, "red-3"), play(BO, "red-draw-two"))
    pad = CardPad(phones.phone(site, league.scorekeeper), league.slug, match, PEOPLE)
    pad.open(league.get(match))
    expect(pad.page.get_by_role("heading", name="Ann owes 2 cards")).to_be_visible()
    expect(pad.page.get_by_role("group", name="Lay on it")).to_have_count(0)


@pytest.mark.parametrize("house_rules", [{}, {"stacking": "same", "jump_in": "any"}])
def test_a_card_that_was_turned_up_is_not_laid_on_or_jumped_in_on(site, phones, house_rules):
    league = site.league()
    match = league.match(dealer=ANN, house_rules=house_rules)
    pad = CardPad(phones.phone(site, league.scorekeeper), league.slug, match, PEOPLE)
    pad.open(league.get(match))
    pad.tell(BEGUN[0])
    pad.tell({"type": "first_card_turned", "card": "red-draw-two"})
    expect(pad.page.get_by_role("heading", name="Bo owes 2 cards")).to_be_visible()
    expect(pad.page.get_by_role("group", name="Lay on it")).to_have_count(0)
    jump_in = pad.page.get_by_role("button", name="Jump in")
    expect(jump_in).to_have_count(0)
    pad.tell(play(IDA, "red-draw-two"))
    expect(jump_in).to_have_count(1 if house_rules else 0)
    expect(pad.page.get_by_role("group", name="Lay on it")).to_have_count(len(house_rules) // 2)


def test_uno_is_asked_of_whoever_jumps_in_and_of_whoever_takes_over_one_card(site, phones):
    league = site.league()
    house = {"jump_in": "colored", "seven": "swap", "hand_size": 2}
    match = league.match(dealer=MEI, players=[ANN, BO, IDA, MEI], house_rules=house)
    pad = CardPad(phones.phone(site, league.scorekeeper), league.slug, match, PEOPLE)
    pad.open(league.get(match))
    for event in [
        {"type": "round_started", "dealer": MEI, "hands": {BO: ["red-3", "red-9"]}},
        BEGUN[1],
        play(ANN, "red-3", uno=True),
        play(BO, "red-3", jump_in=True, uno=True),
        play(IDA, "red-7", swap_with=BO, uno=False),
    ]:
        pad.tell(event)
    board = league.get(match)
    assert board["hand_counts"] == {ANN: 1, BO: 1, IDA: 1, MEI: 2}
    log = [entry["data"] for entry in league.get(f"{match}/events")["items"]]
    assert [entry.get("uno") for entry in log if "card" in entry][1:] == [True, True, False]


def test_a_number_of_cards_is_deleted_and_typed_anew(site, phones):
    """As on a phone, which shows no arrows beside it."""
    league = site.league()
    match = league.match(dealer=ANN, house_rules={"at_once": "identical"})
    league.tell(match, *BEGUN)
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/m/first/cards")
    field = page.get_by_role("spinbutton", name="How many")
    field.focus()
    for key in ("End", "Backspace"):
        field.press(key)
    expect(field).to_have_value("")
    field.press("2")
    expect(field).to_have_value("2")
    cards = page.get_by_role("group", name="Cards", exact=True)
    cards.get_by_role("button", name="red 7", exact=True).click()
    expect(page.get_by_role("row", name="Bo")).to_contain_text("5 cards")
    expect(field).to_have_value("1")


def test_what_if_lets_an_exchange_go_with_its_card_and_asks_with_whom_for_another(site, phones):
    league = site.league()
    match = league.match(dealer=ANN, house_rules={"seven": "swap"})
    league.tell(match, *BEGUN, play(BO, "red-7", swap_with=MEI), draw(IDA), draw(MEI))
    league.tell(match, {"type": "turn_passed", "player": MEI}, play(ANN, "red-8"))

    def changes(version, event):
        asked = {"from": version, "remove": 1, "insert": [event | {"as_played": True}]}
        found = league.send(f"{match}/what-if", asked)
        return {each["at"] for each in found["changes"]}

    replay = Replay(phones.phone(site, league.scorekeeper), league, match).open(step=3)
    replay.press("What if")
    shown = replay.replaced(None, "red", "red 9")
    assert shown.keys() == changes(4, play(BO, "red-9"))
    assert any("/hands/" in at for at in shown)

    steps = len(league.get(f"{match}/rounds/1/replay")["items"])
    replay = Replay(phones.phone(site, league.scorekeeper), league, match).open(step=steps)
    replay.press("What if")
    replay.press("Another card")
    replay.page.get_by_role("button", name="red 7", exact=True).click()
    replay.page.get_by_role("combobox", name="With whom?").select_option("Bo")
    expect(replay.page.get_by_text("would change")).to_be_visible()
    version = league.get(match)["version"]
    assert replay.changes().keys() == changes(version, play(ANN, "red-7", swap_with=BO))


def test_two_people_exchange_hands_without_a_question(site, phones):
    league = site.league()
    match = league.match(dealer=ANN, players=[ANN, BO], house_rules={"seven": "swap"})
    phone = phones.phone(site, league.scorekeeper)
    pad = CardPad(phone, league.slug, match, dict(list(PEOPLE.items())[:2]))
    pad.open(league.get(match))
    for event in [*BEGUN, play(BO, "red-7", swap_with=ANN), play(ANN, "red-7", swap_with=BO)]:
        pad.tell(event)
    assert league.get(match)["hand_counts"] == {ANN: 7, BO: 5}


def test_the_board_on_the_wall_says_what_is_played(site, phones):
    league = site.league()
    league.match(house_rules={"stacking": "same", "hand_size": 9})
    wall = phones.phone(site, league.viewer, size=(1920, 1080), language="zh-TW")
    wall.goto(f"/l/{league.slug}/m/first/tv")
    expect(wall.get_by_text("疊加罰牌：同種互疊 · 每人發幾張：9")).to_be_visible()
    assert wall.evaluate("document.documentElement.scrollHeight <= innerHeight")
