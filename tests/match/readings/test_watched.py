"""What spectators see if the table plays on in a way that the book contradicts."""

import pytest

from scorekeeper.match.known_cards import card_count, height, known_in
from scorekeeper.match.readings.effective_log import corrected_steps, fold
from scorekeeper.match.readings.hindsight import judge
from scorekeeper.match.readings.viewer_fold import (
    in_sight,
    redact_for_viewers,
    viewer_fold,
    viewer_steps,
    visibility_horizon,
)
from scorekeeper.projections.audit import audit
from tests.match.amending import amends
from tests.match.story import given, tally
from tests.match.table import challenge, draw, first, passes, play, shows, small, start, told

HANDS = {
    "ann": ["red-1", "red-2", "wild-draw-four", "blue-3", "blue-5", "wild", "green-9"],
    "bo": ["red-9", "green-1", "green-2", "green-3", "yellow-1", "yellow-2", "yellow-4"],
}


def seen(story):
    """Return the state as a viewer has it. Asserts that its public parts equal the book's."""
    state = viewer_fold(story.state, visibility_horizon(story.state)).state
    assert state.version == story.state.version
    table, true = state.table, story.state.table
    if table is not None:
        assert height(table.pile) == height(true.pile)
        assert table.top == true.top
        assert table.available == true.available
        assert counted(table) == counted(true)
        assert table.debts == true.debts
    return state


def counted(table):
    return {player: card_count(hand) for player, hand in table.hands.items()}


def test_too_many_cards_dealt_are_seen_and_their_names_are_not():
    eight = [*HANDS["ann"], "green-8"]
    story = start("basic", 2, turned=None, hands=None).when(
        told("round_voided", reason="misdeal", redealt=True),
        told("round_started", hands={"ann": eight}, as_played=True),
        first("red-5"),
    )
    assert counted(seen(story).table)["ann"] == 8
    assert seen(story).hands["ann"].known == ()


@pytest.mark.parametrize("guilty", [True, False])
def test_a_hand_of_another_size_at_a_challenge(guilty):
    story = start("basic", 3, hands={"bo": [*HANDS["ann"]]}).when(
        play("bo", "wild-draw-four", "green"),
        challenge("cy", hand=["red-1", "red-2"], guilty=guilty, as_played=True),
    )
    assert counted(seen(story).table)["bo"] == 2
    assert seen(story).hands["bo"].known == ()


def test_guilt_is_seen_and_flagged_and_the_hand_is_not():
    story = start("basic", 3, hands={"bo": HANDS["ann"]}).when(
        play("bo", "wild-draw-four", "green"), challenge("cy")
    )
    assert (story.state.violations, seen(story).violations) == (1, 1)
    assert seen(story).hands["bo"].known == ()
    assert [debt.player for debt in seen(story).table.debts] == ["bo"]


@pytest.mark.parametrize("pile", [["red-5", "red-5", "wild"], ["blue-1", *["green-7"] * 9]])
def test_a_pile_that_was_shuffled_from_other_cards(pile):
    story = start("basic", 2, hands=HANDS).when(
        told("pile_reshuffled", draw_pile=pile, as_played=True), draw("bo")
    )
    state = seen(story)
    assert [*known_in(state.table.pile)] == []
    assert state.hands["bo"].known == ()


def test_a_hand_that_is_shown_is_seen_by_everybody():
    story = start("basic", 2, hands=HANDS).when(shows("ann", *HANDS["ann"]))
    assert seen(story).hands["ann"].known == tuple(HANDS["ann"])
    assert seen(story).hands["bo"].known == ()


def test_points_counted_at_a_catch_are_seen():
    story = start(
        "hello-kitty", 3, mode="elimination", target=100, hands={"bo": HANDS["ann"]}
    ).when(play("bo", "wild-draw-four", "green"), challenge("cy"))
    assert story.state.table.charges["bo"] > 0
    assert seen(story).table.charges == story.state.table.charges
    assert seen(story).table.out == story.state.table.out


def test_points_are_not_seen_where_a_catch_counts_none():
    story = start("hello-kitty", 3, hands={"bo": HANDS["ann"]})
    story = story.when(play("bo", "wild-draw-four", "green"), challenge("cy"))
    steps = viewer_steps(corrected_steps(story.state), story.state, visibility_horizon(story.state))
    assert steps[-1].taken == challenge("cy", guilty=True)


def test_steps_hide_their_cards_from_the_deal_on():
    story = start("basic", 2, hands=HANDS).when(draw("bo", cards=["blue-1"]))
    steps = viewer_steps(corrected_steps(story.state), story.state, visibility_horizon(story.state))
    assert [step.address for step in steps] == [1, 2, 3, 4]
    assert all(not hand.known for step in steps for hand in step.after.hands.values())
    assert steps[-1].event == draw("bo", 1)


