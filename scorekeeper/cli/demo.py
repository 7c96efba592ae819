"""`scorekeeper demo`: a league that has something of everything, to be looked at.

The command makes the league once and serves it by a process of its own, which ends with the
command. A guide says what to look at, in both languages, with links.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from time import monotonic, sleep
from types import FrameType
from typing import Final, Never

import click
import msgspec

from scorekeeper.cli.demo_league import (
    CORRECTED,
    LEAGUE,
    OVER,
    QUARREL,
    RUNNING,
    STEPS,
    TONIGHT,
    LeagueClient,
    record_demo_league,
)
from scorekeeper.cli.remote import Remote
from scorekeeper.cli.terminal.failures import Failure
from scorekeeper.cli.terminal.output import counting
from scorekeeper.files import LedgerInUse, ProcessLock, make_folder, open_or_make, write_durably
from scorekeeper.settings import Settings, environment_with, has_screen
from scorekeeper.texts.guide import GUIDE
from scorekeeper.texts.language import LANGUAGES, Language, translate

_SERVER_LOG: Final = "serve.log"
_STARTS_WITHIN: Final = 60.0
_POLL_SECONDS: Final = 0.1
_ENDING: Final = [signal.SIGINT, signal.SIGTERM]
if sys.platform != "win32":
    _ENDING.append(signal.SIGHUP)
_SERVE: Final = (sys.executable, "-c", "from scorekeeper.cli.main import main; main()", "serve")

_STYLE: Final = (
    "body{font:1.05rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark}li{margin:.6rem 0}a{display:inline-block;padding:.35rem 0}"
)

_DATA_DIR: Final = Path("scorekeeper-demo")
_BEGUN: Final = "demo.json"
"""The file that marks a folder of the demonstration. It holds a `_Told`."""
_DEMO: Final = "demo"
_DATABASE: Final = "scorekeeper.sqlite3"
"""The files whose locks say that a demonstration runs, and that its league is served."""
_ANOTHER: Final = "--data-dir names another folder"
_DEVICES: Final = 100


class DemoServer:
    """The process that serves the demonstration, and its address."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self._process = process
        self.url = url

    def wait(self) -> None:
        """Wait until the process ends. It is not expected to end unless it is told to."""
        self._process.wait()

    def ended(self) -> bool:
        """Return whether the process has ended."""
        return self._process.poll() is not None


