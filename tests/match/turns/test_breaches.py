"""Whoever acts against a clause that all booklets have is refused, or flagged.

If a clause makes a player draw, the player breaks that clause by drawing fewer cards. If it ends or
moves the turn, acting otherwise breaks `X-TURN`. If it requires an event first, a later event is
impossible until then.
"""

import pytest

from tests.match.story import given, open_, sheet, tally
from tests.match.table import (
    broken,
    draw,
    first,
    flags,
    names,
    owing,
    passes,
    play,
    shows,
    start,
    told,
)

LETTERS = {"mario": "M", "basic": "B", "mickey": "D", "hello-kitty": "H", "classic-2025": "C"}
RED = ["red-1", "red-2", "red-3", "red-4", "red-6", "red-7", "red-8"]

in_all = pytest.mark.parametrize("edition", LETTERS)
in_four = pytest.mark.parametrize("edition", [one for one in LETTERS if one != "classic-2025"])


def of(edition, clause):
    return f"{LETTERS[edition]}-{clause}"


class TestTheDeal:
    @pytest.mark.breach("M-DECK", "B-DECK", "D-DECK", "H-DECK", "C-DECK")
    @pytest.mark.parametrize(
        ("edition", "card"),
        [
            ("mario", "red-ribbon"),
            ("basic", "super-star"),
            ("mickey", "blue-7"),
            ("hello-kitty", "question-block"),
            ("classic-2025", "swap-hands"),
        ],
    )
    def test_a_card_of_another_box(self, edition, card):
        assert start(edition).refuses(play("bo", card)).reason == "card-not-in-box"

    @pytest.mark.breach("M-DEAL", "B-DEAL", "D-DEAL", "H-DEAL", "C-DEAL")
    @in_all
    def test_eight_cards(self, edition):
        match = given(edition, 4, dealer="ann")
        deal = told("round_started", hands={"bo": [*RED, "red-9"]})
        assert broken(match.refuses(deal)) == [of(edition, "DEAL")]

    @pytest.mark.breach("M-DEALER", "B-DEALER", "D-DEALER", "H-DEALER", "X-DEALER-TIE")
    @in_four
    def test_a_draw_for_the_deal_without_everybody_or_by_those_who_did_not_tie(self, edition):
        match = given(edition, 3)
        lacking = told("dealer_drawn", draws={"ann": "red-9", "bo": "red-1"})
        assert match.refuses(lacking).reason == "draws-invalid"
        tied = {"ann": "red-9", "bo": "red-9", "cy": "red-1"}
        match = match.when(told("dealer_drawn", draws=tied))
        again = told("dealer_drawn", draws={"ann": "red-1", "cy": "red-9"})
        assert match.refuses(again).reason == "draws-invalid"

    @pytest.mark.breach("M-FIRST", "B-FIRST", "D-FIRST", "H-FIRST", "C-FIRST")
    @in_all
    def test_the_dealer_begins(self, edition):
        assert broken(start(edition).refuses(play("ann", "red-1"))) == ["X-TURN"]


class TestTheFirstCard:
    @pytest.mark.breach("M-UP-NUMBER", "B-UP-NUMBER", "D-UP-NUMBER", "H-UP-NUMBER")
    @in_four
    def test_a_colour_for_a_number(self, edition):
        refused = start(edition, turned=None).refuses(first("red-1", color="red"))
        assert refused.code == "color-not-open"

    @pytest.mark.breach("M-UP-DRAW-TWO", "B-UP-DRAW-TWO", "D-UP-DRAW-TWO", "H-UP-DRAW-TWO")
    @in_four
    def test_one_card_for_a_draw_two(self, edition):
        match = start(edition, turned="red-draw-two")
        assert flags(match.when(draw("bo", 1, as_played=True))) == [of(edition, "UP-DRAW-TWO")]

    @pytest.mark.breach("M-UP-SKIP", "B-UP-SKIP", "D-UP-SKIP", "H-UP-SKIP")
    @in_four
    def test_whoever_is_skipped_begins(self, edition):
        match = start(edition, turned="red-skip")
        assert broken(match.refuses(play("bo", "red-1"))) == ["X-TURN"]

    @pytest.mark.breach("M-UP-REVERSE", "B-UP-REVERSE", "D-UP-REVERSE", "H-UP-REVERSE")
    @pytest.mark.parametrize(
        ("edition", "wrong"),
        [("mario", "bo"), ("basic", "ann"), ("mickey", "bo"), ("hello-kitty", "bo")],
    )
    def test_the_wrong_one_begins_after_a_reverse(self, edition, wrong):
        match = start(edition, turned="red-reverse")
        assert broken(match.refuses(play(wrong, "red-1"))) == ["X-TURN"]

    @pytest.mark.breach("M-UP-WILD", "B-UP-WILD", "D-UP-WILD", "H-UP-WILD")
    @pytest.mark.breach("M-UP-STAR", "M-UP-BLOCK", "D-UP-FRIENDSHIP")
    @pytest.mark.parametrize(
        ("edition", "card"),
        [
            *((edition, "wild") for edition in LETTERS if edition != "classic-2025"),
            ("mario", "super-star"),
            ("mario", "question-block"),
            ("mickey", "wild-friendship"),
        ],
    )
    def test_the_dealer_names_the_colour_of_a_wild(self, edition, card):
        match = start(edition, turned=card)
        assert match.refuses(names("ann", "red")).reason == "not-their-color"
        assert match.refuses(play("bo", "red-1")).reason == "color-needed"

    @pytest.mark.breach("M-UP-WILD4", "B-UP-WILD4", "D-UP-WILD4", "H-UP-WILD4")
    @pytest.mark.breach("H-UP-RIBBON", "H-UP-SWAP", "C-UP")
    @pytest.mark.parametrize(
        ("edition", "card"),
        [
            *((edition, "wild-draw-four") for edition in LETTERS),
            ("hello-kitty", "red-ribbon"),
            ("hello-kitty", "swap-hands"),
            ("classic-2025", "red-skip"),
        ],
    )
    def test_play_on_a_card_that_does_not_begin(self, edition, card):
        assert start(edition, turned=card).refuses(play("bo", "red-1")).reason == "card-needed"


