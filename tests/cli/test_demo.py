"""`scorekeeper demo`: its league has every kind of content, verifies, and is kept."""

import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.files import ProcessLock
from tests.api.live_client import PATIENCE
from tests.api.server_process import free_port
from tests.commands import invoked
from tests.forked_programs import start

ENDS_WITHIN = 60


class Demo:
    """A running demonstration; `links` are those that it prints at its start, in order."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        reading, writing = os.pipe()
        self._process = start(
            ["demo", "--no-browser", "--data-dir", str(folder)],
            {**os.environ, "SCOREKEEPER_PORT": str(free_port())},
            writing,
        )
        os.close(writing)
        self._output = os.fdopen(reading, encoding="utf-8")
        self.printed = ""
        for line in self._output:
            self.printed += line
            if line.startswith("Ctrl-C"):
                break
        self.links = re.findall(r"http://\S+", self.printed)
        self.client = httpx.Client(
            base_url=self.links[0].partition("/join")[0], follow_redirects=True, timeout=PATIENCE
        )
        code = self.links[0].partition("#")[2]
        own = {"origin": str(self.client.base_url).rstrip("/")}
        body = {"code": code, "name": "Visitor"}
        assert self.client.post("/v1/session", json=body, headers=own).status_code == 201

    def get(self, path: str):
        answer = self.client.get(f"/v1/leagues/demo{path}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def end(self) -> int | None:
        """Press Ctrl-C if the demonstration still runs, and return its exit status."""
        self.client.close()
        if self._process.is_alive():
            assert self._process.pid is not None
            os.kill(self._process.pid, signal.SIGINT)
            self._process.join(ENDS_WITHIN)
        self._output.close()
        return self._process.exitcode


@contextmanager
def demo(folder: Path) -> Iterator[Demo]:
    shown = Demo(folder)
    try:
        yield shown
    finally:
        shown.end()


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A demonstration whose folder has the files of an interrupted start."""
    folder = tmp_path_factory.mktemp("demo")
    (folder / "demo.json").write_text(json.dumps({"step": None}))
    (folder / "scorekeeper.sqlite3").write_bytes(b"half of it")
    with demo(folder) as shown:
        yield shown


def test_every_link_of_the_guide_shows_a_page(shown):
    answers = {link: shown.client.get(link.partition("#")[0]).status_code for link in shown.links}
    assert len(answers) == 13
    assert set(answers.values()) == {200}
    guide = (shown.folder / "guide.html").read_text(encoding="utf-8")
    assert re.findall('href="([^"]+)"', guide) == shown.links * 2


def test_the_league_has_several_seasons_and_all_editions(shown):
    held = shown.get("/matches?limit=1000")["items"]
    assert {edition for edition, _ in EDITIONS} <= {each["edition"] for each in held}
    years = [
        shown.get(f"/standings?from={year}-01-01&to={year}-12-31")["items"]
        for year in seasons(shown)
    ]
    assert len(years) == 3
    assert all(years)


def seasons(shown: Demo) -> list[int]:
    slugs = [each["match"] for each in shown.get("/matches?limit=1000")["items"]]
    return sorted({int(found[1]) for slug in slugs if (found := re.match(r"(\d{4})-\d", slug))})


def test_one_dispute_is_open_at_a_step_that_the_rules_forbid_and_others_are_ruled(shown):
    (link,) = [link for link in shown.links if "step=" in link]
    step = int(link.partition("step=")[2])
    shown_step = shown.get("/matches/quarrel/rounds/1/replay")["items"][step - 1]
    assert shown_step["verdict"] == "illegal"
    assert shown.get("/matches/quarrel")["open_disputes"] == 1
    told = shown.get("/matches/quarrel/events?limit=1000")["items"]
    (dispute,) = [each["data"] for each in told if each["type"] == "dispute_opened"]
    assert dispute["entry"] == shown_step["version"]
    board = shown.get("/matches/corrected")
    assert (board["open_disputes"], board["amendments"]) == (0, 1)
    rulings = [
        each["data"]["ruling"]
        for each in shown.get("/matches/corrected/events?limit=1000")["items"]
        if each["type"] == "dispute_ruled"
    ]
    assert rulings == ["upheld", "rejected"]


