"""Draws for which the pile is too small, whether or not the table tells the reshuffle.

Also draws that are never made.
"""

import pytest

from scorekeeper.match.events.events import ServerEvent
from scorekeeper.match.known_cards import height
from scorekeeper.match.readings.viewer_fold import viewer_fold, visibility_horizon
from scorekeeper.projections.scoreboard import scoreboard
from tests.match.story import Story, views
from tests.match.table import (
    broken,
    challenge,
    counts,
    draw,
    flags,
    owing,
    play,
    shows,
    start,
    told,
)

shuffled = told("pile_reshuffled")
BLOCK = {"question_block": "All others draw two cards."}


def low(edition: str, left: int, players: int = 2, **fields: object) -> Story:
    """A round with `left` cards in the draw pile, discards under the top card, and bo on turn."""
    match = start(edition, players, **fields)
    whole = match.board.draw_pile_count
    assert whole is not None
    match = match.when(draw("bo", whole - left, as_played=True), play("bo", "red-1"))
    others = [name for name in match.board.players if name != "bo"]
    for player, card in zip((*others[1:], others[0]), ("red-2", "red-3", "red-4"), strict=False):
        match = match.when(play(player, card, as_played=True))
    return match.then(turn="bo", draw_pile_count=left)


def lying(match: Story) -> int:
    """Return the number of all cards, in hands and piles."""
    table = match.state.table
    assert table is not None
    hands = sum(counts(match).values())
    return hands + height(table.pile) + len(table.discards) + table.buried


def retold(before: Story, after: Story) -> Story:
    """Tell the last events again one by one, also those that the book had inferred."""
    for entry in after.added:
        if not isinstance(entry.event, ServerEvent):
            before = before.when(entry.event)
    return before


class TestAKingThatIsTakenBackAfterAReshuffle:
    """Bo has laid Kings on ann's red 4, and cy has cards to draw or challenges."""

    def shuffled(self, left: int = 1, count: int = 1, **fields: object) -> Story:
        match = low("hello-kitty", left, 4, **fields)
        several = {"count": count} if count > 1 else {}
        return match.when(play("bo", "wild-draw-four", "blue", **several))

    @pytest.mark.clause("H-CHALLENGE", "H-RESHUFFLE")
    def test_the_card_before_it_lies_there_again(self):
        match = self.shuffled().when(shuffled).then(draw_pile_count=6, top_card="wild-draw-four")
        match = match.when(challenge("cy", guilty=True))
        match.then(draw_pile_count=5, top_card="red-4", color="red", turn="cy")
        assert broken(match.refuses(play("cy", "blue-9"))) == ["H-MATCH"]
        assert lying(match) == 112

    @pytest.mark.clause("H-CHALLENGE", "V-AT-ONCE")
    def test_both_of_two_come_back(self):
        match = self.shuffled(count=2, house_rules={"at_once": "identical"}).when(shuffled)
        match = match.then(draw_pile_count=7).when(challenge("cy", guilty=True))
        match.then(draw_pile_count=5, top_card="red-4")
        assert (counts(match)["bo"], lying(match)) == (counts(low("hello-kitty", 1, 4))["bo"], 112)

    @pytest.mark.clause("H-CHALLENGE", "V-AT-ONCE")
    def test_only_the_upper_one_where_somebody_may_have_drawn_the_other(self):
        match = self.shuffled(count=2, house_rules={"at_once": "identical"})
        match = match.when(told("accusation_made", by="ann", player="di"), draw("ann", 2))
        match = match.when(challenge("cy", guilty=True)).then(top_card=None, color="red")
        assert lying(match) == 112

    @pytest.mark.clause("H-CHALLENGE", "H-ELIMINATION")
    def test_nor_does_a_card_of_who_is_put_out_by_it_lie_on_top(self):
        again = told("pile_reshuffled", as_played=True)
        match = self.shuffled(mode="elimination", target=10).when(shuffled, again)
        match = match.when(challenge("cy", guilty=True, points=1_100))
        match.then(eliminated=("bo",), top_card=None)
        assert lying(match) == 112

    @pytest.mark.clause("H-CHALLENGE")
    @pytest.mark.parametrize("drawn", [["red-4", "blue-1"], ["blue-1", "red-3"]])
    def test_whoever_looks_on_sees_the_same_whatever_was_drawn(self, drawn):
        accusation = told("accusation_made", by="ann", player="di")
        match = self.shuffled().when(accusation, draw("ann", cards=drawn))
        match = match.when(challenge("cy", guilty=True)).then(draw_pile_count=4, top_card=None)
        assert lying(match) == 112

    @pytest.mark.clause("H-CHALLENGE")
    @pytest.mark.parametrize("instead", ["red-4", "blue-2"])
    def test_nor_does_what_is_seen_depend_on_a_pile_that_the_table_made_up(self, instead):
        pile = ["blue-1", "red-5", "red-1", "red-2", "red-3", instead]
        made_up = told("pile_reshuffled", draw_pile=pile, as_played=True)
        for match in (self.shuffled().when(made_up), self.shuffled().when(shuffled, made_up)):
            taken_back = match.when(challenge("cy", guilty=True))
            taken_back.then(draw_pile_count=6, top_card=None)
            assert lying(taken_back) == lying(match)
            seen = viewer_fold(taken_back.state, visibility_horizon(taken_back.state)).state
            board = scoreboard(seen, match="m", position=1)
            assert (board.draw_pile_count, board.top_card) == (6, None)

    @pytest.mark.clause("H-CHALLENGE")
    def test_of_a_pile_in_which_all_is_known(self):
        pile = ["blue-1", "red-5", "red-4", "red-1", "red-2", "red-3"]
        match = self.shuffled().when(told("pile_reshuffled", draw_pile=pile))
        match = match.when(challenge("cy", guilty=True)).then(top_card="red-4")
        match = match.when(draw("bo", 4))
        drawn = ("blue-1", "red-5", "red-1", "red-2")
        assert match.state.hands["bo"].known == ("wild-draw-four", *drawn)


