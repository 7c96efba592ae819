"""`python -m tests.bench.open_leagues`: the memory of a service that many leagues write to."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import click

from tests.api.server_process import memory_of
from tests.bench.loads.evening import note
from tests.bench.measuring import lines
from tests.bench.started.databases import KINDS, Databases, Kind
from tests.bench.started.service import Service, running_service

_CLIENTS = 8
_NOTES = 20


def _play(service: Service) -> None:
    """Open a league with players, one match and some notes."""
    league = service.open_league()
    path = league.open_match()
    for _ in range(_NOTES):
        service.post(path, {"events": [note()]}, league.token)


def measure(kind: Kind, leagues: int, steps: int) -> None:
    with ExitStack() as stack:
        service = stack.enter_context(running_service(Databases(stack).fresh(kind)))
        _play(service)
        click.echo(f"{kind}: {_megabytes(service):.0f} MB with one league; {lines.load()}")
        for nth in range(1, steps + 1):
            with ThreadPoolExecutor(_CLIENTS) as playing:
                list(playing.map(lambda _: _play(service), range(leagues // steps)))
            played = nth * leagues // steps
            click.echo(f"  {played:,} leagues: {_megabytes(service):.0f} MB")


def _megabytes(service: Service) -> float:
    return memory_of(service.pid) / 1_000_000


@click.command()
@click.option("--leagues", default=10_000, show_default=True)
@click.option("--steps", default=5, show_default=True)
@click.option("--database", multiple=True, type=click.Choice(KINDS), default=KINDS)
def main(leagues: int, steps: int, database: tuple[Kind, ...]) -> None:
    """Measure a service's own memory after each of some steps."""
    for kind in database:
        measure(kind, leagues, steps)


if __name__ == "__main__":
    main()
