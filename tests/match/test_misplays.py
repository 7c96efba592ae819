"""Cards that are taken back, with all that they did."""

import pytest
from table import counts, draw, play, shows, start, told

from scorekeeper.match.hand import Hand


@pytest.mark.clause("X-MISPLAY", "M-BLOCK")
def test_a_hand_shown_with_what_the_card_brought_is_not_the_hand_from_before() -> None:
    """Cy holds what was shown, less the card that the block brought, and the block."""
    match = start("mario", 3, options={"question_block": "Whoever lays it draws one."})
    drawn = [{"type": "draw", "player": "cy", "count": 1}]
    match = match.when(play("cy", "question-block", "red", effects=drawn, as_played=True))
    match = match.when(shows("cy", *["green-1", "green-2", "green-3"] * 2, "green-4"))
    match = match.when(told("misplay_called", by="ann")).then(turn="bo", draw_pile_count=90)
    assert match.state.hands["cy"] == Hand(("question-block",), 6)


@pytest.mark.clause("X-MISPLAY")
def test_what_others_have_shown_since_stays_known() -> None:
    match = start("mario", 3).when(play("cy", "red-1", as_played=True))
    match = match.when(shows("ann", *["green-1", "green-2", "green-3"] * 2, "green-4"))
    match = match.when(told("misplay_called", by="ann"), draw("bo"))
    assert match.state.hands["ann"].unknown == 0
    assert counts(match) == {"ann": 7, "bo": 8, "cy": 7}
