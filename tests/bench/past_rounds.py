"""`python -m tests.bench.past_rounds`: importing past rounds beside batches of as many."""

import csv
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from click.testing import CliRunner

from scorekeeper.cli.main import scorekeeper
from scorekeeper.cli.remote import Remote
from tests.api.server_process import server_process
from tests.api.serving import ADMIN, tally

PLAYERS = ("ann", "bo", "cy", "di")
ROUNDS_A_MATCH = 10
BATCH = 100
AT_ONCE = 8


@click.command()
@click.option("--rounds", default=10_000, show_default=True)
@click.option("--laps", default=3, show_default=True)
def main(rounds: int, laps: int) -> None:
    """Interleaved, each lap in leagues of its own."""
    ratios = []
    with TemporaryDirectory() as place, server_process(Path(place)) as url:
        for lap in range(laps):
            imported = _imported(Path(place), url, f"past-{lap}", rounds)
            appended = _appended(url, f"batches-{lap}", rounds)
            ratios.append(imported / appended)
            click.echo(f"imported {imported:,.0f}/s, in batches {appended:,.0f}/s")
    click.echo(f"import ÷ batches of {BATCH}: {statistics.median(ratios):.2f} (asked: 0.5)")


def _imported(place: Path, url: str, league: str, rounds: int) -> float:
    file = place / f"{league}.csv"
    with file.open("w", newline="") as lines:
        writer = csv.writer(lines)
        writer.writerow(("date", "edition", "players", "points", "match"))
        for number in range(rounds):
            match = f"evening-{number // ROUNDS_A_MATCH}"
            writer.writerow(("2024-11-20", "basic", " ".join(PLAYERS), "- 20 5 3", match))
    with Remote(url, ADMIN) as service:
        service.ask("POST", "/v1/leagues", {"league": league, "name": league})
    arguments = ["import-results", str(file), "--url", url, "--token", ADMIN, "--league", league]
    began = time.perf_counter()
    done = CliRunner().invoke(scorekeeper, arguments)
    seconds = time.perf_counter() - began
    assert done.exit_code == 0, done.output
    return rounds / seconds


def _appended(url: str, league: str, rounds: int) -> float:
    root = f"/v1/leagues/{league}"
    opening = {"edition": "basic", "players": PLAYERS, "scoring": {"target": None, "rounds": 1000}}
    with Remote(url, ADMIN) as service, ThreadPoolExecutor(AT_ONCE) as pool:
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
