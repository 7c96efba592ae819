"""`scorekeeper demo`: a league that has something of everything, to be looked at."""

import os
import secrets
import shutil
import sys
import webbrowser
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
import msgspec

from scorekeeper.cli.demonstration.asking import LeagueClient
from scorekeeper.cli.demonstration.demo_league import STEPS, tell_demo_league
from scorekeeper.cli.demonstration.demo_server import demo_server
from scorekeeper.cli.demonstration.guide import lines, page, sights
from scorekeeper.cli.remote import Remote
from scorekeeper.cli.terminal.failures import Failure
from scorekeeper.cli.terminal.progress import counting
from scorekeeper.settings import Settings

_FOLDER: Final = Path("scorekeeper-demo")
_BEGUN: Final = "demo.json"
"""Shows that the folder is a demonstration's, and once its league is whole, what is in it."""
_DEVICES: Final = 100


class _Told(msgspec.Struct, frozen=True):
    """`step`: the disputed one; None while the league is being told."""

    step: int | None = None


@click.command()
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=_FOLDER,
    show_default=True,
    help="A folder of its own, which is made.",
)
@click.option("--fresh", is_flag=True, help="Make the league anew; what was done to it is lost.")
@click.option("--no-browser", is_flag=True, help="Print the link, and open no browser.")
def demo(data_dir: Path, *, fresh: bool, no_browser: bool) -> None:
    """Serve a league of simulated people with matches, disputes and tournaments, and show it."""
    step = _prepare(data_dir, fresh=fresh)
    token = f"demo-{secrets.token_urlsafe(24)}"
    with demo_server(data_dir, Settings.load(), token) as server:
        with Remote(server.url, token) as service:
            if step is None:
                today = datetime.now(UTC).astimezone().date()  # noqa: TID251 its own
                with counting("Making the league", STEPS) as progress:
                    step = tell_demo_league(service, today, progress.advance)
                _keep(data_dir, _Told(step))
            invited = {"role": "owner", "uses": _DEVICES}
            made = LeagueClient(service).send("/invitations", invited)
        found = sights(made["url"], server.url, step)
        guide = data_dir / "guide.html"
        guide.write_text(page(found), encoding="utf-8")
        _show(guide, no_browser=no_browser)
        for line in lines(found):
            click.echo(line)
        again = f"remove {data_dir} or say --fresh"
        click.echo(f"Ctrl-C ends it. The same command opens it again; to make it anew, {again}.")
        server.wait()
    raise Failure("The service ended by itself.")


def _prepare(folder: Path, *, fresh: bool) -> int | None:
    """The folder, emptied where it is to be made anew; the disputed step where it is whole.

    Raises Failure where the folder is somebody else's.
    """
    kept = folder / _BEGUN
    told = _Told()
    if kept.exists():
        told = msgspec.json.decode(kept.read_bytes(), type=_Told)
        if fresh or told.step is None:
            shutil.rmtree(folder)
            told = _Told()
    elif folder.exists() and any(folder.iterdir()):
        raise Failure(f"{folder} holds something else; --data-dir names another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    _keep(folder, told)
    return told.step


def _keep(folder: Path, told: _Told) -> None:
    (folder / _BEGUN).write_bytes(msgspec.json.encode(told))


def _show(guide: Path, *, no_browser: bool) -> None:
    address = guide.resolve().as_uri()
    if not no_browser and _has_screen() and webbrowser.open(address):
        click.echo(f"The guide is open in the browser: {address}")
    else:
        click.echo(f"Open the guide in a browser: {address}")
    click.echo("Or follow it here:")


def _has_screen() -> bool:
    """Else a browser would be opened in the terminal."""
    return sys.platform in {"darwin", "win32"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
