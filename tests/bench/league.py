"""`python -m tests.bench.league`: pages, appends, and the checks of a large league.

The full size is 200 players, 20,000 matches and 2 million entries: `--matches 20000`.
"""

import http.client
import json
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Literal

import click

from tests.bench.loads.bulk import Bulk, known_matches, names
from tests.bench.loads.commands import command
from tests.bench.loads.evening import tally
from tests.bench.loads.pages import Reader, pages_in_turn
from tests.bench.measuring import lines
from tests.bench.measuring.samples import Sample, Work, percentile, sample
from tests.bench.side_by_side.flatness import in_turn
from tests.bench.started.databases import KINDS, Databases, Kind, written
from tests.bench.started.service import ADMIN_TOKEN, League, running_service

NOTHING = "GET /health/live"
NAME = "GET the league's name, with a token"
TABLE = "GET the table, its first 100 lines"
PLAYER = "GET a player's page"
LARGE = "append, a large league"
EMPTY = "append, an empty league"
OPEN_LARGE = "open a match, a large league"
OPEN_EMPTY = "open a match, an empty league"
_LARGE = "large"
_TIMES = 100
# A match has a bounded number of entries.
_APPENDS_EACH = 1_000

Laps = list[dict[str, Sample]]


def brought_along(reader: Reader, page: str) -> tuple[float, int]:
    """Ask for a player until the ratings are current; return the seconds, and their position."""
    begun, seen, as_of = time.perf_counter(), -1, 0
    while seen != as_of:
        seen = as_of
        as_of = json.loads(reader.get(page)[0])["rating"]["as_of"]
    return time.perf_counter() - begun, as_of


def read_pages(league: League, bulk: Bulk, laps: int) -> Laps:
    reader = Reader(league)
    players = [f"{league.path}/players/{player}" for player in names(bulk.players)]
    somebody = known_matches(bulk)[0].opened.players[0]
    seconds, as_of = brought_along(reader, f"{league.path}/players/{somebody}")
    click.echo(f"ratings brought along to position {as_of:,} in {seconds:.1f} s")
    pages = {
        NOTHING: ["/health/live"],
        NAME: [league.path],
        TABLE: [f"{league.path}/standings"],
        PLAYER: players,
    }
    pages_in_turn(reader, pages, _TIMES)
    return [pages_in_turn(reader, pages, _TIMES) for _ in range(laps)]


def append(league: League, laps: int) -> Laps:
    empty = league.service.open_league()
    return [
        in_turn({LARGE: (league, [league.open_match()]), EMPTY: (empty, [empty.open_match()])})
        for _ in range(laps)
    ]


def opened_in_turn(league: League, laps: int) -> Laps:
    """Time openings of matches: of a new match nothing is remembered, so it is looked up."""
    contenders = {OPEN_LARGE: league, OPEN_EMPTY: league.service.open_league()}
    return [
        {name: _opened(contenders[name]) for name in sorted(contenders, reverse=bool(lap % 2))}
        for lap in range(laps)
    ]


def _opened(league: League) -> Sample:
    taken: list[float] = []
    for _ in range(_TIMES):
        begun = time.perf_counter()
        league.open_match()
        taken.append((time.perf_counter() - begun) * 1000)
    return sample(1000 * len(taken) / sum(taken), taken)


def held_up(league: League) -> None:
    """Append, one by one, while the service rebuilds the league's views."""
    taken: list[float] = []
    with ThreadPoolExecutor(1) as pool:
        rebuilt = pool.submit(rebuild, league)
        while not rebuilt.done():
            if len(taken) % _APPENDS_EACH == 0:
                path = league.open_match()
            begun = time.perf_counter()
            league.tell(path, tally(), 1)
            taken.append((time.perf_counter() - begun) * 1000)
        seconds = rebuilt.result()
    click.echo(
        f"{len(taken):,} appends while the service rebuilt for {seconds:.0f} s:"
        f" {percentile(taken, 0.5):.1f} ms at the median, {percentile(taken, 0.99):.1f} at p99,"
        f" the longest {max(taken):.0f}"
    )


def rebuild(league: League) -> float:
    """Rebuild the league's views, and return the seconds that it took."""
    connection = http.client.HTTPConnection("127.0.0.1", league.service.port)
    begun = time.perf_counter()
    headers = {"Authorization": f"Bearer {ADMIN_TOKEN}"}
    connection.request("POST", f"{league.path}/rebuild", headers=headers)
    answer = connection.getresponse()
    if answer.status != 200:
        raise RuntimeError(answer.read().decode())
    answer.read()
    return time.perf_counter() - begun


def measure(kind: Kind, matches: int, players: int, laps: int) -> None:
    with ExitStack() as stack:
        databases = Databases(stack)
        bulk = Bulk(databases.fresh(kind), _LARGE, matches, players, "tallied")
        size = written(bulk)
        databases.settle(kind)
        click.echo(
            f"{kind}: {players} players, {matches:,} matches, {size.entries:,} entries, written at"
            f" {size.entries / size.seconds:,.0f}/s in bulk; {lines.load()}"
        )
        with running_service(bulk.url) as service:
            league = service.league(_LARGE)
            pages = read_pages(league, bulk, laps)
            appends = append(league, laps)
            openings = opened_in_turn(league, laps)
            held_up(league)

        def whole(name: Literal["verify", "rebuild"]) -> Work:
            return command([name, _LARGE], bulk.url, databases.directory, size.entries)

        checks = [{f"scorekeeper {name}": whole(name) for name in ("verify", "rebuild")}]
    for reference, to_reach in ((NOTHING, "≤ 3"), (NAME, "reported")):
        for page in (TABLE, PLAYER):
            lines.ratio(pages, page, reference, "p50", to_reach)
            lines.ratio(pages, page, reference, "p99", "reported")
    lines.ratio(appends, LARGE, EMPTY, "p50", "1.0: it stays flat")
    lines.ratio(appends, LARGE, EMPTY, "p99", "reported")
    lines.ratio(openings, OPEN_LARGE, OPEN_EMPTY, "p50", "1.0: it stays flat")
    lines.works(checks)
    click.echo(f"verify has to reach 60,000 entries/s and at most 300 MB; {lines.load()}")


@click.command()
@click.option("--matches", type=click.IntRange(min=100), default=1_000, show_default=True)
@click.option("--players", type=click.IntRange(min=4), default=200, show_default=True)
@click.option("--laps", type=click.IntRange(min=1), default=5, show_default=True)
@click.option("--database", multiple=True, type=click.Choice(KINDS), default=KINDS)
def main(matches: int, players: int, laps: int, database: tuple[Kind, ...]) -> None:
    """Measure a league of `--matches` matches, a hundred entries each, tallied by its players."""
    for kind in database:
        measure(kind, matches, players, laps)


if __name__ == "__main__":
    main()
