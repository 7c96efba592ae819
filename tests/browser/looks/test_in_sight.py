"""What a person needs next is visible on a small phone, and labelled."""

import re

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.keyboard.test_every_control import TWICE_THE_SIZE
from tests.browser.padding import Pad

SMALL = (375, 667)
# Elements whose middle is off the screen or covered.
UNSEEN = """(those) => those.filter((each) => {
    const {left, top, width, height} = each.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return !each.contains(there);
}).map((each) => each.ariaLabel ?? each.textContent)"""
LEAST_LETTERS = """() => Math.min(...[...document.querySelectorAll("main *")].filter((each) =>
    each.checkVisibility()
        && [...each.childNodes].some(({nodeType, data}) => nodeType === 3 && data.trim())
).map((each) => parseFloat(getComputedStyle(each).fontSize)))"""
WORDS_BY_THE_SHEET = """(button) => [getComputedStyle(button, "::after").content,
    button.scrollWidth <= button.clientWidth, button.scrollHeight <= button.clientHeight]"""


@pytest.fixture
def phone(site, phones, league):
    return phones.phone(site, league.owner, size=SMALL)


@pytest.mark.parametrize("name", ["Bo", "Oma Ida", "美美"])
def test_a_hand_that_is_opened_is_seen_with_all_its_cards(phone, league, match, name):
    pad = Pad(phone, league.slug, match).open()
    pad.out("Ann")
    hand = phone.get_by_role("button", name=f"{name}'s hand")
    if name != "Bo":
        hand.click()
    expect(hand).to_have_attribute("aria-expanded", "true")
    cards = phone.get_by_role("group", name="Cards").get_by_role("button")
    expect(cards).to_have_count(13)
    expect(cards.last).to_be_in_viewport(ratio=1)
    assert cards.evaluate_all(UNSEEN) == []


@pytest.mark.parametrize("language", ["en", "zh-TW"])
@pytest.mark.parametrize("people", [4, 6])
def test_on_a_phone_that_lies_across_who_went_out_is_answered_without_scrolling(
    site, phones, people, language
):
    slugs = [f"somebody-{number}" for number in range(people)]
    league = site.league(slugs, slugs)
    match = league.match(players=slugs)
    phone = phones.phone(site, league.scorekeeper, size=(844, 390), language=language)
    pad = Pad(phone, league.slug, match)
    phone.goto(pad.address)
    asked = phone.locator(".who")
    for each in (asked.locator("h2"), asked.get_by_role("button")):
        assert each.evaluate_all(UNSEEN) == []
    totals, first = phone.locator(".scores").bounding_box(), asked.bounding_box()
    assert totals["x"] + totals["width"] < first["x"]
    asked.get_by_role("button").first.click()
    cards = phone.locator(".cards button")
    expect(cards.last).to_be_in_viewport(ratio=1)
    assert cards.evaluate_all(UNSEEN) == []


@pytest.mark.parametrize(("path", "edition"), [("pad", "mario"), ("cards", "hello-kitty")])
@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_card_without_a_colour_says_its_name(site, phones, league, path, edition, language):
    match = league.match("special", edition=edition, dealer="ann")
    league.tell(match, {"type": "round_started"}) if path == "cards" else None
    phone = phones.phone(site, league.scorekeeper, language=language, size=SMALL)
    phone.goto(f"/l/{league.slug}/m/special/{path}")
    if path == "pad":
        phone.locator(".who button").first.click()
    phone.locator("button.c-wild").first.click()
    buttons = phone.locator(".cards button")
    expect(buttons).to_have_count(4)
    for button in buttons.all():
        words, *fits = button.evaluate(WORDS_BY_THE_SHEET)
        assert words == f'"{button.get_attribute("aria-label")}"'
        assert fits == [True, True]


