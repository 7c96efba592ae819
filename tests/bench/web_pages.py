"""`python -m tests.bench.web_pages`: pages beside the reading of the API that stands behind each.

32 readers at once, each asking for page and reading in turn; milliseconds, and the ratio of p99.
"""

import tempfile
import threading
from pathlib import Path

import click

from tests.bench.evening import tally
from tests.bench.pages import Reader, pages_in_turn
from tests.bench.samples import Sample
from tests.bench.service import League, running_service

_READERS = 32
_ROUNDS = 12


def behind(league: str) -> dict[str, tuple[str, str]]:
    """By name a page, and what it shows as the API answers it."""
    page, api = f"/l/{league}", f"/v1/leagues/{league}"
    return {
        "the league": (page, f"{api}/matches"),
        "a match": (f"{page}/m/match-1", f"{api}/matches/match-1/rounds"),
        "the pad": (f"{page}/m/match-1/pad", f"{api}/matches/match-1"),
        "the board": (f"{page}/m/match-1/tv", f"{api}/matches/match-1"),
        "a booklet": ("/e/basic", "/v1/editions/basic"),
    }


def together(league: League, pages: dict[str, list[str]], times: int) -> dict[str, list[Sample]]:
    """What each of the readers saw."""
    seen: dict[str, list[Sample]] = {name: [] for name in pages}

    def read() -> None:
        for name, found in pages_in_turn(Reader(league), pages, times).items():
            seen[name].append(found)

    readers = [threading.Thread(target=read) for _ in range(_READERS)]
    for each in readers:
        each.start()
    for each in readers:
        each.join()
    return seen


@click.command()
@click.option("--times", default=30, show_default=True, help="How often each reader asks.")
def main(times: int) -> None:
    """Print a table in Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'book.sqlite3'}"
        with running_service(url) as service:
            league = service.open_league()
            league.tell(league.open_match(), tally(), _ROUNDS)
            show(league, times)


def show(league: League, times: int) -> None:
    click.echo("| page | p50 | p99 | its reading's p50 | p99 | ratio of p99 |")
    click.echo("| --- | --- | --- | --- | --- | --- |")
    for name, (page, reading) in behind(league.path.rpartition("/")[2]).items():
        found = together(league, {"page": [page], "reading": [reading]}, times)
        page_p99, read_p99 = (max(each.p99 for each in found[one]) for one in found)
        page_p50, read_p50 = (
            sorted(each.p50 for each in found[one])[_READERS // 2] for one in found
        )
        click.echo(
            f"| {name} | {page_p50:.1f} | {page_p99:.1f} | {read_p50:.1f} | {read_p99:.1f} | "
            f"{page_p99 / read_p99:.2f} |"
        )


if __name__ == "__main__":
    main()
