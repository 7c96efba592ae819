"""`python -m tests.bench.fairness`: one league's single appends beside another league's load.

The same client appends alone and beside each kind of load, in one run and by turns.
"""

import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import click
import httpx

from tests.bench.loads.commands import command
from tests.bench.loads.evening import Told, note, tally
from tests.bench.measuring import lines
from tests.bench.measuring.samples import Sample
from tests.bench.started.databases import KINDS, Databases, Kind
from tests.bench.started.service import ADMIN_TOKEN, League, running_service

_BATCH = 1_000
_READERS = 20
_ALONE = "alone"
_LOWEST_PRIORITY = 19


class Neighbour:
    """The other league, and the load that its clients make until `over` is set."""

    def __init__(self, league: League, url: str, data: str) -> None:
        self._league = league
        self._url = url
        self._data = Path(data)
        self.over = threading.Event()

    def notes(self) -> None:
        self._tell([note()] * _BATCH, times=10)

    def tallies(self) -> None:
        self._tell([tally()] * _BATCH, times=5)

    def _tell(self, events: list[Told], times: int) -> None:
        """Append so often to each match, since a match takes no more than 20,000 entries."""
        _give_way()
        while not self.over.is_set():
            path = self._league.open_match()
            for _ in range(times):
                if not self.over.is_set():
                    self._league.service.post(path, {"events": events}, self._league.token)

    def exports(self) -> None:
        self._ask(f"{self._league.path}/export")

    def verifies(self) -> None:
        league = self._league.path.rpartition("/")[2]
        while not self.over.is_set():
            command(["verify", league], self._url, self._data, 1)

    def reads(self) -> None:
        path = self._league.open_match().removesuffix("/events")
        asking = [threading.Thread(target=self._ask, args=(path,)) for _ in range(_READERS)]
        for each in asking:
            each.start()
        for each in asking:
            each.join()

    def _ask(self, path: str) -> None:
        _give_way()
        headers = {"Authorization": f"Bearer {ADMIN_TOKEN}"}
        base = f"http://127.0.0.1:{self._league.service.port}"
        with httpx.Client(base_url=base, headers=headers, timeout=60, trust_env=False) as http:
            while not self.over.is_set():
                answer = http.get(path)
                assert answer.status_code == 200, answer.text


def _give_way() -> None:
    """Lower this thread's priority: real clients have their own machines, and this one is shared.

    On Linux each thread has a priority of its own.
    """
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST_PRIORITY)


LOADS: dict[str, Callable[[Neighbour], None]] = {
    "batches of 1,000 notes": Neighbour.notes,
    "batches of 1,000 tallies": Neighbour.tallies,
    "exports": Neighbour.exports,
    "verify": Neighbour.verifies,
    "20 clients that read": Neighbour.reads,
}


@contextmanager
def beside(neighbour: Neighbour, load: Callable[[Neighbour], None] | None) -> Iterator[None]:
    working = threading.Thread(target=load, args=(neighbour,)) if load else None
    if working is not None:
        neighbour.over.clear()
        working.start()
    try:
        yield
    finally:
        neighbour.over.set()
        if working is not None:
            working.join()


def measure(kind: Kind, seconds: float, laps: int) -> None:
    found: dict[str, list[Sample]] = {}
    with ExitStack() as stack:
        url = Databases(stack).fresh(kind)
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-"))
        service = stack.enter_context(running_service(url))
        own, other = service.open_league(), service.open_league()
        other.tell(other.open_match(), note(), 15_000)
        neighbour = Neighbour(other, url, data)
        for _ in range(laps):
            for name, load in [(_ALONE, None), *LOADS.items()]:
                with beside(neighbour, load):
                    sample = own.loaded(note(), clients=1, seconds=seconds, warm_up=0.5)
                found.setdefault(name, []).append(sample)
    click.echo(f"{kind}: {lines.load()}")
    alone = [each.p99 for each in found[_ALONE]]
    for name, samples in found.items():
        p99 = median(each.p99 for each in samples)
        ratio = median(one.p99 / by_itself for one, by_itself in zip(samples, alone, strict=True))
        click.echo(
            f"  {name}: p50 {median(each.p50 for each in samples):.1f} ms, p99 {p99:.1f} ms,"
            f" {ratio:.1f} × alone, at most 5"
        )


@click.command()
@click.option("--seconds", default=5.0, show_default=True)
@click.option("--laps", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--database", multiple=True, type=click.Choice(KINDS), default=KINDS)
def main(seconds: float, laps: int, database: tuple[Kind, ...]) -> None:
    """Measure the p99 of single appends of one league beside another league's load."""
    for kind in database:
        measure(kind, seconds, laps)


if __name__ == "__main__":
    main()
