"""Failures caused from outside are reported in one line, never as a traceback."""

import errno
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import make_url

from scorekeeper.cli.main import scorekeeper
from scorekeeper.cli.terminal.failures import Failure, reported_in_one_line
from scorekeeper.ledger.database_errors import LedgerUnavailable
from tests.api.serving import note, serving
from tests.commands import invoked

EVERY_COMMAND = {
    "serve": ["--host", "203.0.113.1"],  # an address of no machine here: it never gets to serve
    "migrate": [],
    "token": ["admin"],
    "doctor": [],
    "key": ["adopt"],
    "replay": ["home", "evening", "1"],
    "erase": ["home", "1", "--reason", "asked to"],
    "export": ["home", "{there}/new.tar"],
    "import": ["{there}/bundle.tar"],
    "backup": ["{there}/copy.sqlite3"],
    "restore": ["{there}/good.sqlite3"],
    "verify": [],
    "rebuild": [],
}
"""Commands that read settings, with the arguments that they need."""


class Place(NamedTuple):
    """A folder with a database that has a league, a bundle of that league, and unusable files."""

    folder: Path
    url: str
    league: str


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Place:
    folder = tmp_path_factory.mktemp("place")
    (folder / "good.sqlite3").write_bytes(sqlite_template.read_bytes())
    url = f"sqlite+aiosqlite:///{folder}/good.sqlite3"
    with serving(url, data_dir=folder) as served:
        league = served.league()
        league.match(events=[note()])
        (folder / "bundle.tar").write_bytes(league.owner.get("/export").content)
    (folder / "nonsense").write_bytes(b"neither this nor that\n" * 500)
    (folder / "empty").touch()
    (folder / "loop").symlink_to(folder / "loop")
    return Place(folder, url, league.slug)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in an empty folder, so that no database is found there, and no file is left elsewhere."""
    monkeypatch.chdir(tmp_path)


def run(place: Place, *arguments: str, **environment: str) -> Result:
    given = [each.format(there=place.folder, league=place.league) for each in arguments]
    named = {
        f"SCOREKEEPER_{name}": text.format(there=place.folder) for name, text in environment.items()
    }
    return CliRunner(env=named).invoke(scorekeeper, given)


def told(done: Result, *words: str, code: int | None = None) -> None:
    """Check that the command failed, and gave the reason in one line with these words."""
    assert done.exit_code in ({1, 2} if code is None else {code}), done.output
    assert isinstance(done.exception, SystemExit), done.exc_info
    (line,) = done.stderr.splitlines()
    for word in words:
        assert word in line
    if line.endswith("--help` explains it."):
        assert ". `scorekeeper" in line


@pytest.mark.parametrize("command", EVERY_COMMAND)
@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("PORT", "abc"),
        ("PORT", "0"),
        ("WORKERS", "two"),
        ("RATE_LIMIT", "-1"),
        ("TRUSTED_PROXIES", "the one in the hall"),
        ("TRUSTED_PROXIES", "10.0.0.1/8"),
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", "postgresql+asyncpg://name:secret@host:port/book"),
        ("DATABASE_URL", "postgresql+asyncpg://name:secret@one:5432,two:port/book"),
        ("DATABASE_URL", "postgresql+asyncpg://name:secret@a/b?target_session_attrs=read-write"),
        ("DATABASE_URL", "postgresql+asyncpg://name:secret@a/b?target_session_attrs=standby"),
        ("DATABASE_URL", "postgresql+asyncpg://name:very@secret@host/book"),
        ("DATABASE_URL", "sqlite+aiosqlite:///"),
        ("DATABASE_URL", "sqlite+aiosqlite:///:memory:"),
        ("DATABASE_URL", "sqlite+aiosqlite:///{there}/good.sqlite3?mode=ro"),
        ("ADMIN_TOKEN", "short"),
        ("ADMIN_TOKEN", "secret-of-a-file-that-ends-in-a-line-break\n"),
        ("ADMIN_TOKEN", "“secret-in-the-quotation-marks-of-a-chat”"),
    ],
)
def test_a_setting_that_can_not_be_used_is_named(
    place: Place, command: str, variable: str, text: str
) -> None:
    done = run(place, command, *EVERY_COMMAND[command], **{variable: text})
    told(done, f"SCOREKEEPER_{variable}", code=2)
    assert "secret" not in done.output


@pytest.mark.parametrize("command", sorted(EVERY_COMMAND.keys() - {"doctor", "serve"}))
@pytest.mark.parametrize(
    ("variable", "text", "named"),
    [
        ("DATA_DIR", "/proc/x", "/proc/x"),
        ("DATA_DIR", "{there}/nonsense", "{there}/nonsense"),
        ("DATABASE_URL", "sqlite+aiosqlite:///{there}/nonsense", "{there}/nonsense"),
        ("DATABASE_URL", "sqlite+aiosqlite:///{there}", "{there}"),
        ("DATABASE_URL", "sqlite+aiosqlite:////proc/x/book.sqlite3", "/proc/x"),
        ("DATABASE_URL", "sqlite+aiosqlite:///{there}/loop", "{there}/loop"),
        ("DATABASE_URL", "postgresql+asyncpg://nobody@127.0.0.1:1/none", "database"),
        ("DATABASE_URL", "postgresql+asyncpg://nobody@/none?host={there}", "database"),
    ],
)
def test_a_database_that_can_not_be_had_is_named(
    place: Place, command: str, variable: str, text: str, named: str
) -> None:
    if command in {"backup", "restore"} and "postgresql" in text:
        named = "pg_dump"
    done = run(place, command, *EVERY_COMMAND[command], **{variable: text})
    told(done, named.format(there=place.folder))


@pytest.mark.parametrize("command", ["migrate", "verify"])
def test_why_postgresql_lets_nobody_in_is_told_as_it_says_it(
    place: Place, postgresql_url: str, command: str
) -> None:
    url = make_url(postgresql_url).set(database="nowhere").render_as_string()
    done = run(place, command, DATABASE_URL=url)
    told(done)
    assert done.output.endswith(': database "nowhere" does not exist\n')
    assert "sqlalchemy" not in done.output


@pytest.mark.parametrize(
    ("arguments", "named", "code"),
    [
        (["replay", "nowhere", "evening-1", "1"], "nowhere evening-1 1: There is no", 1),
        (["replay", "{league}", "evening-9", "1"], "evening-9", 1),
        (["replay", "{league}", "evening-1", "7"], "evening-1 7", 1),
        (["erase", "nowhere", "1", "--reason", "asked to"], "nowhere", 1),
        (["erase", "nowhere", "--name", "ann"], "nowhere ann", 1),
        (["export", "nowhere", "{there}/new.tar"], "nowhere", 1),
        (["rebuild", "nowhere"], "nowhere: left as it is. There is no", 1),
        (["verify", "nowhere"], "nowhere", 2),
        (["export", "{league}", "{there}/nonsense"], "nonsense", 1),
        (["export", "{league}", "{there}/none/new.tar"], "{there}/none/new.tar can't", 1),
        (["export", "{league}"], "--out", 2),
        (["export", "{league}", "new.tar", "--signing-key", "{there}/nonsense"], "nonsense", 1),
        (["verify", "{there}/none.tar"], "none.tar", 2),
        (["verify", "{there}"], "{there}", 2),
        (["verify", "--key", "club+00000000+AA"], "--key is that of an export", 2),
        (["verify", "{league}", "--key", "club+00000000+AA"], "--key is that of an export", 2),
        (["verify", "{there}/nonsense"], "nonsense", 1),
        (["verify", "{there}/empty"], "empty", 1),
        (["import", "{there}/none.tar"], "none.tar", 2),
        (["import", "{there}"], "{there}", 2),
        (["import", "{there}/nonsense"], "nonsense", 1),
        (["import", "{there}/empty"], "empty", 1),
        (["backup", "{there}/none/copy"], "{there}/none/copy can't", 1),
        (["backup", "{there}/loop"], "{there}/loop", 1),
        (["restore", "{there}/none"], "none", 2),
        (["restore", "{there}/nonsense", "--overwrite"], "nonsense", 1),
        (["serve", "--host", "203.0.113.1"], "203.0.113.1", 1),
        (["serve", "--host", "no such host"], "no such host", 1),
        (["serve", "--host", "no such host"], "SCOREKEEPER_HOST", 1),
        (["serve", "--host", ""], "SCOREKEEPER_HOST", 2),
        (["simulate", "--matches", "1", "--out", "{there}/none/x"], "{there}/none/x", 1),
        (["simulate", "--matches", "1", "--out", "/dev/full"], "/dev/full", 1),
        (["simulate", "--url", "ftp://x", "--token", "t"], "ftp://x", 2),
        (["simulate", "--url", "http:///v1", "--token", "t"], "http:///v1", 2),
        (["simulate", "--url", "http://x:y", "--token", "t"], "http://x:y", 2),
        (["simulate", "--url", "http://x y", "--token", "t"], "http://x y", 2),
        (["simulate", "--url", "http://x", "--token", "“sk_x_y”"], "--token", 2),
        (["simulate", "--url", "http://x", "--token", "sk_x_y\n"], "--token", 2),
        (["export", "n\udcff", "{there}/new.tar"], "is no text in UTF-8", 1),
        (["replay", "{league}", "n\udcff", "1"], "is no text in UTF-8", 1),
        (["import-results", "none.csv", "--url", "x", "--token", "t"], "none.csv", 2),
        (["replay", "{league}"], "MATCH", 2),
        (["replay", "{league}", "evening-1", "one"], "one", 2),
        (["replay", "{league}", "evening-1", "1", "--at", "9" * 20], "9" * 20, 2),
        (["erase", "{league}", "0", "--reason", "asked to"], "0 is not in the range", 2),
        (["erase", "{league}", "9" * 20, "--reason", "asked to"], "9" * 20, 2),
        (["erase", "{league}", *("1" * 1001), "--reason", "asked to"], "Up to 1,000 positions", 2),
        (["erase", "{league}", "1", "--reason", ""], "of 1 to 2,000 characters", 2),
        (["nonsense"], "nonsense", 2),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)  # fmt: skip
def test_what_can_not_be_done_is_named(
    place: Place, arguments: list[str], named: str, code: int
) -> None:
    about = {"DATABASE_URL": place.url, "DATA_DIR": "{there}"}
    done = run(place, *arguments, **about)
    told(done, named.format(there=place.folder), code=code)


@pytest.mark.parametrize("as_cause", [False, True])
def test_a_connection_that_was_closed_is_told_while_somebody_reads_the_output(
    as_cause: bool,
) -> None:
    """It has the error of a reader that has left, at whose end nothing is said."""
    closed: Exception = BrokenPipeError(errno.EPIPE, "Broken pipe")
    if as_cause:
        unavailable = LedgerUnavailable("connection lost")
        unavailable.__cause__ = closed
        closed = unavailable
    with pytest.raises(Failure) as told, reported_in_one_line():
        raise closed
    assert told.value.message in {"[Errno 32] Broken pipe", str(closed)}


def test_a_port_that_is_taken_is_named(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        told(run(place, "serve", PORT=port), port, "SCOREKEEPER_PORT", code=1)


class Answers(BaseHTTPRequestHandler):
    """Answers every request with its server's `answer`."""

    server: "Stranger"

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, body = self.server.answer
        self.server.asked = self.path
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


