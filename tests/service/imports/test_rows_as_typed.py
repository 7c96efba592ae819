"""Rows of past rounds as people type them: in full width, with other dashes, or broken."""

import io
from unicodedata import normalize

import pytest

from scorekeeper.service import slugs
from scorekeeper.service.imports import cells
from scorekeeper.service.imports.cells import People
from scorekeeper.service.imports.planned_matches import past_matches
from scorekeeper.service.imports.result_rows import NAMES, BadRow, ResultRow, read_rows
from scorekeeper.service.views import MOST_IN_NAME

HEADING = "date,edition,players,points\n"
GOOD = "2024-11-20,basic,安 博,- 20\n"


def read(text: str, people: People | None = None) -> list[ResultRow | BadRow]:
    return list(read_rows(io.StringIO(text, newline=""), people))


def bad(text: str) -> tuple[int, str]:
    (row,) = read(text)
    assert isinstance(row, BadRow), row
    return row.line, row.why


@pytest.mark.parametrize(
    "row",
    [
        "２０２４－１１－２０,basic,安 博,－　２０",
        "2024／11／20,ＢＡＳＩＣ,安、博,— 20",
        "2024-11-20,Basic,安，博,-／20",
        "2024-11-20,basic,安；博,−、20",
        '2024-11-20,BASIC,安／博,"-, 20"',
    ],
)
def test_full_width_capitals_and_other_dashes_mean_the_same(row):
    assert read(HEADING + row + "\n") == read(HEADING + GOOD)


def test_cells_may_be_parted_by_full_width_commas():
    typed = (HEADING + GOOD).replace(",", "，")
    assert read(typed) == read(HEADING + GOOD)


def test_cards_may_be_parted_by_commas_and_written_in_capitals():
    heading = "date,edition,players,cards\n"
    plain = "2024-11-20,basic,ann bo cy,/ red-5 wild / blue-2\n"
    typed = "2024-11-20,basic,ann bo cy,／Red-5、WILD／blue-2\n"
    assert read(heading + typed) == read(heading + plain)


def test_a_name_is_the_same_however_its_accents_are_written():
    people = People([("ga", "ガ")])
    apart = read(HEADING + GOOD.replace("安", "カ\u3099"), people)
    assert [row.players[0] for row in apart if isinstance(row, ResultRow)] == ["ga"]
    new = read(HEADING + GOOD.replace("安", "ガ") + GOOD.replace("安", "カ\u3099"))
    assert len({row.players for row in new if isinstance(row, ResultRow)}) == 1


@pytest.mark.parametrize("column", [*NAMES, "heading"])
def test_no_long_text_is_normalised_at_once(column, monkeypatch):
    """That takes the square of its marks and stops all threads: half a minute for a long cell."""

    def quick(form: str, text: str) -> str:
        assert len(text) <= MOST_IN_NAME
        return normalize(form, text)

    for module in (cells, slugs):
        monkeypatch.setattr(module, "normalize", quick)
    marks = "a" + "\u0315\u0300" * 200
    row = {"date": "2024-11-20", "edition": "basic", "players": "ann bo", "points": "- 20"}
    row |= {column: marks}
    heading = marks if column == "heading" else ",".join(row)
    for found in read(f"{heading}\n{','.join(row.values())}\n"):
        assert isinstance(found, BadRow) or column == "match"


@pytest.mark.parametrize(
    "day",
    [
        "20.11.2024",
        "20. 11. 2024",
        "2024年11月20日",
        "２０２４ 年 11 月 20 日",
        "113年11月20日",
        "民國113年11月20日",
        "民國 113 年 11 月 20 日",
        "113/11/20",
    ],
)
def test_a_day_is_read_as_a_german_or_a_taiwanese_spreadsheet_writes_it(day):
    assert read(HEADING + GOOD.replace("2024-11-20", day)) == read(HEADING + GOOD)


def test_a_year_of_two_digits_is_read_behind_the_name_of_its_era_only():
    assert read(HEADING + GOOD.replace("2024-11-20", "民國99年1月5日")) == read(
        HEADING + GOOD.replace("2024-11-20", "2010-01-05")
    )


