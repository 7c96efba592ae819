"""The results of a measurement, printed a line each."""

import os
import statistics
from collections.abc import Callable, Mapping, Sequence

import click

from tests.bench.measuring.samples import Aspect, Comparison, Sample, Work, compare

UNITS: Mapping[Aspect, str] = {
    "per_second": "/s",
    "per_processor_second": "/s of its own processor time",
    "p50": "ms at the median",
    "p99": "ms at p99",
}


def laps_of(contenders: Mapping[str, Callable[[], Work]], laps: int) -> list[dict[str, Work]]:
    """Measure each contender once a lap, in an order that is reversed from lap to lap."""
    names = list(contenders)
    return [
        {name: contenders[name]() for name in (names if nth % 2 == 0 else reversed(names))}
        for nth in range(laps)
    ]


def ratio(
    laps: Sequence[Mapping[str, Sample | Work]],
    ours: str,
    reference: str,
    aspect: Aspect,
    to_reach: str,
) -> None:
    """Print the ratio of ours to the reference."""
    found = compare(laps, ours, reference, aspect)
    digits = 0 if aspect in ("per_second", "per_processor_second") else 2
    click.echo(ratio_line(f"{ours} ÷ {reference} ({UNITS[aspect]})", found, digits, to_reach))


def ratio_line(name: str, found: Comparison, digits: int, to_reach: str) -> str:
    return (
        f"{name}: {found.ours:,.{digits}f} ÷ {found.reference:,.{digits}f} ="
        f" {found.ratio:.2f} ({found.lowest:.2f}–{found.highest:.2f})  to reach: {to_reach}"
    )


def works(laps: Sequence[Mapping[str, Work]]) -> None:
    """Print the rate of each piece of work (the median with the range), and the peak memory."""
    for name in laps[0]:
        rates = [lap[name].per_second for lap in laps]
        peak = max(lap[name].megabytes for lap in laps)
        click.echo(
            f"{name} (entries/s): {statistics.median(rates):,.0f}"
            f" ({min(rates):,.0f}–{max(rates):,.0f}), peak memory {peak:,.0f} MB"
        )


def load() -> str:
    """Return the load averages of the machine, since other work distorts the results."""
    return "load " + ", ".join(f"{each:.1f}" for each in os.getloadavg())
