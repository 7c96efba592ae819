"""Output for programs: whole lines, one JSON document, and bytes on standard output."""

import errno
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import pytest
from click.testing import CliRunner, Result

from scorekeeper.cli.main import scorekeeper
from tests.api.serving import League, note, serving, tally
from tests.commands import invoked

PROGRAM = [sys.executable, "-c", "from scorekeeper.cli.main import main; main()"]
TEXT = "wrapped nowhere " * 40


class Place(NamedTuple):
    folder: Path
    url: str
    league: League

    def run(self, *arguments: str, **environment: str | None) -> Result:
        options = ["--database-url", self.url, "--data-dir", str(self.folder)]
        return CliRunner(env=environment).invoke(scorekeeper, [*arguments, *options])


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Place]:
    """A served league, and an export of it."""
    folder = tmp_path_factory.mktemp("place")
    (folder / "book.sqlite3").write_bytes(sqlite_template.read_bytes())
    url = f"sqlite+aiosqlite:///{folder}/book.sqlite3"
    with serving(url, data_dir=folder) as served:
        league = served.league()
        match = league.match(match="evening", dealer="ann")
        told = tally("ann", bo=["wild-draw-four", "red-9"], cy=["wild", "blue-skip"], di=["red-7"])
        told["as_played"] = True
        match.tell({"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"}, told)
        match.tell(note(TEXT))
        erased = {"positions": [match.log()[-1]["position"]], "reason": "asked to"}
        assert league.owner.post("/erasures", erased).status_code == 201
        bundle = league.owner.get("/export").content
        (folder / "league.tar").write_bytes(bundle)
        (folder / "harmed.tar").write_bytes(bundle.replace(b"round_tallied", b"round_tellied"))
        yield Place(folder, url, league)


def document(done: Result) -> dict:
    """The one JSON document that was printed."""
    (line,) = done.stdout.splitlines()
    return json.loads(line)


def test_a_replay_as_json_is_what_the_api_answers(place: Place) -> None:
    path = "/matches/evening/rounds/1/replay"
    for language, view in (("en", "corrected"), ("zh-TW", "recorded")):
        asked = ["replay", place.league.slug, "evening", "1", "--lang", language, "--view", view]
        done = place.run(*asked, "--json")
        answer = place.league.owner.get(path, params={"lang": language, "view": view})
        assert done.exit_code == 0
        assert document(done) == answer.json()


def test_doctor_as_json_names_each_check(place: Place) -> None:
    done = place.run("doctor", "--json")
    told = document(done)
    assert (done.exit_code, told["ok"]) == (0, True)
    assert {"data-directory", "signing-key", "database", "checkpoints"} <= {
        each["check"] for each in told["checks"]
    }
    assert [line.split()[0] for line in place.run("doctor").stdout.splitlines()] == [
        each["grade"] for each in told["checks"]
    ]
    gone = CliRunner().invoke(
        scorekeeper, ["doctor", "--json", "--database-url", f"sqlite+aiosqlite:///{place.folder}/x"]
    )
    told = document(gone)
    assert (gone.exit_code, told["ok"]) == (1, False)
    assert [e["check"] for e in told["checks"] if e["grade"] == "failure"] == ["database"]


def test_verify_as_json_tells_of_a_sound_database_and_export(place: Place) -> None:
    done = place.run("verify", "--json")
    told = document(done)
    (league,) = told["leagues"]
    head = place.league.owner.get("/log/proof/inclusion", params={"position": 1}).json()
    assert (done.exit_code, told["ok"], told["findings"]) == (0, True, [])
    assert (league["league"], league["file"], league["ok"]) == (place.league.slug, None, True)
    assert (league["root"], league["entries"]) == (head["root"], head["size"])
    assert (league["erased"], league["matches"], league["findings"]) == (1, 1, [])
    file = str(place.folder / "league.tar")
    (exported,) = document(invoked("verify", "--json", file))["leagues"]
    key = place.league.viewer.get("/log/key").text.strip()
    assert exported == league | {"file": file, "key": key}


def test_verify_as_json_lists_what_is_wrong(place: Place) -> None:
    (place.folder / "photo.jpg").write_bytes(b"\xff\xd8" * 1_000)
    files = [str(place.folder / name) for name in ("harmed.tar", "photo.jpg")]
    done = invoked("verify", "--json", *files)
    told = document(done)
    assert (done.exit_code, told["ok"]) == (1, False)
    harmed, photo = told["leagues"]
    assert harmed["finding_count"] == len(harmed["findings"]) > 1
    (entry,) = (each for each in harmed["findings"] if each["code"] == "digest-mismatch")
    assert entry["place"] == "entries/000.ndjson"
    assert str(entry["position"]) in entry["message"]
    assert (photo["league"], photo["ok"], photo["entries"]) == (None, False, None)
    assert [each["code"] for each in photo["findings"]] == ["bundle-unreadable"]
    assert str(files[1]) == photo["file"]


