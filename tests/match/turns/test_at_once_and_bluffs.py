"""House rules: identical cards in one play, wild-draw-fours without bluffs, exclusions."""

from typing import ClassVar

import pytest

from scorekeeper.match.events.refusal import Refusal
from tests.match.story import open_
from tests.match.table import (
    broken,
    challenge,
    counts,
    draw,
    flags,
    owing,
    play,
    small,
    start,
    told,
)

ONCE = {"at_once": "identical"}


def several(player, card, count, color=None, **fields):
    return play(player, card, color, count=count, **fields)


class TestAtOnce:
    @pytest.mark.clause("V-AT-ONCE")
    def test_identical_cards_leave_the_hand_together(self):
        match = start("basic", house_rules=ONCE).when(several("bo", "red-3", 2))
        assert counts(match)["bo"] == 5
        match.then(turn="cy", top_card="red-3")

    @pytest.mark.clause("V-AT-ONCE")
    @pytest.mark.parametrize(
        ("card", "players", "count", "turn", "direction"),
        [
            ("red-skip", 4, 2, "ann", "clockwise"),
            ("red-skip", 3, 2, "bo", "clockwise"),
            ("red-skip", 2, 2, "bo", "clockwise"),
            ("red-reverse", 4, 2, "cy", "clockwise"),
            ("red-reverse", 4, 1, "ann", "counter-clockwise"),
            ("red-reverse", 2, 2, "bo", "clockwise"),
            ("red-draw-two", 4, 2, "di", "clockwise"),
        ],
    )
    def test_skips_reverses_and_draws(self, card, players, count, turn, direction):
        match = start("basic", players, house_rules=ONCE).when(several("bo", card, count))
        match.then(turn=turn, direction=direction)
        if card == "red-draw-two":
            assert owing(match) == [("cy", 4, "B-DRAW-TWO")]

    @pytest.mark.parametrize("edition", ["mario", "basic"])
    def test_more_skips_than_others_sit_there(self, edition):
        match = start(edition, 2, house_rules=ONCE).when(several("bo", "red-skip", 2))
        assert counts(match)["bo"] == 5
        match.then(turn="bo")

    def test_wilds(self):
        match = start("basic", 3, house_rules=ONCE).when(several("bo", "wild", 4, "green"))
        assert counts(match)["bo"] == 3
        match.then(turn="cy", color="green")

    @pytest.mark.breach("V-AT-ONCE")
    def test_special_cards_are_laid_one_at_a_time(self):
        match = start("mario", house_rules=ONCE)
        laid = several("bo", "super-star", 2, "blue")
        assert broken(match.refuses(laid)) == ["V-AT-ONCE"]
        after = match.when(several("bo", "super-star", 2, "blue", as_played=True))
        assert counts(after)["bo"] == 5

    @pytest.mark.breach("B-KEEP")
    def test_after_a_draw_only_as_many_as_were_drawn(self):
        held = {"bo": ["blue-3"]}
        match = start("basic", hands=held, turned="blue-5", house_rules=ONCE)
        match = match.when(draw("bo", cards=["blue-3"]))
        assert broken(match.refuses(several("bo", "blue-3", 2))) == ["B-KEEP"]
        match.when(play("bo", "blue-3"))

    def test_not_more_than_there_are(self):
        match = start("basic", house_rules=ONCE)
        assert match.refuses(several("bo", "red-3", 3)).reason == "too-many-of-card"
        held = {"bo": ["red-3", *["blue-1"] * 2, *["green-1"] * 2, *["yellow-1"] * 2]}
        match = start("basic", hands=held, house_rules=ONCE)
        assert match.refuses(several("bo", "red-3", 2)).reason == "card-not-in-hand"

    def test_wild_draw_fours_are_challenged_as_a_stack(self):
        match = start("basic", house_rules=ONCE).when(several("bo", "wild-draw-four", 2, "green"))
        assert owing(match) == [("cy", 8, "B-WILD4")]
        guilty = match.when(challenge("cy", guilty=True))
        assert owing(guilty) == [("bo", 8, "B-CHALLENGE")]
        innocent = match.when(challenge("cy", guilty=False))
        assert owing(innocent) == [("cy", 10, "B-CHALLENGE")]

    @pytest.mark.clause("H-CHALLENGE")
    def test_both_kings_of_one_play_are_taken_back(self):
        match = start("hello-kitty", house_rules=ONCE)
        match = match.when(
            several("bo", "wild-draw-four", 2, "green"), challenge("cy", guilty=True)
        )
        assert counts(match)["bo"] == 7
        match.then(top_card="red-5", color="red")

    def test_on_a_penalty(self):
        match = start("basic", house_rules={**ONCE, "stacking": "same"}).when(
            play("bo", "red-draw-two"), several("cy", "blue-draw-two", 2)
        )
        assert owing(match) == [("di", 6, "V-STACK-SAME")]

    def test_they_may_end_the_round(self):
        hands = {"bo": ["red-draw-two"] * 2}
        match = small("basic", 4, hands, house_rules=ONCE).when(several("bo", "red-draw-two", 2))
        match.then(phase="showing_hands")
        assert owing(match) == [("cy", 4, "B-DRAW-TWO")]

    def test_one_exchange(self):
        match = start("basic", house_rules={**ONCE, "seven": "swap"})
        match = match.when(several("bo", "red-7", 2, swap_with="di"))
        assert counts(match) == {"ann": 7, "bo": 7, "cy": 7, "di": 5}

    def test_a_misplay_gives_them_all_back(self):
        match = start("basic", house_rules=ONCE).when(several("bo", "blue-3", 2, as_played=True))
        match = match.when(told("misplay_called", by="cy"))
        assert counts(match)["bo"] == 7
        match.then(top_card="red-5")

    def test_one_card_means_nothing_and_more_need_the_house_rule(self):
        match = start("basic").when(several("bo", "red-3", 1))
        assert match.refuses(several("cy", "red-4", 2)).code == "house-rule-not-in-force"