@pytest.mark.parametrize("path", ["pad", "cards"])
def test_a_match_that_is_over_says_who_won_and_leads_to_the_next(phone, league, path):
    match = league.match("won", dealer="ann", scoring={"mode": "winner-collects", "target": 50})
    phone.goto(f"/l/{league.slug}/m/won/{path}")
    again = phone.get_by_role("link", name="New match")
    expect(phone.get_by_role("table", name="Scores")).to_be_visible()
    expect(again).to_be_hidden()
    league.tell(match, tally("bo", ann=10, mei=20, **{"oma-ida": 30}))
    expect(phone.get_by_text("The match is over. ★ Bo")).to_be_visible()
    again.click()
    expect(phone.get_by_role("heading", name="New match")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_match_can_be_started_from_wherever_its_form_is_looked_at(site, phones, language):
    """The last match's choices are filled in, so one tap repeats it."""
    slugs = [f"p-{number}" for number in range(40)]
    league = site.league(slugs, slugs)
    phone = phones.phone(site, league.scorekeeper, language=language, size=SMALL)
    phone.goto(f"/l/{league.slug}/new")
    start = phone.locator("#match button:not([type])")
    expect(start).to_be_enabled()
    assert start.evaluate_all(UNSEEN) == []
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert start.evaluate_all(UNSEEN) == []
    phone.get_by_role("checkbox").last.check()
    phone.get_by_role("checkbox").first.check()
    start.click()
    expect(phone).to_have_url(re.compile("/pad$"))


def test_why_no_match_can_be_started_is_said_beside_the_button(site, phones):
    slugs = [f"p-{number}" for number in range(40)]
    league = site.league(slugs, slugs)
    phone = phones.phone(site, league.scorekeeper, size=SMALL)
    phone.goto(f"/l/{league.slug}/new")
    phone.get_by_role("checkbox").nth(10).check()
    expect(phone.get_by_role("button", name="Start match")).to_be_disabled()
    why = phone.get_by_text("Choose 2 to 10 people.")
    expect(why).to_be_in_viewport(ratio=1)
    assert why.evaluate_all(UNSEEN) == []
    phone.get_by_role("checkbox").nth(10).uncheck()
    expect(why).to_have_count(0)


def test_the_board_says_who_scores_together_and_how_far(phone, league):
    league.match("pairs", teams=[["ann", "oma-ida"], ["bo", "mei"]])
    phone.goto(f"/l/{league.slug}/m/pairs/tv")
    expect(phone.get_by_role("heading")).to_contain_text("0 rounds · to 500 points")
    expect(phone.get_by_text("Ann + Oma Ida · Bo + 美美")).to_be_visible()


def test_a_tournament_is_filled_in_with_its_number_of_people_in_sight(site, phones):
    slugs = [f"p-{number}" for number in range(40)]
    league = site.league(slugs, slugs)
    phone = phones.phone(site, league.scorekeeper, size=SMALL)
    phone.goto(f"/l/{league.slug}/t/new")
    size = phone.get_by_text("Choose 4 to 41 people.")
    start = phone.get_by_role("button", name="Open tournament")
    for each in (size, start):
        assert each.evaluate_all(UNSEEN) == []
    for box in phone.get_by_role("checkbox").all()[:8]:
        box.check()
    expect(phone.get_by_text("8 people: 7 segments")).to_be_in_viewport()
    phone.get_by_role("button", name="Show who sits where").click()
    laid_out = phone.get_by_role("table", name="Who sits where")
    expect(laid_out.get_by_role("row").first).to_be_in_viewport()
    assert start.evaluate_all(UNSEEN) == []


def test_the_own_table_comes_first_in_the_hall_on_a_phone(site, phones):
    slugs = [f"p-{number}" for number in range(16)]
    league = site.league(slugs, slugs)
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": slugs}
    tables = league.send("/tournaments", cup)["segments"][0]["tables"]
    phone = phones.phone(site, league.scorekeeper, size=SMALL)
    phone.goto(f"/l/{league.slug}/t/cup/hall")
    regions = phone.locator(".tables section")
    expect(regions.first).to_have_accessible_name("Table 1")
    phone.get_by_role("combobox", name="I am").select_option(tables[3]["teams"][0][0])
    expect(regions.first).to_have_accessible_name("Table 4")
    names = [each.get_attribute("aria-label") for each in regions.all()]
    assert names == ["Table 4", "Table 1", "Table 2", "Table 3"]


def test_the_pad_leads_to_a_round_that_is_followed_card_by_card(phone, league, match):
    """Saving the round on the pad would end it for those who record it card by card."""
    pad = Pad(phone, league.slug, match).open()
    followed = phone.get_by_role("link", name="Card by card")
    expect(followed).to_have_count(0)
    league.tell(match, {"type": "round_started"})
    expect(phone.get_by_text("Round 1: Card by card")).to_be_visible()
    followed.click()
    expect(phone.get_by_role("heading", name="Which card is turned up?")).to_be_visible()
    league.tell(match, tally("ann", bo=5, mei=5, **{"oma-ida": 5}))
    pad.open()
    expect(followed).to_have_count(0)


def test_two_accounts_of_a_round_stand_side_by_side_and_say_who_went_out(phone, league, match):
    pad = Pad(phone, league.slug, match).open()
    pad.out("Ann")
    pad.cut()
    pad.points(Bo=10, Oma_Ida=20, 美美=30)
    league.tell(match, tally("bo", ann=5, mei=5, **{"oma-ida": 5}))
    pad.save()
    pad.join()
    both = phone.get_by_role("group", name="Two accounts of round 1")
    expect(both.locator(".accounts > *")).to_have_count(2)
    theirs, mine = both.locator(".accounts > *").all()
    expect(theirs).to_contain_text("On record")
    expect(theirs).to_contain_text("Who went out? Bo")
    expect(mine).to_contain_text("Who went out? Ann")
    assert theirs.bounding_box()["y"] == mine.bounding_box()["y"]


@pytest.mark.parametrize("size", [SMALL, (640, 400)], ids=["upright", "across"])
def test_a_refused_card_is_answered_in_sight_however_many_people_play(site, phones, size):
    """The answer stands above the people, and the cards below them."""
    slugs = [f"p-{number}" for number in range(10)]
    league = site.league(slugs, slugs)
    match = league.match(players=slugs, dealer="p-0")
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "blue-5"})
    phone = phones.phone(site, league.scorekeeper, size=size)
    phone.goto(f"/l/{league.slug}/m/first/cards")
    phone.get_by_role("group", name="Colour").get_by_role("button", name="red").click()
    phone.get_by_role("button", name="red 7", exact=True).click()
    answer = phone.get_by_role("alert")
    expect(answer).to_contain_text("does not match")
    expect(answer).to_be_in_viewport(ratio=1)
    for button in answer.get_by_role("button").all():
        assert button.evaluate_all(UNSEEN) == []
    # Whoever goes back by keys sees where they are, and not the answer over it.
    phone.get_by_role("button", name="Draw", exact=True).focus()
    for _ in range(24):
        phone.keyboard.press("Shift+Tab")
        assert phone.locator(":focus:not([role=alert] *)").evaluate_all(UNSEEN) == []
    phone.get_by_role("button", name="It was played so").click()
    expect(phone.get_by_role("heading", name="p-2 is on turn")).to_be_attached()


