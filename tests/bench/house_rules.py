"""`python -m tests.bench.house_rules`: what house rules cost an append, without HTTP.

Two matches of one edition are recorded in turn, event by event, so that a slow machine slows both:
one has all house rules that can be combined, the other has none.
"""

import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import click
import msgspec
import uvloop
from msgspec import Struct

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.events import TableEvent, ToldEvent
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.rules.edition import ChosenVariants, Edition
from scorekeeper.service.matches.recording import ToRecord
from scorekeeper.service.reading.match_request import MatchRequest
from scorekeeper.service.services import Services
from scorekeeper.simulation.dealt_round import Habits
from scorekeeper.simulation.leagues import open_table
from scorekeeper.simulation.played_match import PlayedMatch, play_match, tell_match
from scorekeeper.simulation.tellings import Telling
from tests.bench.loads.evening import PLAYERS
from tests.bench.loads.load import fresh_id
from tests.bench.loads.open_book import ADMIN, open_book

LEAGUE = "measured"
ALL_TOGETHER: ChosenVariants = {
    "stacking": "any",
    "jump_in": "any",
    "seven": "swap",
    "zero": "pass",
    "drawing": "until-playable",
    "forced_play": "hand",
    "wild_draw_four": "no-bluff",
    "last_card": "no-wild",
    "uno_penalty": 4,
    "hand_size": 10,
}
"""All but `at_once`, which `jump_in` excludes."""

MOST = "at most 1.1"

Tell = Callable[[TableEvent], Awaitable[float]]


class Pair(Struct, frozen=True):
    """Milliseconds of an event with house rules, and of one without them at about the same time."""

    house: float
    booklet: float


def played(edition: Edition, seed: int, house_rules: ChosenVariants | None) -> PlayedMatch:
    rng = Random(seed)
    opening = open_table(
        rng, edition, PLAYERS, mode="plus-minus", rounds=20, house_rules=house_rules
    )
    return play_match(rng, edition, opening, Habits(), most_rounds=5)


def told(match: PlayedMatch) -> list[TableEvent]:
    parts = tell_match(Random(0), match, Telling.SEEN)
    return [event for part in parts for event in part]


def matches(edition: Edition, seed: int) -> Iterator[PlayedMatch]:
    yield played(edition, seed, ALL_TOGETHER)
    yield played(edition, seed, None)


def in_the_rules(match: PlayedMatch) -> Tell:
    """Judge and fold only; the state is carried over from one append to the next."""
    state = initial(match.edition, match.opened)

    async def tell(event: TableEvent) -> float:
        nonlocal state
        begun = time.perf_counter()
        outcome = record(state, [event])
        taken = time.perf_counter() - begun
        if not isinstance(outcome, Recorded):
            raise TypeError(f"a simulated match is refused: {outcome}")
        state = outcome.state
        return 1000 * taken

    return tell


async def in_the_service(book: Services, match: PlayedMatch, slug: str) -> Tell:
    """Record through the calls that the API's handlers make, without HTTP."""
    sent = {"match": slug, **msgspec.to_builtins(match.opened)}
    for field in ("type", "revision", "house_rules_revision"):
        sent.pop(field, None)
    request = msgspec.convert(sent, MatchRequest)
    await book.matches.open(ADMIN, LEAGUE, request, None, "en")

    async def tell(event: TableEvent) -> float:
        named: ToldEvent = msgspec.structs.replace(event, id=fresh_id().decode())
        begun = time.perf_counter()
        outcome = await book.recording.record(ToRecord(ADMIN, LEAGUE, slug, [named]))
        taken = time.perf_counter() - begun
        if not outcome.created:
            raise RuntimeError(outcome.body.decode())
        return 1000 * taken

    return tell


async def in_turn(tell: tuple[Tell, Tell], events: tuple[list[TableEvent], ...]) -> list[Pair]:
    """Record as many events of each match as the shorter one has."""
    found: list[Pair] = []
    for nth, (house, booklet) in enumerate(zip(*events, strict=False)):
        if nth % 2:
            found.append(Pair(await tell[0](house), await tell[1](booklet)))
        else:
            later = await tell[1](booklet)
            found.append(Pair(await tell[0](house), later))
    return found


async def measured(seeds: int) -> dict[str, list[Pair]]:
    found: dict[str, list[Pair]] = {"append, all but HTTP": [], "judging and folding": []}
    appended, judged = found.values()
    with TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'bench.db'}"
        async with open_book(url, LEAGUE) as book:
            for edition in EDITIONS.values():
                for seed in range(seeds):
                    house, booklet = matches(edition, seed)
                    events = (told(house), told(booklet))
                    rules = (in_the_rules(house), in_the_rules(booklet))
                    judged += await in_turn(rules, events)
                    name = f"{edition.id}-{seed}"
                    service = (
                        await in_the_service(book, house, f"{name}-house"),
                        await in_the_service(book, booklet, f"{name}-booklet"),
                    )
                    appended += await in_turn(service, events)
    return found


@click.command()
@click.option("--seeds", type=click.IntRange(min=1), default=4, show_default=True)
def main(seeds: int) -> None:
    """Measure an append by all house rules side by side with one by the booklet."""
    for what, pairs in uvloop.run(measured(seeds)).items():
        house = median(pair.house for pair in pairs)
        booklet = median(pair.booklet for pair in pairs)
        click.echo(
            f"{what}, {len(pairs):,} of each (median, ms):"
            f" {house:.4f} by house rules ÷ {booklet:.4f} by the booklet"
            f" = {house / booklet:.3f}  to reach, for an append: {MOST}"
        )


if __name__ == "__main__":
    main()
