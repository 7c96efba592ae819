"""`python -m tests.bench.growth`: how reads and corrections of a match grow with its length.

There are matches of more and more entries, recorded card by card, and one match with more and more
amendments in force. What grows linearly has the same time per thousand entries in each column.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import click
import httpx

from tests.bench.evening import PLAYERS, card_by_card, note
from tests.bench.service import ADMIN_TOKEN, Service, running_service

LEAGUE = "/v1/leagues/growing"
_AT_ONCE = 1_000
_ENTRIES_EACH_ROUND = 110
# A match has at most 200 amendments, and the what-if tries one more.
_AMENDMENTS = 199


class Match:
    """A match recorded card by card, asked as its owner."""

    def __init__(self, service: Service, slug: str, entries: int) -> None:
        self._http = httpx.Client(
            base_url=f"http://127.0.0.1:{service.port}",
            headers={"Authorization": f"Bearer {ADMIN_TOKEN}"},
            timeout=600,
        )
        self._path = f"{LEAGUE}/matches/{slug}"
        evening = card_by_card(max(1, entries // _ENTRIES_EACH_ROUND))
        opened = {name: value for name, value in evening.opening.items() if value is not None}
        self._post(f"{LEAGUE}/matches", opened | {"match": slug})
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


def milliseconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def by_entries(service: Service, sizes: list[int], laps: int) -> None:
    matches = [Match(service, f"of-{size}", size) for size in sizes]
    click.echo("| ms for a thousand entries | " + " | ".join(f"{m.version:,}" for m in matches))
    for name, work in READINGS.items():
        cells: list[str] = []
        for match in matches:
            taken = [milliseconds(lambda match=match, work=work: work(match)) for _ in range(laps)]
            whole = median(taken)
            cells.append(f"{whole * 1000 / match.version:.1f} ({whole:.0f} ms)")
        click.echo(f"| {name} | " + " | ".join(cells))


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
