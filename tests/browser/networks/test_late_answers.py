"""Answers that are late or out of order undo nothing on a page."""

import re

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.holding import Held
from tests.browser.padding import ANN

ROUND_1 = tally("ann", **{"bo": 1, "oma-ida": 2, "mei": 3})
ROUND_2 = tally("bo", **{"ann": 100, "oma-ida": 0, "mei": 0})
HEADING = "date,edition,players,points,match\n"
ROWS = "2024-11-20,basic,Ann Bo,- 20,first\n2024-11-20,basic,Ann Bo,12 -,first\n"
BAD = "2024-12-04,basic,Ann Bo,12 8,third\n"


def test_a_pad_shows_what_came_after_its_amendment(league, match, pads):
    pad = pads()
    pad.out("Ann")
    pad.points(**ANN)
    league.tell(match, ROUND_1)
    pad.save()
    pad.press("Replace by mine")
    answer = Held(pad.page, "**/events?*", "POST")
    pad.press("Replace")
    scores = pad.page.get_by_role("table", name="Scores")
    expect(scores).to_contain_text("60")
    league.tell(match, ROUND_2)
    expect(scores).to_contain_text("100")
    answer.release()
    pad.settled()
    expect(scores).to_contain_text("100")


@pytest.fixture
def board(site, phones, league, match):
    page = phones.phone(site, league.viewer)

    def opened():
        page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/tv")
        expect(page.get_by_role("table", name="Scores")).to_be_visible()
        return page

    opened.page = page
    return opened


def test_a_board_shows_the_last_round_whatever_answer_comes_last(league, match, board):
    answer = Held(board.page, "**/rounds?*")
    page = board()
    league.tell(match, ROUND_1)
    answer.wait()
    league.tell(match, ROUND_2)
    expect(page.get_by_role("heading", name="2 rounds")).to_be_visible()
    answer.release()
    expect(page.get_by_text("Round 2")).to_be_visible()


def test_a_board_shows_the_last_round_though_a_question_about_it_was_lost(league, match, board):
    answer = Held(board.page, "**/rounds?*")
    page = board()
    league.tell(match, ROUND_1)
    answer.release(lost=True)
    expect(page.get_by_text("Round 1")).to_be_visible()


@pytest.mark.parametrize("lost", ["board", "standings?*"])
def test_a_hall_shows_what_was_played_though_an_answer_was_lost(site, phones, league, lost):
    cup = {"tournament": "cup", "name": "The spring cup", "edition": "basic"}
    opened = league.send("/tournaments", cup | {"players": ["ann", "bo", "oma-ida", "mei"]})
    (table,) = opened["segments"][0]["tables"]
    wall = phones.phone(site, league.viewer)
    with wall.expect_response("**/cup/board"):
        wall.goto(f"/l/{league.slug}/t/cup/hall")
    shown = wall.get_by_role("region", name="Table 1")
    expect(shown).to_contain_text("Round 1 of")
    answer = Held(wall, f"**/cup/{lost}")
    winner, *others = table["rounds"][0]["players"]
    league.tell(f"/matches/{table['match']}", tally(winner, **dict.fromkeys(others, 1)))
    answer.release(lost=True)
    expect(shown).to_contain_text("Round 2 of")


@pytest.fixture
def admin(site, phones, league):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    return page


def previewed(page, rows):
    page.get_by_role("textbox", name="Or paste cells").fill(HEADING + rows)
    page.get_by_role("button", name="Preview").click()


def test_a_choice_that_is_made_while_a_preview_is_under_way_counts(admin):
    told = admin.locator("#import-told")
    previewed(admin, ROWS + BAD)
    expect(told).to_contain_text("1 bad row")
    answer = Held(admin, "**/imports", "POST")
    admin.get_by_role("checkbox", name="Leave matches open").check()
    answer.wait()
    admin.get_by_role("checkbox", name="Import the other matches").check()
    answer.release()
    act = admin.get_by_role("button", name="Import", exact=True)
    expect(act).to_be_visible()