class Stranger(HTTPServer):
    """A server that is not a scorekeeper."""

    answer = (200, b"")
    asked = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@pytest.fixture(scope="module")
def stranger() -> Iterator[Stranger]:
    with Stranger(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


ROW = "date,edition,players,points\n2024-11-20,basic,ann bo,- 20\n"


@pytest.mark.parametrize("command", ["simulate", "import-results"])
@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (200, b"<html>\n<h1>Router</h1>\n</html>", ["no JSON", "{url}"]),
        (200, b"", ["no JSON", "{url}"]),
        (200, b"\xff\xfe", ["no JSON", "{url}"]),
        (502, b"<html>\n<h1>Bad gateway</h1>\n</html>" * 999, ["502", "Bad gateway"]),
        (401, b'{"detail": "No token\\nat all", "code": "unauthorized"}', ["401 No token at all"]),
        (0, b"", ["{url} does not answer"]),
    ],
)
def test_a_service_that_is_none_is_named(
    stranger: Stranger, tmp_path: Path, command: str, status: int, body: bytes, words: list[str]
) -> None:
    stranger.answer = (status, body)
    url = stranger.url
    if not status:
        with socket.create_server(("127.0.0.1", 0)) as gone:
            url = f"http://127.0.0.1:{gone.getsockname()[1]}"
    (tmp_path / "rows.csv").write_text(ROW)
    file = ["rows.csv"] if command == "import-results" else []
    arguments = [command, *file, "--url", url, "--token", "secret", "--league", "home"]
    done = invoked(*arguments)
    told(done, *(word.format(url=url) for word in words), code=1)
    assert len(done.stderr) < 1_000


@pytest.mark.parametrize(
    ("named", "asked"), [("家庭", "/v1/leagues/%E5%AE%B6%E5%BA%AD/"), ("n\udcff", "/n%FF/")]
)
def test_a_name_in_place_of_a_slug_is_the_service_to_refuse(
    stranger: Stranger, tmp_path: Path, named: str, asked: str
) -> None:
    stranger.answer = (404, b'{"detail": "There is no such league."}')
    (tmp_path / "rows.csv").write_text(ROW)
    about = ["--url", stranger.url, "--token", "secret", "--league", named]
    done = invoked("import-results", str(tmp_path / "rows.csv"), *about)
    told(done, "There is no such league.", code=1)
    assert asked in stranger.asked
