"""The state kept in memory after an append equals the state folded from the stored bytes.

Structs and mappings that are equal may still be written in another order, so bytes are compared.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random

import msgspec
import pytest
from hypothesis import given, settings

from scorekeeper.match.events.events import Event, decode, encode
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.effective_log import both_readings, corrected_steps, fold, initial
from scorekeeper.match.readings.reader import Step, entries_in
from scorekeeper.match.readings.viewer_fold import viewer_fold, viewer_steps, visibility_horizon
from scorekeeper.match.state import State
from scorekeeper.projections.audit import audit
from scorekeeper.projections.replay import replay, replay_as_recorded
from scorekeeper.service.reading.replays import Ledgered, replay_view
from scorekeeper.texts.language import Language
from tests.match.story import views
from tests.projections.replayed import WRITTEN
from tests.simulation.playing import any_match, calm, seeds
from tests.simulation.sent import Sent, SentMatch

LANGUAGES: tuple[Language, ...] = ("en", "zh-TW")
write = msgspec.json.encode


# All properties of a match are checked one after the other, so few matches need to be kept.
@lru_cache(maxsize=4)
def requests_of(seed: int) -> tuple[Sent, ...]:
    return tuple(SentMatch(seed, any_match(seed)).requests())


def events_are_carried_as_they_are_written(seed: int) -> None:
    # By identity: a state holds the same objects as the one before, and some more.
    looked_at: dict[int, Event] = {}
    for sent in requests_of(seed):
        state = sent.state
        events: list[Event | None] = [state.opened, *(each.event for each in entries_in(state.log))]
        events += [step.event for step in corrected_steps(state)]
        for event in events:
            assert event is not None
            if id(event) not in looked_at:
                looked_at[id(event)] = event
                assert write(event) == write(decode(encode(event)))


def every_reading_is_the_same_to_the_byte(seed: int) -> None:
    requests = requests_of(seed)
    for place in {Random(seed).randrange(len(requests)), len(requests) - 1}:
        sent = requests[place]
        again = _from_its_bytes(sent.state)
        for here, there in zip(_readings(sent.state), _readings(again), strict=True):
            assert here == there


def _from_its_bytes(state: State) -> State:
    opened = decode(encode(state.opened))
    assert isinstance(opened, MatchOpened)
    log = entries_in(state.log)
    events = [None if entry.event is None else decode(encode(entry.event)) for entry in log]
    return fold(initial(state.edition, opened), events, [entry.inferred for entry in log])


def _readings(state: State) -> Iterator[bytes]:
    """All that anybody can read of the match, owners and viewers, in both languages."""
    horizon = visibility_horizon(state)
    for view in (*views(state), *views(viewer_fold(state, horizon).state)):
        yield write(view)
    now, then = corrected_steps(state), both_readings(state).recorded
    yield from _replays(state, now, then)
    yield from _replays(
        state, viewer_steps(now, state, horizon), viewer_steps(then, state, horizon)
    )


def _replays(state: State, now: list[Step], then: list[Step]) -> Iterator[bytes]:
    ledgered = Ledgered(dict.fromkeys(range(1, state.version + 1), WRITTEN))
    yield write(audit(now))
    for number in range(1, state.round + 1):
        for found in (replay(now, number), replay_as_recorded(then, number, now)):
            assert found is not None
            for language in LANGUAGES:
                yield write(
                    replay_view(
                        found, match="m", ledgered=ledgered, language=language, recorders={}
                    )
                )


PROPERTIES = (events_are_carried_as_they_are_written, every_reading_is_the_same_to_the_byte)
every_property = pytest.mark.parametrize(
    "holds", PROPERTIES, ids=[holds.__name__ for holds in PROPERTIES]
)


@every_property
@settings(calm, max_examples=10)
@given(seed=seeds)
def test_holds_for_any_match(holds: Callable[[int], None], seed: int) -> None:
    holds(seed)


# Each match is played and sent once for all properties, which saves time.
@pytest.mark.slow
@pytest.mark.long
@settings(calm, max_examples=100)
@given(seed=seeds)
def test_all_of_it_holds_for_many_matches(seed: int) -> None:
    for holds in PROPERTIES:
        holds(seed)