@pytest.mark.parametrize("width", [360, 375])
def test_a_colour_takes_two_rows_of_cards_a_finger_wide(site, phones, league, match, width):
    phone = phones.phone(site, league.scorekeeper, size=(width, 640))
    Pad(phone, league.slug, match).open().out("Ann")
    cards = phone.get_by_role("group", name="Cards").get_by_role("button")
    expect(cards).to_have_count(13)
    boxes = [card.bounding_box() for card in cards.all()]
    assert len({box["y"] for box in boxes}) == 2
    assert min(box["width"] for box in boxes) >= 44


@pytest.mark.parametrize("size", [SMALL, SMALL[::-1]], ids=["upright", "across"])
def test_a_board_in_the_hand_has_all_that_a_wall_has_in_letters_that_grow(
    site, phones, league, size
):
    match = league.match(dealer="ann", edition="hello-kitty")
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    phone = phones.phone(site, league.viewer, size=size)
    phone.goto(f"/l/{league.slug}/m/first/tv")
    held = phone.get_by_role("table", name="Scores").get_by_text("7 cards")
    expect(held).to_have_count(4)
    expect(held.last).to_be_in_viewport(ratio=1)
    least = phone.evaluate(LEAST_LETTERS)
    assert least >= 14
    phone.evaluate(TWICE_THE_SIZE)
    assert phone.evaluate(LEAST_LETTERS) == 2 * least
    assert phone.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_board_on_the_smallest_phone_scrolls_one_way_only(site, phones, league):
    match = league.match(dealer="ann", edition="mario")
    turned = {"type": "first_card_turned", "card": "red-draw-two"}
    league.tell(match, {"type": "round_started"}, turned)
    phone = phones.phone(site, league.viewer, size=(320, 640))
    phone.goto(f"/l/{league.slug}/m/first/tv")
    expect(phone.get_by_text("owes 2")).to_be_visible()
    phone.evaluate(TWICE_THE_SIZE)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_board_says_in_a_word_who_won(phone, league):
    match = league.match(dealer="ann")
    league.tell(
        match, tally("bo", **{"ann": 9, "oma-ida": 20, "mei": 30}), {"type": "match_closed"}
    )
    phone.goto(f"/l/{league.slug}/m/first/tv")
    expect(phone.get_by_role("row", name="Bo ★ won")).to_be_visible()


