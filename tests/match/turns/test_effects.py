"""Unusual effects of cards: question-blocks, discards, exchanges and gifts."""

import pytest

from tests.match.table import broken, counts, draw, flags, owing, play, shows, small, start, told


class TestEffects:
    @pytest.mark.clause("M-BLOCK")
    @pytest.mark.breach("M-BLOCK")
    def test_where_a_block_has_none(self):
        effect = [{"type": "draw", "player": "cy", "count": 1}]
        block = play("bo", "question-block", "red", effects=effect)
        assert start("mario").refuses(block).code == "effects-not-allowed"
        agreed = {"options": {"question_block": "draw one"}}
        last = small("mario", 3, {"bo": ["question-block"]}, **agreed)
        assert last.refuses(block).code == "effects-not-allowed"
        match = start("mario", **agreed).when(block)
        assert counts(match) == {"ann": 7, "bo": 6, "cy": 8, "di": 7}

    @pytest.mark.clause("M-BLOCK")
    @pytest.mark.parametrize(
        ("effect", "refused"),
        [
            ({"type": "give", "from": "cy", "to": "cy", "count": 1}, "effects-not-allowed"),
            ({"type": "give", "from": "cy", "to": "di", "count": 8}, "card-not-in-hand"),
            (
                {"type": "draw", "player": "cy", "count": 1, "cards": ["red-1", "red-2"]},
                "draw-invalid",
            ),
        ],
    )
    def test_what_a_block_can_not_have_done(self, effect, refused):
        match = start("mario", options={"question_block": "as we like"})
        found = match.refuses(play("bo", "question-block", "red", effects=[effect]))
        assert (found.reason or found.code) == refused

    @pytest.mark.clause("M-BLOCK")
    @pytest.mark.parametrize(
        ("told_so", "drawn"),
        [({}, 1), ({"cards": ["red-1", "red-2"]}, 2), ({"count": 3, "cards": ["red-1"]}, 3)],
    )
    def test_a_block_makes_somebody_draw_one_card_unless_more_are_told(self, told_so, drawn):
        effect = {"type": "draw", "player": "cy", **told_so}
        match = start("mario", options={"question_block": "as we like"})
        match = match.when(play("bo", "question-block", "red", effects=[effect]))
        assert counts(match) == {"ann": 7, "bo": 6, "cy": 7 + drawn, "di": 7}

    @pytest.mark.clause("H-TWO")
    def test_a_gift_of_more_than_one_card_is_none_of_a_ribbons(self):
        gift = [{"type": "give", "from": "bo", "to": "ann", "count": 2}]
        refused = start("hello-kitty", 2).refuses(play("bo", "red-ribbon", "red", effects=gift))
        assert refused.code == "effects-not-allowed"

    @pytest.mark.clause("M-BLOCK", "X-TURN", "M-KEEP")
    @pytest.mark.breach("X-TURN", "M-KEEP")
    @pytest.mark.parametrize("skips", ["ann", "di"])
    def test_a_draw_out_of_turn_is_the_turn_of_its_player_whoever_is_to_be_skipped(self, skips):
        """Di draws when it is cy's turn, and may play no card but the one that di has drawn."""
        skip = [{"type": "skip", "player": skips}]
        match = start("mario", options={"question_block": "somebody sits out"})
        match = match.when(play("bo", "question-block", "red", effects=skip))
        match = match.when(draw("di", cards=["red-1"], as_played=True)).then(turn="di")
        assert flags(match) == ["X-TURN"]
        other = play("di", "red-2")
        known = match.when(shows("di", *(f"red-{n}" for n in (1, 2, 3, 4, 6, 7, 8)), "red-9"))
        assert broken(known.refuses(other)) == ["M-KEEP"]
        assert not flags(match.when(play("di", "red-1")))

    @pytest.mark.clause("M-BLOCK")
    def test_after_a_blocks_discard_the_colour_named_stays(self):
        effect = [{"type": "discard", "player": "di", "cards": ["green-3"]}]
        match = start("mario", options={"question_block": "throw one away"})
        match = match.when(play("bo", "question-block", "blue", effects=effect))
        match.then(top_card="green-3", color="blue").when(play("cy", "red-3"))
        match.when(play("cy", "blue-9"))
        assert broken(match.refuses(play("cy", "green-9"))) == ["M-MATCH"]

    @pytest.mark.clause("M-BLOCK")
    def test_nobody_discards_a_card_that_a_known_hand_lacks(self):
        hand = [f"green-{number}" for number in range(7)]
        match = start("mario", 4, {"cy": hand}, options={"question_block": "throw one away"})
        effect = [{"type": "discard", "player": "cy", "cards": ["red-1"]}]
        refused = match.refuses(play("bo", "question-block", "red", effects=effect))
        assert (refused.reason, refused.facts["player"]) == ("card-not-in-hand", "cy")

    @pytest.mark.clause("D-FRIENDSHIP")
    @pytest.mark.breach("D-FRIENDSHIP")
    def test_too_many_discards_or_another_kind_of_effect(self):
        match = start("mickey")
        for effect in (
            {"type": "discard", "player": "bo", "cards": ["red-1", "red-2", "red-3"]},
            {"type": "discard", "player": "cy", "cards": ["red-1", "red-2"]},
            {"type": "reverse"},
        ):
            refused = match.refuses(play("bo", "wild-friendship", effects=[effect]))
            assert refused.code == "effects-not-allowed"

    @pytest.mark.clause("H-SWAP")
    @pytest.mark.breach("H-SWAP")
    def test_a_swap_names_every_player(self):
        match = start("hello-kitty", 3)
        swap = {"type": "swap", "hands": {"ann": "bo", "bo": "ann"}}
        refused = match.refuses(play("bo", "swap-hands", "red", effects=[swap]))
        assert refused.code == "effects-not-allowed"
        whole = {"type": "swap", "hands": {"ann": "bo", "bo": "ann", "cy": "cy"}}
        match = match.when(play("bo", "swap-hands", "red", effects=[whole]))
        assert counts(match) == {"ann": 6, "bo": 7, "cy": 7}

    @pytest.mark.clause("H-SWAP")
    @pytest.mark.breach("H-SWAP")
    @pytest.mark.parametrize("twice", [{"ann": "bo"}, {"ann": "jo"}])
    def test_a_swap_gives_every_hand_to_one_player(self, twice):
        swap = {"type": "swap", "hands": {"ann": "ann", "bo": "bo", "cy": "cy"} | twice}
        match = start("hello-kitty", 3)
        refused = match.refuses(play("bo", "swap-hands", "red", effects=[swap]))
        assert refused.code == "effects-not-allowed"

    @pytest.mark.clause("H-SWAP")
    @pytest.mark.breach("H-SWAP")
    @pytest.mark.parametrize(
        "effects",
        [
            [{"type": "reverse"}],
            [{"type": "draw", "player": "cy", "count": 1}],
            [{"type": "swap", "hands": {"ann": "bo", "bo": "cy", "cy": "ann"}}] * 2,
        ],
    )
    def test_swap_hands_does_nothing_but_one_swap(self, effects):
        refused = start("hello-kitty", 3).refuses(play("bo", "swap-hands", "red", effects=effects))
        assert refused.code == "effects-not-allowed"

    @pytest.mark.clause("H-SWAP", "X-UNO")
    def test_whoever_had_called_calls_again_for_the_single_card_of_another(self):
        hands = {"ann": ["red-1"], "bo": ["swap-hands", "red-2", "red-3"], "cy": ["red-4"]}
        match = small("hello-kitty", 3, hands).when(told("uno_called", player="cy"))
        match = match.when(play("bo", "swap-hands", "red"))
        match = match.when(told("uno_caught", player="cy", by="ann"))
        assert owing(match) == [("cy", 2, "H-UNO")]

    @pytest.mark.clause("H-TWO", "H-RIBBON")
    def test_an_untold_gift_is_written_like_a_debt(self):
        match = start("hello-kitty", 2).when(play("bo", "red-ribbon", "red")).then(turn="ann")
        (gift,) = match.board.pending
        assert (gift.kind, gift.player, gift.count, gift.clause) == ("give", "bo", 1, "H-TWO")
        match = match.when(play("ann", "red-1"))
        assert match.types == ["card_given", "card_played"]
        assert counts(match) == {"ann": 7, "bo": 5}
        gift = {"type": "give", "from": "bo", "to": "ann", "cards": ["red-9"]}
        match = start("hello-kitty", 2).when(play("bo", "red-ribbon", "red", effects=[gift]))
        assert (owing(match), counts(match)) == ([], {"ann": 8, "bo": 5})

    @pytest.mark.clause("H-RIBBON", "H-TWO")
    @pytest.mark.parametrize("given", [{"count": 1}, {"cards": ["green-1"]}])
    def test_the_ribbon_lies_on_what_is_laid_off_with_it_whatever_is_given(self, given):
        off = {"type": "discard", "player": "bo", "cards": ["red-1", "red-2"]}
        gift = {"type": "give", "from": "bo", "to": "ann", **given}
        match = start("hello-kitty", 2)
        match = match.when(play("bo", "red-ribbon", "blue", effects=[off, gift]))
        assert match.state.table is not None
        assert match.state.table.discards == ("red-5", "red-1", "red-2", "red-ribbon")

    @pytest.mark.clause("H-TWO", "H-UNO", "X-UNO")
    def test_a_call_with_a_ribbon_is_for_the_card_that_the_gift_leaves(self):
        hands = {"bo": ["red-ribbon", "green-1", "red-2"]}
        gift, caught = (
            told("card_given", player="bo", to="ann"),
            told("uno_caught", player="bo", by="ann"),
        )
        match = small("hello-kitty", 2, hands).when(play("bo", "red-ribbon", "red", uno=True))
        assert owing(match.when(gift, caught)) == []
        silent = small("hello-kitty", 2, hands).when(play("bo", "red-ribbon", "red"))
        assert owing(silent.when(gift, caught)) == [("bo", 2, "H-UNO")]
        more = small("hello-kitty", 2, {"bo": [*hands["bo"], "red-3"]})
        more = more.when(play("bo", "red-ribbon", "red", uno=True), gift, play("ann", "red-9"))
        assert owing(more.when(play("bo", "red-2"), caught)) == [("bo", 2, "H-UNO")]

    @pytest.mark.clause("H-TWO")
    def test_giving_the_last_card_away_wins(self):
        match = small("hello-kitty", 2, {"bo": ["red-ribbon", "green-1"]})
        match = match.when(play("bo", "red-ribbon", "red"))
        match = match.when(told("card_given", player="bo", to="ann")).then(phase="showing_hands")
        assert (match.state.hands["ann"].known, counts(match)["ann"]) == (("green-1",), 8)

    @pytest.mark.clause("H-TWO", "X-TURN")
    def test_whoever_lays_the_last_card_before_giving_it_away_has_none_to_give(self):
        """Bo lays it out of turn. The round does not wait for a gift that nobody can tell."""
        match = small("hello-kitty", 2, {"bo": ["red-ribbon", "red-1"]})
        match = match.when(play("bo", "red-ribbon", "red"), play("bo", "red-1", as_played=True))
        match.then(phase="showing_hands", pending=())
        match = match.when(told("hand_counted", player="ann", points=30)).then(phase="ready")
        match.then_scores(ann=0, bo=30)


