"""Simulated matches made from a seed, and what the book makes of them."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.events import Event, TableEvent
from scorekeeper.match.readings.effective_log import fold, initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.rules.cards import Card
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.scoring import ModeName
from scorekeeper.simulation.dealt_round import FREQUENT, LAWFUL, Habits
from scorekeeper.simulation.leagues import any_house_rules, open_table
from scorekeeper.simulation.played_match import PlayedMatch, play_match, tell_match
from scorekeeper.simulation.played_round import PlayedRound
from scorekeeper.simulation.tellings import Telling, tell_round
from tests.match.story import NAMES, views

HOUSE = 2**32
"""The first seed for house rules, which may turn out to be none.

A match with a smaller seed is played by the booklet alone.
"""

by_booklet = st.integers(0, HOUSE - 1)
by_house_rules = st.integers(HOUSE, 2 * HOUSE - 1)
seeds = by_booklet | by_house_rules

# Nothing is shrunk, since a smaller seed is no simpler match.
calm = settings(
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


# All properties of a match are checked one after the other, so few matches need to be kept.
@lru_cache(maxsize=4)
def any_match(seed: int, *, most_rounds: int = 2, habits: Habits | None = None) -> PlayedMatch:
    rng = Random(seed)
    edition = rng.choice(list(EDITIONS.values()))
    seats = rng.choice((2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 10))
    house_rules = any_house_rules(rng, edition, seats) if seed >= HOUSE else None
    opening = open_table(
        rng,
        edition,
        NAMES[:seats],
        target=rng.choice((100, 200, None)),
        house_rules=house_rules,
    )
    played_so = habits or rng.choice((Habits(), FREQUENT, FREQUENT, LAWFUL))
    return play_match(rng, edition, opening, played_so, most_rounds=most_rounds)


def match_of(
    seed: int, edition: Edition, seats: int, mode: ModeName, *, teams: bool = False
) -> PlayedMatch:
    rng = Random(seed)
    opening = open_table(rng, edition, NAMES[:seats], mode=mode, teams=teams)
    return play_match(rng, edition, opening, LAWFUL, most_rounds=1)


def told_events(
    played: PlayedMatch, telling: Telling, *, known: tuple[str, ...] = ()
) -> list[TableEvent]:
    return list(_told_events(_Itself(played), telling, known))


class _Itself:
    """A cache key that compares matches by identity, and keeps its match alive."""

    def __init__(self, played: PlayedMatch) -> None:
        self.played = played

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and self.played is other.played

    def __hash__(self) -> int:
        return id(self.played)


@lru_cache(maxsize=12)
def _told_events(of: _Itself, telling: Telling, known: tuple[str, ...]) -> tuple[TableEvent, ...]:
    parts = tell_match(Random(7), of.played, telling, known=known)
    return tuple(event for part in parts for event in part)


def told_round(played: PlayedMatch, dealt: PlayedRound, telling: Telling) -> tuple[TableEvent, ...]:
    return tell_round(played.edition, dealt.happened, telling)


def begin(played: PlayedMatch) -> State:
    return initial(played.edition, played.opened)


def recorded(state: State, events: Iterable[TableEvent]) -> Recorded:
    outcome = record(state, list(events))
    assert isinstance(outcome, Recorded), outcome
    return outcome


def one_by_one(state: State, events: Iterable[TableEvent]) -> Iterator[tuple[TableEvent, Recorded]]:
    for event in events:
        outcome = recorded(state, [event])
        yield event, outcome
        state = outcome.state


def recorded_whole(played: PlayedMatch, telling: Telling) -> Recorded:
    """Record the whole match in one request."""
    return _recorded_whole(_Itself(played), telling)


@lru_cache(maxsize=12)
def _recorded_whole(of: _Itself, telling: Telling) -> Recorded:
    return recorded(begin(of.played), _told_events(of, telling, ()))


def recorded_singly(
    played: PlayedMatch, telling: Telling, *, known: tuple[str, ...] = ()
) -> tuple[tuple[TableEvent, Recorded], ...]:
    """Record the whole match, each event in a request of its own."""
    return _recorded_singly(_Itself(played), telling, known)


@lru_cache(maxsize=12)
def _recorded_singly(
    of: _Itself, telling: Telling, known: tuple[str, ...]
) -> tuple[tuple[TableEvent, Recorded], ...]:
    return tuple(one_by_one(begin(of.played), _told_events(of, telling, known)))


def folded_singly(played: PlayedMatch, telling: Telling) -> tuple[State, ...]:
    """Return the state after each entry of the whole match, the opening included."""
    return _folded_singly(_Itself(played), telling)


@lru_cache(maxsize=4)
def _folded_singly(of: _Itself, telling: Telling) -> tuple[State, ...]:
    states = [begin(of.played)]
    for event in log_of(_recorded_whole(of, telling)):
        states.append(fold(states[-1], [event]))
    return tuple(states)


def spoken(played: PlayedMatch, telling: Telling) -> tuple[TableEvent, ...]:
    """Return the log without what only the service writes, to be told as it stands."""
    log = log_of(recorded_whole(played, telling))
    return tuple(event for event in log if isinstance(event, TableEvent))


@lru_cache(maxsize=4)
def _recorded_spoken(of: _Itself, telling: Telling) -> State:
    *_, (_, last) = one_by_one(begin(of.played), spoken(of.played, telling))
    return last.state


def recorded_spoken(played: PlayedMatch, telling: Telling) -> State:
    """Return the state after all that is spoken, each event in a request of its own."""
    return _recorded_spoken(_Itself(played), telling)


def among(cards: Iterable[Card], more: Iterable[Card]) -> bool:
    """Whether each of the cards is in `more` at least as often; quicker for few than counting."""
    left = list(more)
    try:
        for card in cards:
            left.remove(card)
    except ValueError:
        return False
    return True


def log_of(outcome: Recorded) -> list[Event]:
    return [entry.event for entry in outcome.entries]


def all_of(state: State) -> tuple[Any, ...]:
    """Everything that two states could differ in."""
    table = msgspec.json.encode(state.table, order="deterministic")
    return (*views(state), table, state.phase, state.drawing, state.sides_won, state.version)
