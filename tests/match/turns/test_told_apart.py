"""A refusal about cards names the hand that contradicts them, and which cards are possible."""

from collections import Counter

import pytest

from scorekeeper.match.events.events import RoundStarted
from scorekeeper.texts.message import message
from scorekeeper.texts.words import words_of
from tests.match.story import given, tally
from tests.match.table import draw, first, names, play, start

HAND = ["blue-1", "blue-2", "green-1", "green-2", "wild", "wild", "yellow-0"]
BOX = Counter(given("basic", 2).state.box.counts)
PILE = ["red-5", "red-6", *(BOX - Counter(["red-5", "red-6"])).elements()][:94]


def english(refusal):
    return message(refusal.code, refusal.reason, refusal.facts, "en")


def chinese(refusal):
    words = words_of("basic")
    return message(refusal.code, refusal.reason, refusal.facts, "zh-TW", words)


def test_cards_of_a_tally_are_those_of_a_hand():
    refused = given("basic", 3).refuses(tally("ann", bo=["red-0"], cy=["red-1", "red-0"]))
    assert english(refused) == (
        "The box holds 1 red-0; 2 are told. Look at what is told of bo, cy."
    )
    assert chinese(refused) == ("回報了 2 張紅色 0，但這盒牌裡只有 1 張。請檢查 bo、cy 的手牌。")
    refused = given("basic", 3).refuses(tally("ann", bo=["red-0"], cy=["red 1"]))
    assert english(refused) == "This box holds no card red 1. Look at what is told of cy."


def test_cards_of_a_deal_are_those_of_a_hand():
    dealt = RoundStarted(dealer="ann", hands={"ann": ("red-0",), "bo": ("red-0",)})
    assert given("basic", 2).refuses(dealt).facts["players"] == ("ann", "bo")
    in_the_pile = RoundStarted(dealer="ann", draw_pile=("red-0", "red-0"))
    assert "players" not in given("basic", 2).refuses(in_the_pile).facts


def test_a_card_that_lies_in_another_hand():
    match = start("basic", 4, {"cy": HAND})
    refused = match.refuses(play("bo", "yellow-0"))
    assert refused.facts == {"card": "yellow-0", "count": 2, "in_box": 1, "players": ("cy",)}


def test_a_card_that_lies_in_no_hand():
    match = start("basic", 4, turned="red-0")
    assert match.refuses(play("bo", "red-0")).facts == {"card": "red-0", "count": 2, "in_box": 1}
    assert english(match.refuses(play("bo", "red-0"))) == "The box holds 1 red-0; 2 are told."


def test_a_hand_that_is_known_is_named():
    match = start("basic", 4, {"bo": HAND})
    refused = match.refuses(play("bo", "red-9"))
    assert refused.facts == {"player": "bo", "cards": ("red-9",), "hand": tuple(HAND)}
    assert english(refused) == f"bo can't hold red-9; the hand is {', '.join(HAND)}."
    assert chinese(refused).startswith("bo 手上不可能有紅色 9；手牌是：藍色 1、藍色 2、")


def test_of_a_hand_that_is_known_in_part_nothing_is_named():
    match = start("hello-kitty", 2, {"bo": ["red-ribbon", "red-1"]})
    told = play(
        "bo",
        "red-ribbon",
        "red",
        effects=[{"type": "discard", "player": "bo", "cards": ["red-0"] * 3}],
    )
    assert "hand" not in match.refuses(told).facts


@pytest.mark.parametrize("known", [True, False])
def test_the_top_of_a_known_pile_is_named(known):
    pile = {"draw_pile": PILE} if known else {}
    match = start("basic", 2, turned=None, **pile)
    if known:
        refused = match.refuses(first("red-6"))
        assert refused.facts == {"card": "red-6", "top": ("red-5",)}
        assert english(refused) == "red-6 can't be the top card of the draw pile: that is red-5."
        match = match.when(first("red-5"))
        refused = match.refuses(draw("bo", cards=["red-9"]))
        assert refused.facts == {"player": "bo", "cards": ("red-9",), "top": ("red-6",)}
        assert english(refused) == (
            "bo can't have drawn red-9: on top of the draw pile lies red-6."
        )
        assert chinese(refused) == "bo 不可能抽到紅色 9：牌堆最上面是紅色 6。"
    else:
        assert match.when(first("red-6"), draw("bo", cards=["red-9"])).state.phase == "playing"


def test_the_colours_that_can_be_named():
    match = start("basic").when(play("bo", "wild"))
    for refused in (match.refuses(play("cy", "red-1")), match.refuses(draw("cy"))):
        assert refused.facts == {"player": "bo", "colors": ("red", "yellow", "green", "blue")}
        assert english(refused) == (
            "bo has to name a colour first, one of red, yellow, green, blue."
        )
        assert chinese(refused) == "bo 要先指定顏色：紅色、黃色、綠色、藍色。"
    match.when(names("bo", "blue"), draw("cy"))


@pytest.mark.parametrize(
    ("before", "told", "clause", "drawn", "allowed"),
    [
        ([], draw("bo", 2), "B-DRAW", 2, 1),
        ([draw("bo")], draw("bo"), "B-DRAW", 1, 0),
        ([play("bo", "red-draw-two")], draw("cy", 3), "B-DRAW", 3, 2),
    ],
)
def test_how_many_can_be_drawn_is_told_with_what_was_drawn_before(
    before, told, clause, drawn, allowed
):
    match = start("basic")
    for event in before:
        match = match.when(event)
    (violation,) = match.refuses(told).violations
    assert (violation.clause, violation.reason) == (clause, "too-many-drawn")
    assert (violation.facts["count"], violation.facts["allowed"]) == (drawn, allowed)
