"""`scorekeeper import-results`: a spreadsheet of past rounds, checked first, imported once."""

import io
import json
import re
from pathlib import Path
from urllib.request import Request, urlopen

import msgspec
import pytest
from click.testing import CliRunner, Result

from scorekeeper.api.door import BODY_LIMIT
from scorekeeper.cli.main import scorekeeper
from scorekeeper.cli.past_matches import PastMatch, past_matches
from scorekeeper.cli.past_requests import parts, pieces
from scorekeeper.cli.result_rows import BadRow, ResultRow, read_rows
from scorekeeper.match.events import MatchClosed
from tests.api.server_process import server_process
from tests.api.serving import ADMIN

HEADING = "date,edition,players,points,cards,winners,match,mode,target,rounds\n"
COLORS = ("red", "yellow", "green", "blue")
GOOD = "2024-11-20,basic,ann bo cy di,- 20 5 35,,,,,,\n"
PAGE = Path(__file__).resolve().parents[2] / "docs/importing.md"


def read(*lines: str, heading: str = HEADING) -> list[ResultRow | BadRow]:
    return list(read_rows(io.StringIO(heading + "".join(lines))))


def planned(*lines: str, leave_open: bool = False):
    rows = [row for row in read(*lines) if isinstance(row, ResultRow)]
    assert len(rows) == len(lines)
    return past_matches(rows, leave_open=leave_open)


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
        ("2024-11-20,chess,ann bo,- 5,,,,,,\n", "no edition chess"),
        ("2024-11-20,basic,Ann bo,- 5,,,,,,\n", "Ann is no slug"),
        ("2024-11-20,basic,ann ann,- 5,,,,,,\n", "twice"),
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


@pytest.mark.parametrize("encoding", ["utf-16", "big5"])
def test_a_file_in_another_encoding_is_one_bad_row(tmp_path: Path, encoding):
    text = HEADING + GOOD.replace("ann", "安")
    file = tmp_path / "rounds.csv"
    file.write_bytes(text.encode(encoding))
    with file.open(encoding="utf-8-sig", newline="") as lines:
        (row,) = read_rows(lines)
    assert isinstance(row, BadRow)
    assert row.line == 1
    assert "UTF-8" in row.why


def test_the_same_table_on_the_same_day_is_one_match_and_is_closed():
    (match,), bad = planned(GOOD, GOOD)
    assert bad == []
    assert match.rounds == 2
    assert isinstance(match.events[-1], MatchClosed)
    (left_open,), _ = planned(GOOD, GOOD, leave_open=True)
    assert [type(each).__name__ for each in left_open.events] == ["RoundTallied"] * 2


def test_where_a_table_plays_on_after_a_match_is_won_the_next_one_begins():
    high = "2024-11-20,basic,ann bo,- 400,,,,,,\n"
    (one, two), bad = planned(high, high, high)
    assert bad == []
    assert two.match == f"{one.match}-2"
    assert [one.rounds, two.rounds] == [2, 1]
    assert not isinstance(one.events[-1], MatchClosed)


def test_rows_that_the_rules_refuse_say_why_with_their_lines():
    named = "2024-11-20,basic,ann bo,- 400,,,final,,,\n"
    _, bad = planned(named, named, named)
    assert [row.line for row in bad] == [4]
    others = named.replace("ann bo", "ann cy")
    _, bad = planned(named, others)
    assert [row.line for row in bad] == [3]
    assert "other players" in bad[0].why
    _, bad = planned("2024-11-20,basic,ann bo,,/ red-5 red-5 red-5,,,,,\n")
    assert "red-5" in bad[0].why
    _, bad = planned("2024-11-20,basic,ann bo,- 5,,,,plus-minus,,\n")
    assert "rounds" in bad[0].why


def test_a_match_goes_without_the_rows_that_the_rules_refuse():
    row = "2024-11-{day},basic,ann bo,- {points},,,cup,,,\n"
    days = [(10, 9999), (11, 5), (12, 9999), (13, 6), (14, 9999)]
    (match,), bad = planned(*(row.format(day=day, points=points) for day, points in days))
    assert [each.line for each in bad] == [2, 4, 6]
    assert match.rounds == 2
    assert [type(event).__name__ for event in match.events] == ["RoundTallied"] * 2 + [
        "MatchClosed"
    ]
    assert [event.at.day for event in match.events if event.at is not None] == [11, 13, 13]
    none, bad = planned(row.format(day=10, points=9999))
    assert (none, len(bad)) == ([], 1)


def test_the_same_rows_get_the_same_ids_in_one_league_and_others_elsewhere():
    here, again, elsewhere = (
        [event.id for event in planned(GOOD)[0][0].with_ids(league).events]
        for league in ("home", "home", "away")
    )
    # Those of a file that was imported years ago.
    assert here == ["5298390d-0d0b-5ccd-b3b3-845350969e25", "0da37dcf-5c88-5da8-91e2-88327127912c"]
    assert here == again
    assert not set(here) & set(elsewhere)


