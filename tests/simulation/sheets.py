"""Matches of many told rounds made from a seed, as they are copied from a sheet of paper."""

from random import Random

from msgspec.structs import replace

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.events import (
    NoteAdded,
    PlayerSubstituted,
    RoundTallied,
    SeatsChanged,
    TableEvent,
    TalliedHand,
)
from scorekeeper.match.events.opening import MatchOpened, open_match
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.simulation.leagues import open_table
from scorekeeper.simulation.played_match import PlayedMatch
from tests.match.story import NAMES


def any_sheet(seed: int) -> tuple[PlayedMatch, list[TableEvent]]:
    """Return a match and its told events, most of them rounds. Nobody played it card by card.

    Its target is missed or reached, or there is none.
    """
    rng = Random(seed)
    edition = rng.choice(list(EDITIONS.values()))
    opening = open_table(
        rng,
        edition,
        NAMES[: rng.choice((2, 3, 4, 4, 6))],
        target=rng.choice((200, 1_000, 10_000)),
        rounds=rng.choice((None, 20, 100)),
    )
    if rng.randrange(3) == 0:
        opening = replace(opening, scoring=replace(opening.scoring, target=None))
    opened = open_match(edition, opening)
    assert isinstance(opened, MatchOpened), opened
    played = PlayedMatch(edition=edition, opened=opened, before=(), rounds=(), after=(), winners=())
    state, told = initial(edition, opened), list[TableEvent]()
    for _ in range(rng.randint(5, 40)):
        event = _told_round(rng, state) if rng.randrange(8) else _told_between(rng, state)
        outcome = record(state, [event])
        if isinstance(outcome, Recorded):
            state = outcome.state
            told.append(event)
    return played, told


def _told_round(rng: Random, state: State) -> TableEvent:
    staying = state.staying or state.seating
    winners = rng.sample(staying, 1 if rng.randrange(9) else min(2, len(staying)))
    hands = {player: TalliedHand(points=rng.randrange(60)) for player in staying}
    return RoundTallied(
        winners=tuple(winners),
        hands={player: hand for player, hand in hands.items() if player not in winners},
        dealer=rng.choice(staying) if rng.randrange(4) == 0 else None,
        charges={staying[0]: 9} if state.options.caught_counts and rng.randrange(4) == 0 else None,
        as_played=len(winners) > 1,
    )


def _told_between(rng: Random, state: State) -> TableEvent:
    seating = state.seating
    return rng.choice(
        (
            NoteAdded(text="x"),
            PlayerSubstituted(player=seating[0], substitute=rng.choice(("zoe", seating[0]))),
            SeatsChanged(players=tuple(rng.sample(seating, len(seating)))),
        )
    )