@pytest.mark.parametrize(
    "environment", [{}, {"COLUMNS": "40", "FORCE_COLOR": "1", "TERM": "xterm-256color"}]
)
def test_where_nobody_looks_lines_are_whole_and_without_colours(
    place: Place, environment: dict[str, str]
) -> None:
    shown = place.run("replay", place.league.slug, "evening", "1", **environment)
    replayed = document(place.run("replay", place.league.slug, "evening", "1", "--json"))
    lines = [line.strip() for line in shown.stdout.splitlines()]
    for item in replayed["items"]:
        assert any(line.endswith(item["explanation"]) for line in lines), item["explanation"]
        for clause in item["clauses"]:
            assert f"{clause['id']}  {clause['text']}" in lines
    checked = place.run("doctor", **environment)
    assert "\x1b" not in shown.output + checked.output
    assert all(line.split()[0] in {"ok", "warning"} for line in checked.stdout.splitlines())


def test_out_to_standard_output_is_what_a_file_would_hold(place: Place) -> None:
    whole = (place.folder / "league.tar").read_bytes()
    for target in (["-"], ["--out", "-"]):
        done = place.run("export", place.league.slug, *target)
        assert (done.exit_code, done.stdout_bytes) == (0, whole)
        assert place.league.slug in done.stderr
    simulated = ["simulate", "--matches", "1", "--edition", "basic", "--out"]
    beside = invoked(*simulated, str(place.folder / "simulated"))
    piped = invoked(*simulated, "-")
    assert piped.stdout_bytes == (place.folder / "simulated").read_bytes()
    assert piped.stderr == beside.stdout


def test_a_bundle_is_not_poured_over_a_terminal(place: Place) -> None:
    ours, theirs = pty.openpty()
    command = [*PROGRAM, "export", place.league.slug, "-", "--database-url", place.url]
    done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 1
    assert "terminal" in done.stderr


def endless() -> tuple[subprocess.Popen[bytes], IO[bytes]]:
    """Start a command with endless output; return it and the pipe that it has begun to fill."""
    command = [*PROGRAM, "simulate", "--matches", "1000000", "--out", "-"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline()
    return process, process.stdout


def test_whoever_stops_reading_ends_the_command_without_a_word() -> None:
    process, printed = endless()
    printed.close()
    _, said = process.communicate(timeout=60)
    assert (said, process.returncode) == (b"", 1)


@pytest.mark.parametrize(("command", "code"), [("verify", 2), ("replay", 1)])
def test_a_command_that_nobody_reads_from_the_start_says_nothing(
    place: Place, command: str, code: int
) -> None:
    """`verify` exits with 1 only where something does not agree, and it did not come to its end."""
    asked = {"verify": [], "replay": [place.league.slug, "evening", "1"]}[command]
    nobody, printed = os.pipe()
    os.close(nobody)
    done = subprocess.run(
        [*PROGRAM, command, *asked, "--database-url", place.url],
        stdout=printed,
        stderr=subprocess.PIPE,
        timeout=60,
    )
    os.close(printed)
    assert (done.stderr, done.returncode) == (b"", code)


LEAVING = """
import os
from rich.console import Console
from scorekeeper.cli.main import main
reader, writer = os.pipe()
os.dup2(writer, 1)
os.close(writer)
print_line, printed = Console.print, []
def read_twice(console, *told, **how):
    printed.append(told)
    if len(printed) == 3:
        os.close(reader)
    print_line(console, *told, **how)
Console.print = read_twice
main()
"""


def test_doctor_ends_without_a_word_if_nobody_reads_on_once_it_has_the_database(
    place: Place,
) -> None:
    about = ["--database-url", place.url, "--data-dir", place.folder]
    program = [sys.executable, "-c", LEAVING, "doctor", *about]
    done = subprocess.run(program, capture_output=True, timeout=60)
    assert (done.stderr, done.returncode) == (b"", 1)


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("asked", [["--version"], ["doctor"], ["export"]], ids=" ".join)
def test_a_full_disk_under_the_output_is_told_in_one_line(
    place: Place, asked: list[str], unbuffered: str
) -> None:
    about = ["--database-url", place.url, "--data-dir", str(place.folder)]
    if asked[0] == "export":
        asked = ["export", place.league.slug, "-"]
    command = asked if asked == ["--version"] else [*asked, *about]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, *command],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment,
            timeout=60,
        )
    said = f"Error: The output can't be written: {os.strerror(errno.ENOSPC)}.\n"
    assert (done.stderr.decode(), done.returncode) == (said, 1)


@pytest.mark.parametrize("command", ["verify", "doctor"])
def test_a_command_whose_output_was_closed_says_how_it_ended(place: Place, command: str) -> None:
    closing = ["sh", "-c", 'exec "$@" >&- 2>&-', "sh"]
    about = ["--database-url", place.url, "--data-dir", place.folder]
    assert subprocess.run([*closing, *PROGRAM, command, *about], timeout=60).returncode == 0