class TestActions:
    @pytest.mark.breach("M-DRAW-TWO", "B-DRAW-TWO", "D-DRAW-TWO", "H-DRAW-TWO", "C-DRAW-TWO")
    @pytest.mark.breach("M-WILD4", "B-WILD4", "D-WILD4", "H-WILD4", "C-WILD4")
    @in_all
    @pytest.mark.parametrize(
        ("laid", "clause"),
        [
            (play("bo", "red-draw-two"), "DRAW-TWO"),
            (play("bo", "wild-draw-four", "red"), "WILD4"),
        ],
    )
    def test_one_card_is_drawn_for_several(self, edition, laid, clause):
        match = start(edition).when(laid, draw("cy", 1, as_played=True))
        assert flags(match) == [of(edition, clause)]

    @pytest.mark.breach("M-STAR")
    def test_one_card_is_drawn_for_a_penalty_that_was_sent_back(self):
        match = start("mario").when(play("bo", "red-draw-two"), play("cy", "super-star", "red"))
        assert flags(match.when(draw("bo", 1, as_played=True))) == ["M-STAR"]

    @pytest.mark.breach("M-SKIP", "B-SKIP", "D-SKIP", "H-SKIP", "C-SKIP")
    @pytest.mark.breach("M-REVERSE", "B-REVERSE", "D-REVERSE", "H-REVERSE", "C-REVERSE")
    @in_all
    @pytest.mark.parametrize("card", ["red-skip", "red-reverse"])
    def test_whoever_is_passed_over_plays(self, edition, card):
        match = start(edition).when(play("bo", card))
        assert broken(match.refuses(play("cy", "red-1"))) == ["X-TURN"]

    @pytest.mark.breach("B-TWO", "H-TWO", "X-TWO")
    @in_all
    @pytest.mark.parametrize("card", ["red-reverse", "red-skip"])
    def test_the_other_of_two_plays_after_a_reverse_or_skip(self, edition, card):
        match = start(edition, 2).when(play("bo", card))
        assert broken(match.refuses(play("ann", "red-1"))) == ["X-TURN"]

    @pytest.mark.breach("M-WILD", "B-WILD", "D-WILD", "H-WILD", "C-WILD")
    @in_all
    def test_another_player_names_the_colour_of_a_wild_or_nobody(self, edition):
        match = start(edition).when(play("bo", "wild"))
        assert match.refuses(names("cy", "red")).reason == "not-their-color"
        for move in (play("cy", "red-1"), draw("cy"), passes("cy")):
            assert match.refuses(move).reason == "color-needed"

    @pytest.mark.breach("H-RIBBON")
    def test_a_green_card_goes_with_the_ribbon(self):
        discard = {"type": "discard", "player": "bo", "cards": ["green-1"]}
        laid = play("bo", "red-ribbon", "red", effects=[discard])
        assert start("hello-kitty", 3).refuses(laid).code == "effects-not-allowed"


class TestCalls:
    @pytest.mark.breach("M-WILD4-BLUFF", "B-WILD4-BLUFF", "D-WILD4-BLUFF", "H-WILD4-BLUFF")
    @pytest.mark.breach("C-WILD4-BLUFF", "B-MISPLAY", "H-MISPLAY", "X-MISPLAY", "X-MISPLAY-WHEN")
    @in_all
    def test_a_bluff_or_a_legal_play_is_called_a_misplay(self, edition):
        bluff = start(edition, 4, {"bo": ["wild-draw-four", *RED[:6]]})
        bluff = bluff.when(play("bo", "wild-draw-four", "red"))
        legal = start(edition).when(play("bo", "red-1"))
        late = start(edition).when(play("di", "red-1", as_played=True), play("ann", "red-2"))
        for match in (bluff, legal, late):
            refused = match.refuses(told("misplay_called", by="ann"))
            assert refused.reason == "no-misplay-open"

    @pytest.mark.breach("B-ADVICE", "H-ACCUSE")
    @pytest.mark.parametrize(
        ("edition", "called", "clause"),
        [
            ("basic", told("advice_called", player="di", by="ann"), "B-ADVICE"),
            ("hello-kitty", told("accusation_made", by="di", player="bo"), "H-ACCUSE"),
        ],
    )
    def test_one_card_is_drawn_for_advice_or_an_accusation(self, edition, called, clause):
        match = start(edition).when(called, draw("di", 1, as_played=True))
        assert flags(match) == [clause]


