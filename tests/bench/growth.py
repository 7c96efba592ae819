"""`python -m tests.bench.growth`: how reads and corrections of a match grow with its length.

There are matches of more and more entries, recorded card by card, and one match with more and more
amendments in force. What grows linearly has the same time per thousand entries in each column. Each
time is compared with the fold of the same entries, without service, database and decoding.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import click
import httpx
import msgspec

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.events import ToldEvent, decode_all_written, encode
from scorekeeper.match.events.opening import MatchOpened, Opening, open_match
from scorekeeper.match.readings.effective_log import fold, initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from tests.bench.loads.evening import PLAYERS, Evening, evening_of, note
from tests.bench.measuring.children import settle
from tests.bench.started.service import ADMIN_TOKEN, Service, running_service

LEAGUE = "/v1/leagues/growing"
_AT_ONCE = 1_000
# A match has at most 200 amendments, and the what-if tries one more.
_AMENDMENTS = 199


class Match:
    """A match recorded card by card, asked as its owner."""

    def __init__(self, service: Service, slug: str, entries: int) -> None:
        self._http = httpx.Client(
            base_url=f"http://127.0.0.1:{service.port}",
            headers={"Authorization": f"Bearer {ADMIN_TOKEN}"},
            timeout=600,
            trust_env=False,
        )
        self._path = f"{LEAGUE}/matches/{slug}"
        self.evening = evening = evening_of(entries)
        self._post(f"{LEAGUE}/matches", evening.opening | {"match": slug})
        self.version = 1
        for first in range(0, len(evening.told), _AT_ONCE):
            self.tell(*evening.told[first : first + _AT_ONCE])

    def tell(self, *events: dict[str, Any]) -> None:
        answer = self._post(f"{self._path}/events", {"events": events})
        self.version = answer.json()["version"]

    def amend(self, first: int) -> None:
        inserted = {"from": first, "remove": 0, "insert": [note()], "reason": "forgotten"}
        self.tell({"type": "log_amended"} | inserted)

    def try_out(self) -> None:
        self._post(f"{self._path}/what-if", {"from": 5, "remove": 0, "insert": [note()]})

    def undo(self) -> None:
        answer = self._post(f"{self._path}/undo", {}, **{"if-match": f'"{self.version}"'})
        self.version = answer.json()["version"]

    def read(self, what: str) -> None:
        answer = self._http.get(f"{self._path}{what}")
        assert answer.status_code == 200, answer.text

    def _post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        answer = self._http.post(path, json=body, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        return answer


READINGS: dict[str, Callable[[Match], object]] = {
    "amend": lambda match: match.amend(5),
    "undo": Match.undo,
    "what-if": Match.try_out,
    "replay": lambda match: match.read("/rounds/2/replay"),
    "recorded replay": lambda match: match.read("/rounds/2/replay?view=recorded"),
    "audit": lambda match: match.read("/audit"),
}


class Folding:
    """The fold of a match's own entries in this process: the least that reading the match takes."""

    def __init__(self, evening: Evening) -> None:
        edition = EDITIONS["basic", 1]
        opened = open_match(edition, msgspec.convert(evening.opening, Opening))
        assert isinstance(opened, MatchOpened), opened
        self._start = initial(edition, opened)
        whole = record(self._start, msgspec.convert(evening.told, list[ToldEvent]))
        assert isinstance(whole, Recorded), whole
        self._events = [entry.event for entry in whole.entries]
        self._inferred = [entry.inferred for entry in whole.entries]
        self._bodies = b"[%b]" % b",".join(map(encode, self._events))

    def fold(self) -> State:
        return fold(self._start, self._events, self._inferred)

    def decode_and_fold(self) -> State:
        return fold(self._start, decode_all_written(self._bodies), self._inferred)


def milliseconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def by_entries(service: Service, sizes: list[int], laps: int) -> None:
    matches = [Match(service, f"of-{size}", size) for size in sizes]
    click.echo("| ms for a thousand entries | " + " | ".join(f"{m.version:,}" for m in matches))
    folding = [Folding(match.evening) for match in matches]
    folds = fold_row("its fold", matches, [each.fold for each in folding], laps)
    fold_row("the same, decoded too", matches, [each.decode_and_fold for each in folding], laps)
    for name, work in READINGS.items():
        cells: list[str] = []
        for match, fold_alone in zip(matches, folds, strict=True):
            taken = [milliseconds(lambda match=match, work=work: work(match)) for _ in range(laps)]
            whole = median(taken)
            cells.append(f"{_cell(match, whole)}, {whole / fold_alone:.1f} × its fold")
        click.echo(f"| {name} | " + " | ".join(cells))


def fold_row(
    name: str, matches: list[Match], folds: list[Callable[[], State]], laps: int
) -> list[float]:
    """Return the milliseconds of each match's fold; the first time is not counted."""
    cells: list[str] = []
    found: list[float] = []
    for match, work in zip(matches, folds, strict=True):
        assert work().version == match.version
        found.append(median(milliseconds(work) for _ in range(laps)))
        cells.append(_cell(match, found[-1]))
    click.echo(f"| {name} | " + " | ".join(cells))
    return found


def _cell(match: Match, whole: float) -> str:
    return f"{whole * 1000 / match.version:.1f} ({whole:.0f} ms)"


def by_amendments(service: Service, entries: int, most: int, laps: int) -> None:
    match = Match(service, "amended", entries)
    step = (match.version - 10) // most
    click.echo(f"| ms, {match.version:,} entries | 1 amendment | {most} | × |")
    found: dict[str, list[float]] = {}
    for nth in range(most):
        taken = milliseconds(lambda nth=nth: match.amend(5 + nth * step))
        if nth in (0, most - 1):
            found.setdefault("that amendment", []).append(taken)
            for name in ("what-if", "replay", "recorded replay", "audit"):
                work = READINGS[name]
                laps_taken = [milliseconds(lambda work=work: work(match)) for _ in range(laps)]
                found.setdefault(name, []).append(median(laps_taken))
    for name, (one, all_of_them) in found.items():
        click.echo(f"| {name} | {one:.0f} | {all_of_them:.0f} | {all_of_them / one:.1f} |")


@click.command()
@click.option("--entries", multiple=True, type=int, default=(1_250, 5_000, 23_600))
@click.option("--amendments", default=_AMENDMENTS, show_default=True)
@click.option("--laps", default=3, show_default=True)
def main(entries: tuple[int, ...], amendments: int, laps: int) -> None:
    """Measure a served match on SQLite; the first question of each kind is not counted."""
    settle()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        url = f"sqlite+aiosqlite:///{Path(folder, 'book.sqlite3')}"
        with running_service(url) as service:
            service.post("/v1/leagues", {"league": "growing", "name": "Growing"})
            for player in PLAYERS:
                service.post(f"{LEAGUE}/players", {"player": player, "name": player.title()})
            warm = Match(service, "warm", 500)
            for work in READINGS.values():
                work(warm)
            by_entries(service, list(entries), laps)
            by_amendments(service, 2_000, amendments, laps)


if __name__ == "__main__":
    main()
