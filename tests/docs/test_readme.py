"""README.md is run as printed, and its commands give the results that it promises."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.api.server_process import free_port

ROOT = Path(__file__).resolve().parents[2]
TOUR = "## A tour of three minutes"
PRINTED_URL = "http://127.0.0.1:8000"
BOUNDARY = "\x1e"
READY_WITHIN = 120.0
LAST_GREETING = "Without curl, "
_BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


class Step(NamedTuple):
    """One block to type, the line of README.md where it begins, and the output shown below it."""

    line: int
    typed: str
    shown: str


def page() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    """Return the blocks before the tour: the first commands of a newcomer."""
    text = page()
    return [
        match["text"].strip()
        for match in _BLOCK.finditer(text[: text.index(TOUR)])
        if match["kind"] == "sh"
    ]


def tour() -> list[Step]:
    """Return the tour's steps in order; raise ValueError at a block that belongs to none."""
    text = page()
    steps: list[Step] = []
    for match in _BLOCK.finditer(text, text.index(TOUR)):
        line = text.count("\n", 0, match.start()) + 1
        if match["kind"] == "sh":
            steps.append(Step(line, match["text"], ""))
        elif match["kind"] in {"json", "text"} and steps and not steps[-1].shown:
            steps[-1] = steps[-1]._replace(shown=match["text"])
        else:
            raise ValueError(f"README.md:{line}: a {match['kind']} block that belongs to no step")
    return steps


def without_chance(text: str) -> str:
    """The text with everything replaced that differs from one run to the next."""
    for pattern, word in (
        (r"sk_([a-z0-9-]+)_[^\s\"]+", r"sk_\1_SECRET"),
        (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID"),
        (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME"),
        (r"\b[0-9a-f]{64}\b", "HASH"),
        (r'"request_id": ?"[^"]*"', '"request_id": "REQUEST"'),
        (r"[ \t]+$", ""),
    ):
        text = re.sub(pattern, word, text, flags=re.MULTILINE)
    return text.strip()


class Running(NamedTuple):
    """A service, and the directory of its start, which has the files that `make run` makes."""

    url: str
    greeting: str
    place: Path


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """`scorekeeper serve` with no configuration but a free port, as `make run` starts it."""
    place = tmp_path_factory.mktemp("served")
    (place / ".venv").symlink_to(sys.prefix)
    port = free_port()
    url, log = f"http://127.0.0.1:{port}", place / "serve.log"
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("SCOREKEEPER_")
    }
    with log.open("wb") as output:
        server = subprocess.Popen(
            [Path(sys.executable).with_name("scorekeeper"), "serve"],
            env=kept | {"SCOREKEEPER_PORT": str(port)},
            cwd=place,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            deadline = time.monotonic() + READY_WITHIN
            while not (is_ready(url) and LAST_GREETING in log.read_text()):
                assert server.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.05)
            yield Running(url, log.read_text(), place)
            server.send_signal(signal.SIGTERM)
            assert server.wait(READY_WITHIN) == 0, log.read_text()
        finally:
            if server.poll() is None:
                server.kill()
                server.wait()


def is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/health/ready", timeout=READY_WITHIN) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture
def path_with_curl(tmp_path: Path) -> str:
    """A PATH with python3 and with curl (a replacement if needed), but without our own command."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "python3").symlink_to(sys.executable)
    if shutil.which("curl") is None:
        curl = tools / "curl"
        curl.write_text(
            f'#!/bin/sh\nexec "{sys.executable}" "{ROOT}/tests/docs/curl_for_tests.py" "$@"\n'
        )
        curl.chmod(0o755)
    elsewhere = [
        folder
        for folder in os.environ["PATH"].split(os.pathsep)
        if not (Path(folder) / "scorekeeper").exists()
    ]
    return os.pathsep.join([str(tools), *elsewhere])


def test_every_block_of_the_tour_prints_what_the_page_shows(
    running: Running, path_with_curl: str
) -> None:
    token = re.search(r"Admin token, shown once:\s+(\S+)", running.greeting)
    assert token is not None, running.greeting
    steps = tour()
    script = "".join(f"{step.typed}\nprintf '{BOUNDARY}'\n" for step in steps)
    typed = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script.replace(PRINTED_URL, running.url)],
        input=f"{token.group(1)}\n",
        env={"PATH": path_with_curl, "LANG": "C.UTF-8"},
        cwd=running.place,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert typed.returncode == 0, typed.stderr + typed.stdout
    printed = typed.stdout.split(BOUNDARY)
    for step, output in zip(steps, printed, strict=False):
        if step.shown:
            assert without_chance(output) == without_chance(step.shown), f"README.md:{step.line}"


def test_the_tour_shows_output_and_ends_in_a_match_won_at_500() -> None:
    shown = [step.shown for step in tour() if step.shown]
    assert len(shown) >= 8
    assert any('status "won"' in output and '"mei": 500' in output for output in shown)


def test_the_stand_in_for_curl_sends_what_curl_sends(running: Running) -> None:
    stand_in = [sys.executable, str(ROOT / "tests/docs/curl_for_tests.py")]
    arguments = [
        "-sS",
        f"{running.url}/v1/leagues",
        "-H",
        "Content-Type: application/json",
        "-d",
        "{}",
    ]
    answer = subprocess.run([*stand_in, *arguments], capture_output=True, text=True, timeout=30)
    assert '"code":"unauthorized"' in answer.stdout


def test_the_first_start_prints_the_address_the_token_and_the_next_step(running: Running) -> None:
    assert running.url in running.greeting
    assert "Admin token, shown once:" in running.greeting
    assert f"curl {running.url}/v1/leagues" in running.greeting


def test_it_prints_a_next_step_for_who_has_no_curl(running: Running) -> None:
    offered = re.search(r"Without curl, .+ (http\S+)", running.greeting)
    assert offered is not None, running.greeting
    with urllib.request.urlopen(offered[1], timeout=READY_WITHIN) as answer:
        assert answer.headers.get_content_type() == "text/html"


def test_the_first_command_serves_and_the_second_tests() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert commands() == ["make run", "make test"]
    for command in commands():
        assert re.search(rf"^{command.removeprefix('make ')}:", makefile, re.MULTILINE)
    # `make run` starts the service as the fixture does, without any settings but the defaults.
    assert "\n\t@exec $(BIN)/scorekeeper serve\n" in makefile
    assert "SCOREKEEPER_" not in makefile


def test_the_tour_names_no_address_but_the_default_one() -> None:
    assert set(re.findall(r"http://[\w.:]+", page())) == {PRINTED_URL}