@contextmanager
def demo_server(folder: Path, settings: Settings, token: str) -> Generator[DemoServer]:
    """Serve the folder's database to this machine, with this admin token, until the context ends.

    The port is that of the settings, or another one if that is taken. Raises Failure.
    """
    port = _free_port(settings.port)
    environment = environment_with(data_dir=folder, port=port, admin_token=token)
    (folder / _SERVER_LOG).unlink(missing_ok=True)
    with os.fdopen(open_or_make(folder / _SERVER_LOG), "wb") as log:
        # In a session of its own, so that Ctrl-C reaches it once, by this process.
        process = subprocess.Popen(  # noqa: S603 this very program
            _SERVE, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    for number in _ENDING:
        signal.signal(number, _leave)
    try:
        server = DemoServer(process, f"http://127.0.0.1:{port}")
        _await_answer(server, folder / _SERVER_LOG, token)
        yield server
    finally:
        process.terminate()
        process.wait()


def _leave(number: int, frame: FrameType | None) -> Never:
    """Exit with 0, since being stopped by a signal is no failure."""
    sys.exit(0)


def _free_port(wanted: int) -> int:
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            found: int = probe.getsockname()[1]
            return found
    raise Failure("No port of this machine is free.")


def _await_answer(server: DemoServer, log: Path, token: str) -> None:
    until = monotonic() + _STARTS_WITHIN
    while not server.ended() and monotonic() < until:
        with Remote(server.url, token) as service:
            try:
                service.ask("GET", "/v1/me")
            except Failure:
                sleep(_POLL_SECONDS)
            else:
                return
    raise Failure(f"The service did not start; {log} says why.")


def sights(join: str, url: str, step: int) -> Mapping[str, str]:
    """Return the addresses of what there is to look at, by their names in GUIDE, in its order.

    `join`: the link that lets a browser in. `step`: the disputed step of the quarrel's round.
    """
    league = f"{url}/l/{LEAGUE}"
    return {
        "join": join,
        "league": league,
        "pad": f"{league}/m/{TONIGHT}/pad",
        "tv": f"{league}/m/{TONIGHT}/tv",
        "replay": f"{league}/m/{QUARREL}/r/1?step={step}",
        "corrected": f"{league}/m/{CORRECTED}/r/2",
        "hall": f"{league}/t/{RUNNING}/hall",
        "champion": f"{league}/t/{OVER}",
        "print": f"{league}/t/{RUNNING}/print",
        "table": f"{league}/table",
        "player": f"{league}/players/oma-ida",
        "booklet": f"{url}/e/mickey",
        "admin": f"{league}/admin",
    }


def guide_lines(found: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of the guide for a terminal, in English."""
    for name, address in found.items():
        yield f"  {GUIDE[name]}"
        yield f"    {address}"


def guide_page(found: Mapping[str, str]) -> str:
    """Return one HTML file that needs nothing else; the pages open in a tab beside it."""
    parts = "\n".join(_in_language(found, language) for language in LANGUAGES)
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{GUIDE["title"]}</title>\n'
        f"<style>{_STYLE}</style>\n<main>\n{parts}\n</main>\n</html>\n"
    )


def _in_language(found: Mapping[str, str], language: Language) -> str:
    def say(name: str) -> str:
        return escape(translate(GUIDE[name], language))

    items = "\n".join(
        f'<li><a href="{escape(address)}" target="scorekeeper">{say(name)}</a></li>'
        for name, address in found.items()
    )
    return (
        f'<section lang="{language}">\n<h1>{say("title")}</h1>\n<p>{say("intro")}</p>\n'
        f"<ol>\n{items}\n</ol>\n</section>"
    )


class _Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far the league is told. `step`: its disputed step; None until all of it is told."""

    step: int | None


@click.command()
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=_DATA_DIR,
    show_default=True,
    help="The folder to make for it.",
)
@click.option(
    "--fresh", is_flag=True, help="Make a new league; what was done to the last one is lost."
)
@click.option("--no-browser", is_flag=True, help="Print the link, and open no browser.")
def demo(data_dir: Path, *, fresh: bool, no_browser: bool) -> None:
    """Serve a league of simulated people with matches, disputes and tournaments, and show it."""
    with _held(data_dir):
        step = _prepare(data_dir, fresh=fresh)
        token = f"demo-{secrets.token_urlsafe(24)}"
        with demo_server(data_dir, Settings.load(), token) as server:
            with Remote(server.url, token) as service:
                if step is None:
                    today = datetime.now(UTC).astimezone().date()  # noqa: TID251 its own
                    with counting("Making the league", STEPS) as progress:
                        step = record_demo_league(service, today, progress.advance)
                    _keep(data_dir, _Told(step))
                invited = {"role": "owner", "uses": _DEVICES}
                made = LeagueClient(service).send("/invitations", invited)
            found = sights(made["url"], server.url, step)
            guide = data_dir / "guide.html"
            write_durably(guide, guide_page(found).encode())
            _show(guide, no_browser=no_browser)
            for line in guide_lines(found):
                click.echo(line)
            again = f"remove {data_dir} or say --fresh"
            click.echo(
                f"Ctrl-C ends it. The same command opens it again; to make it anew, {again}."
            )
            server.wait()
    raise Failure("The service ended by itself.")


@contextmanager
def _held(folder: Path) -> Generator[None]:
    """Make the folder, and let no other demonstration into it. Raises Failure.

    One that runs would lose its files if they were made anew, and two would write to one log.
    """
    _mark_in(folder)
    make_folder(folder)
    lock = _locked(folder, folder / _DEMO)
    try:
        yield
    finally:
        lock.release()


def _locked(folder: Path, file: Path) -> ProcessLock:
    try:
        return ProcessLock(file)
    except LedgerInUse as error:
        raise Failure(f"{folder} is in use: end what runs there, or {_ANOTHER}.") from error


def _prepare(folder: Path, *, fresh: bool) -> int | None:
    """Empty the folder if the league is to be made again. Raises Failure if it is being served.

    Return the disputed step if the league is complete, else None.
    """
    told = _mark_in(folder)
    if _files_in(folder) and (fresh or told.step is None):
        told = _Told(None)
        # The process that serves it may have outlived its demonstration.
        served = _locked(folder, folder / _DATABASE)
        for file in _files_in(folder):
            if file.is_dir() and not file.is_symlink():
                shutil.rmtree(file)
            else:
                file.unlink()
        served.release()
    _keep(folder, told)
    return told.step


def _files_in(folder: Path) -> list[Path]:
    """Return what a folder holds beside locks, which are of use only if they stay."""
    locks = {f"{_DEMO}.lock", f"{_DATABASE}.lock"}
    return [file for file in folder.iterdir() if file.name not in locks] if folder.exists() else []


def _mark_in(folder: Path) -> _Told:
    """Return how far the league in a folder is told. Raises Failure if it holds something else.

    The folder may be emptied, so its mark has to be just what `_keep` writes.
    """
    if not _files_in(folder):
        return _Told(None)
    try:
        return msgspec.json.decode((folder / _BEGUN).read_bytes(), type=_Told)
    except (FileNotFoundError, msgspec.DecodeError, UnicodeError) as error:
        raise Failure(f"{folder} holds something else; {_ANOTHER}.") from error


def _keep(folder: Path, told: _Told) -> None:
    write_durably(folder / _BEGUN, msgspec.json.encode(told))


def _show(guide: Path, *, no_browser: bool) -> None:
    address = guide.resolve().as_uri()
    if not no_browser and has_screen() and webbrowser.open(address):
        click.echo(f"The guide is open in the browser: {address}")
    else:
        click.echo(f"Open the guide in a browser: {address}")
    click.echo("Or follow it here:")
