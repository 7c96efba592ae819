"""`scorekeeper import-results`: a file of past rounds is checked first, and imported once."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from urllib.request import Request, urlopen

import msgspec
import pytest
from click.testing import CliRunner, Result

from scorekeeper.api.layers.input_validation import BODY_LIMIT
from scorekeeper.cli.import_requests import ImportRequests
from scorekeeper.cli.main import scorekeeper
from scorekeeper.cli.terminal.failures import Failure
from scorekeeper.service.imports.cells import People
from scorekeeper.service.imports.planned_matches import PastMatch, parts, past_matches, pieces
from scorekeeper.service.imports.result_rows import read_rows
from tests.api.server_process import server_process
from tests.api.serving import ADMIN
from tests.commands import invoked

HEADING = "date,edition,players,points,cards,winners,match,mode,target,rounds\n"
COLORS = ("red", "yellow", "green", "blue")
BLOCK = re.compile(r"^```(csv|text)(.*?)\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGE = Path(__file__).resolve().parents[2] / "docs/importing.md"


def past_match(name: str, rounds: int, hand: str = "- 0,") -> PastMatch:
    row = f"2024-11-20,basic,ann bo,{hand},,{name},,1000000,\n"
    plan = past_matches(read_rows(io.StringIO(HEADING + row * rounds)), leave_open=False)
    (match,) = plan.matches
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


@pytest.mark.parametrize("body", [b"<html>", b'{"detail": "M\xfcnchen"}'])
def test_what_a_proxy_answers_in_the_middle_is_told_with_the_line(body: bytes):
    proxy = SimpleNamespace(ask=lambda *_, **__: (502, body))
    with pytest.raises(Failure, match=r"^lines 2 to 4: the service answered 502"):
        list(ImportRequests(proxy, "home").open([past_match("m", 3)]))


def test_whom_somebody_registered_meanwhile_is_not_told_as_registered():
    answers = iter([(201, b"{}"), (409, b"{}")])
    service = SimpleNamespace(ask=lambda *_, **__: next(answers))
    told = ImportRequests(service, "home").register(People(()), [past_match("m", 1)])
    assert list(told) == ["ann"]


@pytest.mark.parametrize(
    "command",
    [
        ["import-results", str(PAGE), "--league", "home"],
        ["simulate", "--league", "home", "--edition", "basic", "--matches", "1"],
    ],
)
def test_a_token_need_not_stand_where_everybody_on_the_machine_reads_it(command):
    nobody = ["--url", "http://127.0.0.1:9"]
    told = {"SCOREKEEPER_TOKEN": "sk_home_secret"}
    done = CliRunner().invoke(scorekeeper, [*command, *nobody], env=told)
    assert "does not answer" in done.output
    assert "secret" not in done.output


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server_process(tmp_path_factory.mktemp("served")) as url:
        yield url


def run(file: Path, url: str, league: str, *more: str) -> Result:
    arguments = ["import-results", str(file), "--url", url, "--token", ADMIN, "--league", league]
    return invoked(*arguments, *more)


def ask(url: str, path: str, body: object = None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {ADMIN}", "Content-Type": "application/json"}
    with urlopen(Request(url + path, data, headers)) as answer:
        return json.load(answer)


def test_the_page_shows_what_the_command_says(url: str, tmp_path: Path):
    """Each output on the page is what the command prints for the file shown above it."""
    ask(url, "/v1/leagues", {"league": "home", "name": "Home"})
    file = tmp_path / "rounds.csv"
    shown = 0
    for kind, flags, block in BLOCK.findall(PAGE.read_text("utf-8")):
        if kind == "csv":
            file.write_text(block, encoding="utf-8")
        else:
            said = run(file, url, "home", *flags.split())
            assert said.output == block
            assert (said.exit_code == 1) == ("Error" in block)
            shown += 1
    assert shown == 6
    assert ask(url, "/v1/leagues/home/matches/final-2024")["winners"] == ["bo"]
    second = ask(url, "/v1/leagues/home/matches/second")
    assert (second["winners"], second["totals"]) == (["bo"], {"ann": 31, "bo": 14})


def test_a_file_longer_than_a_request_stands_in_the_log_in_its_order(url: str, tmp_path: Path):
    """The file has many short matches, and one with more rounds than a request takes."""
    rows = [f"2024-11-20,basic,ann bo,- 5,,,short-{number},,,\n" for number in range(600)]
    rows[300:300] = ["2024-11-20,basic,ann bo,- 0,,,long,,,\n"] * 1_100
    file = tmp_path / "long.csv"
    file.write_text(HEADING + "".join(rows), encoding="utf-8")
    ask(url, "/v1/leagues", {"league": "long", "name": "Long"})
    done = run(file, url, "long")
    assert done.exit_code == 0, done.output
    assert "1700 rounds in 601 matches; 601 of the matches were new." in done.output
    listed = ask(url, "/v1/leagues/long/matches?limit=1000")["items"]
    order = [f"short-{number}" for number in range(600)]
    order.insert(300, "long")
    assert [each["match"] for each in reversed(listed)] == order
    table = ask(url, "/v1/leagues/long/standings")["items"]
    again = run(file, url, "long")
    assert "601 matches; 0 of the matches were new." in again.output
    assert ask(url, "/v1/leagues/long/standings")["items"] == table
    assert [each["longest_streak"] for each in table] == [601, 1]


def test_a_file_from_windows_in_taiwan_is_read_as_such(url: str, tmp_path: Path):
    file = tmp_path / "rounds.csv"
    file.write_text(HEADING + "2024-11-20,basic,美美 小明,- 5,,,,,,\n", encoding="cp950")
    ask(url, "/v1/leagues", {"league": "taiwan", "name": "Taiwan"})
    refused = run(file, url, "taiwan")
    assert (
        "line 2: from here on this is no UTF-8; --encoding says what else it is" in refused.output
    )
    assert run(file, url, "taiwan", "--encoding", "big5").exit_code == 0
    named = [each["name"] for each in ask(url, "/v1/leagues/taiwan/players")["items"]]
    assert sorted(named) == ["小明", "美美"]


@pytest.mark.parametrize("flags", [(), ("--encoding", "big5")])
@pytest.mark.parametrize("beginning", ["504b030414000600", "d0cf11e0a1b11ae1"])
def test_a_workbook_is_called_so(url: str, tmp_path: Path, beginning: str, flags: tuple[str, ...]):
    """No encoding reads it."""
    file = tmp_path / "evenings.xlsx"
    file.write_bytes(bytes.fromhex(beginning) + b"\xff\x00" * 9)
    ask(url, "/v1/leagues", {"league": "workbook", "name": "Workbook"})
    assert run(file, url, "workbook", *flags).output == (
        "Error: evenings.xlsx is a workbook. Save it as CSV in the program that made it.\n"
    )


def test_a_service_that_refuses_the_token_is_told_of_in_words(url: str, tmp_path: Path):
    file = tmp_path / "rounds.csv"
    file.write_text(HEADING, encoding="utf-8")
    said = run(file, url, "nowhere").output
    assert said.startswith("Error: GET /v1/leagues/nowhere/players")
    assert "{" not in said