def test_what_if_has_something_to_change(shown):
    (link,) = [link for link in shown.links if "step=" in link]
    steps = shown.get("/matches/quarrel/rounds/1/replay")["items"]
    version = steps[int(link.partition("step=")[2]) - 1]["version"]
    asked = {"from": version, "remove": 1, "insert": []}
    own = {"sec-fetch-site": "same-origin"}
    told = shown.client.post("/v1/leagues/demo/matches/quarrel/what-if", json=asked, headers=own)
    assert told.status_code == 200, told.text
    assert told.json()["changes"]


def test_one_tournament_has_its_champion_and_one_is_being_played(shown):
    over = shown.get("/tournaments/spring-cup/standings")
    assert (over["complete"], len(over["champions"])) == (True, 1)
    board = shown.get("/tournaments/autumn-cup/board")
    assert (board["segment"], len(board["tables"])) == (4, 2)
    assert [(table["status"], table["round"]) for table in board["tables"]] == [
        ("open", 3),
        ("open", 2),
    ]


def test_a_round_goes_on_tonight(shown):
    board = shown.get("/matches/tonight")
    assert (board["status"], board["phase"], board["round"]) == ("open", "playing", 3)


def test_the_league_verifies(shown):
    told = invoked("verify", "--json", "--data-dir", shown.folder)
    assert told.exit_code == 0, told.output
    (league,) = json.loads(told.output)["leagues"]
    assert (league["league"], league["ok"], league["ruled_disputes"]) == ("demo", True, 2)


def test_what_lies_on_the_disk_is_its_owners_alone(shown):
    """The guide has the link that lets a device in, and the log the setup code."""
    modes = {file.name: file.stat().st_mode & 0o077 for file in shown.folder.iterdir()}
    assert {"demo.json", "guide.html", "serve.log"} < set(modes)
    assert {name for name, of_others in modes.items() if of_others} == set()


@pytest.mark.parametrize("option", ["--fresh", "--no-browser"])
def test_a_running_one_is_left_alone_by_another(shown, option):
    before = sorted(file.name for file in shown.folder.iterdir())
    told = invoked("demo", option, "--data-dir", shown.folder)
    assert told.exit_code == 1
    assert f"{shown.folder} is in use" in told.output
    assert sorted(file.name for file in shown.folder.iterdir()) == before
    assert shown.get("/matches/tonight")["round"] == 3


def test_a_server_that_outlived_its_demonstration_keeps_its_files(tmp_path):
    (tmp_path / "demo.json").write_text(json.dumps({"step": 3}))
    served = ProcessLock(tmp_path / "scorekeeper.sqlite3")
    told = invoked("demo", "--fresh", "--data-dir", tmp_path)
    served.release()
    assert (told.exit_code, json.loads((tmp_path / "demo.json").read_text())) == (1, {"step": 3})
    assert "is in use" in told.output


def test_what_was_interrupted_is_made_anew_and_what_is_whole_is_opened_again(shown):
    """The last test of `shown`, since it ends the demonstration and starts it again."""
    assert shown.get("/matches/tonight")["round"] == 3
    size, join = entries(shown), shown.links[0]
    assert shown.end() == 0
    with demo(shown.folder) as second:
        assert second.links[0] != join
        # The second invitation, and the device that signed in with it.
        assert 0 < entries(second) - size <= 2
        assert second.end() == 0


def entries(shown: Demo) -> int:
    return int(shown.client.get("/v1/leagues/demo/log/checkpoint").text.splitlines()[1])


@pytest.mark.parametrize("other", [None, b'{"scenes": 3}', b"{}", b"", b"\xff"])
def test_a_folder_that_holds_something_else_is_left_alone(tmp_path, other):
    """Also if it has a file of the same name as the one that marks a demonstration."""
    (tmp_path / "letter.txt").write_text("dear")
    if other is not None:
        (tmp_path / "demo.json").write_bytes(other)
    told = invoked("demo", "--fresh", "--data-dir", tmp_path)
    assert (told.exit_code, (tmp_path / "letter.txt").read_text()) == (1, "dear")
    assert "holds something else" in told.output
