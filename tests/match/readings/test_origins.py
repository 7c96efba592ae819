"""By which steps the cards left in a hand came there, as far as this can be known."""

import pytest

from tests.match.story import Story
from tests.match.table import challenge, draw, passes, play, shows, start, told
from tests.projections.replayed import replays, scores_unfold

BLUES = ["blue-1", "blue-2", "blue-3", "blue-4", "blue-6", "blue-7", "blue-8"]
REDS = ["red-1", "red-2", "red-3", "red-4", "red-6", "red-7", "red-8"]
YELLOWS = ["yellow-2", "yellow-3", "yellow-4", "yellow-5", "yellow-6", "yellow-7", "yellow-8"]
GREENS = ["green-1", "green-2", "green-3", "green-4", "green-6", "green-7", "green-8"]


def ways(match: Story, player: str) -> dict[str, list[str]]:
    """Return for each card left in the hand the entries that brought it, and how.

    A question mark follows an entry that may have brought the card.
    """
    scores_unfold(match.state)
    (told,) = replays(match.state)
    assert told.score is not None
    return {
        card.card: [
            f"{told.steps[one.step].step.address} {one.how}{'' if card.certain else '?'}"
            for one in card.arrivals
        ]
        for card in told.score.hands[player].cards
    }


def out(match: Story, player: str, cards: list[str]) -> Story:
    for card in cards:
        match = match.when(play(player, card, as_played=True))
    return match


@pytest.mark.clause("H-SWAP")
def test_cards_that_came_with_an_exchanged_hand_keep_their_way():
    hands = {"ann": BLUES, "bo": ["swap-hands", *REDS[1:]], "cy": GREENS}
    match = start("hello-kitty", 3, hands).when(play("bo", "swap-hands", "red"))
    # ann holds what bo held and bo what cy held, who goes out with ann's cards.
    match = out(match, "cy", BLUES)
    assert ways(match, "ann") == {card: ["2 dealt", "4 swapped"] for card in REDS[1:]}
    assert ways(match, "bo") == {card: ["2 dealt", "4 swapped"] for card in GREENS}


@pytest.mark.clause("H-CHALLENGE")
def test_a_king_that_was_taken_back_came_by_the_challenge():
    hands = {"bo": ["wild-draw-four", *REDS[1:]], "cy": BLUES}
    match = start("hello-kitty", 3, hands).when(play("bo", "wild-draw-four", "blue"))
    match = match.when(challenge("cy"), draw("bo", 4, cards=GREENS[:4]))
    left = [*GREENS[4:], "red-1", "yellow-1", "yellow-2", "yellow-3"]
    match = out(match, "cy", BLUES).when(shows("ann", *left))
    found = ways(match, "bo")
    assert found["wild-draw-four"] == ["5 taken-back"]
    assert found["red-2"] == ["2 dealt"]
    assert found["green-1"] == ["6 drawn"]


@pytest.mark.clause("H-CHALLENGE", "V-AT-ONCE")
def test_the_one_of_two_kings_that_was_taken_back_came_by_the_challenge():
    """The other one was shuffled, and ann may have drawn it."""
    kings = ["wild-draw-four"] * 2
    hands = {"bo": [*REDS[:5], *kings], "cy": BLUES}
    match = start("hello-kitty", 4, hands, house_rules={"at_once": "identical"})
    match = match.when(play("bo", "red-1"), play("cy", "blue-1", as_played=True))
    match = match.when(draw("di", 82, as_played=True), passes("di"), play("ann", "red-1"))
    match = match.when(play("bo", "wild-draw-four", "blue", count=2))
    match = match.when(told("accusation_made", by="ann", player="di"), draw("ann", 2))
    match = match.when(challenge("cy", guilty=True))
    match = out(match, "cy", BLUES[1:]).when(shows("bo", *REDS[1:5], kings[0], *GREENS[:4]))
    match = match.when(told("hand_counted", player="ann", points=50))
    match = match.when(told("hand_counted", player="di", points=1100))
    found = ways(match, "bo")
    assert found["red-2"] == ["2 dealt"]
    (taken_back,) = found["wild-draw-four"]
    assert taken_back.endswith("taken-back")


@pytest.mark.clause("X-MISPLAY-WHEN", "B-ADVICE")
def test_what_was_drawn_before_a_wrong_card_went_back_came_by_that_draw():
    match = start("basic", 3, {"ann": BLUES, "bo": GREENS})
    match = match.when(play("bo", "green-1", as_played=True))
    match = match.when(told("advice_called", player="ann", by="cy"), draw("ann", 4, cards=REDS[:4]))
    match = match.when(told("misplay_called", by="cy"), draw("bo", cards=["yellow-1"]))
    match = out(match, "bo", [*GREENS, "yellow-1"]).when(shows("cy", *YELLOWS))
    found = ways(match, "ann")
    assert (found["red-1"], found["blue-1"]) == (["6 drawn"], ["2 dealt"])


