"""What one measurement is, and how measurements of one run are compared."""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

Aspect = Literal["per_second", "per_processor_second", "p50", "p99"]


class Sample(NamedTuple):
    """One contender measured once: operations a second, and latencies in milliseconds."""

    per_second: float
    p50: float
    p99: float


class Work(NamedTuple):
    """A long piece of work, done once: entries a second, and peak memory.

    `per_processor_second`: entries for each second of processor time of its own process, which
    other work on the machine distorts less. The time of a server that it uses is not included.
    """

    per_second: float
    megabytes: float
    per_processor_second: float = math.nan


class Comparison(NamedTuple):
    """Medians over the laps; `ratio` is the median of the laps' own ratios, with its range."""

    ours: float
    reference: float
    ratio: float
    lowest: float
    highest: float


def percentile(values: Iterable[float], share: float) -> float:
    """The nearest-rank percentile: the smallest value that `share` of all values do not exceed."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values were measured")
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def sample(per_second: float, milliseconds: Sequence[float]) -> Sample:
    return Sample(per_second, percentile(milliseconds, 0.50), percentile(milliseconds, 0.99))


def compare(
    laps: Sequence[Mapping[str, Sample | Work]], ours: str, reference: str, aspect: Aspect
) -> Comparison:
    """Compare the two within each lap, so that a slow lap does not distort the ratio."""
    mine = [getattr(lap[ours], aspect) for lap in laps]
    theirs = [getattr(lap[reference], aspect) for lap in laps]
    ratios = [one / other for one, other in zip(mine, theirs, strict=True)]
    return Comparison(
        statistics.median(mine),
        statistics.median(theirs),
        statistics.median(ratios),
        min(ratios),
        max(ratios),
    )


def pgbench_rate(output: str) -> float:
    """Transactions a second as pgbench prints them, the time to connect left out."""
    for line in output.splitlines():
        if line.startswith("tps = "):
            return float(line.split()[2])
    raise ValueError(f"no rate in what pgbench printed:\n{output}")


def pgbench_latencies(lines: Iterable[str]) -> list[float]:
    """Milliseconds of each transaction in pgbench's log (`client number MICROSECONDS …`)."""
    return [int(line.split(maxsplit=3)[2]) / 1000 for line in lines]
