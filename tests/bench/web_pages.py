"""`python -m tests.bench.web_pages`: pages, compared with the API reads behind them.

32 readers ask for the page at once, then for the API read, and in the next lap the other way round.
They are not asked for together, since they would delay each other. Printed are milliseconds over
all readers, and the ratio of p99.
"""

import tempfile
import threading
from pathlib import Path

import click

from tests.bench.loads.evening import PLAYERS, tally
from tests.bench.loads.pages import Reader
from tests.bench.measuring.samples import Sample, compare, sample
from tests.bench.started.service import League, running_service

_READERS = 32
_ROUNDS = 12
_EVENINGS = 12
_SEASON = "from=2026-01-01&to=2026-12-31"
_CROWD = tuple(f"player-{number}" for number in range(41 - len(PLAYERS)))
_SIZES = (8, 41)


def behind(league: str) -> dict[str, tuple[str, str]]:
    """Return, by name, a page and the API read that has what the page shows."""
    page, api = f"/l/{league}", f"/v1/leagues/{league}"
    match = f"{api}/matches/match-1"
    found = {
        "the league": (page, f"{api}/matches"),
        "the people": (f"{page}/players", f"{api}/players?limit=1000"),
        "a player": (f"{page}/players/ann", f"{api}/players/ann/statistics"),
        "the table": (f"{page}/table", f"{api}/standings"),
        "a season": (f"{page}/table?{_SEASON}", f"{api}/standings?{_SEASON}"),
        "a match": (f"{page}/m/match-1", f"{match}/rounds"),
        "the pad": (f"{page}/m/match-1/pad", match),
        "the board": (f"{page}/m/match-1/tv", match),
        "a replay": (f"{page}/m/match-1/r/1", f"{match}/rounds/1/replay"),
        "the tournaments": (f"{page}/t", f"{api}/tournaments"),
        "a booklet": ("/e/basic", "/v1/editions/basic"),
    }
    for size in _SIZES:
        shown, read = f"{page}/t/of-{size}", f"{api}/tournaments/of-{size}"
        found[f"a tournament of {size}"] = (shown, f"{read}/standings")
        found[f"the hall of {size}"] = (f"{shown}/hall", f"{read}/board")
        found[f"a segment's sheets of {size}"] = (f"{shown}/print?segment=1", f"{read}/schedule")
    return found


def furnish(league: League) -> None:
    """Make an open match, a season of matches, and tournaments with two segments played."""
    league.tell(league.open_match(), tally(), _ROUNDS)
    for _ in range(_EVENINGS):
        evening = league.open_match({"at": "2026-03-20T19:00:00Z"})
        league.tell(evening, tally(), _ROUNDS)
        league.tell(evening, {"type": "match_closed"}, 1)
    for player in _CROWD:
        league.service.post(f"{league.path}/players", {"player": player, "name": player})
    for size in _SIZES:
        cup = {"tournament": f"of-{size}", "name": f"The cup of {size}", "edition": "basic"}
        players = (*PLAYERS, *_CROWD)[:size]
        opened = league.service.post(
            f"{league.path}/tournaments", cup | {"players": players}, league.token
        )
        for table in (table for each in opened["segments"][:2] for table in each["tables"]):
            winner, *others = table["rounds"][0]["players"]
            told = tally() | {
                "winners": [winner],
                "hands": {other: {"points": 10 + at} for at, other in enumerate(others)},
            }
            path = f"{league.path}/matches/{table['match']}/events"
            league.tell(path, told, len(table["rounds"]))


def together(league: League, path: str, times: int) -> Sample:
    """Return a sample over all readers, each of whom asks this often."""
    taken: list[float] = []

    def read() -> None:
        reader = Reader(league)
        taken.extend(reader.get(path)[1] for _ in range(times))

    readers = [threading.Thread(target=read) for _ in range(_READERS)]
    for each in readers:
        each.start()
    for each in readers:
        each.join()
    return sample(1000 * len(taken) / sum(taken), taken)


@click.command()
@click.option("--times", default=30, show_default=True, help="How often each reader asks.")
@click.option("--laps", default=3, show_default=True)
@click.option("--only", default="", help="Pages whose names have this in them.")
def main(times: int, laps: int, only: str) -> None:
    """Print a table in Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'book.sqlite3'}"
        with running_service(url) as service:
            league = service.open_league()
            furnish(league)
            show(league, times, laps, only)


def show(league: League, times: int, laps: int, only: str) -> None:
    click.echo("| page | p50 | p99 | its reading's p50 | p99 | ratio of p99 |")
    click.echo("| --- | --- | --- | --- | --- | --- |")
    chosen = behind(league.path.rpartition("/")[2])
    for name, (page, reading) in chosen.items():
        if only not in name:
            continue
        pair = {"page": page, "reading": reading}
        # The first answers warm up processes and caches, and are not counted.
        for path in pair.values():
            together(league, path, 1)
        found = [
            {
                each: together(league, pair[each], times)
                for each in sorted(pair, reverse=lap % 2 == 1)
            }
            for lap in range(laps)
        ]
        half, most = (compare(found, "page", "reading", aspect) for aspect in ("p50", "p99"))
        click.echo(
            f"| {name} | {half.ours:.1f} | {most.ours:.1f} | {half.reference:.1f} | "
            f"{most.reference:.1f} | {most.ratio:.2f} ({most.lowest:.2f}–{most.highest:.2f}) |"
        )


if __name__ == "__main__":
    main()
