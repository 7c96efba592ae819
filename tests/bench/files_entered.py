"""How many of the product's files a request enters: `python -m tests.bench.files_entered`.

A file is entered if a function that is written in it is called while the request is answered, on
any thread. Calls by the client are not counted. The service is warm, so functions that are only
called after a start are not counted either.
"""

import asyncio
import sys
import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Self

import click
from rich.console import Console
from rich.table import Table

import scorekeeper
from scorekeeper.api.structured_log import configure_logging
from scorekeeper.store.migrate import upgrade
from tests.api import serving as serving_module
from tests.api.serving import League, serving

PRODUCT = Path(scorekeeper.__file__).parent
CLIENT = str(Path(serving_module.__file__))
AIMS = {"an append": 30, "a scoreboard": 15, "a replay": 40}


class Entered:
    """Notes which of the product's files are entered, on all threads that start meanwhile."""

    def __init__(self) -> None:
        self._files: set[str] | None = None

    def __enter__(self) -> Self:
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop profiling, with which everything in this process takes more than twice as long."""
        threading.setprofile(None)
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call" or self._files is None:
            return
        if frame.f_back is None or frame.f_back.f_code.co_filename != CLIENT:
            self._files.add(frame.f_code.co_filename)

    def during(self, work: Callable[[], Any]) -> list[str]:
        """Return the names of the files that `work` enters."""
        found: set[str] = set()
        self._files = found
        try:
            work()
        finally:
            self._files = None
        paths = map(Path, found)
        return sorted(str(path.relative_to(PRODUCT)) for path in paths if PRODUCT in path.parents)


def asked(league: League) -> dict[str, Callable[[], Any]]:
    """Return the requests whose files are counted, by the name of the aim."""
    match = league.match(dealer="ann")
    match.tell({"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    cards, players = iter(["red-1", "red-2", "red-3"]), iter(["bo", "cy", "di"])
    return {
        "an append": lambda: match.tell(
            {"type": "card_played", "player": next(players), "card": next(cards)}
        ),
        "a scoreboard": match.board,
        "a replay": lambda: league.owner.get(f"/matches/{match.slug}/rounds/1/replay"),
    }


@click.command()
@click.option("--files", is_flag=True, help="Name the files as well.")
def main(files: bool) -> None:
    """Count the files that one request of each kind enters."""
    configure_logging(BytesIO())
    table = Table("request", "files entered", "aim")
    with TemporaryDirectory() as folder, Entered() as entered:
        url = f"sqlite+aiosqlite:///{folder}/book.sqlite3"
        asyncio.run(upgrade(url))
        with serving(url) as served:
            for name, work in asked(served.league()).items():
                work()
                work()
                found = entered.during(work)
                table.add_row(name, str(len(found)), f"≤ {AIMS[name]}")
                if files:
                    click.echo("\n".join([f"{name}:", *found, ""]))
    table.add_section()
    table.add_row("files in all", str(len([*PRODUCT.rglob("*.py")])), "")
    Console().print(table)


if __name__ == "__main__":
    main()