class TestReshuffles:
    @pytest.mark.clause("M-RESHUFFLE", "B-RESHUFFLE", "D-RESHUFFLE", "H-RESHUFFLE", "C-RESHUFFLE")
    @pytest.mark.parametrize("edition", ["mario", "basic", "mickey", "hello-kitty", "classic-2025"])
    @pytest.mark.breach("M-RESHUFFLE", "B-RESHUFFLE", "D-RESHUFFLE", "H-RESHUFFLE", "C-RESHUFFLE")
    def test_a_pile_that_has_enough_is_not_made_anew(self, edition):
        match = low(edition, 1)
        letter = {"mickey": "D", "classic-2025": "C"}.get(edition, edition[0].upper())
        assert broken(match.refuses(shuffled)) == [f"{letter}-RESHUFFLE"]
        match.when(told("pile_reshuffled", as_played=True)).then(violations=2)

    @pytest.mark.clause("B-RESHUFFLE")
    def test_whoever_draws_all_that_was_shuffled_has_its_cards(self):
        match = low("basic", 0).when(draw("bo", 2, as_played=True)).then(draw_pile_count=0)
        assert match.types == ["pile_reshuffled", "cards_drawn"]
        assert match.state.hands["bo"].known == ("red-5", "red-1")

    @pytest.mark.clause("H-ELIMINATION", "H-RESHUFFLE")
    def test_the_hand_of_whoever_is_put_out_is_shuffled_in(self):
        match = low("hello-kitty", 1, 4, mode="elimination", target=10)
        held = counts(match)["bo"]
        match = match.when(play("bo", "wild-draw-four", "blue"))
        match = match.when(challenge("cy", guilty=True, points=1_100)).then(eliminated=("bo",))
        match = match.when(draw("cy", 2, as_played=True)).then(draw_pile_count=1 + held + 4 - 2)
        assert match.types == ["pile_reshuffled", "cards_drawn"]
        assert lying(match) == 112

    @pytest.mark.clause("B-RESHUFFLE")
    @pytest.mark.breach("B-RESHUFFLE")
    @pytest.mark.parametrize("pile", [["red-1"], ["red-1", "red-9"]])
    def test_a_pile_that_lacks_a_card_or_has_another_one_is_not_what_was_shuffled(self, pile):
        match = low("basic", 0)
        assert broken(match.refuses(told("pile_reshuffled", draw_pile=pile))) == ["B-RESHUFFLE"]

    @pytest.mark.clause("B-RESHUFFLE", "B-DECK")
    @pytest.mark.breach("B-RESHUFFLE", "B-DECK")
    def test_a_second_copy_of_a_card_that_the_box_has_once_makes_the_deck_larger(self):
        """One of the unknown cards of the old pile can be the red 0, and the other one can't."""
        pile = ["red-0", "red-0", "red-5", "red-1"]
        match = low("basic", 2).when(told("pile_reshuffled", draw_pile=pile, as_played=True))
        assert match.state.table.added == {"red-0": 1}
        assert lying(match) == 109

    @pytest.mark.clause("X-RESHUFFLE-WHEN")
    def test_a_debt_and_the_draw_of_the_turn_may_be_one_draw(self):
        match = low("basic", 2, 3)
        match = match.when(told("advice_called", player="bo", by="ann"), draw("bo", 2))
        assert owing(match) == [("bo", 2, "B-ADVICE")]
        match = low("basic", 4, 3).when(told("advice_called", player="bo", by="ann"))
        silent = match.when(draw("bo", 5))
        assert silent.types == ["pile_reshuffled", "cards_drawn"]
        assert flags(silent) == []
        assert views(retold(match, silent).state) == views(silent.state)

    @pytest.mark.clause("M-BLOCK", "X-RESHUFFLE-WHEN")
    def test_what_was_agreed_may_take_more_than_the_pile_has(self):
        """A reshuffle is not too early if somebody may hold a block that makes players draw."""
        match = low("mario", 2, options=BLOCK)
        draws = [{"type": "draw", "player": "ann", "count": 3}]
        silent = match.when(play("bo", "question-block", "red", effects=draws))
        assert silent.types == ["pile_reshuffled", "card_played"]
        assert flags(silent) == []
        assert views(retold(match, silent).state) == views(silent.state)

    @pytest.mark.clause("M-BLOCK", "M-RESHUFFLE")
    def test_where_no_block_can_be_held_it_is_too_early(self):
        red = ("red-5", "red-6", "red-7")
        match = low("mario", 2, options=BLOCK)
        for player in ("ann", "bo"):
            match = match.when(shows(player, *red[:2], as_played=True))
            red = ("red-7", "red-8")
        assert broken(match.refuses(shuffled)) == ["M-RESHUFFLE"]

    @pytest.mark.clause("B-RESHUFFLE", "B-DRAW")
    def test_a_reshuffle_for_a_draw_that_is_forbidden_is_flagged_with_it(self):
        match = low("basic", 2)
        silent = match.when(draw("bo", 3, as_played=True))
        assert silent.types == ["pile_reshuffled", "cards_drawn"]
        assert flags(silent) == ["B-RESHUFFLE", "B-DRAW"]
        spoken = retold(match, silent)
        assert views(spoken.state) == views(silent.state)
        assert views(silent.replayed()) == views(silent.state)

    @pytest.mark.clause("X-RESHUFFLE-WHEN")
    def test_cards_that_nobody_named_are_not_known_to_be_left_in_the_pile(self):
        """One of bo's two cards is the red 1 that was shuffled; the other may be the red 0."""
        match = low("basic", 1, turned="red-0")
        match = match.when(draw("bo", 2, cards=["red-1"], as_played=True))
        assert match.types == ["pile_reshuffled", "cards_drawn"]
        match.when(play("bo", "red-0"))


