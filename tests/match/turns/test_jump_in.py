"""A card like the one on top, laid out of turn."""

import pytest

from tests.match.table import (
    broken,
    challenge,
    counts,
    draw,
    first,
    owing,
    play,
    small,
    start,
    told,
)
from tests.projections.replayed import in_words

COLORED = {"jump_in": "colored"}
ANY = {"jump_in": "any"}
BLOCK = {"house_rules": ANY, "options": {"question_block": "Somebody is skipped."}}


def jumps(player, card, color=None, **fields):
    return play(player, card, color, jump_in=True, **fields)


def block(player, skips, **fields):
    """A question-block whose agreed effect is that a player's next turn is skipped."""
    skip = {"type": "skip", "player": skips}
    return play(player, "question-block", "red", effects=[skip], **fields)


@pytest.mark.clause("V-JUMP-IN")
@pytest.mark.parametrize("player", ["bo", "cy", "di", "ann"])
def test_anybody_may_and_play_goes_on_from_there(player):
    match = start("basic", house_rules=COLORED).when(play("bo", "red-7"), jumps(player, "red-7"))
    seats = ["ann", "bo", "cy", "di"]
    match.then(turn=seats[(seats.index(player) + 1) % 4], top_card="red-7")
    assert match.types == ["card_played", "card_played"]


@pytest.mark.breach("V-JUMP-IN", "X-TURN")
@pytest.mark.parametrize("card", ["red-8", "blue-7", "wild"])
def test_only_with_the_very_card(card):
    match = start("basic", house_rules=COLORED).when(play("bo", "red-7"))
    assert broken(match.refuses(jumps("di", card))) == ["V-JUMP-IN"]
    assert broken(match.refuses(play("di", "red-7"))) == ["X-TURN"]


@pytest.mark.breach("V-JUMP-IN")
def test_as_played_it_is_an_ordinary_play_out_of_turn():
    match = start("basic", house_rules=COLORED).when(play("bo", "red-draw-two"))
    match = match.when(jumps("ann", "red-8", as_played=True))
    assert match.types == ["cards_drawn", "card_played"]
    match.then(turn="bo", violations=1)


@pytest.mark.breach("V-JUMP-IN")
def test_not_on_a_card_that_was_turned_up():
    match = start("basic", house_rules=COLORED)
    assert broken(match.refuses(jumps("di", "red-5"))) == ["V-JUMP-IN"]


@pytest.mark.breach("V-JUMP-IN")
def test_not_on_a_discard_of_an_effect():
    match = start("mickey", house_rules=COLORED)
    discarded = [{"type": "discard", "player": "cy", "cards": ["red-3"]}]
    match = match.when(play("bo", "wild-friendship", effects=discarded))
    assert match.board.top_card == "red-3"
    assert broken(match.refuses(jumps("di", "red-3"))) == ["V-JUMP-IN"]


@pytest.mark.breach("V-JUMP-IN")
def test_not_on_what_a_king_uncovers_that_is_taken_back():
    match = start("hello-kitty", house_rules=ANY).when(
        play("bo", "red-7"), play("cy", "wild-draw-four", "red"), challenge("di", guilty=True)
    )
    assert match.board.top_card == "red-7"
    assert broken(match.refuses(jumps("bo", "red-7"))) == ["V-JUMP-IN"]


@pytest.mark.breach("V-JUMP-IN")
def test_not_on_what_a_misplay_uncovers_that_is_taken_back():
    match = start("mario", house_rules=ANY).when(
        play("bo", "red-3"), play("cy", "blue-9", as_played=True), told("misplay_called", by="ann")
    )
    assert match.board.top_card == "red-3"
    assert broken(match.refuses(jumps("di", "red-3"))) == ["V-JUMP-IN"]


@pytest.mark.clause("V-JUMP-IN")
def test_wilds_by_the_other_variant():
    match = start("basic", house_rules=ANY).when(play("bo", "wild", "green"))
    match = match.when(jumps("ann", "wild", "blue"))
    match.then(turn="bo", color="blue")
    colored = start("basic", house_rules=COLORED).when(play("bo", "wild", "green"))
    assert broken(colored.refuses(jumps("ann", "wild", "blue"))) == ["V-JUMP-IN"]


def test_an_open_colour_comes_first():
    match = start("basic", house_rules=ANY).when(play("bo", "wild"))
    assert match.refuses(jumps("ann", "wild", "blue")).reason == "color-needed"


