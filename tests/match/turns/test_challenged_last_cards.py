"""A challenge to a wild-draw-four that was laid as the last card."""

import pytest

from tests.match.table import broken, challenge, counts, flags, owing, play, small


@pytest.mark.clause("X-LAST-CHALLENGE")
@pytest.mark.breach("X-LAST-CHALLENGE")
def test_a_wild_draw_four_laid_last_is_innocent():
    match = small("basic", 3, {"bo": ["wild-draw-four"]}).when(play("bo", "wild-draw-four"))
    match.then(phase="showing_hands", color_pending=None)
    assert broken(match.refuses(challenge("cy", guilty=True))) == ["X-LAST-CHALLENGE"]
    assert owing(match.when(challenge("cy"))) == [("cy", 6, "B-CHALLENGE")]


@pytest.mark.clause("X-LAST-CHALLENGE", "H-CHALLENGE", "H-OUT")
def test_a_last_king_that_the_table_has_taken_back_ends_no_round():
    match = small("hello-kitty", 3, {"bo": ["wild-draw-four"]})
    match = match.when(play("bo", "wild-draw-four"))
    match = match.when(challenge("cy", guilty=True, as_played=True))
    assert flags(match) == ["X-LAST-CHALLENGE"]
    match.then(phase="playing", turn="cy", top_card="red-5", color="red")
    assert owing(match) == [("bo", 4, "H-CHALLENGE")]
    match = match.when(play("cy", "red-1")).then(turn="ann", phase="playing")
    assert counts(match) == {"ann": 7, "bo": 5, "cy": 6}


@pytest.mark.clause("X-LAST-CHALLENGE", "B-OUT")
def test_nobody_is_on_turn_after_a_last_card_that_stays_laid():
    match = small("basic", 3, {"bo": ["wild-draw-four"]})
    match = match.when(play("bo", "wild-draw-four"))
    match = match.when(challenge("cy", guilty=True, as_played=True))
    match.then(phase="showing_hands", turn=None)
    assert owing(match) == [("bo", 4, "B-CHALLENGE")]