@pytest.mark.parametrize(
    "day",
    [
        "20/11/2024",
        "5/11/2024",
        "20-11-2024",
        "11.20.2024",
        "20.11.24",
        "99年1月5日",
        "民國2024年11月20日",
        "民國099年1月5日",
        "024/11/20",
        "113年13月1日",
    ],
)
def test_a_day_that_can_be_read_in_two_ways_or_in_none_is_bad(day):
    assert bad(HEADING + GOOD.replace("2024-11-20", day)) == (
        2,
        f"{day} is no date like 2024-11-20",
    )


@pytest.mark.parametrize("above", ["sep=;\r\n", "SEP=;\n", '"sep=;"\n', "sep=,\n", "sep=\t\n"])
def test_a_line_that_tells_a_spreadsheet_what_parts_cells_is_passed_over(above):
    first, second = read(above + (HEADING + GOOD).replace(",", ";") + "2024-11-20;basic;安 博;5\n")
    assert isinstance(first, ResultRow)
    assert isinstance(second, BadRow)
    assert (first.line, second.line) == (3, 4)
    assert bad(above + "date;edition\n") == (2, "the heading lacks players")


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        ("date,edition,players,points,points\n", "the heading has columns twice: points"),
        ("date,edition,,players,points\n", "the heading has a column without a name"),
        ("date,,edition,players,,points\n", "the heading has a column without a name"),
    ],
)
def test_a_heading_in_which_a_column_can_not_be_told_is_refused(heading, told):
    assert bad(heading + GOOD) == (1, told)


@pytest.mark.parametrize("cell", ['"first', '"first\nof all'])
def test_a_quotation_mark_that_is_never_closed_swallows_no_rows(cell):
    heading = HEADING.replace("\n", ",match\n")
    row = GOOD.replace("\n", ",first\n")
    read_before, unread = read(heading + row + row.replace("first", cell) + row)
    assert isinstance(read_before, ResultRow)
    assert isinstance(unread, BadRow)
    assert unread.line == 3
    assert unread.why.endswith("a closing quotation mark may be missing")


@pytest.mark.parametrize(
    ("players", "points", "told"),
    [
        (
            "安",
            "- 20",
            "fewer than two players are named; names are parted by blanks, commas or semicolons",
        ),
        ("安 博", "20", "there are 2 players and 1 hand"),
        ("安 博 安", "- 2 3", "安 sits at the table twice"),
    ],
)
def test_what_is_wrong_with_a_table_is_told_in_whole_sentences(players, points, told):
    assert bad(HEADING + f"2024-11-20,basic,{players},{points}\n") == (2, told)


class TestWhoIsOut:
    """In elimination a player who is out has no hand any more."""

    HEADING = "date,edition,players,points,cards,match,mode,target\n"
    FIRST = "2024-11-20,basic,ann bo cy,- 300 30,,final,elimination,100\n"

    def planned(self, *rows: str):
        return past_matches(read(self.HEADING + "".join(rows)), leave_open=False)

    @pytest.mark.clause("H-ELIMINATION")
    @pytest.mark.parametrize(
        "hands", ["30 out -,", "30 OUT -,", ",blue-5 / out /", ",blue-5 / Out / -"]
    )
    def test_the_match_goes_on_without_the_player(self, hands):
        row = f"2024-11-20,basic,ann bo cy,{hands},final,elimination,100\n"
        planned = self.planned(self.FIRST, row)
        assert planned.bad == []
        (match,) = planned.matches
        assert match.events[1].winners == ("cy",)
        assert list(match.events[1].hands) == ["ann"]

    @pytest.mark.parametrize("mode", ["elimination,100", "winner-collects,"])
    def test_a_hand_that_counts_can_not_be_left_out(self, mode):
        row = f"2024-11-20,basic,ann bo cy,- out 30,,final,{mode}\n"
        (why,) = self.planned(row).bad
        assert why.why == "The hand of this player is missing: bo."