def past_match(name: str, rounds: int, hand: str = "- 0,") -> PastMatch:
    row = f"2024-11-20,basic,ann bo,{hand},,{name},,1000000,\n"
    (match,), bad = planned(*[row] * rounds)
    assert bad == []
    return match


def test_matches_are_sent_in_their_order_as_many_as_a_request_takes():
    few, most, whole = past_match("few", 9), past_match("most", 989), past_match("whole", 1_200)
    sent = [[match.match for match in part] for part in parts([few, most, few, whole, few, few])]
    assert sent == [["few", "most"], ["few"], ["whole"], ["few", "few"]]


def test_a_request_stays_below_what_a_body_may_have():
    numbers = [f"{color}-{n}" for color in COLORS for n in (*range(10), *range(1, 10))]
    others = [f"{color}-draw-two {color}-skip {color}-reverse" for color in COLORS] * 2
    match = past_match("m", 300, f",/ {' '.join([*numbers, *others])}")
    assert [len(part) for part in parts([match] * 3)] == [2, 1]
    sizes = [len(msgspec.json.encode(piece)) for piece in pieces(match.events * 3)]
    assert len(sizes) == 2
    assert max(sizes) < BODY_LIMIT


def run(file: Path, url: str, *more: str) -> Result:
    arguments = ["import-results", str(file), "--url", url, "--token", ADMIN, "--league", "home"]
    return CliRunner().invoke(scorekeeper, [*arguments, *more])


def ask(url: str, path: str, body: object = None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {ADMIN}", "Content-Type": "application/json"}
    with urlopen(Request(url + path, data, headers)) as answer:
        return json.load(answer)


def test_a_file_is_imported_once_and_bad_rows_stop_all_of_it(tmp_path: Path):
    example = re.search(r"```csv\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    good = tmp_path / "good.csv"
    good.write_text(example[1], encoding="utf-8")
    bad = tmp_path / "bad.csv"
    bad.write_text(example[1] + "2024-11-28,basic,ann bo,7 5,,,,\nx,basic,ann bo,- 5,,,,\n")
    with server_process(tmp_path) as url:
        ask(url, "/v1/leagues", {"league": "home", "name": "Home"})
        ask(url, "/v1/leagues/home/players", {"player": "ann", "name": "Ann"})
        refused = run(bad, url)
        assert refused.exit_code == 1
        assert "line 5: nobody won" in refused.output
        assert "line 6: x is no date" in refused.output
        assert "nothing was imported" in refused.output
        assert ask(url, "/v1/leagues/home/matches")["items"] == []
        done = run(good, url)
        assert done.exit_code == 0, done.output
        assert "3 rounds in 2 matches; 2 of the matches were new." in done.output
        matches = ask(url, "/v1/leagues/home/matches")["items"]
        assert {each["status"] for each in matches} == {"won"}
        heads = {m["match"]: ask(url, f"/v1/leagues/home/matches/{m['match']}") for m in matches}
        assert heads["final-2024"]["winners"] == ["bo"]
        again = run(bad, url, "--skip-bad")
        assert again.exit_code == 0, again.output
        assert "0 of the matches were new. 2 bad rows were skipped." in again.output
        for match, head in heads.items():
            assert ask(url, f"/v1/leagues/home/matches/{match}") == head
        players = ask(url, "/v1/leagues/home/players")["items"]
        assert {each["player"]: each["name"] for each in players}["ann"] == "Ann"


def test_a_file_longer_than_a_request_stands_in_the_log_in_its_order(tmp_path: Path):
    """In matches of one round, and in one of more rounds than a request takes."""
    rows = [f"2024-11-20,basic,ann bo,- 5,,,short-{number},,,\n" for number in range(600)]
    rows[300:300] = ["2024-11-20,basic,ann bo,- 0,,,long,,,\n"] * 1_100
    file = tmp_path / "long.csv"
    file.write_text(HEADING + "".join(rows), encoding="utf-8")
    with server_process(tmp_path) as url:
        ask(url, "/v1/leagues", {"league": "home", "name": "Home"})
        done = run(file, url)
        assert done.exit_code == 0, done.output
        assert "1700 rounds in 601 matches; 601 of the matches were new." in done.output
        listed = ask(url, "/v1/leagues/home/matches?limit=1000")["items"]
        order = [f"short-{number}" for number in range(600)]
        order.insert(300, "long")
        assert [each["match"] for each in reversed(listed)] == order
        table = ask(url, "/v1/leagues/home/standings")["items"]
        again = run(file, url)
        assert "601 matches; 0 of the matches were new." in again.output
        assert ask(url, "/v1/leagues/home/standings")["items"] == table
        assert [each["longest_streak"] for each in table] == [601, 1]
