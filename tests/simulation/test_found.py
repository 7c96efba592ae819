"""Faults that simulated matches brought to light, each in as small a case as possible."""

import pytest

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.card_events import (
    AccusationMade,
    AdviceCalled,
    CardPlayed,
    CardsDrawn,
    FirstCardTurned,
    HandCounted,
    HandShown,
    UnoCaught,
)
from scorekeeper.match.events.events import RoundStarted, TableEvent
from scorekeeper.simulation.dealt_round import Happening
from scorekeeper.simulation.tellings import Telling, tell_round
from tests.match.judging import verdicts
from tests.match.story import Story, given
from tests.simulation.playing import HOUSE
from tests.simulation.properties import (
    cards_are_conserved,
    hidden_hands_never_contradict_known_ones,
    hindsight_only_settles_what_was_unknown,
)

RED = ("red-3", "red-4", "red-6")


def verdict_on(wanted: TableEvent, story: Story) -> str:
    start = story.replayed(upto=1)
    judged = verdicts(start, story.log[1:])
    return judged[story.log.index(wanted) - 1].verdict


@pytest.mark.clause("B-POINTS")
def test_hands_of_the_next_round_say_nothing_about_those_of_this_one() -> None:
    """Bo's hand counted in round 1 is not judged by the cards that bo is dealt in round 2."""
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
    """The accuser draws as well, after the draw that the accusation is about."""
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
    """Beside a hand that is known in full, a new card was drawn, though another one is unknown."""
    played = CardPlayed(player="ann", card="green-9")
    story = given("hello-kitty", ["ann", "bo", "cy"]).when(
        RoundStarted(dealer="cy", hands={"ann": ("red-1",) * 2 + ("red-2",) * 2 + RED}),
        FirstCardTurned(card="green-5"),
        CardsDrawn(player="ann", count=2, as_played=True),
    )
    assert verdict_on(played, story.when(played)) == "legal"


@pytest.mark.clause("M-UNO", "M-UP-WILD4")
def test_a_draw_before_an_older_debt_is_told() -> None:
    """Ann draws before bo, who has owed cards longer, so ann's draw has to be told.

    Without it the book would infer bo's draw first, and so give bo the pile's last card.
    """
    turned = FirstCardTurned(card="wild-draw-four")
    play = CardPlayed(player="ann", card="green-draw-two")
    caught = UnoCaught(player="ann", by="cy")
    by_ann = CardsDrawn(player="ann", count=2)
    by_bo = CardsDrawn(player="bo", count=2)
    on = CardPlayed(player="cy", card="green-4")
    happened = [
        Happening(turned),
        Happening(play),
        Happening(caught),
        Happening(by_ann, forced=True, early=True),
        Happening(by_bo, forced=True, hit=True),
        Happening(on),
    ]
    sparse = tell_round(EDITIONS["mario", 1], happened, Telling.SPARSE)
    assert sparse == (turned, play, caught, by_ann, on)


@pytest.mark.clause("C-UNO", "C-RESHUFFLE")
def test_a_draw_before_a_catch_that_finds_no_cards_is_told() -> None:
    """Bo's draw empties the pile before the catch, so it has to be told.

    Without it the book would infer that ann drew for the catch what bo drew.
    """
    play = CardPlayed(player="ann", card="red-draw-two")
    by_bo = CardsDrawn(player="bo", count=1)
    caught = UnoCaught(player="ann", by="cy")
    shown = HandShown(player="ann", cards=("yellow-2",))
    happened = [
        Happening(play),
        Happening(by_bo, forced=True, hit=True),
        Happening(caught),
        Happening(shown),
    ]
    sparse = tell_round(EDITIONS["classic-2025", 1], happened, Telling.SPARSE)
    assert sparse == (play, by_bo, caught, shown)


@pytest.mark.clause("B-ADVICE")
def test_a_draw_that_is_told_has_the_older_ones_told_before_it() -> None:
    """Di plays out of turn, so di's draw is told. Bo's older draw has to be told before it."""
    play = CardPlayed(player="ann", card="green-draw-two")
    by_bo = CardsDrawn(player="bo", count=2)
    advice = AdviceCalled(player="di", by="cy")
    by_di = CardsDrawn(player="di", count=4)
    on = CardPlayed(player="di", card="red-1", as_played=True)
    happened = [
        Happening(play),
        Happening(by_bo, forced=True, hit=True),
        Happening(advice),
        Happening(by_di, forced=True),
        Happening(on),
    ]
    sparse = tell_round(EDITIONS["basic", 1], happened, Telling.SPARSE)
    assert sparse == (play, by_bo, advice, by_di, on)


@pytest.mark.parametrize("seed", [10719, 11618])
def test_who_is_caught_may_draw_first(seed: int) -> None:
    """In these matches the pile's last card is known to be a King, so the order of draws counts."""
    cards_are_conserved(seed)


@pytest.mark.clause("V-DRAW-UNTIL")
@pytest.mark.parametrize("seed", [HOUSE + 1206, HOUSE + 1293])
def test_cards_of_a_known_pile_in_an_unknown_order_are_not_drawn_past(seed: int) -> None:
    """Everything left in the pile was drawn. Its order says nothing about the order of the draw."""
    hidden_hands_never_contradict_known_ones(seed)


@pytest.mark.clause("V-DRAW-UNTIL")
def test_a_card_that_is_known_in_the_end_may_be_one_that_was_drawn() -> None:
    """The hand of the player who passed is known later, but not which of its cards were drawn."""
    hindsight_only_settles_what_was_unknown(HOUSE + 2191)


@pytest.mark.clause("B-RESHUFFLE", "C-RESHUFFLE")
@pytest.mark.parametrize("seed", [HOUSE + 3555635060, HOUSE + 3776346502])
def test_who_was_caught_draws_before_a_penalty_is_passed_over(seed: int) -> None:
    """When cards run short, the draw for the catch comes before the draw for the penalty."""
    cards_are_conserved(seed)


@pytest.mark.clause("V-SEVEN")
def test_a_hand_that_a_misplay_moved_is_not_known_by_what_its_player_shows_afterwards() -> None:
    """The hand taken over has as many cards as the player's own hand with the card back."""
    hindsight_only_settles_what_was_unknown(HOUSE + 656518767)
