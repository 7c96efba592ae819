"""The hand that is shown at a challenge, where it has changed or was shown since the play."""

import pytest

from tests.match.table import challenge, counts, draw, flags, owing, play, shows, start, told

LEFT = ["red-0", "red-9", "red-9", "blue-1", "green-2", "yellow-3"]
DRAWN = ["green-0", "blue-4", "green-5", "yellow-6"]


@pytest.mark.clause("B-CHALLENGE", "B-ADVICE")
@pytest.mark.parametrize(
    ("drawing", "known"),
    [
        ((draw("bo", 4),), LEFT),
        ((draw("bo", cards=DRAWN[:1], count=4),), [*LEFT, *DRAWN[:1]]),
        ((draw("bo", cards=DRAWN),), [*LEFT, *DRAWN]),
        ((draw("bo", 4), shows("bo", *LEFT, *DRAWN)), [*LEFT, *DRAWN]),
        ((draw("bo", cards=DRAWN), shows("bo", *DRAWN, *LEFT)), [*LEFT, *DRAWN]),
    ],
)
def test_what_the_challenger_is_shown_was_in_the_hand_before_cards_were_drawn(drawing, known):
    match = start("basic", hands={"bo": ["blue-1"]}).when(play("bo", "wild-draw-four", "blue"))
    match = match.when(told("advice_called", player="bo", by="ann"), *drawing)
    match = match.when(challenge("cy", hand=LEFT))
    assert flags(match) == ["B-WILD4-LEGAL"]
    assert owing(match) == [("bo", 4, "B-CHALLENGE")]
    assert sorted(match.state.hands["bo"].known) == sorted(known)
    assert counts(match)["bo"] == 10


@pytest.mark.clause("B-CHALLENGE", "X-COUNT")
def test_what_the_challenger_is_shown_prevails_over_fewer_cards_shown_before():
    match = start("basic").when(play("bo", "wild-draw-four", "blue"))
    match = match.when(shows("bo", *LEFT[:3], as_played=True), challenge("cy", hand=LEFT))
    assert match.state.hands["bo"].known == tuple(LEFT)
