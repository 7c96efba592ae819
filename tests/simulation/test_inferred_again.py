"""Verifying infers entries again, so that no inferred entry can be missing or in a wrong place."""

from contextlib import suppress
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings

from scorekeeper.match.events.events import Event
from scorekeeper.match.readings.effective_log import corrected_steps, fold
from scorekeeper.match.readings.reader import amendments_in, entries_in
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.projections.consistency import (
    AmendedReplay,
    Contradiction,
    FoldedReplay,
    MatchReplay,
)
from scorekeeper.simulation.tellings import Telling
from tests.simulation.playing import all_of, any_match, begin, seeds, told_events
from tests.simulation.test_amended_matches import amended

quick = settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])

Log = list[tuple[Event | None, bool]]


def holds(start: State, log: Log) -> bool:
    """Check the log, and if it can be folded, check the folded match as well."""
    try:
        found = first_contradiction(MatchReplay(start), log)
    except ValueError:
        # The rules cannot apply an entry in this place.
        return False
    events, flags = zip(*log, strict=True)
    with suppress(ValueError):
        states = (step.after for step in corrected_steps(fold(start, events, flags)))
        assert first_contradiction(FoldedReplay(states), log) == found
    return found is None


def first_contradiction(replay: MatchReplay, log: Log) -> Contradiction | None:
    taken = (replay.take(event, told=not inferred) for event, inferred in log)
    return next(filter(None, taken), None) or replay.end()


def left_out(log: Log, place: int) -> Log:
    return log[:place] + log[place + 1 :]


def written_twice(log: Log, place: int) -> Log:
    return [*log[:place], log[place], *log[place:]]


def written_too_early(log: Log, place: int) -> Log:
    return [*log[: place - 1], log[place], log[place - 1], *log[place + 1 :]]


@pytest.mark.parametrize("forged", [left_out, written_twice, written_too_early])
@quick
@given(seed=seeds)
def test_an_inferred_entry_that_is_not_where_it_belongs_is_found(forged, seed: int) -> None:
    played, rng = any_match(seed, most_rounds=1), Random(seed)
    start = begin(played)
    whole = record(start, told_events(played, rng.choice(list(Telling))))
    assert isinstance(whole, Recorded)
    log: Log = [(entry.event, entry.inferred) for entry in whole.entries]
    assert holds(start, log)
    inferred = [place for place, (_, is_inferred) in enumerate(log) if is_inferred]
    assume(inferred)
    assert not holds(start, forged(log, rng.choice(inferred)))


def known_reading(start: State, log: Log) -> AmendedReplay:
    """Return a replay of an amended log by the steps of its last reading."""
    events, flags = zip(*log, strict=True)
    state = fold(start, events, flags)
    steps = corrected_steps(state)
    last = max(amendments_in(entries_in(state.log)))
    return AmendedReplay(steps, last, len(steps) + last - state.version)


@quick
@given(seed=seeds)
def test_a_known_reading_of_an_amended_log_is_as_good_as_a_new_one(seed: int) -> None:
    for played, _, state, _ in amended(seed):
        log: Log = [(entry.event, entry.inferred) for entry in entries_in(state.log)]
        replay = known_reading(begin(played), log)
        assert first_contradiction(replay, log) is None
        assert all_of(replay.state()) == all_of(state)


@pytest.mark.parametrize("forged", [left_out, written_twice, written_too_early])
@quick
@given(seed=seeds)
def test_a_known_reading_hides_no_contradiction(forged, seed: int) -> None:
    rng = Random(seed)
    for played, _, state, _ in amended(seed):
        start = begin(played)
        log: Log = [(entry.event, entry.inferred) for entry in entries_in(state.log)]
        inferred = [place for place, (_, is_inferred) in enumerate(log) if is_inferred]
        if not inferred:
            continue
        wrong = forged(log, rng.choice(inferred))
        # The rules may not be able to apply what is wrong.
        with suppress(ValueError):
            known = known_reading(start, wrong)
            assert _outcome(known, wrong) == _outcome(MatchReplay(start), wrong)


def _outcome(replay: MatchReplay, log: Log) -> Contradiction | str | None:
    try:
        return first_contradiction(replay, log)
    except ValueError as error:
        return str(error)
