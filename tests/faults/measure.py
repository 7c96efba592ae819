"""`python -m tests.faults.measure`: what clients see of faults, for docs/reliability.md."""

import tempfile
from pathlib import Path

import click

from tests.databases import KINDS
from tests.faults.inflicted import FAULTS, Outcome, ground, outcome

HEADS = (
    "fault",
    "acknowledged",
    "lost",
    "twice",
    "missed",
    "other answers",
    "longest, s",
    "again, s",
)


def columns(outcome: Outcome) -> list[str]:
    seen = outcome.figures
    refused = [f"{count} × {status}" for status, count in sorted(seen.refusals.items())]
    counted = (seen.acknowledged, seen.lost, seen.twice, seen.missed)
    timed = (f"{seen.longest:.1f}", f"{outcome.again:.1f}")
    return [*map(str, counted), ", ".join(refused) or "none", *timed]


@click.command()
@click.option("--only", multiple=True, help="Faults, by their names.")
@click.option("--times", default=1, help="How often each.")
def main(only: tuple[str, ...], times: int) -> None:
    """Print tables in Markdown."""
    for kind in KINDS:
        click.echo(f"\n{kind}\n")
        click.echo(f"| {' | '.join(HEADS)} |")
        click.echo(f"| {' | '.join('---' for _ in HEADS)} |")
        with tempfile.TemporaryDirectory() as folder, ground(kind, Path(folder)) as made:
            for name, fault in FAULTS[kind].items():
                if name in only or not only:
                    row = columns(outcome(fault, made, times=times))
                    click.echo(f"| {name} | {' | '.join(row)} |")


if __name__ == "__main__":
    main()