def test_a_preview_is_of_what_the_form_says(admin):
    answer = Held(admin, "**/imports", "POST")
    previewed(admin, ROWS + BAD)
    answer.wait()
    field = admin.get_by_role("textbox", name="Or paste cells")
    field.fill(HEADING + ROWS)
    field.blur()
    answer.release()
    told = admin.locator("#import-told")
    expect(told).to_contain_text("0 bad rows")


def test_a_name_that_is_saved_late_is_that_of_its_own_person(league, admin):
    table = admin.get_by_role("table", name="Names")
    answer = Held(admin, "**/players/ann", "PATCH")
    table.get_by_role("button", name="Rename").nth(0).click()
    dialog = admin.get_by_role("dialog", name="Rename")
    field = dialog.get_by_role("textbox", name="Name")
    expect(field).to_have_value("Ann")
    field.fill("Anna")
    field.press("Enter")
    answer.wait()
    dialog.get_by_role("button", name="Cancel").click()
    table.get_by_role("button", name="Rename").nth(1).click()
    field.fill("Bodo")
    answer.release()
    expect(admin.get_by_text("Renamed: Anna")).to_be_visible()
    names = table.get_by_role("rowheader")
    expect(names.nth(0)).to_have_text("Anna")
    expect(names.nth(1)).to_have_text("Bo")
    expect(field).to_have_value("Bodo")
    field.press("Enter")
    expect(names.nth(1)).to_have_text("Bodo")


@pytest.mark.parametrize("then", ["Bo", "Ann", None])
def test_a_name_that_is_not_saved_is_told_of_its_own_person(league, admin, then):
    table = admin.get_by_role("table", name="Names")
    dialog = admin.get_by_role("dialog", name="Rename")
    alert = dialog.get_by_role("alert")
    places = {"Ann": 0, "Bo": 1}
    answer = Held(admin, "**/players/ann", "PATCH")
    table.get_by_role("button", name="Rename").nth(0).click()
    dialog.get_by_role("button", name="Save").click()
    answer.wait()
    dialog.get_by_role("button", name="Cancel").click()
    if then is not None:
        table.get_by_role("button", name="Rename").nth(places[then]).click()
    answer.release(lost=True)
    expect(admin.locator("#named")).to_have_text("Ann: No connection. Try again.")
    if then is None:
        table.get_by_role("button", name="Rename").nth(1).click()
    expect(dialog).to_be_visible()
    expect(alert).to_have_count(0)


def test_a_name_is_saved_while_that_of_another_person_still_is(league, admin):
    table = admin.get_by_role("table", name="Names")
    dialog = admin.get_by_role("dialog", name="Rename")
    save = dialog.get_by_role("button", name="Save")
    anns, bos = (Held(admin, f"**/players/{player}", "PATCH") for player in ("ann", "bo"))

    def rename(place, name):
        table.get_by_role("button", name="Rename").nth(place).click()
        expect(save).not_to_have_attribute("aria-disabled", "true")
        dialog.get_by_role("textbox", name="Name").fill(name)
        save.click()

    rename(0, "Anna")
    anns.wait()
    dialog.get_by_role("button", name="Cancel").click()
    rename(1, "Bodo")
    anns.release(lost=True)
    expect(admin.locator("#named")).to_have_text("Ann: No connection. Try again.")
    expect(save).to_have_attribute("aria-disabled", "true")
    bos.release()
    expect(table.get_by_role("rowheader").nth(1)).to_have_text("Bodo")
    expect(dialog).to_be_hidden()


def test_what_was_told_of_one_person_is_not_told_of_the_next(league, admin):
    table = admin.get_by_role("table", name="Names")
    dialog = admin.get_by_role("dialog", name="Rename")
    alert = dialog.get_by_role("alert")
    admin.route("**/players/ann", lambda route: route.abort())
    table.get_by_role("button", name="Rename").nth(0).click()
    dialog.get_by_role("button", name="Save").click()
    expect(alert).to_have_text("No connection. Try again.")
    dialog.get_by_role("button", name="Cancel").click()
    table.get_by_role("button", name="Rename").nth(1).click()
    expect(dialog).to_be_visible()
    expect(alert).to_have_count(0)