MISDEAL = told("round_started", hands={"ann": [*HANDS["ann"], "green-8"]}, as_played=True)
OTHER_PILE = told("pile_reshuffled", draw_pile=["blue-1"] * 9, as_played=True)
OTHER_VERDICT = challenge("cy", guilty=False, as_played=True)


def verdict_of_the_last(story):
    """Return the verdict on the last event that was told, by the book's state and by a viewer's."""
    steps = [step for step in corrected_steps(story.state) if not step.inferred]
    horizon = visibility_horizon(story.state)
    mine = [step for step in viewer_steps(steps, story.state, horizon) if not step.inferred][-1]
    return (
        judge(steps[-1].before, steps[-1].taken).verdict,
        in_sight(mine, judge(mine.before, mine.taken)).verdict,
    )


def test_what_only_hidden_cards_speak_against_is_unknown_to_viewers():
    book = start("basic", 3, turned=None).when(
        told("round_voided", reason="misdeal", redealt=True), MISDEAL
    )
    assert verdict_of_the_last(book) == ("illegal", "unknown")
    book = start("basic", 2, hands=HANDS).when(OTHER_PILE)
    assert verdict_of_the_last(book)[0] == "illegal"
    book = start("basic", 3, hands={"bo": HANDS["ann"]}).when(
        play("bo", "wild-draw-four", "green"), OTHER_VERDICT
    )
    assert verdict_of_the_last(book) == ("illegal", "unknown")
    book = start("basic", 2, hands=HANDS).when(draw("bo"))
    assert verdict_of_the_last(book) == ("illegal", "unknown")
    book = start("basic", 2, hands=HANDS).when(play("bo", "red-9"))
    assert verdict_of_the_last(book) == ("legal", "legal")


def test_a_legal_play_that_is_told_as_played_hides_nothing():
    book = start("basic", 2, hands=HANDS).when(play("bo", "red-9", as_played=True))
    assert verdict_of_the_last(book) == ("legal", "legal")


@pytest.mark.parametrize(
    ("shown", "points", "expected"),
    [([], 9, ("illegal", "unknown")), (["blue-3"], 3, ("legal", "legal"))],
)
def test_points_of_a_catch_are_judged_by_who_has_seen_the_hand(shown, points, expected):
    book = small("mario", 3, {"bo": ["red-1"]}, mode="elimination")
    book = book.when(draw("bo", cards=["blue-3"]), passes("bo"), play("cy", "red-2"))
    book = book.when(play("ann", "red-4"), play("bo", "red-1"))
    if shown:
        book = book.when(shows("bo", *shown))
    caught = told("uno_caught", player="bo", by="cy", points=points, as_played=True)
    assert verdict_of_the_last(book.when(caught)) == expected


def test_the_cards_of_a_round_add_up_for_viewers_too():
    for book in (
        start("basic", 3, turned=None).when(
            told("round_voided", reason="misdeal", redealt=True), MISDEAL
        ),
        start("basic", 2, hands=HANDS).when(OTHER_PILE),
    ):
        horizon = visibility_horizon(book.state)
        found = audit(viewer_steps(corrected_steps(book.state), book.state, horizon))
        assert all(each.holds for each in found.rounds)
        assert all(each.holds for each in audit(corrected_steps(book.state)).rounds)


def test_a_deal_that_is_put_in_behind_the_end_of_a_round_hides_its_hands():
    dealt = told("round_started", hands=HANDS)
    match = given("basic", 2, dealer="ann").when(tally("ann", bo=5), tally("ann", bo=6))
    match = match.when(amends(4, 1, tally("ann", bo=7), dealt)).then(round=3, phase="turning")
    horizon = visibility_horizon(match.state)
    shown = redact_for_viewers(match.log[-1], match.state.version, horizon)
    assert [getattr(each, "hands", None) for each in shown.insert[1:]] == [None]
    assert viewer_steps(corrected_steps(match.state), match.state, horizon)[-1].event.hands is None


def test_what_is_voided_since_its_deal_was_erased_stays_hidden():
    match = given("basic", 2, dealer="ann").when(tally("ann", bo=5), told("round_started"))
    match = match.when(first("red-5"), draw("ann", cards=["red-1"]))
    log = [None if event == told("round_started") else event for event in match.log]
    state = fold(match.replayed(upto=1), log[1:], match.inferred[1:])
    assert (state.phase, state.voided) == ("ready", 3)
    horizon = visibility_horizon(state)
    assert redact_for_viewers(match.log[-1], state.version, horizon).cards is None
