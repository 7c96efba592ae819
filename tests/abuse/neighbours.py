"""`python -m tests.abuse.neighbours`: an honest client beside another league that asks for much.

Figures for docs/reliability.md. The service runs as it is delivered. The league beside has a match
of 20,000 entries told card by card, one with 200 amendments, and thousands of short ones.
"""

import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import click
import httpx

from tests.abuse.measure import Honest
from tests.api.live_client import Scorer
from tests.api.server_process import Server
from tests.api.serving import ADMIN
from tests.bench.evening import card_by_card, note

_LEAGUE = "/v1/leagues/beside"
_LONG = f"{_LEAGUE}/matches/long"
_ENTRIES_EACH_ROUND = 110
_AT_ONCE = 1_000
_READERS = 30


class Sizes(NamedTuple):
    """What the league beside has: entries of its long match, amendments, short matches."""

    entries: int
    amendments: int
    matches: int


class Beside(httpx.Client):
    """The owner of the league beside, whose answers may take long."""

    def __init__(self, url: str) -> None:
        headers = {"authorization": f"Bearer {ADMIN}"}
        super().__init__(base_url=url, headers=headers, timeout=600)

    def made(self, path: str, body: dict[str, Any], **headers: str) -> dict[str, Any]:
        answer = self.post(path, json=body, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        told: dict[str, Any] = answer.json()
        return told

    def read(self, path: str, **headers: str) -> None:
        answer = self.get(path, headers=headers)
        assert answer.status_code == 200, answer.text

    def fill(self, sizes: Sizes) -> None:
        """With a bar of progress: it takes minutes."""
        self.made("/v1/leagues", {"league": "beside", "name": "Beside"})
        for player in ("ann", "bo", "cy", "di"):
            self.made(f"{_LEAGUE}/players", {"player": player, "name": player})
        with click.progressbar(length=sum(sizes), label="Filling", file=None) as bar:
            bar.update(self._long("long", sizes.entries))
            self._long("amended", sizes.amendments * 10 + 1_000)
            for nth in range(sizes.amendments):
                self.amend("amended", 5 + nth * 10)
                bar.update(1)
            for first in range(0, sizes.matches, _AT_ONCE):
                self._short(first, min(first + _AT_ONCE, sizes.matches))
                bar.update(_AT_ONCE)

    def _long(self, match: str, entries: int) -> int:
        evening = card_by_card(max(1, entries // _ENTRIES_EACH_ROUND))
        opened = {name: value for name, value in evening.opening.items() if value is not None}
        self.made(f"{_LEAGUE}/matches", opened | {"match": match})
        version, told = 1, evening.told
        while told:
            version = self.tell(match, *told[:_AT_ONCE])["version"]
            told = told[_AT_ONCE:]
        return version

    def _short(self, first: int, end: int) -> None:
        matches = [
            {
                "match": f"m-{nth}",
                "edition": "basic",
                "players": ["ann", "bo", "cy", "di"],
                "at": f"20{nth % 20:02d}-0{1 + nth % 9}-01T19:00:00Z",
                "scoring": {"mode": "winner-collects", "target": None, "rounds": 1},
                "events": [
                    {
                        "type": "round_tallied",
                        "id": str(uuid4()),
                        "winners": ["ann"],
                        "hands": {each: {"points": 7} for each in ("bo", "cy", "di")},
                    }
                ],
            }
            for nth in range(first, end)
        ]
        self.made(f"{_LEAGUE}/past-matches", {"matches": matches})

    def tell(self, match: str, *events: dict[str, Any]) -> dict[str, Any]:
        return self.made(f"{_LEAGUE}/matches/{match}/events", {"events": events})

    def amend(self, match: str, first: int) -> dict[str, Any]:
        inserted = {"from": first, "remove": 0, "insert": [note()], "reason": "forgotten"}
        return self.tell(match, {"type": "log_amended"} | inserted)

    def try_out(self) -> None:
        asked = {"from": 5, "remove": 0, "insert": [note()]}
        self.made(f"{_LONG}/what-if", asked)

    def undo(self) -> None:
        """Of the amendment, or of the tap, that was told last."""
        version = self.get(_LONG).json()["version"]
        self.made(f"{_LONG}/undo", {}, **{"if-match": f'"{version}"'})

    def erase(self) -> None:
        entries = self.get(f"{_LONG}/events", params={"after": 5_000, "limit": 1}).json()["items"]
        erased = {"positions": [entries[0]["position"]], "reason": "asked for"}
        self.made(f"{_LEAGUE}/erasures", erased)
        self.read(_LONG)
        self.tell("long", note())


Work = Callable[[Beside], object]
WORK: dict[str, Work] = {
    "nothing, 5 s": lambda beside: time.sleep(5),
    "an audit of 20,000 entries": lambda beside: beside.read(f"{_LONG}/audit"),
    "a replay in the same match": lambda beside: beside.read(f"{_LONG}/rounds/2/replay"),
    "a recorded replay of 200 amendments": lambda beside: beside.read(
        f"{_LEAGUE}/matches/amended/rounds/2/replay?view=recorded"
    ),
    "what-if in 20,000 entries": Beside.try_out,
    "an amendment of 20,000 entries": lambda beside: beside.amend("long", 5),
    "an undo in 20,000 entries": Beside.undo,
    "an erasure in them, reading and telling on": Beside.erase,
    "the table over 9,000 matches, filtered": lambda beside: beside.read(
        f"{_LEAGUE}/standings?edition=basic"
    ),
    "the results of 9,000 matches as CSV": lambda beside: beside.read(
        f"{_LEAGUE}/results", accept="text/csv"
    ),
    "30 readers of /docs and /metrics, ten times each": lambda beside: _many(
        beside, "/docs", "/metrics"
    ),
    "30 audits at once": lambda beside: _many(beside, f"{_LONG}/audit", times=1),
}


def _many(beside: Beside, *paths: str, times: int = 10) -> None:
    def ask() -> None:
        with Beside(str(beside.base_url)) as own:
            for path in paths * times:
                own.read(path)

    asking = [threading.Thread(target=ask) for _ in range(_READERS)]
    for each in asking:
        each.start()
    for each in asking:
        each.join()


def measured(name: str, server: Server, beside: Beside) -> str:
    before = server.memory()
    honest = Honest(server.port)
    honest.start()
    begun = time.perf_counter()
    try:
        WORK[name](beside)
    finally:
        took = time.perf_counter() - begun
        honest.stop()
    grown = f"{before / 2**20:.0f} → {server.memory() / 2**20:.0f}"
    return f"| {name} | {took:.1f} | {honest.columns()} | {grown} |"


@click.command()
@click.option("--only", multiple=True, type=click.Choice(sorted(WORK)))
@click.option("--url", default="", help="A migrated PostgreSQL in place of SQLite.")
@click.option("--entries", default=20_000)
@click.option("--amendments", default=200)
@click.option("--matches", default=9_000)
def main(only: tuple[str, ...], url: str, entries: int, amendments: int, matches: int) -> None:
    """Print a table in Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), url=url)
        try:
            Scorer(server.url).open()
            with Beside(server.url) as beside:
                beside.fill(Sizes(entries, amendments, matches))
                click.echo(
                    "| beside | s | honest requests | failed | p50, ms | p99 | slowest | MiB |"
                )
                click.echo("| --- | --- | --- | --- | --- | --- | --- | --- |")
                for name in only or WORK:
                    click.echo(measured(name, server, beside))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