def test_a_name_that_is_changed_while_an_import_adds_people_stands_in_the_table(admin):
    table = admin.get_by_role("table", name="Names", exact=True)
    previewed(admin, ROWS.replace("Bo", "Zoe"))
    act = admin.get_by_role("button", name="Import", exact=True)
    expect(act).to_be_visible()
    answer = Held(admin, "**/imports", "POST")
    act.click()
    answer.wait()
    table.get_by_role("button", name="Rename").nth(0).click()
    field = admin.get_by_role("dialog", name="Rename").get_by_role("textbox", name="Name")
    field.fill("Anna")
    answer.release()
    expect(table).to_contain_text("Zoe")
    field.press("Enter")
    expect(admin.get_by_text("Renamed: Anna")).to_be_visible()
    expect(table.get_by_role("rowheader").nth(0)).to_have_text("Anna")


STEPS = (
    {"type": "round_started"},
    {"type": "first_card_turned", "card": "red-5"},
    {"type": "card_played", "player": "bo", "card": "red-7"},
    {"type": "card_played", "player": "oma-ida", "card": "red-4"},
)


@pytest.fixture
def replay(site, phones, league):
    match = league.match(dealer="ann")
    league.tell(match, *STEPS)
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/r/1?step=3")
    expect(page.get_by_role("slider", name="Step")).to_have_value("3")
    return page


def test_a_step_is_tried_though_what_another_one_was_is_not_known(replay):
    answer = Held(replay, "**/events?*")
    replay.get_by_role("button", name="What if").click()
    answer.wait()
    replay.get_by_role("button", name="Next step").click()
    otherwise = replay.get_by_role("button", name="Not played")
    expect(otherwise).to_be_visible()
    answer.release(lost=True)
    expect(replay.get_by_role("alert")).to_have_count(0)
    otherwise.click()
    expect(replay.get_by_role("status")).to_contain_text("would change")


def test_a_step_that_is_not_read_is_not_said_to_be_told_by_nobody(replay):
    nobody = replay.get_by_text("Only what somebody told can be tried otherwise.")
    replay.route("**/events?*", lambda route: route.abort())
    replay.get_by_role("button", name="What if").click()
    expect(replay.get_by_role("alert")).to_have_text("No connection. Try again.")
    expect(nobody).to_have_count(0)


def test_the_part_of_a_replay_that_was_opened_last_stays_open(replay):
    answer = Held(replay, "**/dispute.js")
    dispute, what_if = (replay.get_by_role("button", name=each) for each in ("Dispute", "What if"))
    dispute.click()
    answer.wait()
    what_if.click()
    expect(what_if).to_have_attribute("aria-expanded", "true")
    answer.release()
    expect(what_if).to_have_attribute("aria-expanded", "true")
    expect(dispute).to_have_attribute("aria-expanded", "false")


# Safari allows a hundred changes of the address in thirty (or ten) seconds, then throws.
FEW_ADDRESSES = """
    let left = 100;
    const replace = history.replaceState.bind(history);
    history.replaceState = (...told) => {
        if (left === 0) throw new DOMException("too many", "SecurityError");
        left -= 1;
        replace(...told);
    };
"""


def test_the_address_names_the_step_at_which_a_quick_reader_stays(replay):
    replay.add_init_script(FEW_ADDRESSES)
    replay.reload()
    slider = replay.get_by_role("slider", name="Step")
    expect(slider).to_have_value("3")
    slider.evaluate(
        """(slider) => {
            for (let input = 0; input < 122; input += 1) {
                slider.value = 1 + (input % 4);
                slider.dispatchEvent(new Event("input", { bubbles: true }));
            }
            slider.dispatchEvent(new Event("change", { bubbles: true }));
        }"""
    )
    expect(replay).to_have_url(re.compile(r"[?&]step=2\b"))