class TestTheEnd:
    @pytest.mark.breach("M-OUT", "B-OUT", "D-OUT", "H-OUT", "C-OUT")
    @in_all
    def test_a_winner_holds_a_card(self, edition):
        refused = given(edition, 3).refuses(tally("ann", ann=["red-1"], bo=1, cy=1))
        assert refused.reason == "winner-has-cards"

    @pytest.mark.breach("M-LAST", "B-LAST", "D-LAST", "H-LAST", "C-LAST")
    @in_all
    def test_a_hand_is_shown_without_the_cards_that_the_last_card_brings(self, edition):
        match = start(edition, 3, mode="winner-collects")
        match = match.when(shows("bo", "red-draw-two", as_played=True), play("bo", "red-draw-two"))
        assert broken(match.refuses(shows("cy", *RED))) == ["X-COUNT"]

    @pytest.mark.breach("X-LAST")
    @in_all
    def test_somebody_is_caught_after_the_last_card(self, edition):
        match = start(edition, 3, mode="winner-collects")
        match = match.when(shows("bo", "wild", as_played=True), play("bo", "wild"))
        caught = told("uno_caught", player="bo", by="ann")
        assert match.refuses(caught).reason == "wrong-phase"
        assert match.refuses(names("bo", "red")).reason == "wrong-phase"
        assert match.refuses(draw("ann")).reason == "wrong-phase"

    @pytest.mark.breach("M-SCORE", "D-SCORE", "H-SCORE-500", "C-SCORE")
    @pytest.mark.parametrize("edition", ["mario", "mickey", "hello-kitty", "classic-2025"])
    def test_a_loser_scores_where_the_winner_collects(self, edition):
        match = given(edition, 3, "winner-collects")
        refused = match.refuses(sheet("ann", ann=9, bo=1, cy=0))
        assert refused.reason == "score-contradicts-mode"

    @pytest.mark.breach("B-SCORE", "M-ALT", "D-ALT")
    @pytest.mark.parametrize("edition", ["basic", "mario", "mickey"])
    def test_the_winner_scores_where_everybody_counts_the_own_hand(self, edition):
        match = given(edition, 3, "lowest-total")
        refused = match.refuses(sheet("ann", ann=1, bo=9, cy=9))
        assert refused.reason == "score-contradicts-mode"

    @pytest.mark.breach("H-PLUSMINUS", "H-ELIMINATION", "C-FIRST-OUT")
    @pytest.mark.parametrize(
        ("edition", "mode", "told", "reason"),
        [
            ("hello-kitty", "plus-minus", sheet("ann", ann=9, bo=-4, cy=-4), "do-not-balance"),
            ("hello-kitty", "elimination", sheet("ann", ann=0, bo=-1, cy=4), "contradicts-mode"),
            ("classic-2025", "first-out", sheet("ann", ann=1, bo=0, cy=0), "contradicts-mode"),
        ],
    )
    def test_a_sheet_that_the_mode_cannot_have_made(self, edition, mode, told, reason):
        refused = given(edition, 3, mode, rounds=3).refuses(told)
        assert refused.reason is not None
        assert refused.reason.endswith(reason)

    @pytest.mark.breach("B-TEAM", "X-TEAM")
    def test_partners_side_by_side_or_with_scores_of_their_own(self):
        beside = open_("basic", 4, teams=[["ann", "bo"], ["cy", "di"]])
        assert beside.code == "teams-not-opposite"
        match = given("basic", 4, teams=[["ann", "cy"], ["bo", "di"]])
        refused = match.refuses(sheet("ann", ann=5, cy=6, bo=9, di=9))
        assert refused.reason == "score-contradicts-mode"


@pytest.mark.clause("B-DRAW-TWO", "B-ADVICE", "H-TWO", "H-ACCUSE")
@pytest.mark.breach("B-ADVICE", "H-ACCUSE")
def test_of_several_debts_the_one_is_broken_that_the_cards_do_not_reach():
    """The oldest debt is paid first. A gift takes no card from the pile."""
    advised = told("advice_called", player="cy", by="ann")
    match = start("basic").when(play("bo", "red-draw-two"), advised)
    for count, clause in ((1, "B-DRAW-TWO"), (2, "B-ADVICE"), (5, "B-ADVICE")):
        assert flags(match.when(draw("cy", count, as_played=True))) == [clause]
    accused = told("accusation_made", by="bo", player="ann")
    match = start("hello-kitty", 2).when(play("bo", "red-ribbon", "red"), accused)
    assert owing(match) == [("bo", 1, "H-TWO"), ("bo", 2, "H-ACCUSE")]
    assert flags(match.when(draw("bo", 1, as_played=True))) == ["H-ACCUSE"]