class TestWhatLapses:
    def test_a_penalty(self):
        match = start("basic", house_rules=COLORED).when(
            play("bo", "red-draw-two"), jumps("ann", "red-draw-two")
        )
        assert owing(match) == [("bo", 2, "B-DRAW-TWO")]
        match.then(turn="cy")

    def test_its_victim_may_save_itself(self):
        match = start("basic", house_rules=COLORED).when(
            play("bo", "red-draw-two"), jumps("cy", "red-draw-two")
        )
        assert owing(match) == [("di", 2, "B-DRAW-TWO")]

    def test_not_a_penalty_of_which_a_card_is_drawn(self):
        match = start("basic", house_rules=COLORED).when(play("bo", "red-draw-two"), draw("cy", 1))
        match = match.when(jumps("ann", "red-draw-two"))
        assert match.types == ["cards_drawn", "card_played"]
        assert counts(match)["cy"] == 9

    def test_a_skip_and_not_a_direction(self):
        match = start("basic", house_rules=COLORED).when(play("bo", "red-skip"))
        match.then(turn="di").when(jumps("cy", "red-skip")).then(turn="ann")
        turned = start("basic", house_rules=COLORED).when(play("bo", "red-reverse"))
        turned.then(direction="counter-clockwise").when(jumps("cy", "red-reverse")).then(
            direction="clockwise", turn="di"
        )

    def test_an_agreed_skip_that_is_still_to_come(self):
        """Bo's block skips di's next turn, until ann jumps in with another block."""
        match = start("mario", **BLOCK).when(block("bo", skips="di"))
        match = match.when(jumps("ann", "question-block", "red"), play("bo", "red-1"))
        match = match.when(play("cy", "red-2")).then(turn="di")
        told_of = [item.explanation for item in in_words(match.state, 1, "en").items]
        assert sum("di's next turn is not left out any more." in one for one in told_of) == 1

    def test_not_the_skip_that_the_jumpers_own_card_brings(self):
        match = start("mario", **BLOCK).when(block("bo", skips="di"))
        match = match.when(block("ann", skips="di", jump_in=True), play("bo", "red-1"))
        match = match.when(play("cy", "red-2")).then(turn="ann")
        match = match.when(play("ann", "red-3"), play("bo", "red-4"))
        match.when(play("cy", "red-6")).then(turn="di")

    def test_not_the_skip_of_an_earlier_card(self):
        match = start("mario", **BLOCK).when(block("bo", skips="ann"))
        match.when(play("cy", "red-7"), jumps("di", "red-7")).then(turn="bo")

    def test_not_a_skip_without_a_jump_in(self):
        match = start("mario", **BLOCK).when(block("bo", skips="di"))
        match.when(play("cy", "question-block", "red")).then(turn="ann")

    def test_where_stacking_allows_it_the_penalty_joins_the_sum(self):
        match = start("basic", house_rules={**COLORED, "stacking": "same"}).when(
            play("bo", "red-draw-two"), jumps("ann", "red-draw-two")
        )
        assert owing(match) == [("bo", 4, "V-STACK-SAME")]


def test_who_has_drawn_loses_the_turn_without_a_pass():
    match = start("basic", house_rules={**COLORED, "forced_play": "drawn"}).when(
        play("bo", "red-7"), draw("cy", cards=["red-1"]), jumps("ann", "red-7")
    )
    assert match.types == ["card_played", "cards_drawn", "card_played"]
    match.then(turn="bo", violations=0)


def test_debts_are_paid_first_the_jumpers_too():
    match = small("basic", 4, {"bo": ["red-7", "blue-1"]}, house_rules=COLORED).when(
        play("bo", "red-7"), told("uno_caught", player="bo", by="di")
    )
    match = match.when(jumps("bo", "red-7"))
    assert match.types == ["cards_drawn", "card_played"]


@pytest.mark.clause("B-ADVICE")
def test_a_penalty_lapses_though_its_victim_has_come_to_owe_something_else():
    match = start("basic", house_rules=COLORED).when(
        play("bo", "red-draw-two"), told("advice_called", player="cy", by="ann")
    )
    match = match.when(jumps("di", "red-draw-two"), play("bo", "red-1"))
    assert counts(match) == {"ann": 9, "bo": 5, "cy": 11, "di": 6}


def test_it_closes_the_windows_of_a_card_laid():
    match = small("basic", 4, {"bo": ["red-7", "blue-1"]}, house_rules=COLORED).when(
        play("bo", "red-7"), jumps("di", "red-7"), told("uno_caught", player="bo", by="di")
    )
    match.then(pending=())


def test_two_players():
    match = start("basic", 2, house_rules=COLORED).when(
        play("bo", "red-skip"), jumps("ann", "red-skip")
    )
    match.then(turn="ann")


def test_a_match_without_the_house_rule():
    match = start("basic").when(play("bo", "red-7", jump_in=False))
    assert match.refuses(jumps("di", "red-7")).code == "house-rule-not-in-force"


def test_the_first_card_comes_first():
    match = start("basic", turned=None, house_rules=COLORED)
    assert match.refuses(jumps("di", "red-7")).reason == "card-needed"
    match.when(first("red-7"))