def test_what_nobody_saw_came_by_the_deal_or_by_the_draw():
    match = start("basic", 2, {"ann": BLUES}).when(draw("bo"), passes("bo"))
    match = out(match, "ann", BLUES).when(shows("bo", *REDS[1:], "green-1", "yellow-1"))
    assert ways(match, "bo")["green-1"] == ["2 dealt?", "4 drawn?"]


def test_what_the_cards_show_later_is_told_apart():
    """All of the hand but one card is known from the deal, so the other one was drawn."""
    match = start("basic", 2, {"ann": BLUES, "bo": GREENS}).when(draw("bo"), passes("bo"))
    match = out(match, "ann", BLUES).when(shows("bo", *GREENS, "yellow-1"))
    assert ways(match, "bo") == {**{card: ["2 dealt"] for card in GREENS}, "yellow-1": ["4 drawn"]}


@pytest.mark.clause("H-TWO", "H-RIBBON")
def test_a_gift_keeps_its_way():
    effects = [{"type": "give", "from": "bo", "to": "ann", "cards": ["green-1"]}]
    hands = {"ann": ["red-9"], "bo": ["red-ribbon", *GREENS[:6]]}
    match = start("hello-kitty", 2, hands).when(play("bo", "red-ribbon", "green", effects=effects))
    left = ["green-1", *REDS[1:7], "red-9"]
    match = out(match, "bo", GREENS[1:6]).when(shows("ann", *left))
    found = ways(match, "ann")
    assert found["green-1"] == ["2 dealt", "4 given"]
    assert found["red-9"] == ["2 dealt"]


THREE_CARDS = {"hand_size": 3}


@pytest.mark.parametrize(
    ("seen", "left", "expected"),
    [
        (None, ["green-1", "green-2"], {"green-1": ["2 dealt?", "6 drawn?"]}),
        ("red-9", ["red-9", "green-2"], {"red-9": ["6 drawn"], "green-2": ["2 dealt"]}),
    ],
)
def test_cards_laid_from_a_hand_that_nobody_saw_leave_the_ways_of_the_others(seen, left, expected):
    """Bo is dealt three cards, lays one, draws one and lays one of the dealt ones."""
    match = start("basic", 2, house_rules=THREE_CARDS).when(play("bo", "red-1"))
    match = match.when(play("ann", "red-2"), draw("bo", 1, **({"cards": [seen]} if seen else {})))
    match = match.when(passes("bo"), play("ann", "red-3"), play("bo", "red-4"))
    found = ways(match.when(play("ann", "red-6"), shows("bo", *left)), "bo")
    assert {card: found[card] for card in expected} == expected


def test_of_several_cards_of_one_name_nobody_can_say_which_went():
    hands = {"bo": ["red-1", "red-1", "red-2"]}
    match = start("basic", 2, hands, house_rules=THREE_CARDS)
    match = match.when(draw("bo", 1, cards=["red-2"]), passes("bo"), play("ann", "red-3"))
    match = match.when(play("bo", "red-2"), play("ann", "red-4"), play("bo", "red-1"))
    found = ways(match.when(play("ann", "red-6")), "bo")
    assert found == {"red-1": ["2 dealt"], "red-2": ["2 dealt?", "4 drawn?"]}


@pytest.mark.clause("M-BLOCK")
def test_what_a_block_has_given_and_drawn_came_by_it():
    """Ann gives two of three cards that nobody saw to cy, and both draw."""
    effects = [
        {"type": "give", "from": "ann", "to": "cy", "count": 2},
        {"type": "draw", "player": "ann", "count": 2},
        {"type": "draw", "player": "cy", "cards": ["blue-1"]},
    ]
    match = start("mario", 3, options={"question_block": "x"}, house_rules=THREE_CARDS)
    match = match.when(play("bo", "question-block", "red", effects=effects), play("cy", "red-1"))
    match = match.when(play("ann", "red-2"), play("bo", "red-3"), play("cy", "red-4"))
    match = match.when(play("ann", "red-6"), play("bo", "red-7"))
    match = match.when(shows("ann", "green-9"), shows("cy", *GREENS[:3], "blue-1"))
    assert ways(match, "ann") == {"green-9": ["2 dealt?", "4 drawn?"]}
    assert ways(match, "cy") == {
        **{card: ["2 dealt?", "4 given?"] for card in GREENS[:3]},
        "blue-1": ["4 drawn"],
    }
