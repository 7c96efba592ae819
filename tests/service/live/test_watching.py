"""The view that viewers follow from entry to entry equals the one folded from the whole log."""

import asyncio
from random import Random

from hypothesis import HealthCheck, Phase, given, settings

from scorekeeper.match.events.card_events import CardPlayed, FirstCardTurned
from scorekeeper.match.events.events import LogAmended, NoteAdded, RoundStarted, TableEvent
from scorekeeper.match.readings.effective_log import corrected_steps
from scorekeeper.match.readings.reader import Step, entries_in
from scorekeeper.match.readings.viewer_fold import viewer_fold, visibility_horizon
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.service.reading.entry_presenter import FoldedState
from scorekeeper.service.reading.viewer_folds import ViewerFolds
from scorekeeper.simulation.tellings import Telling
from tests.match.story import given as match_given
from tests.match.story import tally
from tests.simulation.playing import all_of, any_match, begin, seeds, told_events


def books(seed: int):
    """Yield a match at many of its versions, with a few amendments in between."""
    rng = Random(seed)
    often = rng.choice((0, 1, 1))
    played = any_match(seed, most_rounds=2)
    state = begin(played)
    for event in told_events(played, Telling.EXACT):
        outcome = record(state, [event])
        if not isinstance(outcome, Recorded):
            # After an amendment the next event no longer fits the match.
            return
        state = outcome.state
        yield state
        if rng.randrange(60) < often:
            outcome = record(state, [amendment(rng, state)])
            if isinstance(outcome, Recorded):
                state = outcome.state
                yield state


def amendment(rng: Random, state: State) -> LogAmended:
    """Return an amendment that removes an entry, repeats it, or adds a note about it."""
    entry = rng.choice(entries_in(state.log))
    if rng.randrange(2):
        remark = NoteAdded(text="was it?")
        return LogAmended(reason="so it was", first=entry.version, insert=(remark,))
    twice = rng.randrange(2) and not entry.inferred and isinstance(entry.event, TableEvent)
    return LogAmended(
        reason="so it was",
        first=entry.version,
        remove=0 if twice else 1,
        insert=(entry.event,) if twice else (),
    )


@settings(
    deadline=None,
    max_examples=12,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(seed=seeds)
def test_the_view_that_is_led_on_is_the_one_made_anew(seed):
    asyncio.run(_led_on(seed))


async def _led_on(seed):
    rng = Random(seed)
    watching = ViewerFolds()
    earlier: list[State] = []
    for latest in books(seed):
        earlier.append(latest)
        horizon = await watching.horizon("home", "m", latest)
        if rng.randrange(12):
            continue
        assert horizon == visibility_horizon(latest)
        for book in (latest, rng.choice(earlier)):
            seen = await watching.folded("home", "m", FoldedState(book, 1), latest)
            anew = viewer_fold(book, visibility_horizon(latest))
            assert all_of(seen.state) == all_of(anew.state)
            assert seen.redacted == anew.redacted


def test_what_is_told_behind_an_amendment_is_followed_without_reading_it_anew(monkeypatch):
    read: list[State] = []

    def counted(state: State) -> list[Step]:
        read.append(state)
        return corrected_steps(state)

    monkeypatch.setattr("scorekeeper.match.readings.viewer_fold.corrected_steps", counted)
    dealt = RoundStarted(dealer="ann", hands={"bo": tuple(f"yellow-{n}" for n in range(1, 8))})
    note = NoteAdded(text="so late")
    match = match_given("basic", 2, target=500).when(
        dealt,
        FirstCardTurned(card="yellow-0"),
        CardPlayed(player="bo", card="yellow-1"),
        LogAmended(reason="before it", first=3, insert=(note,)),
    )
    watching = ViewerFolds()
    horizon = asyncio.run(watching.horizon("home", "m", match.state))
    assert (horizon.since, len(horizon.shown), len(horizon.beyond)) == (2, 0, 1)
    asyncio.run(watching.folded("home", "m", FoldedState(match.state, 1), match.state))
    once = len(read)
    for event in (
        CardPlayed(player="ann", card="yellow-9"),
        CardPlayed(player="bo", card="yellow-2"),
        note,
        tally("bo", ann=20),
        note,
        dealt,
        FirstCardTurned(card="yellow-0"),
        CardPlayed(player="bo", card="yellow-3"),
    ):
        match = match.when(event)
        asyncio.run(watching.folded("home", "m", FoldedState(match.state, 1), match.state))
        horizon = asyncio.run(watching.horizon("home", "m", match.state))
        assert len(read) == once
        assert horizon == visibility_horizon(match.state)
        del read[once:]
    assert len(horizon.shown) == 1
    hidden = asyncio.run(
        watching.folded("home", "m", FoldedState(match.state, 1), match.state)
    ).state
    assert all_of(hidden) == all_of(viewer_fold(match.state, horizon).state)
    assert match.state.hands["bo"].known
    assert not hidden.hands["bo"].known


def test_what_was_seen_of_a_round_is_forgotten_once_it_is_opened_again():
    skips = ("red-skip", "red-skip", "blue-skip", "blue-skip", "green-skip", "green-skip")
    hand = tuple(f"yellow-{number}" for number in range(1, 8))
    dealt = RoundStarted(dealer="bo", hands={"bo": hand})
    cards = [CardPlayed(player="ann", card=card) for card in (*skips, "green-1")]
    book = match_given("basic", 2).when(dealt, FirstCardTurned(card="red-1"), *cards, dealt)
    assert book.state.round == 2
    last = [entry.version for entry in entries_in(book.state.log) if entry.event == cards[-1]]
    reopened = record(book.state, [LogAmended(reason="not yet", first=last[0], remove=1)])
    assert isinstance(reopened, Recorded)
    watching = ViewerFolds()
    for latest, hidden_since in ((book.state, book.state.version), (reopened.state, 2)):
        assert asyncio.run(watching.horizon("home", "m", latest)).since == hidden_since
        seen = asyncio.run(watching.folded("home", "m", FoldedState(book.state, 1), latest))
        assert all_of(seen.state) == all_of(
            viewer_fold(book.state, visibility_horizon(latest)).state
        )
