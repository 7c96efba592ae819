"""A file of past rounds that an owner imports on the admin page; all numbers equal the API's."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.evening import on_both
from tests.browser.holding import Fault

HEADING = "date,edition,players,points,match\n"
ROWS = (
    "2024-11-20,basic,Ann Bo,- 20,first\n"
    "2024-11-20,basic,Ann Bo,12 -,first\n"
    '2024-11-27,basic,"Ann, <b>Zoë",40 -,second\n'
)
BAD = "2024-12-04,basic,Ann Bo,12 8,third\n"


def rows_of(page, name):
    rows = page.get_by_role("table", name=name).locator("tbody tr").all()
    return [row.locator("th, td").all_inner_texts() for row in rows]


def choose(page, text, encoding="utf-16"):
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "evenings.csv", "mimeType": "text/csv", "buffer": text.encode(encoding)}
    )
    page.get_by_role("button", name="Preview").press("Enter")


@on_both
def test_a_file_is_looked_at_put_right_and_imported_once(site, phones):
    league = site.league()
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    told = page.locator("#import-told")
    act = page.get_by_role("button", name="Import", exact=True)
    choose(page, HEADING + ROWS + BAD)
    expect(told).to_contain_text("3 rounds in 2 matches, 1 new person, 1 bad row.")
    why = "nobody won: give the winner - for points, or say winners"
    assert rows_of(page, "Bad rows") == [["5", "winners", why]]
    assert rows_of(page, "New names") == [["<b>Zoë", "b-zoe"]]
    expect(act).to_be_hidden()
    assert league.get("/matches")["items"] == []
    # The bad rows are left out, or corrected: either way nothing is imported before the button.
    page.get_by_role("checkbox", name="Import the other matches").press("Space")
    expect(act).to_be_visible()
    choose(page, HEADING + ROWS + BAD.replace("12 8", "- 8"))
    expect(told).to_contain_text("3 matches are to be imported.")
    act.press("Enter")
    expect(told).to_have_text("Imported: 3 matches.")
    boards = {each["match"]: each for each in league.get("/matches")["items"]}
    assert {match: board["totals"] for match, board in boards.items()} == {
        "first": {"ann": 12, "bo": 20},
        "second": {"ann": 40, "b-zoe": 0},
        "third": {"ann": 0, "bo": 8},
    }
    assert league.get("/players/b-zoe")["name"] == "<b>Zoë"
    # Whoever came with the file is in the table of names, and can be renamed at once.
    names = page.get_by_role("table", name="Names", exact=True)
    expect(names.get_by_role("row", name="b-zoe")).to_have_count(1)
    names.get_by_role("row", name="b-zoe").get_by_role("button", name="Rename").click()
    renamed = page.get_by_role("dialog", name="Rename").get_by_role("textbox", name="Name")
    expect(renamed).to_have_value("<b>Zoë")
    renamed.fill("Zoë")
    renamed.press("Enter")
    expect(page.get_by_text("Renamed: Zoë")).to_be_visible()
    assert league.get("/players/b-zoe")["name"] == "Zoë"
    assert rows_of(page, "Imported matches") == [
        ["first", "2 and 3"],
        ["second", "4"],
        ["third", "5"],
    ]
    link = page.get_by_role("link", name="second", exact=True)
    assert link.get_attribute("href") == f"/l/{league.slug}/m/second"
    choose(page, HEADING + ROWS + BAD.replace("12 8", "- 8"))
    expect(told).to_contain_text("The league has all of it already.")
    expect(act).to_be_hidden()


def test_a_file_that_is_no_utf_8_is_read_in_the_encoding_that_is_chosen(site, phones):
    """Only such a file makes the page ask, and the choice is not remembered for the next file."""
    league = site.league()
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    encoding = page.get_by_role("combobox", name="Encoding")
    told = page.locator("#import-told")
    sheet = HEADING + "2024-11-20,basic,Ann 小明,- 20,first\n"
    choose(page, sheet, "cp950")
    alert = page.locator("#import").get_by_role("alert")
    expect(alert).to_contain_text("From line 2 on this is no UTF-8. Choose another encoding")
    encoding.select_option("Big5 (Windows in Taiwan)")
    expect(told).to_contain_text("1 match is to be imported.")
    expect(alert).to_be_hidden()
    assert [name for name, _ in rows_of(page, "New names")] == ["小明"]
    encoding.select_option("UTF-8")
    expect(alert).to_contain_text("no UTF-8")
    expect(told).to_have_text("")
    choose(page, sheet, "utf-8")
    expect(told).to_contain_text("1 match is to be imported.")
    expect(encoding).to_be_hidden()


@pytest.mark.parametrize(
    "beginning", [b"PK\x03\x04\x14\x00\x06\x00", bytes.fromhex("d0cf11e0a1b11ae1")]
)
def test_a_workbook_is_called_so(site, phones, beginning):
    """No encoding reads it, so the page asks for none."""
    league = site.league()
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    file = {"name": "evenings.xlsx", "mimeType": "text/csv", "buffer": beginning + b"\xff\x00" * 9}
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Preview").press("Enter")
    alert = page.locator("#import").get_by_role("alert")
    expect(alert).to_contain_text("This is a workbook. Save it as CSV")
    expect(page.get_by_role("combobox", name="Encoding")).to_be_hidden()


@on_both
def test_cells_that_are_pasted_are_read_and_amend_what_was_imported(site, phones):
    league = site.league()
    league.send("/imports", {"text": HEADING + ROWS})
    page = phones.phone(site, league.owner, language="zh-TW")
    page.goto(f"/l/{league.slug}/admin")
    cells = (HEADING + ROWS).replace('"Ann, <b>Zoë"', "Ann/b-zoe").replace("12 -", "15 -")
    page.get_by_role("textbox", name=re.compile("貼上")).fill(cells.replace(",", "\t"))
    page.get_by_role("button", name="預覽").click()
    expect(page.get_by_role("table", name="先前匯入的內容不同")).to_contain_text(
        "2024-11-20：bo 獲勝；ann 15"
    )
    page.get_by_role("checkbox", name="更正先前匯入的不同內容").check()
    page.get_by_role("button", name="匯入", exact=True).click()
    expect(page.locator("#import-told")).to_have_text("已匯入 1 場比賽。")
    board = league.get("/matches/first")
    assert (board["totals"], board["amendments"]) == ({"ann": 15, "bo": 20}, 1)


def test_a_match_that_the_file_does_not_name_is_shown_by_its_day_and_lines(site, phones):
    league = site.league()
    before = "date,edition,players,points\n2024-11-20,basic,Ann Bo,- 20\n"
    league.send("/imports", {"text": before})
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    choose(page, before.replace("20\n", "30\n") + "2024-11-27,basic,Ann Bo,12 8\n")
    was, now = "2024-11-20: ann won; bo 20", "2024-11-20: ann won; bo 30"
    otherwise = page.get_by_role("table", name="Imported otherwise before")
    expect(otherwise).to_be_visible()
    assert rows_of(page, "Matches left out") == [["Nov 27, 2024", "3"]]
    assert rows_of(page, "Imported otherwise before") == [["2", "Nov 20, 2024", was, now]]


def test_a_file_that_was_corrected_since_is_to_be_chosen_again(site, phones, tmp_path):
    league = site.league()
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    file = tmp_path / "evenings.csv"
    file.write_text(HEADING + BAD, encoding="utf-8")
    told = page.locator("#import-told")
    preview = page.get_by_role("button", name="Preview")
    page.get_by_label("File", exact=True).set_input_files(file)
    preview.click()
    expect(told).to_contain_text("1 bad row")
    file.write_text(HEADING + BAD + ROWS, encoding="utf-8")
    preview.click()
    changed = "This file was changed or removed since it was chosen. Choose it again."
    expect(page.get_by_role("alert")).to_have_text(changed)
    page.get_by_label("File", exact=True).set_input_files(file)
    preview.click()
    expect(told).to_contain_text("3 rounds in 2 matches")


class Stopping(Fault):
    """An import that is held back, and then fails at its second match."""

    def __init__(self, page):
        self._page = page
        self._held = []
        super().__init__(page, "**/imports", self._hold)

    def _hold(self, route):
        if route.request.post_data_json.get("preview"):
            route.fallback()
        else:
            self._held.append(route)

    def stop(self):
        while not self._held:
            self._page.wait_for_timeout(10)
        (route,) = self._held
        asked = route.fetch(post_data=route.request.post_data_json | {"preview": True})
        view = asked.json()
        view["matches"][0]["outcome"] = "imported"
        error = {"line": 4, "match": "second", "why": "The match is full.", "code": "match-full"}
        route.fulfill(json=view | {"complete": False, "error": error})


STOPPED = (
    "It stopped at line 4: The match is full. Matches in so far: 1 of 2. Import again to go on"
)


@pytest.mark.parametrize("changed", ["rows", "choice", None])
def test_an_import_that_stopped_goes_on_with_what_the_form_says(site, phones, changed):
    league = site.league()
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    told = page.locator("#import-told")
    act = page.get_by_role("button", name="Import", exact=True)
    rows = page.get_by_role("textbox", name="Or paste cells")
    rows.fill(HEADING + ROWS)
    page.get_by_role("button", name="Preview").click()
    expect(told).to_contain_text("2 matches are to be imported.")
    stopping = Stopping(page)
    act.click()
    if changed == "rows":
        rows.fill(HEADING + ROWS.replace("40 -", "44 -"))
        rows.blur()
    elif changed == "choice":
        page.get_by_role("checkbox", name="Leave matches open").check()
    stopping.stop()
    expect(told).to_contain_text(STOPPED)
    stopping.mend()
    if changed is None:
        expect(told).not_to_contain_text("preview")
    else:
        expect(told).to_contain_text("The form says something else by now: preview it first.")
        expect(act).to_be_hidden()
        page.get_by_role("button", name="Preview").click()
    act.click()
    expect(told).to_have_text("Imported: 2 matches.")
    second = league.get("/matches/second")
    assert second["totals"]["ann"] == (44 if changed == "rows" else 40)
    assert second["status"] == ("open" if changed == "choice" else "won")


def test_why_rows_are_bad_in_chinese_breaks_so_that_it_stands_within_a_phone(site, phones):
    league = site.league()
    page = phones.phone(site, league.owner, language="zh-TW")
    page.goto(f"/l/{league.slug}/admin")
    rows = HEADING + "2023-13-40,basic,ann bo,- 20,first\n2023-11-16,basic,ann ann,12 -,second\n"
    page.locator("textarea").fill(rows)
    page.locator("#import button").first.click()
    why = page.locator("#import-found table").first.locator("tbody td:last-child")
    expect(why).to_have_count(2)
    assert why.evaluate_all("all => all.map((each) => getComputedStyle(each).wordBreak)") == [
        "normal",
        "normal",
    ]


@pytest.mark.parametrize("size", [(360, 640), (844, 390)])
def test_what_came_of_a_tap_is_seen_without_scrolling(site, phones, league, size):
    page = phones.phone(site, league.owner, size=size)
    page.goto(f"/l/{league.slug}/admin")
    told = page.locator("#import-told")
    rows = page.get_by_role("textbox", name="Or paste cells")
    rows.fill(HEADING + ROWS + BAD)
    page.get_by_role("button", name="Preview").click()
    expect(told).to_contain_text("1 bad row.")
    expect(told).to_be_in_viewport(ratio=1)
    rows.fill(HEADING + ROWS)
    page.get_by_role("button", name="Preview").click()
    expect(told).to_contain_text("2 matches are to be imported.")
    act = page.get_by_role("button", name="Import", exact=True)
    # A page is scrolled by whole pixels, and the button may end between two.
    expect(act).to_be_in_viewport(ratio=0.98)
    act.click()
    expect(told).to_have_text("Imported: 2 matches.")
    expect(told).to_be_in_viewport(ratio=1)