def test_letters_that_the_encoding_lacks_are_written_by_their_codes(place: Place) -> None:
    asked = [place.league.slug, "evening", "1", "--lang", "zh-TW", "--database-url", place.url]
    done = subprocess.run(
        [*PROGRAM, "replay", *asked],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "第".encode("ascii", "backslashreplace") in done.stdout


@pytest.fixture
def ctrl_c_is_heard() -> Iterator[None]:
    """Restore the default SIGINT handler, as background jobs of a shell ignore the signal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_ends_a_command_in_a_word() -> None:
    process, _ = endless()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (said.split(), process.returncode) == ([b"Aborted!"], 1)


PRESSING = """
import atexit, os, signal
from scorekeeper.cli.main import main
from scorekeeper.cli.terminal.output import Counting
advance, left, advanced = Counting.advance, [], []
def pressing(counting, by):
    # To the process and not to this thread, as a terminal sends it. Again where it came between the
    # loop's last look for signals and its sleep: a person would press the keys again, too.
    for _ in range(3):
        os.kill(os.getpid(), signal.SIGINT)
        if counting._left.wait(20):
            break
    left.append(counting._left.is_set())
    advance(counting, by)
    advanced.append(by)
Counting.advance = pressing
atexit.register(lambda: print(left, advanced))
main()
"""


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_ends_the_thread_that_verifies(place: Place) -> None:
    """Or else all entries would be verified before the command ends."""
    program = [sys.executable, "-c", PRESSING, "verify", "--database-url", place.url]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "[True] []\n"
    # 1 would mean that something was found that does not agree.
    assert (done.stderr, done.returncode) == ("Error: Interrupted: not all of it was checked.\n", 2)


SIGNALLED = """
import os, signal, sys
from scorekeeper.cli.main import main
from scorekeeper.cli.terminal.output import Counting
number = signal.Signals[sys.argv.pop()]
Counting.advance = lambda counting, by: os.kill(os.getpid(), number)
main()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_an_export_that_is_stopped_leaves_no_file(
    place: Place, tmp_path: Path, number: signal.Signals
) -> None:
    """A hidden file with names and all cards would stay, one more each time."""
    asked = ["export", place.league.slug, tmp_path / "new.tar", "--database-url", place.url]
    program = [sys.executable, "-c", SIGNALLED, *asked, "--data-dir", place.folder, number.name]
    done = subprocess.run(program, capture_output=True, timeout=120, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 128 + number)
    assert list(tmp_path.iterdir()) == []


PRESSING_AGAIN = """
import atexit, os, signal, sys
from scorekeeper.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)
atexit.register(os.kill, os.getpid(), signal.SIGINT)
main()
"""


@pytest.mark.parametrize(("command", "status"), [("--version", 0), ("--no-such-option", 2)])
def test_ctrl_c_at_the_very_end_changes_nothing(command: str, status: int) -> None:
    """As a second one does that comes while Python clears up after the first."""
    program = [sys.executable, "-c", PRESSING_AGAIN, command]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120, check=False)
    assert "KeyboardInterrupt" not in done.stderr
    assert done.returncode == status


COPYING = """
import os, signal, sys
from scorekeeper.cli.main import main
from scorekeeper.store import backup
number = signal.Signals[sys.argv.pop()]
backup.sync = lambda path: os.kill(os.getpid(), number)
main()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("command", ["backup", "restore"])
def test_a_copy_that_is_stopped_leaves_no_file(
    place: Place, tmp_path: Path, command: str, number: signal.Signals
) -> None:
    book, new = place.folder / "book.sqlite3", tmp_path / "new.sqlite3"
    asked = {
        "backup": [new, "--database-url", place.url],
        "restore": [book, "--database-url", f"sqlite+aiosqlite:///{new}"],
    }[command]
    about = [*asked, "--data-dir", place.folder, number.name]
    program = [sys.executable, "-c", COPYING, command, *about]
    done = subprocess.run(program, capture_output=True, timeout=120, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 128 + number)
    assert [each.name for each in tmp_path.iterdir() if each.suffix != ".lock"] == []


def test_verify_as_json_answers_a_document_also_where_it_could_not_check(place: Place) -> None:
    missing = ("--database-url", f"sqlite+aiosqlite:///{place.folder}/missing.sqlite3")
    for done in (
        invoked("verify", "--json", *missing),
        place.run("verify", "--json", "no-such-league"),
        invoked("verify", "--json", str(place.folder / "missing.tar")),
    ):
        told = document(done)
        assert (done.exit_code, told["ok"], told["findings"]) == (2, False, [])
        assert done.stderr == f"Error: {told['not_checked']}\n"


def test_verify_refuses_to_take_an_export_for_a_backup(place: Place) -> None:
    done = invoked("verify", "--backup", str(place.folder / "league.tar"))
    assert done.exit_code == 2
    assert "--backup is that of a database" in done.stderr
