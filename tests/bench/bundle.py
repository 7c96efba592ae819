"""`python -m tests.bench.bundle`: a league exported, checked offline, and imported elsewhere."""

from contextlib import ExitStack
from pathlib import Path

import click

from tests.bench.loads.bulk import Bulk, matches_for
from tests.bench.loads.commands import command
from tests.bench.measuring import lines
from tests.bench.measuring.samples import Work
from tests.bench.started.databases import KINDS, Databases, Kind, written


def lap(databases: Databases, bulk: Bulk, kind: Kind, entries: int, file: Path) -> dict[str, Work]:
    """Export the league, check the bundle, and import it into a new database."""
    target, own = databases.fresh(kind), file.with_suffix(".data")
    command(["migrate"], target, own, entries)
    return {
        "scorekeeper export": command(
            ["export", "large", str(file)], bulk.url, databases.directory, entries
        ),
        "scorekeeper verify FILE": command(["verify", str(file)], target, own, entries),
        "scorekeeper import": command(["import", str(file)], target, own, entries),
    }


def measure(kind: Kind, entries: int, laps: int) -> None:
    with ExitStack() as stack:
        databases = Databases(stack)
        bulk = Bulk(databases.fresh(kind), "large", matches_for("mixed", entries))
        size = written(bulk).entries
        databases.settle(kind)
        click.echo(f"{kind}: {size:,} entries in {bulk.matches:,} matches; {lines.load()}")
        done: list[dict[str, Work]] = []
        for nth in range(laps):
            file = databases.directory / f"large-{nth}.bundle"
            done.append(lap(databases, bulk, kind, size, file))
            megabytes = file.stat().st_size / 1_000_000
            file.unlink()
    lines.works(done)
    click.echo(f"the bundle has {megabytes:,.0f} MB; {lines.load()}")


@click.command()
@click.option("--entries", type=click.IntRange(min=1000), default=50_000, show_default=True)
@click.option("--laps", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--database", multiple=True, type=click.Choice(KINDS), default=KINDS)
def main(entries: int, laps: int, database: tuple[Kind, ...]) -> None:
    """Measure export, offline check and import; the full size is 1,000,000 entries."""
    for kind in database:
        measure(kind, entries, laps)


if __name__ == "__main__":
    main()
