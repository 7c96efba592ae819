"""`python -m tests.bench.replay_answer`: a replay's answer, compared with the fold of its round.

Nothing here leaves the process: the complete answer is made from the entries of a ledger.
"""

import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

import click
import msgspec

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.events import decode, encode
from scorekeeper.match.readings.effective_log import both_readings, corrected_steps, fold, initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.projections.replay import Replay, replay, replay_as_recorded
from scorekeeper.service.reading.replays import Ledgered, RecordedAt, replay_view
from scorekeeper.simulation.dealt_round import Habits
from scorekeeper.simulation.leagues import open_table
from scorekeeper.simulation.played_match import play_match, tell_match
from scorekeeper.simulation.tellings import Telling
from scorekeeper.texts.language import LANGUAGES, Language
from tests.bench.loads.evening import PLAYERS
from tests.bench.measuring.children import settle
from tests.bench.measuring.lines import ratio_line
from tests.bench.measuring.samples import Comparison, Sample, compare

FOLD = "decoding and folding the round"
TIMES = 5

_encode = msgspec.json.Encoder().encode


class Round(NamedTuple):
    """A round as the ledger stores it, after the state at version 1."""

    start: State
    bodies: list[bytes]
    inferred: list[bool]

    def fold(self) -> State:
        return fold(self.start, map(decode, self.bodies), self.inferred)


def long_round(entries: int) -> Round:
    """Return the first simulated round with this many entries or more."""
    for seed in range(10_000):
        rng = Random(seed)
        edition = list(EDITIONS.values())[seed % len(EDITIONS)]
        opening = open_table(rng, edition, PLAYERS, mode="lowest-total")
        played = play_match(rng, edition, opening, Habits(), most_rounds=1)
        start = initial(edition, played.opened)
        parts = tell_match(Random(0), played, Telling.SEEN)
        found = record(start, [event for part in parts for event in part])
        if isinstance(found, Recorded) and len(found.entries) >= entries:
            bodies = [encode(entry.event) for entry in found.entries]
            return Round(start, bodies, [entry.inferred for entry in found.entries])
    raise ValueError(f"no simulated round has {entries} entries")


def answer(state: State, view: str, language: Language) -> bytes:
    """Return the body with which the route answers, without reading the database."""
    found: Replay | None
    if view == "recorded":
        recorded, now = both_readings(state)
        found = replay_as_recorded(recorded, 1, now)
    else:
        found = replay(corrected_steps(state), 1)
    assert found is not None
    written = RecordedAt(1, "t-1", "2026-11-20T19:00:00.000000Z")
    ledgered = Ledgered(dict.fromkeys(range(1, state.version + 1), written))
    return _encode(
        replay_view(found, match="m", ledgered=ledgered, recorders={}, language=language)
    )


def time_one(do: Callable[[], object]) -> Sample:
    taken: list[float] = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        do()
        taken.append(1000 * (time.perf_counter() - begun))
    return Sample(1000 / min(taken), min(taken), max(taken))


def compared(entries: int, laps: int) -> list[tuple[str, Comparison]]:
    """Return how many times as long as the fold each answer takes."""
    told = long_round(entries)
    state = told.fold()
    contenders: dict[str, Callable[[], object]] = {FOLD: told.fold}
    for view in ("corrected", "recorded"):
        for language in LANGUAGES:
            name = f"replay of {len(told.bodies)} entries, {view}, {language}"
            contenders[name] = partial(answer, state, view, language)
    done = [
        {name: time_one(contenders[name]) for name in list(contenders)[:: -1 if nth % 2 else 1]}
        for nth in range(laps)
    ]
    return [(name, compare(done, name, FOLD, "p50")) for name in contenders if name != FOLD]


@click.command()
@click.option("--entries", type=click.IntRange(min=1), default=300, show_default=True)
@click.option("--laps", type=click.IntRange(min=1), default=9, show_default=True)
def main(entries: int, laps: int) -> None:
    """Measure replay answers side by side with the fold of their round."""
    settle()
    for name, found in compared(entries, laps):
        click.echo(ratio_line(f"{name} ÷ {FOLD} (ms)", found, 2, "at most 10"))


if __name__ == "__main__":
    main()
