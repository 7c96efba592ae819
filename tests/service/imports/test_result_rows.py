"""Rows of past rounds as spreadsheets write them, and what is wrong with those that are bad."""

import codecs
import io
import re
from pathlib import Path

import pytest

from scorekeeper.service.imports.cells import People
from scorekeeper.service.imports.result_rows import BadRow, ResultRow, read_rows
from scorekeeper.service.imports.spreadsheet import OTHER_ENCODINGS, opened

HEADING = "date,edition,players,points,cards,winners,match,mode,target,rounds\n"
GOOD = "2024-11-20,basic,ann bo cy di,- 20 5 35,,,,,,\n"


def read(*lines: str, heading: str = HEADING) -> list[ResultRow | BadRow]:
    return list(read_rows(io.StringIO(heading + "".join(lines))))


def why(line: str) -> str:
    (row,) = read(line)
    assert isinstance(row, BadRow), row
    assert row.line == 2
    return row.why


def test_points_are_read_in_the_order_of_the_players():
    (row,) = read(GOOD)
    assert isinstance(row, ResultRow)
    assert row.players == ("ann", "bo", "cy", "di")
    assert row.tally.winners == ("ann",)
    assert {p: hand.points for p, hand in (row.tally.hands or {}).items()} == {
        "bo": 20,
        "cy": 5,
        "di": 35,
    }
    assert row.at.isoformat() == "2024-11-20T00:00:00+00:00"


def test_cards_are_read_hand_by_hand():
    (row,) = read("2024-11-20,basic,ann bo cy,,/ red-5 wild / blue-2,,,,,\n")
    assert isinstance(row, ResultRow)
    assert row.tally.winners == ("ann",)
    assert {p: hand.cards for p, hand in (row.tally.hands or {}).items()} == {
        "bo": ("red-5", "wild"),
        "cy": ("blue-2",),
    }


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("yesterday,basic,ann bo,- 5,,,,,,\n", "yesterday is no date"),
        ("1024-11-20,basic,ann bo,- 5,,,,,,\n", "1024-11-20 lies before 1971"),
        ("2024/1/13 24:30,basic,ann bo,- 5,,,,,,\n", "2024/1/13 24:30 is no date"),
        ("2024/13/1,basic,ann bo,- 5,,,,,,\n", "2024/13/1 is no date"),
        ("5/1/2024,basic,ann bo,- 5,,,,,,\n", "5/1/2024 is no date"),
        ("2024-11-20,chess,ann bo,- 5,,,,,,\n", "no edition chess"),
        ("2024-11-20,basic,ann ann,- 5,,,,,,\n", "ann sits at the table twice"),
        ("2024-11-20,basic,an\0n bo,- 5,,,,,,\n", "a name holds a NUL: an\0n"),
        ("2024-11-20,basic,ann bo,- 5 6,,,,,,\n", "2 players and 3 hands"),
        ("2024-11-20,basic,ann bo,7 5,,,,,,\n", "nobody won"),
        ("2024-11-20,basic,ann bo cy,0 0 5,,,,,,\n", "nobody won"),
        ("2024-11-20,basic,ann bo cy,- - 5,,ann,,,,\n", "bo has nothing left"),
        ("2024-11-20,basic,ann bo,- 5,,zoe,,,,\n", "zoe"),
        ("2024-11-20,basic,ann bo,- five,,,,,,\n", "five"),
        ("2024-11-20,basic,ann bo,- 5,/ red-5,,,,,\n", "either points or cards"),
        ("2024-11-20,basic,ann bo,,,,,,,\n", "either points or cards"),
        ("2024-11-20,basic,ann bo,- 5,,,,chess,,\n", "no scoring mode chess"),
        ("2024-11-20,basic,ann bo,- 5,,,,,x,\n", "target"),
        ("2024-11-20,basic,ann bo,- 5,,,,,,,more\n", "more cells than columns"),
    ],
)
def test_a_row_that_can_not_be_read_says_why(line, told):
    assert told in why(line)


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        ("date,players,points\n", "lacks edition"),
        ("date,edition,players\n", "neither points nor cards"),
        ("date,edition,players,points,colour\n", "unknown columns: colour"),
        ("", "lacks date"),
    ],
)
def test_a_heading_that_does_not_fit_is_one_bad_row(heading, told):
    (row,) = read(GOOD, heading=heading) if heading else read(heading="")
    assert isinstance(row, BadRow)
    assert told in row.why