def test_a_round_told_as_a_whole_is_explained_in_sight_however_many_people_play(site, phones):
    """Rows that say of each hand that nobody knows it would stand above the explanation."""
    slugs = [f"p-{number}" for number in range(10)]
    league = site.league(slugs, slugs)
    told = dict.fromkeys(slugs[1:], 10)
    match = league.match(players=slugs)
    league.tell(match, tally("p-0", **told))
    phone = phones.phone(site, league.viewer, size=SMALL)
    phone.goto(f"/l/{league.slug}/m/first/r/1")
    expect(phone.get_by_role("slider")).to_be_visible()
    explained = phone.locator(".steps > li").filter(visible=True)
    expect(explained).to_contain_text("p-0 went out (B-OUT).")
    expect(explained.get_by_text("p-0 went out")).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("table", name="Hands")).to_have_count(0)
    hands = {slug: {"points": 10} for slug in slugs[2:]} | {"p-1": {"cards": ["red-5"]}}
    league.tell(match, {"type": "round_tallied", "winners": ["p-0"], "hands": hands})
    phone.goto(f"/l/{league.slug}/m/first/r/2")
    expect(phone.get_by_role("table", name="Hands").get_by_role("row")).to_have_count(10)


def test_a_round_that_waits_is_said_where_the_next_one_is_told(site, phones):
    """The question who went out stands below ten totals, and the status above them."""
    slugs = [f"p-{number}" for number in range(10)]
    league = site.league(slugs, slugs)
    match = league.match(players=slugs)
    pad = Pad(phones.phone(site, league.scorekeeper, size=SMALL), league.slug, match).open()
    pad.cut()
    pad.tell("p-0", **dict.fromkeys(slugs[1:], 10))
    pad.says("1 round waits")
    pad.page.evaluate("scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")
    status = pad.page.get_by_role("status")
    expect(status).to_be_in_viewport(ratio=1)
    assert status.evaluate_all(UNSEEN) == []
    pad.join()
    pad.says("All saved")
    expect(status).not_to_be_in_viewport()
