"""A viewer sees what the people at the table see, however much more the book knows."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given, settings

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.events import LogAmended, TableEvent, encode
from scorekeeper.match.events.fields import Address
from scorekeeper.match.readings.effective_log import both_readings, corrected_steps
from scorekeeper.match.readings.reader import Logged, Step, entries_in
from scorekeeper.match.readings.viewer_fold import (
    redact_for_viewers,
    viewer_steps,
    visibility_horizon,
)
from scorekeeper.match.readings.viewer_fold import viewer_fold as watched_now
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.projections.audit import audit
from scorekeeper.projections.replay import replay, replay_as_recorded
from scorekeeper.simulation.played_match import PlayedMatch
from scorekeeper.simulation.tellings import Telling
from tests.match.story import views
from tests.simulation.hidden import hidden_cards, otherwise_dealt, unfinished, watched
from tests.simulation.playing import (
    all_of,
    any_match,
    begin,
    calm,
    log_of,
    recorded,
    seeds,
    told_events,
)


class ToldSoFar(NamedTuple):
    """A round whose cards are all known, up to some moment before it is over."""

    played: PlayedMatch
    told: list[TableEvent]
    book: Recorded


# All properties of a round are checked one after the other, so few rounds need to be kept.
@lru_cache(maxsize=4)
def told_so_far(seed: int) -> ToldSoFar:
    played = any_match(seed, most_rounds=1)
    told = unfinished(played)
    told = told[: Random(seed).randint(1, max(1, len(told)))]
    return ToldSoFar(played, told, recorded(begin(played), told))


@lru_cache(maxsize=4)
def otherwise_told(seed: int) -> Recorded | None:
    """Return the same round with cards exchanged that nobody has seen, None if none can be."""
    played, told, _ = told_so_far(seed)
    others = (record(begin(played), other) for other in otherwise_dealt(played, told))
    return next((there for there in others if isinstance(there, Recorded)), None)


@lru_cache(maxsize=1)
def shown_so_far(seed: int) -> tuple[object, ...]:
    return all_shown(told_so_far(seed).book.state)


def a_viewer_sees_what_somebody_at_the_table_would_have_written(seed: int) -> None:
    played = any_match(seed, most_rounds=1)
    exact = log_of(recorded(begin(played), told_events(played, Telling.EXACT)))
    seen = log_of(recorded(begin(played), told_events(played, Telling.SEEN)))
    for (mine, _), (theirs, _) in zip(
        watched(begin(played), exact), watched(begin(played), seen), strict=False
    ):
        if mine.state.table and mine.state.table.uncounted:
            # The table reshuffled against the rules, so its pile may hold cards beyond the box.
            return
        assert all_of(mine.state) == all_of(theirs.state)


def what_everybody_sees_is_the_same_for_viewers(seed: int) -> None:
    played, _, whole_book = told_so_far(seed)
    public = ("version", "phase", "turn", "direction", "top_card", "color", "pending", "totals",
              "color_pending", "draw_pile_count", "hand_counts", "eliminated")  # fmt: skip
    for seen, book in watched(begin(played), log_of(whole_book)):
        mine, whole = views(seen.state)[0], views(book)[0]
        for field in public:
            assert getattr(mine, field) == getattr(whole, field), field


def nothing_depends_on_hidden_cards(seed: int) -> None:
    there = otherwise_told(seed)
    if there is not None:
        assert all_shown(there.state) == shown_so_far(seed)


def nothing_depends_on_hidden_cards_after_amendments(seed: int) -> None:
    there = otherwise_told(seed)
    if there is None:
        return
    one, another = told_so_far(seed).book.state, there.state
    for place, changed in amendments(seed, one, another):
        amended = zip((one, another), changed, strict=True)
        both = [record(each, [change]) for each, change in amended]
        if not all(isinstance(each, Recorded) for each in both):
            continue
        one, another = (each.state for each in both)
        # Everybody sees which events are void, and hidden cards may decide that, as they do
        # verdicts.
        over = one.finished or another.finished
        if over or which_are_void(one) != which_are_void(another):
            return
        assert all_shown(one) == all_shown(another), (seed, place)


def amendments(seed: int, *books: State) -> Iterator[tuple[int, list[LogAmended]]]:
    """Yield amendments that remove, insert or repeat what is at the same place in both logs."""
    rng = Random(seed)
    logs = [entries_in(state.log) for state in books]
    for _ in range(3):
        place, remove, again = rng.randrange(len(logs[0])), rng.randrange(2), rng.randrange(3) > 0
        yield place, [_amendment(log[place], remove=remove, again=again) for log in logs]


def _amendment(entry: Logged, *, remove: int, again: bool) -> LogAmended:
    told = not entry.inferred and isinstance(entry.event, TableEvent)
    insert = (entry.event,) if again and told else ()
    return LogAmended(reason="so it was", first=entry.version, remove=remove, insert=insert)


def which_are_void(state: State) -> list[Address]:
    return [step.address for step in corrected_steps(state) if step.voided is not None]


def no_hidden_card_is_named(seed: int) -> None:
    played, told, _ = told_so_far(seed)
    names = b" ".join(msgspec.json.encode(part) for part in shown_so_far(seed))
    for card in hidden_cards(played, told):
        assert f'"{card}"'.encode() not in names


def entry_by_entry_comes_to_the_same_as_the_whole_log(seed: int) -> None:
    played, _, whole_book = told_so_far(seed)
    log = log_of(whole_book)
    # The whole log is read again for each entry compared, so at most about 100 are compared.
    apart = 1 + len(log) // 100
    for number, (seen, book) in enumerate(watched(begin(played), log), seed % apart):
        if number % apart:
            continue
        whole = watched_now(book, visibility_horizon(book))
        assert all_of(whole.state) == all_of(seen.state)
        assert msgspec.json.encode(views(whole.state)) == msgspec.json.encode(views(seen.state))
        assert whole.redacted == seen.redacted


PROPERTIES = (
    a_viewer_sees_what_somebody_at_the_table_would_have_written,
    what_everybody_sees_is_the_same_for_viewers,
    nothing_depends_on_hidden_cards,
    nothing_depends_on_hidden_cards_after_amendments,
    no_hidden_card_is_named,
    entry_by_entry_comes_to_the_same_as_the_whole_log,
)


@pytest.mark.parametrize("holds", PROPERTIES, ids=[holds.__name__ for holds in PROPERTIES])
@settings(calm, max_examples=10)
@given(seed=seeds)
def test_holds_for_any_round(holds, seed):
    holds(seed)


# Each round is played once for all properties, which saves time.
@pytest.mark.slow
@settings(calm, max_examples=60)
@given(seed=seeds)
def test_all_of_it_holds_for_many_rounds(seed):
    for holds in PROPERTIES:
        holds(seed)


def all_shown(state: State) -> tuple[object, ...]:
    """All that a viewer can read of a match: the entries, how it stands, and every step of it."""
    horizon = visibility_horizon(state)
    told = [
        msgspec.Raw(encode(redact_for_viewers(entry.event, entry.version, horizon)))
        for entry in entries_in(state.log)
        if entry.event is not None
    ]
    read_now = viewer_steps(corrected_steps(state), state, horizon)
    then = viewer_steps(both_readings(state).recorded, state, horizon)
    steps = [
        (step.address, msgspec.Raw(encode(step.event)),
         msgspec.Raw(encode(step.taken)) if step.taken else None, views(step.after), step.voided)
        for step in (*read_now, *then)
        if step.event is not None
    ]  # fmt: skip
    seen = views(watched_now(state, horizon).state)
    return (*told, *seen, *steps, *judged(state.round, read_now, then))


def judged(rounds: int, read_now: Sequence[Step], then: Sequence[Step]) -> Iterator[object]:
    """Yield what replays and the audit say, with verdicts and hands in hindsight."""
    for number in range(1, rounds + 1):
        for found in (replay(read_now, number), replay_as_recorded(then, number, read_now)):
            for narrated in found.steps if found else ():
                yield (
                    narrated.judgement,
                    narrated.clauses,
                    narrated.said,
                    narrated.then,
                    narrated.now,
                )
    yield audit(read_now)


def test_cards_can_lie_otherwise_in_most_rounds():
    """Without such rounds `nothing_depends_on_hidden_cards` would compare nothing."""
    found = set()
    for seed in range(60):
        played, told, _ = told_so_far(seed)
        for other in otherwise_dealt(played, told):
            there = record(begin(played), other)
            if isinstance(there, Recorded) and other != told:
                found.add(played.edition.id)
                break
    assert found == {edition.id for edition in EDITIONS.values()}
