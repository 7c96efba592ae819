"""What simulated matches brought to light, as small as it could be made."""

import pytest

from scorekeeper.match.card_events import (
    AccusationMade,
    CardPlayed,
    CardsDrawn,
    FirstCardTurned,
    HandCounted,
)
from scorekeeper.match.events import RoundStarted, TableEvent
from scorekeeper.match.verdicts import verdicts
from tests.match.story import Story, given

RED = ("red-3", "red-4", "red-6")


def verdict_on(wanted: TableEvent, story: Story) -> str:
    start = story.replayed(upto=1)
    judged = verdicts(start, story.log[1:])
    return judged[story.log.index(wanted) - 1].verdict


@pytest.mark.clause("B-POINTS")
def test_hands_of_the_next_round_say_nothing_about_those_of_this_one() -> None:
    """Bo's counted hand of round 1 was judged by the cards that bo is dealt in round 2."""
    goes_again = ("red-skip", "red-skip", "blue-skip", "blue-skip", "blue-reverse", "blue-reverse")
    counted = HandCounted(player="bo", points=50)
    story = given("basic", ["ann", "bo"]).when(
        RoundStarted(dealer="bo", hands={"ann": (*goes_again, "blue-5")}),
        FirstCardTurned(card="red-1"),
        *(CardPlayed(player="ann", card=card) for card in (*goes_again, "blue-5")),
        counted,
    )
    dealt = ("red-0", "red-2", "red-3", "red-4", "red-5", "red-6", "red-7")
    later = story.when(RoundStarted(hands={"bo": dealt}))
    assert verdict_on(counted, story) == "legal"
    assert verdict_on(counted, later) == "legal"


@pytest.mark.clause("H-KEEP")
def test_an_accusation_does_not_hide_which_card_was_drawn() -> None:
    """The accuser draws as well, and the drawn card was then not told apart any more."""
    whole = ("red-1", "red-2", "red-3", "red-4", "red-6", "red-7", "red-8")
    played = CardPlayed(player="ann", card="red-ribbon", color="red", as_played=True)
    story = given("hello-kitty", ["ann", "bo", "cy"]).when(
        RoundStarted(dealer="cy", hands={"ann": whole}),
        FirstCardTurned(card="green-5"),
        CardsDrawn(player="ann"),
        AccusationMade(by="bo", player="ann"),
        CardsDrawn(player="bo", count=2),
    )
    assert verdict_on(played, story.when(played)) == "legal"


@pytest.mark.clause("H-KEEP")
def test_of_two_cards_drawn_the_one_that_is_played_is_told_apart() -> None:
    """Beside a hand that is whole, whatever is new was drawn, also while the other is unknown."""
    played = CardPlayed(player="ann", card="green-9")
    story = given("hello-kitty", ["ann", "bo", "cy"]).when(
        RoundStarted(dealer="cy", hands={"ann": ("red-1",) * 2 + ("red-2",) * 2 + RED}),
        FirstCardTurned(card="green-5"),
        CardsDrawn(player="ann", count=2, as_played=True),
    )
    assert verdict_on(played, story.when(played)) == "legal"