def test_blanks_around_names_of_columns_and_rows_left_empty_mean_nothing():
    empty = "\n" + "," * 9 + "\n" + " ,\t" + "," * 12 + "\n"
    (row,) = read(empty, GOOD, empty, heading=HEADING.replace(",", " , "))
    assert isinstance(row, ResultRow)
    assert (row.line, row.players) == (5, ("ann", "bo", "cy", "di"))


@pytest.mark.parametrize(
    ("date", "at"),
    [
        ("2024-01-05", "2024-01-05T00:00:00+00:00"),
        ("2024/1/5", "2024-01-05T00:00:00+00:00"),
        ("2024.01.05", "2024-01-05T00:00:00+00:00"),
        ("2024-01-05 19:30", "2024-01-05T19:30:00+00:00"),
        ("2024/1/5 9:30", "2024-01-05T09:30:00+00:00"),
        ("5.1.2024 19:30:15", "2024-01-05T19:30:15+00:00"),
        ("113年1月5日 19:30", "2024-01-05T19:30:00+00:00"),
        ("2024-01-05T03:30:00+08:00", "2024-01-04T19:30:00+00:00"),
    ],
)
def test_days_and_times(date, at):
    (row,) = read(GOOD.replace("2024-11-20", date))
    assert isinstance(row, ResultRow)
    assert row.at.isoformat() == at


def test_lines_are_those_of_the_file_however_many_a_row_takes():
    quoted = '2024-11-20,basic,"ann\nbo\ncy\ndi",- 20 5 35,,,,,,\n'
    rows = read(quoted, GOOD, "\n", quoted.replace("ann", "ann\nann"), GOOD.replace("20", "x"))
    assert [row.line for row in rows] == [2, 6, 8, 13]
    assert [type(row) for row in rows] == [ResultRow, ResultRow, BadRow, BadRow]
    assert rows[0].players == rows[1].players


