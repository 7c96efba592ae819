"""`scorekeeper replay`: all at once into a pipe, step by step on a terminal."""

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator

import pytest
from click.testing import Result

from scorekeeper.cli.replay import places
from tests.api.serving import Match, serving
from tests.commands import invoked

ROUND = [
    {"type": "round_started", "hands": {"bo": ["red-9", "wild-draw-four", "red-1"]}},
    {"type": "first_card_turned", "card": "red-5"},
    {"type": "card_played", "player": "bo", "card": "wild-draw-four", "color": "blue"},
    {"type": "card_played", "player": "di", "card": "blue-2"},
    {"type": "round_tallied", "winners": ["di"], "as_played": True, "hands": {
        "ann": {"points": 30}, "bo": {"cards": ["red-9", "red-1"]}, "cy": {"cards": ["wild"]}}},
]  # fmt: skip
COLORED = re.compile(r"\x1b\[[0-9;]*3[0-9][0-9;]*m")


def replay(url: str, *arguments: str) -> Result:
    return invoked("replay", "--database-url", url, *arguments)


@pytest.fixture
def match(database_url: str) -> Iterator[Match]:
    """A match that is served while the command reads it."""
    with serving(database_url) as served:
        match = served.league().match(dealer="ann")
        match.tell(*ROUND)
        yield match


def test_a_hand_is_that_of_the_one_who_sits_there(match: Match, database_url: str) -> None:
    match.tell(
        {"type": "player_substituted", "player": "bo", "substitute": "ed"},
        {"type": "round_tallied", "winners": ["ed"], "hands": {
            "ann": {"points": 30}, "cy": {"points": 1}, "di": {"points": 2}}},
    )  # fmt: skip
    shown = replay(database_url, *place(match)[:2], "2").output
    lines = [line.strip() for line in shown.splitlines()]
    assert "ed: –" in lines, shown
    assert "ed: 0, which makes 10" in lines, shown
    assert not [line for line in lines if line.startswith("bo:")]


def place(match: Match) -> list[str]:
    _, _, _, league, _, slug = match.root.split("/")
    return [league, slug, "1"]


def test_all_of_it_is_printed_beside_the_server(match: Match, database_url: str) -> None:
    shown = replay(database_url, *place(match))
    assert shown.exit_code == 0, shown.output
    lines = [line.strip() for line in shown.output.splitlines()]
    assert "Step 3 of 7 · entry 4 · recorded by scorekeeper at" in shown.output
    said = "[!] against the rules  bo plays wild-draw-four, which goes on any card (B-MATCH). bo"
    assert any(line.startswith(said[:60]) for line in lines), shown.output
    assert "! bo plays wild-draw-four beside a hand that forbids it (B-WILD4-LEGAL)." in lines
    assert any(line.startswith("B-WILD4-LEGAL  ") for line in lines)
    assert "bo: red-9 wild-draw-four red-1 4 unknown" in lines
    assert any(line.endswith("(known since: blue-2)") and line[:3] == "di:" for line in lines)
    assert "bo: 10, which makes 10" in lines
    assert "red-9 9 (step 6: as told)" in lines
    assert "hand of ann: 30 (step 6: as told)" in lines
    assert "\x1b" not in shown.output


def test_other_views_versions_and_languages(match: Match, database_url: str) -> None:
    recorded = replay(database_url, *place(match), "--view", "recorded", "--at", "4")
    assert "Step 3 of 3" in recorded.output
    chinese = replay(database_url, *place(match), "--lang", "zh-TW")
    assert "[!] 違反規則" in chinese.output
    assert "[draw pile]" not in chinese.output
    assert "牌堆 79 張" in chinese.output
    assert "紅色 9 9 分（第 6 步：依回報）" in chinese.output
    assert "ann 的手牌：30 分（第 6 步：依回報）" in chinese.output


def test_what_is_not_there_is_said(match: Match, database_url: str) -> None:
    league, slug, _ = place(match)
    for missing in ([league, slug, "2"], [league, "none", "1"], ["none", slug, "1"]):
        gone = replay(database_url, *missing)
        assert gone.exit_code == 1
        assert gone.output.startswith("Error: ")
    assert replay(database_url, *place(match), "--at", "99").exit_code == 1


def test_a_database_that_is_not_there(tmp_path) -> None:
    gone = replay(f"sqlite+aiosqlite:///{tmp_path}/none.sqlite3", "league", "match", "1")
    assert (gone.exit_code, "there is no database" in gone.output) == (1, True)


def test_keys_step_through_the_pages() -> None:
    def shown(count: int, *keys: str) -> list[int]:
        pressed = iter(keys)
        return list(places(count, lambda: next(pressed)))

    assert shown(3, "n", " ", "n", "p", "q") == [0, 1, 2, 2, 1]
    assert shown(2, "\x1b[C", "\x1b[D", "p", "x", "\x1b[B", "q") == [0, 1, 0, 0, 0, 1]
    assert shown(1, "\x1b") == [0]
    assert shown(0) == []


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._ours, theirs = pty.openpty()
        program = "from scorekeeper.cli.main import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **environment},
        )
        os.close(theirs)

    def until(self, words: str) -> str:
        """Return the output up to these words, after waiting for them."""
        seen = b""
        while words.encode() not in seen:
            ready, _, _ = select.select([self._ours], [], [], 60)
            assert ready, seen.decode()
            seen += os.read(self._ours, 65_536)
        return seen.decode()

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def left(self) -> int:
        code = self._process.wait(60)
        os.close(self._ours)
        return code


@pytest.mark.parametrize("colors", [True, False])
def test_on_a_terminal(sqlite_url: str, colors: bool) -> None:
    with serving(sqlite_url) as served:
        match = served.league().match(dealer="ann")
        match.tell(*ROUND)
        asked = ["replay", "--database-url", sqlite_url, *place(match)]
        terminal = Terminal(*asked, NO_COLOR="" if colors else "1")
        first = terminal.until("q: leave")
        assert "Step 1 of 7" in first
        terminal.press("n")
        terminal.until("q: leave")
        terminal.press("\x1b[C")
        third = terminal.until("q: leave")
        assert "Step 3 of 7" in third
        assert "against the rules" in third
        assert bool(COLORED.search(third)) == colors
        terminal.press("p")
        assert "Step 2 of 7" in terminal.until("q: leave")
        terminal.press("q")
        assert terminal.left() == 0