class TestForgottenForGood:
    @pytest.mark.clause("B-DRAW-TWO")
    def test_a_penalty_that_was_never_drawn_is_settled_by_a_draw_of_none(self):
        match = start("basic", 3).when(play("bo", "red-draw-two")).then(turn="ann")
        match = match.when(draw("cy", 0, as_played=True)).then(pending=(), violations=1)
        assert (match.types, flags(match)) == (["cards_drawn"], ["B-DRAW-TWO"])
        assert (counts(match)["cy"], match.board.draw_pile_count) == (7, 86)
        match = match.when(play("ann", "red-3"))
        assert match.types == ["card_played"]
        assert views(match.replayed()) == views(match.state)

    @pytest.mark.clause("B-LAST")
    def test_so_is_the_draw_for_a_last_card(self):
        match = start("basic", 2).when(shows("bo", "red-draw-two", as_played=True))
        match = match.when(play("bo", "red-draw-two"), draw("ann", 0, as_played=True))
        match = match.then(phase="showing_hands", pending=(), awaiting_hands=("ann",))
        match.when(shows("ann", *["red-1"] * 2, *["red-2"] * 2, *["red-3"] * 2, "wild"))

    @pytest.mark.clause("B-CHALLENGE", "M-STAR")
    @pytest.mark.parametrize("edition", ["basic", "mario"])
    def test_after_it_there_is_nothing_left_to_answer(self, edition):
        match = start(edition, 3).when(play("bo", "wild-draw-four", "red"))
        match = match.when(draw("cy", 0, as_played=True))
        assert match.refuses(challenge("cy", guilty=True)).reason == "no-challenge-open"
        if edition == "mario":
            assert broken(match.refuses(play("cy", "super-star", "red"))) == ["X-TURN"]

    @pytest.mark.clause("X-RESHUFFLE-WHEN")
    def test_where_nothing_is_left_to_draw_it_may_be_told_too(self):
        match = low("basic", 0, 3).when(play("bo", "red-draw-two"))
        match.when(draw("cy", 0, as_played=True)).then(pending=(), draw_pile_count=0)

    def test_who_owes_nothing_has_forgotten_nothing(self):
        match = start("basic", 3)
        refused = match.refuses(draw("bo", 0, as_played=True))
        assert (refused.reason, refused.facts) == ("nothing-owed", {"player": "bo"})