PINK_AND_ORANGE = {
    "extra_cards": {
        "pink-5": {"count": 2, "points": 40},
        "orange-draw-two": {"count": 2, "points": 40},
    }
}


class TestAnExtraCardWithTheNameOfAnotherBoxesCard:
    """It plays as a wild in a box that has no pink and no orange cards."""

    @pytest.mark.clause("C-DECK", "C-MATCH")
    def test_goes_on_any_card_and_names_a_colour(self):
        match = start("classic-2025", turned="blue-8", options=PINK_AND_ORANGE)
        match = match.when(play("bo", "pink-5")).then(color_pending="bo")
        match = match.when(told("color_named", player="bo", color="green")).then(color="green")
        assert broken(match.refuses(play("cy", "red-5"))) == ["C-MATCH"]

    @pytest.mark.clause("C-DECK", "C-LAST")
    def test_forces_nothing_as_a_last_card(self):
        match = small("classic-2025", 3, {"bo": ["orange-draw-two"]}, options=PINK_AND_ORANGE)
        match.when(play("bo", "orange-draw-two")).then(winners=("bo",), status="won", pending=())

    @pytest.mark.clause("C-DECK", "V-STACK-TWO")
    @pytest.mark.breach("V-STACK-TWO")
    def test_is_not_stacked_on_a_penalty(self):
        match = start("classic-2025", options=PINK_AND_ORANGE, house_rules={"stacking": "draw-two"})
        match = match.when(play("bo", "red-draw-two"))
        assert broken(match.refuses(play("cy", "orange-draw-two", "red"))) == ["V-STACK-TWO"]

    @pytest.mark.clause("C-DECK", "C-LAST")
    def test_forces_nothing_as_a_last_card_though_it_is_called_as_a_symbol(self):
        options = {"extra_cards": {"draw-two": {"count": 2, "points": 40}}}
        match = small("classic-2025", 3, {"bo": ["draw-two"]}, options=options)
        match = match.when(play("bo", "draw-two")).then(winners=("bo",), status="won")
        assert match.types == ["card_played", "round_ended", "match_won"]

    @pytest.mark.clause("C-DECK", "V-AT-ONCE")
    @pytest.mark.breach("V-AT-ONCE")
    @pytest.mark.parametrize("symbol", ["skip", "7"])
    def test_is_laid_one_at_a_time_though_it_is_called_as_a_symbol(self, symbol):
        options = {"extra_cards": {symbol: {"count": 2, "points": 40}}}
        rules = {"at_once": "identical"}
        match = start("classic-2025", options=options, house_rules=rules)
        assert broken(match.refuses(play("bo", symbol, "red", count=2))) == ["V-AT-ONCE"]

    @pytest.mark.clause("C-DECK", "C-WILD4-LEGAL")
    @pytest.mark.breach("C-WILD4-LEGAL")
    def test_forbids_a_wild_draw_four_beside_it(self):
        hands = {"bo": ["wild-draw-four", "pink-5", *(f"blue-{n}" for n in (1, 2, 3, 4, 6))]}
        match = start("classic-2025", hands=hands, options=PINK_AND_ORANGE)
        assert flags(match.when(play("bo", "wild-draw-four", "red"))) == ["C-WILD4-LEGAL"]
