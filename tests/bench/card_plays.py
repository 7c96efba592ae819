"""`python -m tests.bench.card_plays`: what judging and folding card plays costs, beside decoding.

Nothing here leaves the process, so that only the rules are measured.
"""

import time
from collections.abc import Callable, Iterable
from random import Random
from typing import NamedTuple

import click
from msgspec import Struct

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.decider import decide, evolve
from scorekeeper.match.events.card_events import CardPlayed
from scorekeeper.match.events.events import decode, encode
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import fold, initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.simulation.dealt_round import Habits
from scorekeeper.simulation.leagues import open_table
from scorekeeper.simulation.played_match import PlayedMatch, play_match, tell_match
from scorekeeper.simulation.tellings import Telling
from tests.bench.loads.evening import PLAYERS
from tests.bench.measuring.lines import UNITS
from tests.bench.measuring.samples import Aspect, Comparison, Sample, compare, sample

PLAY = "decide + evolve of one play"
PLAY_DECODED = "decoding of that play"
FOLD = "fold, decoding included"
FOLD_DECODED = "decoding alone"
LONG = "record one event, match of 2,000"
SHORT = "record one event, match of 20"
LENGTHS = {SHORT: 20, LONG: 2_000}
RECORDED = 1_000


class CardFigure(NamedTuple):
    ours: str
    reference: str
    aspect: Aspect
    to_reach: str


CARD_FIGURES = (
    CardFigure(PLAY, PLAY_DECODED, "per_second", "≥ 0.01: at most 100 times the time"),
    CardFigure(FOLD, FOLD_DECODED, "per_second", "≥ 0.05, then 0.10"),
    CardFigure(LONG, SHORT, "p50", "1.0: it stays flat"),
)


class Log(Struct, frozen=True):
    """A match as the ledger keeps it: the state at version 1, and the bodies after it."""

    start: State
    bodies: tuple[bytes, ...]


def logs(events: int, telling: Telling) -> list[Log]:
    """Return matches of all editions in turn, with this many entries together or a few more."""
    found: list[Log] = []
    count = seed = 0
    while count < events:
        edition = list(EDITIONS.values())[seed % len(EDITIONS)]
        rng = Random(seed)
        opening = open_table(rng, edition, PLAYERS, mode="plus-minus", rounds=10)
        played = play_match(rng, edition, opening, Habits(), most_rounds=10)
        start = initial(edition, played.opened)
        recorded = _recorded(start, played, telling)
        bodies = tuple(encode(entry.event) for entry in recorded.entries)
        found.append(Log(start, bodies))
        count += len(bodies)
        seed += 1
    return found


def _recorded(start: State, played: PlayedMatch, telling: Telling) -> Recorded:
    parts = tell_match(Random(0), played, telling)
    recorded = record(start, [event for part in parts for event in part])
    if isinstance(recorded, Refusal):
        raise TypeError(f"a simulated match is refused: {recorded}")
    return recorded


def time_plays(told: Iterable[Log]) -> Sample:
    """Time each play on its own, within its match."""
    taken: list[float] = []
    for log in told:
        state = log.start.copy()
        for body in log.bodies:
            event = decode(body)
            begun = time.perf_counter()
            if isinstance(event, CardPlayed):
                decide(state, event)
            evolve(state, event)
            if isinstance(event, CardPlayed):
                taken.append((time.perf_counter() - begun) * 1000)
    return sample(1000 * len(taken) / sum(taken), taken)


def time_decoding_plays(told: Iterable[Log]) -> Sample:
    taken: list[float] = []
    for log in told:
        for body in log.bodies:
            begun = time.perf_counter()
            event = decode(body)
            ended = time.perf_counter()
            if isinstance(event, CardPlayed):
                taken.append((ended - begun) * 1000)
    return sample(1000 * len(taken) / sum(taken), taken)


def time_all(told: list[Log], do: Callable[[Log], object]) -> Sample:
    begun = time.perf_counter()
    for log in told:
        do(log)
    taken = time.perf_counter() - begun
    events = sum(len(log.bodies) for log in told)
    return Sample(events / taken, 1000 * taken / events, 1000 * taken / events)


def decode_all(log: Log) -> None:
    for body in log.bodies:
        decode(body)


def fold_all(log: Log) -> State:
    return fold(log.start, map(decode, log.bodies))


def time_recording(length: int) -> Sample:
    """Time one event at a time, each on the state that the event before it left."""
    edition = EDITIONS["basic", 1]
    rng = Random(4)
    opening = open_table(rng, edition, PLAYERS, mode="plus-minus", rounds=1000)
    played = play_match(rng, edition, opening, Habits(), most_rounds=40)
    told = [event for part in tell_match(rng, played, Telling.EXACT) for event in part]
    outcome = record(initial(edition, played.opened), told[:length])
    taken: list[float] = []
    for event in told[length : length + RECORDED]:
        if isinstance(outcome, Refusal):
            raise TypeError(f"a simulated match is refused: {outcome}")
        begun = time.perf_counter()
        outcome = record(outcome.state, [event])
        taken.append((time.perf_counter() - begun) * 1000)
    return sample(1000 * len(taken) / sum(taken), taken)


def lap(told: list[Log], *, backwards: bool) -> dict[str, Sample]:
    contenders: dict[str, Callable[[], Sample]] = {
        PLAY: lambda: time_plays(told),
        PLAY_DECODED: lambda: time_decoding_plays(told),
        FOLD: lambda: time_all(told, fold_all),
        FOLD_DECODED: lambda: time_all(told, decode_all),
        LONG: lambda: time_recording(LENGTHS[LONG]),
        SHORT: lambda: time_recording(LENGTHS[SHORT]),
    }
    order = list(contenders)[:: -1 if backwards else 1]
    return {name: contenders[name]() for name in order}


def compared(events: int, laps: int, telling: Telling) -> list[tuple[CardFigure, Comparison]]:
    told = logs(events, telling)
    done = [lap(told, backwards=bool(nth % 2)) for nth in range(laps)]
    return [
        (figure, compare(done, figure.ours, figure.reference, figure.aspect))
        for figure in CARD_FIGURES
    ]


@click.command()
@click.option("--events", type=click.IntRange(min=1), default=1_000_000, show_default=True)
@click.option("--laps", type=click.IntRange(min=1), default=5, show_default=True)
@click.option(
    "--telling",
    type=click.Choice([telling.value for telling in Telling]),
    default=Telling.SEEN.value,
    show_default=True,
)
def main(events: int, laps: int, telling: str) -> None:
    """Measure card plays side by side with their decoding, in one run on this machine."""
    for figure, found in compared(events, laps, Telling(telling)):
        click.echo(
            f"{figure.ours} ÷ {figure.reference} ({UNITS[figure.aspect]}):"
            f" {found.ours:,.3f} ÷ {found.reference:,.3f} ="
            f" {found.ratio:.4f} ({found.lowest:.4f}–{found.highest:.4f})"
            f"  to reach: {figure.to_reach}"
        )


if __name__ == "__main__":
    main()