FOUR = "wild-draw-four"
BARRED = {"bo": [FOUR, "red-1", "blue-1"]}
CLEAR = {"bo": [FOUR, *["blue-1"] * 2, *["green-1"] * 2, *["yellow-1"] * 2]}


class TestNoBluff:
    RULES: ClassVar = {"wild_draw_four": "no-bluff"}

    @pytest.mark.clause("V-NO-BLUFF")
    @pytest.mark.breach("V-NO-BLUFF")
    def test_a_bluff_is_a_misplay(self):
        match = start("basic", hands=BARRED, house_rules=self.RULES)
        assert broken(match.refuses(play("bo", FOUR, "green"))) == ["V-NO-BLUFF"]
        match = match.when(play("bo", FOUR, "green", as_played=True))
        assert flags(match) == ["V-NO-BLUFF"]
        assert match.refuses(challenge("cy", guilty=True)).reason == "no-challenge-open"
        match = match.when(told("misplay_called", by="cy"))
        assert owing(match) == [("bo", 1, "B-MISPLAY")]

    def test_unless_it_is_known_to_be_legal_it_can_be_called_as_one(self):
        unknown = start("basic", house_rules=self.RULES).when(play("bo", FOUR, "green"))
        unknown.when(told("misplay_called", by="cy"))
        legal = start("basic", hands=CLEAR, house_rules=self.RULES).when(play("bo", FOUR, "green"))
        assert legal.refuses(told("misplay_called", by="cy")).reason == "no-misplay-open"

    @pytest.mark.clause("V-NO-BLUFF", "V-STACK-SAME", "V-JUMP-IN")
    @pytest.mark.parametrize(("edition", "draws"), [("basic", 1), ("hello-kitty", 2), ("mario", 0)])
    @pytest.mark.parametrize("jumper", ["di", "ann", "bo"])
    def test_a_penalty_that_a_bluff_made_lapse_can_be_stacked_on_again(
        self, jumper: str, edition: str, draws: int
    ) -> None:
        """Cy is hit by bo's. Somebody jumps in with another one, and has to take it back."""
        house_rules = {**self.RULES, "stacking": "same", "jump_in": "any"}
        match = start(edition, house_rules=house_rules).when(play("bo", FOUR, "green"))
        match = match.when(play(jumper, FOUR, "blue", jump_in=True))
        match = match.when(told("misplay_called", by="cy"))
        assert owing(match)[0][:2] == ("cy", 4)
        match = match.when(play("cy", FOUR, "red"))
        assert match.types == ["cards_drawn"] * bool(draws) + ["card_played"]
        assert owing(match) == [("di", 8, "V-STACK-SAME")]


@pytest.mark.clause("V-FREE-WILD4")
@pytest.mark.breach("V-FREE-WILD4")
def test_a_free_wild_draw_four_is_always_legal():
    match = start("basic", hands=BARRED, house_rules={"wild_draw_four": "free"})
    match = match.when(play("bo", FOUR, "green"))
    assert flags(match) == []
    assert match.refuses(challenge("cy", guilty=True)).reason == "no-challenge-open"
    assert match.refuses(told("misplay_called", by="cy")).reason == "no-misplay-open"


class TestExclusions:
    def test_a_jump_in_and_several_at_once(self):
        refused = open_("basic", 4, house_rules={"jump_in": "any", "at_once": "identical"})
        assert isinstance(refused, Refusal)
        assert refused.code == "house-rule-invalid"
        off = open_("basic", 4, house_rules={"jump_in": "none", "at_once": "identical"})
        assert not isinstance(off, Refusal)

    @pytest.mark.parametrize(
        ("size", "players", "refused"), [(20, 6, True), (18, 6, True), (17, 6, False)]
    )
    def test_hands_that_leave_nothing_to_turn_up(self, size, players, refused):
        opened = open_("basic", players, house_rules={"hand_size": size})
        assert isinstance(opened, Refusal) is refused
