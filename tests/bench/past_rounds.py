"""`python -m tests.bench.past_rounds`: importing past rounds beside batches of as many."""

import csv
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import click

from scorekeeper.cli.remote import Remote
from tests.api.serving import tally
from tests.bench.loads.evening import PLAYERS
from tests.bench.measuring import lines
from tests.bench.measuring.samples import Work
from tests.bench.started.databases import KINDS, Databases, Kind
from tests.bench.started.service import ADMIN_TOKEN, running_service
from tests.commands import invoked

IMPORT = "imported, matches of 10 rounds"
AGAIN = "imported again"
BATCHES = "in batches of 100 into open matches"
ROUNDS_A_MATCH = 10
BATCH = 100
AT_ONCE = 8


@click.command()
@click.option("--rounds", default=10_000, show_default=True)
@click.option("--laps", default=3, show_default=True)
@click.option("--database", multiple=True, type=click.Choice(KINDS), default=KINDS)
def main(rounds: int, laps: int, database: tuple[Kind, ...]) -> None:
    """Measure both in turn, each lap in leagues of its own; eight clients send the batches."""
    for kind in database:
        with ExitStack() as stack:
            databases = Databases(stack)
            service = stack.enter_context(running_service(databases.fresh(kind)))
            url = f"http://127.0.0.1:{service.port}"
            found = [_lap(databases.directory, url, lap, rounds) for lap in range(laps)]
        click.echo(f"{kind}: {rounds:,} rounds; {lines.load()}")
        lines.ratio(found, IMPORT, BATCHES, "per_second", "0.5")
        lines.ratio(found, AGAIN, BATCHES, "per_second", "reported")


def _lap(place: Path, url: str, lap: int, rounds: int) -> dict[str, Work]:
    league = f"past-{lap}"
    file = _written(place, league, rounds)
    with Remote(url, ADMIN_TOKEN) as service:
        service.ask("POST", "/v1/leagues", {"league": league, "name": league})
    rates = {
        IMPORT: _imported(file, url, league, rounds),
        BATCHES: _appended(url, f"batches-{lap}", rounds),
        AGAIN: _imported(file, url, league, rounds),
    }
    return {name: Work(rate, 0) for name, rate in rates.items()}


def _written(place: Path, league: str, rounds: int) -> Path:
    file = place / f"{league}.csv"
    with file.open("w", newline="") as told:
        writer = csv.writer(told)
        writer.writerow(("date", "edition", "players", "points", "match"))
        for number in range(rounds):
            match = f"evening-{number // ROUNDS_A_MATCH}"
            writer.writerow(("2024-11-20", "basic", " ".join(PLAYERS), "- 20 5 3", match))
    return file


def _imported(file: Path, url: str, league: str, rounds: int) -> float:
    arguments = ["import-results", str(file), "--url", url, "--token", ADMIN_TOKEN]
    began = time.perf_counter()
    done = invoked(*arguments, "--league", league)
    seconds = time.perf_counter() - began
    assert done.exit_code == 0, done.output
    return rounds / seconds


def _appended(url: str, league: str, rounds: int) -> float:
    root = f"/v1/leagues/{league}"
    opening = {"edition": "basic", "players": PLAYERS, "scoring": {"target": None, "rounds": 1000}}
    with Remote(url, ADMIN_TOKEN) as service, ThreadPoolExecutor(AT_ONCE) as pool:
        service.ask("POST", "/v1/leagues", {"league": league, "name": league})
        for player in PLAYERS:
            service.ask("POST", f"{root}/players", {"player": player, "name": player})
        batches = rounds // BATCH
        for number in range(batches):
            service.ask("POST", f"{root}/matches", {"match": f"m-{number}", **opening})
        body = {"events": [tally("ann", bo=20, cy=5, di=3)] * BATCH}
        began = time.perf_counter()
        list(
            pool.map(
                lambda number: service.ask("POST", f"{root}/matches/m-{number}/events", body),
                range(batches),
            )
        )
        return rounds / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
