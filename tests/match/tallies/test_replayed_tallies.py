"""Rounds that were told as a whole: their points come from what was told."""

import pytest

from tests.match.story import given, sheet, tally
from tests.match.whole.test_golden_matches import MATCHES, play
from tests.projections.replayed import replays, scores_unfold


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_every_point_of_a_golden_match_unfolds(path):
    scores_unfold(play(path).state)


def test_points_that_are_told_come_from_the_tally():
    match = given("basic", 3).when(tally("ann", bo=10, cy=["red-5", "wild"]))
    (told,) = replays(match.state)
    assert told.score is not None
    counted, listed = told.score.hands["bo"], told.score.hands["cy"]
    assert (counted.points, counted.cards) == (10, ())
    assert counted.told is not None
    assert counted.told.step == 0
    assert [(card.card, card.points) for card in listed.cards] == [("red-5", 5), ("wild", 50)]
    assert all(card.certain and card.arrivals[0].step == 0 for card in listed.cards)


def test_a_sheet_of_scores_unfolds_to_itself():
    match = given("basic", 3).when(sheet("ann", ann=0, bo=10, cy=7))
    (told,) = replays(match.state)
    assert told.score is not None
    (part,) = told.score.scores["bo"].parts
    assert (part.kind, part.points) == ("told", 10)
    assert part.told is not None
    assert part.told.step == 0


@pytest.mark.clause("H-ELIMINATION")
def test_what_counts_at_catches_is_a_part_of_its_own():
    match = given("hello-kitty", 3, "elimination")
    match = match.when(tally("ann", bo=10, cy=7, charges={"cy": 30}))
    (told,) = replays(match.state)
    assert told.score is not None
    parts = told.score.scores["cy"].parts
    assert [(part.kind, part.points) for part in parts] == [("hand", 7), ("charge", 30)]
    scores_unfold(match.state)
