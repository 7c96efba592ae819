"""Unusual cases of the piles: how they are dealt, the first card, and piles that run dry."""

import pytest

from tests.match.story import given
from tests.match.table import counts, draw, first, owing, passes, play, start


class TestPiles:
    @pytest.mark.clause("B-DEAL", "B-FIRST")
    def test_a_draw_pile_is_whole_and_checked_at_every_draw(self):
        box = given("basic", 2).state.box
        cards = sorted(card for card, count in box.counts.items() for _ in range(count))
        hands = {"ann": cards[:7], "bo": cards[7:14]}
        pile = ["red-5", "wild", *[c for c in cards[14:] if c not in ("red-5", "wild")]]
        pile += ["red-5", "wild", "wild", "wild"]
        match = start("basic", 2, hands, draw_pile=pile, turned=None)
        assert match.refuses(first("red-6")).reason == "card-not-on-top"
        match = match.when(first("red-5"))
        refusal = match.refuses(draw("bo", cards=["red-9"]))
        assert refusal.reason == "draw-contradicts-pile"
        assert match.when(draw("bo")).state.hands["bo"].known[-1] == "wild"

    @pytest.mark.clause("H-UP-WILD4", "H-UP-RIBBON", "H-UP-SWAP")
    def test_what_goes_back_under_the_pile(self):
        match = start("hello-kitty", turned="wild-draw-four")
        match.then(phase="turning", draw_pile_count=84, top_card=None)
        match.when(first("red-1")).then(phase="playing", draw_pile_count=83)

    @pytest.mark.clause("B-RESHUFFLE", "X-RESHUFFLE-WHEN")
    def test_one_reshuffle_before_a_draw_that_the_pile_cannot_fill(self):
        match = start("basic", 2, turned="red-5").when(draw("bo", 91, as_played=True))
        match = match.when(passes("bo"), play("ann", "red-draw-two")).then(draw_pile_count=2)
        match = match.when(draw("bo", 2)).then(draw_pile_count=0)
        assert match.types == ["cards_drawn"]
        match = match.when(play("ann", "wild", "red"), draw("bo", 1))
        assert match.types == ["card_played", "pile_reshuffled", "cards_drawn"]
        match.then(draw_pile_count=1, top_card="wild", color="red")

    @pytest.mark.clause("X-RESHUFFLE-WHEN")
    def test_a_forced_draw_takes_what_there_is(self):
        match = start("basic", 2, turned="red-5").when(draw("bo", 93, as_played=True), passes("bo"))
        match = match.when(play("ann", "red-draw-two")).then(draw_pile_count=0)
        match = match.when(play("ann", "red-3"))
        assert match.types == ["pile_reshuffled", "cards_drawn", "card_played"]
        assert (owing(match), counts(match)["bo"]) == ([], 7 + 93 + 1)

    @pytest.mark.clause("X-RESHUFFLE-WHEN")
    @pytest.mark.breach("X-RESHUFFLE-WHEN")
    def test_if_both_piles_run_dry_a_pass_needs_no_draw(self):
        match = start("basic", 2, turned="red-5").when(draw("bo", 93, as_played=True), passes("bo"))
        match = match.then(draw_pile_count=0)
        assert match.refuses(draw("ann")).reason == "pile-too-short"
        match.when(passes("ann")).then(turn="bo")
