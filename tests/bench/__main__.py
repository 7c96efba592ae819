"""`python -m tests.bench`: every figure beside its reference, in one table."""

import signal
import sys
from contextlib import ExitStack

import click
from rich.console import Console
from rich.table import Table

from tests.bench.measuring.lines import UNITS
from tests.bench.measuring.samples import Sample, compare
from tests.bench.side_by_side.contenders import Grounds
from tests.bench.side_by_side.figures import FIGURES, Figure, figures_named

Lap = dict[str, Sample]


def measured(chosen: list[Figure], laps: int, seconds: float, console: Console) -> list[Lap]:
    """Measure each contender once a lap, in an order that is reversed from lap to lap."""
    wanted = {name for figure in chosen for name in (figure.ours, figure.reference)}
    done: list[Lap] = []
    with ExitStack() as stack:
        contenders = [
            contender
            for contender in Grounds(stack, seconds).contenders()
            if contender.yields & wanted
        ]
        for nth in range(laps):
            samples: Lap = {}
            for contender in contenders if nth % 2 == 0 else reversed(contenders):
                samples |= contender.measure()
                for name in sorted(contender.yields):
                    one = samples[name]
                    console.print(
                        f"[dim]{nth + 1}/{laps}  {name}: {one.per_second:,.0f}/s,"
                        f" p50 {one.p50:.2f} ms, p99 {one.p99:.2f} ms",
                        soft_wrap=True,
                    )
            done.append(samples)
    return done


def table_of(chosen: list[Figure], laps: list[Lap]) -> Table:
    table = Table(title=f"Medians of {len(laps)} interleaved laps on this machine")
    table.add_column("figure", overflow="fold")
    for heading in ("ours", "reference", "ratio (range)"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("to reach", no_wrap=True)
    for figure in chosen:
        found = compare(laps, figure.ours, figure.reference, figure.aspect)
        digits = 0 if figure.aspect == "per_second" else 2
        table.add_row(
            f"{figure.ours} ÷ {figure.reference} ({UNITS[figure.aspect]})",
            f"{found.ours:,.{digits}f}",
            f"{found.reference:,.{digits}f}",
            f"{found.ratio:.2f} ({found.lowest:.2f}–{found.highest:.2f})",
            figure.to_reach,
        )
    return table


@click.command()
@click.option("--quick", is_flag=True, help="Shorter measurements; the figures scatter more.")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(sorted({figure.name for figure in FIGURES})),
    help="Only these figures; may be given several times.",
)
@click.option("--laps", type=click.IntRange(min=1), default=5, show_default=True)
def main(*, quick: bool, only: tuple[str, ...], laps: int) -> None:
    """Measure appends side by side with references, in one run on this machine."""
    # Servers have been started, and a termination from outside has to stop them too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    chosen = figures_named(only)
    progress = Console(stderr=True)
    laps_done = measured(chosen, laps, 1.5 if quick else 5.0, progress)
    Console(width=None if progress.is_terminal else 150).print(table_of(chosen, laps_done))


if __name__ == "__main__":
    main()
