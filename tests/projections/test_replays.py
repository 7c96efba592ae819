"""What holds of every replay, whatever was played and however it was told."""

from collections import Counter
from functools import lru_cache
from random import Random
from typing import get_args

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.events import (
    DisputeOpened,
    DisputeRuled,
    Event,
    LogAmended,
    MatchAbandoned,
    NoteAdded,
    PlayerSubstituted,
)
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.effective_log import both_readings, corrected_steps, initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.projections.narration.narration import Saying
from scorekeeper.projections.narration.narrations import NARRATIONS
from scorekeeper.projections.replay import NarratedStep, Replay, replay_as_recorded
from scorekeeper.projections.scoreboard import hands, rounds, scoreboard
from scorekeeper.rules.scoring import MODES, ModeName
from scorekeeper.simulation.tellings import Telling
from scorekeeper.texts.explanations import EXPLANATIONS
from scorekeeper.texts.language import LANGUAGES
from tests.match.judging import verdicts
from tests.match.table import play, small, told
from tests.projections.replayed import in_words, replays, scores_unfold
from tests.simulation.playing import (
    HOUSE,
    any_match,
    begin,
    match_of,
    recorded_whole,
    seeds,
    told_events,
)
from tests.simulation.translating import Translation

WITHOUT_A_RULE = {
    DisputeOpened,
    DisputeRuled,
    LogAmended,
    MatchAbandoned,
    NoteAdded,
    PlayerSubstituted,
}
"""Events that rest on no clause of a booklet."""

