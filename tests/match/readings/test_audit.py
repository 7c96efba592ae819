"""Audits: verdict counts, breaches and the card count of each round, worked out by hand."""

import pytest

from scorekeeper.match.events.events import NoteAdded
from scorekeeper.match.readings.effective_log import corrected_steps
from scorekeeper.projections.audit import MatchAudit, audit
from tests.match.story import Story, given, tally
from tests.match.table import challenge, draw, passes, play, shows, start, told

GREENS = ["green-2", "green-3", "green-4", "green-6", "green-7", "green-8"]


def audited(match: Story) -> MatchAudit:
    return audit(corrected_steps(match.state))


def breaches(match: Story) -> list[tuple[object, str, str, bool]]:
    return [
        (each.address, each.type, each.violation.clause, each.as_played)
        for each in audited(match).breaches
    ]


def shifts(match: Story) -> list[list[tuple[object, str, int, tuple[str, ...]]]]:
    """Return the shifts of each round."""
    return [
        [(one.address, one.type, one.by, one.clauses) for one in each.shifts]
        for each in audited(match).rounds
    ]


def test_what_the_table_told_is_counted_by_its_verdict_but_for_what_is_said_about_it():
    """The deal, the first card and the plays are counted; the inferred draw and remarks are not."""
    match = start("basic", turned="red-draw-two").when(play("cy", "red-5"), play("di", "blue-5"))
    match = match.when(NoteAdded(text="x"), play("ann", "red-9", as_played=True))
    match = match.when(told("dispute_opened", by="ann", round=1, claim="c"))
    assert audited(match).verdicts == {"legal": 4, "illegal": 1, "unknown": 0}
    assert breaches(match) == [(8, "card_played", "B-MATCH", True)]
    assert shifts(match) == [[]]
    ended = given("basic", 2, dealer="ann", target=5).when(tally("ann", bo=9))
    assert audited(ended).verdicts == {"legal": 1, "illegal": 0, "unknown": 0}


@pytest.mark.breach("B-WILD4-LEGAL")
def test_what_a_challenge_shows_of_a_play_is_told_at_the_play_alone():
    match = start("basic", 3).when(play("bo", "wild-draw-four", "red"))
    seen = match.when(challenge("cy", hand=["red-1", *GREENS[:5]]))
    assert breaches(seen) == [(4, "card_played", "B-WILD4-LEGAL", False)]
    assert audited(seen).verdicts == {"legal": 3, "illegal": 1, "unknown": 0}
    # Nobody saw the hand, so that the play itself stays unknown.
    said = match.when(challenge("cy", guilty=True))
    assert breaches(said) == [(5, "wild_draw_four_challenged", "B-WILD4-LEGAL", False)]
    assert audited(said).verdicts == {"legal": 3, "illegal": 0, "unknown": 1}


@pytest.mark.breach("B-MATCH")
def test_the_same_breach_is_told_as_often_as_it_happens():
    match = start("basic", 2).when(play("bo", "blue-1", as_played=True), play("ann", "blue-2"))
    match = match.when(play("bo", "red-3", as_played=True), play("ann", "red-5"))
    match = match.when(play("bo", "blue-1", as_played=True))
    assert [address for address, *_ in breaches(match)] == [4, 6, 8]


@pytest.mark.breach("X-COUNT", "B-DRAW")
def test_cards_that_the_table_lost_are_missing_from_the_step_that_shows_it():
    """Bo holds nine cards and shows one, cy holds seven and shows four."""
    match = start("basic").when(draw("bo", 2, as_played=True))
    match = match.when(shows("bo", "red-1", as_played=True), passes("bo"))
    match = match.when(shows("cy", "red-2", "red-3", "red-4", "red-6", as_played=True))
    (cards,) = audited(match).rounds
    assert (cards.round, cards.cards, cards.added, cards.steps) == (1, 108, 0, 6)
    assert shifts(match) == [
        [(5, "hand_shown", -8, ("X-COUNT",)), (7, "hand_shown", -3, ("X-COUNT",))]
    ]
    assert cards.holds


@pytest.mark.clause("B-RESHUFFLE")
@pytest.mark.breach("B-RESHUFFLE", "B-DECK")
def test_cards_that_the_table_added_are_counted_with_the_box():
    """The second red 0 is none of the box. No card is missing, and none is there too often."""
    match = start("basic", 2).when(draw("bo", 91, as_played=True))
    match = match.when(play("bo", "red-1"), play("ann", "red-2"))
    pile = ["red-0", "red-0", "red-5", "red-1"]
    match = match.when(told("pile_reshuffled", draw_pile=pile, as_played=True))
    (cards,) = audited(match).rounds
    assert (cards.cards, cards.added, cards.shifts) == (108, 1, ())


def test_each_round_that_is_followed_is_counted_by_itself():
    match = start("basic").when(told("round_voided", reason="x", redealt=False))
    match = match.when(tally("ann", bo=1, cy=2, di=3), told("round_started"))
    assert [(each.round, each.steps) for each in audited(match).rounds] == [(1, 2), (3, 1)]


@pytest.mark.clause("M-POINTS")
def test_the_hands_of_a_round_told_as_a_whole_say_nothing_about_the_round_before():
    """Cy's three cards were worth 14, and three others are cy's in the next round."""
    match = start("mario", 3, house_rules={"hand_size": 2}, mode="lowest-total")
    match = match.when(play("bo", "red-1"), draw("cy"), play("ann", "red-3"), play("bo", "red-2"))
    counted = [told("hand_counted", player="ann", points=7)]
    counted += [told("hand_counted", player="cy", points=14)]
    match = match.when(*counted).when(tally("bo", ann=["red-9"], cy=["blue-1", "blue-2", "blue-3"]))
    assert breaches(match) == []
    assert audited(match).verdicts["illegal"] == 0


def test_what_can_not_have_happened_any_more_is_named_with_its_reason():
    match = start("basic", 3).when(play("bo", "red-1"))
    dealt = told("round_started", hands={"bo": ["blue-1", *GREENS]})
    amended = told("log_amended", **{"from": 2, "remove": 1, "insert": [dealt], "reason": "x"})
    (voided,) = audited(match.when(amended)).voided
    assert (voided.address, voided.type, voided.round) == (4, "card_played", 1)
    assert voided.why.reason == "card-not-in-hand"