SPREADSHEETS = {
    "commas": (HEADING + GOOD, "utf-8"),
    "semicolons": ((HEADING + GOOD).replace(",", ";"), "utf-8"),
    "tabs": ((HEADING + GOOD).replace(",", "\t"), "utf-8"),
    "UTF-8 with a mark": ((HEADING + GOOD).replace(",", ";"), "utf-8-sig"),
    "Unicode text": ((HEADING + GOOD).replace(",", "\t"), "utf-16"),
    "Unicode text, big-endian": ("\ufeff" + (HEADING + GOOD).replace(",", "\t"), "utf-16-be"),
    "in quotes": (HEADING + GOOD.replace("ann bo cy di", '"ann bo cy di"'), "utf-8"),
    "names of columns in capitals": (HEADING.upper() + GOOD, "utf-8"),
    "empty columns behind": ((HEADING + GOOD).replace("\n", ",,,\n"), "utf-8"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPREADSHEETS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_what_spreadsheets_write_is_read(tmp_path: Path, name, end):
    text, encoding = SPREADSHEETS[name]
    file = tmp_path / "rounds.csv"
    file.write_bytes(text.replace("\n", end).encode(encoding))
    with opened(file) as lines:
        (row,) = read_rows(lines)
    (plain,) = read(GOOD)
    assert row == plain


# The last character of each name is only in the Windows version of the encoding.
@pytest.mark.parametrize(("encoding", "name"), [("big5", "陳碁"), ("windows-1252", "Søren €")])
def test_what_windows_writes_is_read_in_the_encoding_that_is_named(tmp_path: Path, encoding, name):
    file = tmp_path / "rounds.csv"
    sheet = HEADING + GOOD.replace("ann bo cy di", f"{name};bo;cy;di")
    file.write_bytes(sheet.encode(OTHER_ENCODINGS[encoding]))
    people = People()
    with opened(file, encoding) as lines:
        (row,) = read_rows(lines, people)
    assert isinstance(row, ResultRow), row
    assert people.new[row.players[0]] == name


@pytest.mark.parametrize(
    ("mark", "chosen", "name"),
    [
        (b"", None, "UTF-8"),
        (codecs.BOM_UTF16_LE, None, "UTF-16"),
        (b"", "big5", "Big5"),
        (b"", "windows-1252", "Windows-1252"),
    ],
)
def test_what_is_in_no_encoding_is_bad_from_its_line_on(tmp_path: Path, mark, chosen, name):
    file = tmp_path / "rounds.csv"
    whole = (HEADING + GOOD * 400).encode("utf-16-le" if mark else "utf-8")
    broken = b"\x00\xdc\x00\xdc" if mark else "é\x81\n".encode("latin-1")
    file.write_bytes(mark + whole + broken + whole)
    with opened(file, chosen) as lines:
        rows = list(read_rows(lines))
    bad = rows[-1]
    assert isinstance(bad, BadRow)
    assert (bad.line, f"no {name}; --encoding says" in bad.why) == (402, True)
    assert all(bad.place.may_hold(row) for row in rows[:-1] if isinstance(row, ResultRow))


def test_a_quotation_mark_that_is_never_closed_is_told_in_our_words():
    *rows, bad = read(GOOD, GOOD.replace("ann", '"ann'), GOOD * 4_000)
    assert [type(row) for row in rows] == [ResultRow]
    assert isinstance(bad, BadRow)
    assert bad.line == 3
    assert bad.why.endswith("a closing quotation mark may be missing")


class TestNames:
    """Slugs, or names as they are written in the sheet."""

    LEAGUE = People([("ann", "Anne Miller"), ("player-1f", "美美"), ("bo", "Bo"), ("bo-2", "bo")])
    TABLE = "2024-11-20,basic,{},- 5,,,,,,\n"

    def players(self, cell: str, people: People = LEAGUE) -> tuple[str, ...]:
        (row,) = read_rows(io.StringIO(HEADING + self.TABLE.format(cell)), people)
        assert isinstance(row, ResultRow), row
        return row.players

    @pytest.mark.parametrize(
        ("cell", "players"),
        [
            ("ann cy", ("ann", "cy")),
            ("Ann Zoë", ("ann", "zoe")),
            ("ANNE MILLER/Oma Ida", ("ann", "oma-ida")),
            ('"Oma Ida, 美美"', ("oma-ida", "player-1f")),
            ("Oma Ida; ann", ("oma-ida", "ann")),
        ],
    )
    def test_names_mean_people_of_the_league_or_new_ones(self, cell, players):
        assert self.players(cell) == players

    def test_a_name_without_a_slug_gets_the_same_one_each_time(self):
        first, _ = self.players("阿明 ann")
        assert first.startswith("player-")
        assert self.players("阿明 cy")[0] == first != self.players("阿華 cy")[0]
        assert self.LEAGUE.new[first] == "阿明"

    def test_a_name_that_two_people_have_is_not_guessed_at(self):
        (row,) = read_rows(io.StringIO(HEADING + self.TABLE.format("BO ann")), self.LEAGUE)
        assert row.why == "BO is the name of bo and bo-2: write which of them"
        assert self.players("bo ann") == ("bo", "ann")

    def test_people_whose_names_share_only_their_latin_letters_are_told_apart(self):
        people = People()
        first = self.players('"王Tony, 李Tony"', people)
        assert first[0] == "tony" != first[1]
        assert self.players('"王TONY, 李Tony"', people) == first
        assert [people.new[slug] for slug in first] == ["王Tony", "李Tony"]
        renamed = People([("tony", "王Tony"), (first[1], "Li")])
        assert self.players('"王Tony, 李Tony"', renamed) == first

    def test_nobody_new_is_taken_for_a_player_of_another_name(self):
        people = People([("tony", "王Tony"), ("gone", None)])
        (row,) = read_rows(io.StringIO(HEADING + self.TABLE.format('"李Tony, bo"')), people)
        assert isinstance(row, BadRow)
        told = "李Tony would be tony, as 王Tony is: write tony, or register 李Tony before"
        assert row.why == told
        assert self.players("Tony 李Gone", people) == ("tony", "gone")

    @pytest.mark.parametrize("people", [People(), People([("bo", "Bo"), ("ming", "阿明")])])
    def test_two_winners_are_not_the_one_whose_name_has_latin_letters(self, people):
        line = "2024-11-20,mickey,阿明 Bo cy,0 0 5,,阿明 Bo,,,,\n"
        (row,) = read_rows(io.StringIO(HEADING + line), people)
        assert isinstance(row, ResultRow), row
        assert row.tally.winners == row.players[:2]

    def test_matches_whose_names_share_only_their_latin_letters_are_not_one(self):
        names = ["週五 UNO", "週五 uno", "週六 UNO"]
        friday, same, saturday = read(*[f"2024-11-20,basic,ann bo,- 5,,,{n},,,\n" for n in names])
        assert friday.match == same.match == "uno"
        assert saturday.why == "週六 UNO would be match uno, as 週五 UNO is: give it another name"

    @pytest.mark.parametrize(
        ("name", "slug"),
        [
            ("final-2024", "final-2024"),
            ("Final 2024", "final-2024"),
            ("決賽", "match-[0-9a-f]{10}"),
        ],
    )
    def test_a_match_may_have_a_name(self, name, slug):
        row, again = read(*[f"2024-11-20,basic,ann bo,- 5,,,{name},,,\n"] * 2)
        assert row.match == again.match
        assert re.fullmatch(slug, row.match)

    def test_long_names_of_matches_are_told_apart(self):
        names = ["The longest name of a match that anybody ever thought of, " + end for end in "ab"]
        rows = read(*[f'2024-11-20,basic,ann bo,- 5,,,"{name}",,,\n' for name in names])
        assert len({row.match for row in rows}) == 2


class TestSubstitutes:
    """`ann=eve`: in the column of ann sat eve, and either may be named."""

    HEADING = "date,edition,players,points,winners,substitutes\n"

    def read(self, players: str, points: str, winners: str, substitutes: str):
        line = f"2024-11-20,basic,{players},{points},{winners},{substitutes}\n"
        (row,) = read(line, heading=self.HEADING)
        return row

    @pytest.mark.parametrize("players", ["ann bo cy", "eve bo cy"])
    @pytest.mark.parametrize(
        ("points", "winners"), [("- 5 6", ""), ("0 5 6", "ann"), ("0 5 6", "eve")]
    )
    def test_either_name_means_the_column(self, players, points, winners):
        row = self.read(players, points, winners, "ann=eve")
        assert (row.players, row.tally.winners) == (("ann", "bo", "cy"), ("ann",))
        assert row.substitutes == {"ann": "eve"}

    def test_several_sit_in(self):
        row = self.read("ann bo cy", "5 6 -", "", "ann=eve cy=fay")
        assert row.substitutes == {"ann": "eve", "cy": "fay"}
        assert self.read("ann bo cy", "5 6 -", "Oma Ida", "cy = Oma Ida").tally.winners == ("cy",)

    @pytest.mark.parametrize(
        ("substitutes", "told"),
        [
            ("eve", "eve does not say who sat in for whom, as ann=eve does"),
            ("ann=eve=fay", "does not say"),
            ("ann=", "does not say"),
            ("di=eve", "eve sits in for di, who is none of the players"),
            ("ann=bo", "ann sits at the table twice"),
            ("ann=eve bo=eve", "has a place of the own"),
            ("ann=eve ann=fay", "has a place of the own"),
        ],
    )
    def test_what_can_not_be_says_why(self, substitutes, told):
        row = self.read("ann bo cy", "5 6 -", "", substitutes)
        assert isinstance(row, BadRow)
        assert told in row.why