calm = settings(
    deadline=None,
    max_examples=8,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


def any_state(seed: int, telling: Telling | None = None) -> State:
    return recorded_whole(any_match(seed), telling or any_telling(seed)).state


def any_telling(seed: int) -> Telling:
    return Random(seed).choice(list(Telling))


# All that holds of a match is checked one after the other, so few matches need to be kept.
@lru_cache(maxsize=4)
def any_replays(seed: int, telling: Telling | None = None) -> list[Replay]:
    return replays(any_state(seed, telling))


def test_every_event_has_its_clauses_and_its_words() -> None:
    events = {*get_args(Event)} - {MatchOpened}
    narrated = Counter(narration.event for narration in NARRATIONS)
    assert narrated == Counter(events), "each has one Narration, which narrations.py lists"
    without = {one.event for one in NARRATIONS if one.cites is None}
    assert without == WITHOUT_A_RULE, "an event of which no booklet speaks is named above"


def test_everything_that_is_said_has_a_wording() -> None:
    different = set(EXPLANATIONS) ^ set(get_args(Saying))
    assert not different, "each stands in Saying and in texts/explanations.py"


@calm
@given(seed=seeds)
def test_every_step_is_judged_explained_and_rests_on_clauses(seed: int) -> None:
    state = any_state(seed)
    steps = corrected_steps(state)
    covered = [narrated.step for one in any_replays(seed) for narrated in one.steps]
    # Every entry is in one replay, but for the opening and entries at the end with no round.
    expected = [step.address for step in steps[1 : 1 + len(covered)]]
    assert [step.address for step in covered] == expected
    assert all(step.after.running is None for step in steps[1 + len(covered) :])
    listed = {clause.id for clause in state.edition.clauses}
    for one in any_replays(seed):
        for narrated in one.steps:
            assert narrated.judgement.verdict in ("legal", "illegal", "unknown")
            assert narrated.said
            assert set(narrated.clauses) <= listed
            assert narrated.clauses or type(narrated.step.event) in WITHOUT_A_RULE
            assert {found.clause for found in narrated.judgement.violations} <= set(
                narrated.clauses
            )
            assert narrated.then == hands(narrated.step.after)


@calm
@given(seed=seeds)
def test_every_step_is_told_in_both_languages(seed: int) -> None:
    state = any_state(seed)
    for number in range(1, state.round + 1):
        told = [in_words(state, number, language) for language in LANGUAGES]
        assert [len(view.items) for view in told] == [len(told[0].items)] * len(LANGUAGES)
        for items in zip(*(view.items for view in told), strict=True):
            sentences = [item.explanation for item in items]
            assert len(set(sentences)) == len(LANGUAGES)
            # One sentence begins with "None". Elsewhere the word would be a missing fact.
            assert not any("{" in said or "None" in said[1:] for said in sentences)
        last = told[0].items[-1].state
        board = scoreboard(state, match="m", position=1)
        assert number < state.round or msgspec.structs.replace(last, version=0) == (
            msgspec.structs.replace(board, version=0)
        )


@calm
@given(seed=seeds)
def test_the_verdicts_are_those_of_hindsight(seed: int) -> None:
    state = any_state(seed, Telling.SEEN)
    steps = corrected_steps(state)
    settled = verdicts(steps[0].after, [step.taken for step in steps[1:]])
    told = [narrated.judgement for one in any_replays(seed, Telling.SEEN) for narrated in one.steps]
    assert told == settled[: len(told)]


@settings(calm, max_examples=5)
@given(seed=seeds)
def test_as_recorded_a_step_is_as_it_was_known_then(seed: int) -> None:
    """Each step as recorded equals the last step of the replay at that version.

    Hindsight adds to a step and changes nothing else in it.
    """
    played = any_match(seed, most_rounds=1)
    told = told_events(played, Telling.SEEN)
    state = begin(played)
    whole = record(state, told)
    assert isinstance(whole, Recorded)
    steps = both_readings(whole.state).recorded
    then = replay_as_recorded(steps, 1, corrected_steps(whole.state))
    assert then is not None
    later = replays(whole.state)[0]
    assert [narrated.now for narrated in then.steps] == [narrated.now for narrated in later.steps]
    at = {narrated.step.address: narrated for narrated in then.steps}
    looked_at = {*Random(seed).sample(range(len(told)), min(len(told), 20)), len(told) - 1}
    for place, event in enumerate(told):
        outcome = record(state, [event])
        assert isinstance(outcome, Recorded)
        state = outcome.state
        if place not in looked_at or not state.round:
            continue
        last = replays(state)[-1].steps[-1]
        narrated = at[state.version]
        assert narrated.judgement.verdict == last.judgement.verdict
        assert narrated.then == last.then
        assert narrated.said == last.said
        assert scoreboard(narrated.step.after, match="m", position=1) == (
            scoreboard(state, match="m", position=1)
        )


@pytest.mark.clause("B-TEAM", "X-TEAM", "H-PLUSMINUS", "H-ELIMINATION", "B-SCORE", "M-SCORE")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("telling", [Telling.EXACT, Telling.SEEN, Telling.SPARSE])
def test_the_score_of_every_mode_unfolds(mode: ModeName, telling: Telling) -> None:
    for teams in {False, MODES[mode].teams}:
        played = match_of(7, EDITIONS["hello-kitty", 1], 4, mode, teams=teams)
        whole = record(begin(played), told_events(played, telling))
        assert isinstance(whole, Recorded)
        scores_unfold(whole.state)
        (view,) = rounds(whole.state)
        assert any(view.scores.values()) == (not MODES[mode].rounds_decide)


@pytest.mark.clause("B-SCORE")
def test_each_counted_hand_leads_to_the_step_that_counted_it() -> None:
    match = small("basic", 3, {"bo": ["red-1"]}).when(play("bo", "red-1"))
    counted = (
        told("hand_counted", player="ann", points=20),
        told("hand_counted", player="cy", points=30),
    )
    (one,) = replays(match.when(*counted).state)
    assert one.score is not None
    for event in counted:
        arrival = one.score.hands[event.player].told
        assert arrival is not None
        assert one.steps[arrival.step].step.taken == event


@calm
@given(seed=seeds)
def test_a_score_unfolds_to_cards_and_steps_without_a_rest(seed: int) -> None:
    scores_unfold(any_state(seed))


@calm
@given(seed=seeds)
def test_exact_telling_leaves_no_doubt_but_between_cards_of_one_name(seed: int) -> None:
    state = any_state(seed, Telling.EXACT)
    for one in any_replays(seed, Telling.EXACT):
        names = [card.card for hand in (one.score.hands if one.score else {}).values()
                 for card in hand.cards if not card.certain]  # fmt: skip
        assert all(state.box.counts[name] > 1 for name in names)


@settings(calm, max_examples=8)
@given(seed=seeds)
@example(seed=HOUSE + 12)  # hands that were exchanged are told as an effect
def test_other_names_and_colors_change_nothing_else(seed: int) -> None:
    played = any_match(seed)
    told = told_events(played, any_telling(seed))
    translation = Translation.of(seed, played)
    opened = translation.event(played.opened)
    there = record(initial(played.edition, opened), [*map(translation.event, told)])
    assert isinstance(there, Recorded)
    for mine, other in zip(any_replays(seed), replays(there.state), strict=True):
        for one, renamed in zip(mine.steps, other.steps, strict=True):
            assert translation.document(_document(one)) == _document(renamed)


def _document(narrated: NarratedStep) -> object:
    parts = (narrated.said, narrated.judgement, narrated.clauses, narrated.then, narrated.now)
    return msgspec.json.decode(msgspec.json.encode(parts))


@pytest.mark.slow
@pytest.mark.long
@settings(calm, max_examples=60)
@given(seed=seeds)
def test_holds_for_many_matches(seed: int) -> None:
    for holds in (
        test_every_step_is_judged_explained_and_rests_on_clauses,
        test_every_step_is_told_in_both_languages,
        test_the_verdicts_are_those_of_hindsight,
        test_as_recorded_a_step_is_as_it_was_known_then,
        test_a_score_unfolds_to_cards_and_steps_without_a_rest,
        test_exact_telling_leaves_no_doubt_but_between_cards_of_one_name,
        test_other_names_and_colors_change_nothing_else,
    ):
        holds.hypothesis.inner_test(seed=seed)
