"""`python -m tests.abuse.neighbours`: an honest client beside a league with expensive requests.

The figures are for docs/reliability.md. The service runs as it is delivered. The other league has a
match of 20,000 entries told card by card, one with 200 amendments, and thousands of short ones.
"""

import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import click

from tests.abuse.beside import LEAGUE, LONG, Beside, Sizes
from tests.abuse.honest import honest_client
from tests.api.live_client import Scorer
from tests.api.server_process import Server

_READERS = 30

Work = Callable[[Beside], object]
WORK: dict[str, Work] = {
    "nothing, 5 s": lambda beside: time.sleep(5),
    "an audit of 20,000 entries": lambda beside: beside.read(f"{LONG}/audit"),
    "a replay in the same match": lambda beside: beside.read(f"{LONG}/rounds/2/replay"),
    "a recorded replay of its amendments": lambda beside: beside.read(
        f"{LEAGUE}/matches/amended/rounds/2/replay?view=recorded"
    ),
    "what-if in 20,000 entries": Beside.try_out,
    "an amendment of 20,000 entries": lambda beside: beside.amend("long", 5),
    "an undo in 20,000 entries": Beside.undo,
    "an erasure in them, reading and telling on": Beside.erase,
    "the table over 9,000 matches, filtered": lambda beside: beside.read(
        f"{LEAGUE}/standings?edition=basic"
    ),
    "the results of 9,000 matches as CSV": lambda beside: beside.read(
        f"{LEAGUE}/results", accept="text/csv"
    ),
    "30 readers of /docs and /metrics, ten times each": lambda beside: _many(
        beside, "/docs", "/metrics"
    ),
    "30 audits at once": lambda beside: _many(beside, f"{LONG}/audit", times=1),
    "an export of the league": lambda beside: beside.read(f"{LEAGUE}/export"),
    "a rebuild of its lists and tables": lambda beside: beside.made(f"{LEAGUE}/rebuild", {}),
    "ten appends of 1,000 events": lambda beside: beside.tell_much(10),
    "50 refused bodies of 1 MB": lambda beside: beside.be_refused(50),
    "a tournament of 41 opened": lambda beside: beside.open_tournament(41),
    "5,000 players read": Beside.list_players,
    "100,000 pipelined requests": lambda beside: beside.pipeline(100_000),
    "1,000 idle connections": lambda beside: beside.stay_idle(1_000),
    "100 followers from the beginning": lambda beside: beside.follow(100),
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


def measured(name: str, server: Server, token: str, beside: Beside) -> str:
    before = server.memory()
    with honest_client(server.port, token) as honest:
        begun = time.perf_counter()
        WORK[name](beside)
        took = time.perf_counter() - begun
        seen = honest.stop()
    grown = f"{before / 2**20:.0f} → {server.memory() / 2**20:.0f}"
    return f"| {name} | {took:.1f} | {seen.columns()} | {grown} |"


@click.command()
@click.option("--only", multiple=True, type=click.Choice(sorted(WORK)))
@click.option("--url", default="", help="A migrated PostgreSQL in place of SQLite.")
@click.option("--entries", default=20_000)
@click.option("--amendments", default=200)
@click.option("--matches", default=9_000)
@click.option("--players", default=5_000)
def main(
    only: tuple[str, ...], url: str, entries: int, amendments: int, matches: int, players: int
) -> None:
    """Print a table in Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), url=url)
        try:
            _, token = Scorer(server.url).open().token("scorekeeper")
            with Beside(server.url) as beside:
                beside.fill(Sizes(entries, amendments, matches, players))
                click.echo(
                    "| beside | s | honest requests | failed | p50, ms | p99 | slowest | MiB |"
                )
                click.echo("| --- | --- | --- | --- | --- | --- | --- | --- |")
                for name in only or WORK:
                    click.echo(measured(name, server, token, beside))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
