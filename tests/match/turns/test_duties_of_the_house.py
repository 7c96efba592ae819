"""House rules: drawing until a card can be played, and cards that have to be played."""

from collections import Counter

import pytest

from scorekeeper.editions.house_rules.registry import REVISION
from tests.match.judging import verdicts
from tests.match.story import given
from tests.match.table import (
    broken,
    counts,
    draw,
    first,
    flags,
    passes,
    play,
    shows,
    small,
    start,
    told,
)

UNTIL = {"drawing": "until-playable"}
DRAWN = {"forced_play": "drawn"}
HAND = {"forced_play": "hand"}


def drawn(*cards, player="bo", **fields):
    return draw(player, cards=list(cards), **fields)


def words(match):
    """Return the verdict on each entry after the opening."""
    opened = match.replayed(1)
    return [each.verdict for each in verdicts(opened, match.log[1:])]


def from_a_known_pile(*on_top):
    """A round whose known pile begins with these cards. No hand has a card that fits the red 5."""
    box = Counter(given("basic", 2).state.box.counts) - Counter(["red-5", *on_top])
    quiet = [f"{color}-{n}" for color in ("blue", "green") for n in (1, 2, 3, 4) for _ in range(2)]
    hands = {"ann": quiet[:7], "bo": quiet[7:14]}
    rest = (box - Counter(quiet[:14])).elements()
    return start("basic", 2, hands, draw_pile=["red-5", *on_top, *rest], house_rules=UNTIL)


class TestDrawingUntilPlayable:
    @pytest.mark.clause("V-DRAW-UNTIL")
    def test_the_draw_goes_on_and_the_card_is_played_or_kept(self):
        match = start("basic", house_rules=UNTIL)
        match = match.when(drawn("blue-1", "green-2"), drawn("red-9"))
        assert flags(match) == []
        match.when(play("bo", "red-9")).then(turn="cy", violations=0)
        match.when(passes("bo")).then(turn="cy", violations=0)

    @pytest.mark.breach("V-DRAW-UNTIL")
    def test_past_a_card_that_can_be_played(self):
        match = start("basic", house_rules=UNTIL)
        assert flags(match.when(drawn("red-9", "blue-1"))) == ["V-DRAW-UNTIL"]
        assert flags(match.when(drawn("red-9"), drawn("blue-1"))) == ["V-DRAW-UNTIL"]
        assert flags(match.when(drawn("blue-1", "red-9"))) == []

    @pytest.mark.clause("V-DRAW-UNTIL", "B-ADVICE")
    @pytest.mark.breach("V-DRAW-UNTIL")
    def test_past_a_card_that_is_known_by_the_pile(self):
        """Cards that pay a debt are drawn first. The search begins with the card after them."""
        past = from_a_known_pile("red-9", "blue-9")
        assert flags(past.when(draw("bo", 2))) == ["V-DRAW-UNTIL"]
        assert words(past.when(draw("bo", 2)))[-1] == "illegal"
        assert flags(past.when(draw("bo"), draw("bo"))) == ["V-DRAW-UNTIL"]
        match = from_a_known_pile("blue-9", "red-9", "green-9").when(draw("bo", 2))
        assert flags(match) == []
        assert flags(match.when(draw("bo"))) == ["V-DRAW-UNTIL"]
        advised = from_a_known_pile("red-1", "red-2", "red-3", "red-4", "blue-9", "red-9")
        advised = advised.when(told("advice_called", player="bo", by="ann"), draw("bo", 6))
        assert flags(advised) == []
        assert words(advised)[-1] == "legal"

    @pytest.mark.breach("V-DRAW-UNTIL")
    def test_passing_too_early(self):
        match = start("basic", house_rules=UNTIL).when(drawn("blue-1"))
        told_ = match.when(passes("bo"))
        assert flags(told_) == ["V-DRAW-UNTIL"]
        told_.then(violations=1)
        inferred = match.when(play("cy", "red-3"))
        assert inferred.types == ["turn_passed", "card_played"]
        assert flags(inferred) == ["V-DRAW-UNTIL"]
        inferred.then(violations=1)

    @pytest.mark.breach("V-DRAW-UNTIL")
    def test_passing_without_a_draw(self):
        assert broken(start("basic", house_rules=UNTIL).refuses(passes("bo"))) == ["V-DRAW-UNTIL"]

    def test_a_wild_draw_four_may_end_it_or_not(self):
        match = start("basic", house_rules=UNTIL).when(drawn("blue-1", "wild-draw-four"))
        match.when(passes("bo")).then(violations=0)
        on = match.when(drawn("red-9"))
        on.then(violations=0)
        assert flags(match.when(drawn("green-1"), passes("bo"))) == ["V-DRAW-UNTIL"]

    def test_it_may_be_ended_by_a_wild_draw_four_behind_a_card_that_is_shown_later(self):
        """Blue-1 was drawn first, and the hand does not say so."""
        held = ["blue-2", "blue-3", "blue-4", "green-1", "green-2", "green-3", "green-4"]
        match = start("mario", 3, {"bo": held}, house_rules=UNTIL)
        match = match.when(draw("bo"), drawn("wild-draw-four"))
        match = match.when(shows("bo", *held, "wild-draw-four", "blue-1"), passes("bo"))
        assert flags(match) == []

    @pytest.mark.clause("V-DRAW-UNTIL")
    def test_both_piles_dry(self):
        match = start("basic", 2, house_rules=UNTIL).when(draw("bo", 93))
        match = match.then(draw_pile_count=0).when(passes("bo"))
        match.then(turn="ann", violations=0)
        assert words(match)[-1] == "legal"

    @pytest.mark.clause("V-DRAW-UNTIL", "B-ADVICE")
    @pytest.mark.breach("B-ADVICE")
    def test_a_debt_that_nobody_draws_breaks_no_duty_though_the_pile_is_empty(self):
        match = start("basic", 2, house_rules=UNTIL).when(draw("bo", 93), play("bo", "red-1"))
        match = match.when(told("advice_called", player="ann", by="bo"))
        match = match.then(draw_pile_count=0).when(draw("ann", 0, as_played=True))
        assert flags(match) == ["B-ADVICE"]

    def test_penalties_are_drawn_exactly(self):
        match = start("basic", house_rules=UNTIL).when(play("bo", "red-draw-two"))
        assert broken(match.refuses(draw("cy", 3))) == ["V-DRAW-UNTIL"]

    def test_what_nobody_knows_is_unknown(self):
        match = start("basic", house_rules=UNTIL).when(draw("bo", 3), passes("bo"))
        assert words(match)[-2:] == ["unknown", "unknown"]
        assert words(match.when(play("cy", "red-1")))[-1] == "legal"

    @pytest.mark.clause("V-DRAW-UNTIL")
    def test_a_draw_that_goes_on_may_have_gone_past_a_card_that_nobody_saw(self):
        match = start("mario", house_rules=UNTIL)
        assert words(match.when(draw("bo"), draw("bo")))[-2:] == ["legal", "unknown"]
        assert words(match.when(drawn("blue-1"), draw("bo")))[-2:] == ["legal", "legal"]
        assert words(match.when(drawn("blue-1"), draw("bo", 2)))[-2:] == ["legal", "unknown"]
        assert words(match.when(drawn("red-9", count=2)))[-1] == "unknown"

    @pytest.mark.clause("V-DRAW-UNTIL", "B-ADVICE")
    @pytest.mark.breach("V-DRAW-UNTIL")
    def test_of_two_cards_that_fit_one_was_drawn_past_unless_it_may_have_paid_a_debt(self):
        match = start("basic", house_rules=UNTIL)
        assert flags(match.when(drawn("red-9", "red-8", count=3))) == ["V-DRAW-UNTIL"]
        assert flags(match.when(drawn("red-9", "blue-8", count=3))) == []
        match = match.when(told("advice_called", player="bo", by="ann"))
        assert flags(match.when(drawn("red-9", "red-8", count=6))) == []

    @pytest.mark.clause("V-DRAW-UNTIL")
    @pytest.mark.breach("V-DRAW-UNTIL")
    def test_where_all_cards_that_fit_are_in_the_hands_none_was_drawn(self):
        box = Counter(given("classic-2025", 2).state.box.counts) - Counter(["red-5"])
        fits = [c for c in box.elements() if c.startswith(("red", "wild")) or c.endswith("-5")]
        house = {**UNTIL, "hand_size": 20}
        hands = {"ann": fits[:20], "bo": [*fits[20:], "blue-1", "blue-2"]}
        match = start("classic-2025", 2, hands, house_rules=house).when(draw("bo", 2))
        assert words(match)[-1] == "legal"
        match = match.when(passes("bo"))
        assert (flags(match), words(match)[-1]) == (["V-DRAW-UNTIL"], "illegal")
        # Only a wild-draw-four may be among the drawn cards. It may end the drawing.
        fits.remove("wild-draw-four")
        hands = {"ann": fits[:20], "bo": [*fits[20:], "blue-1", "blue-2", "blue-3"]}
        match = start("classic-2025", 2, hands, house_rules=house).when(draw("bo", 2), passes("bo"))
        assert (flags(match), words(match)[-1]) == ([], "unknown")

    @pytest.mark.clause("V-DRAW-UNTIL", "V-FORCE-DRAWN", "M-KEEP")
    @pytest.mark.breach("V-FORCE-DRAWN", "V-DRAW-UNTIL")
    def test_what_was_drawn_first_counts_until_the_turn_ends(self):
        match = start("mario", house_rules={**UNTIL, **DRAWN})
        match = match.when(drawn("red-9"), drawn("blue-1"))
        assert flags(match.when(passes("bo"))) == ["V-FORCE-DRAWN"]
        assert flags(match.when(drawn("blue-2"))) == ["V-DRAW-UNTIL"]
        assert flags(match.when(play("bo", "red-9")).then(turn="cy")) == []


class TestForcedPlay:
    @pytest.mark.clause("V-FORCE-DRAWN")
    @pytest.mark.breach("V-FORCE-DRAWN")
    @pytest.mark.parametrize("house_rules", [DRAWN, HAND])
    def test_a_drawn_card_that_fits(self, house_rules):
        match = start("mario", house_rules=house_rules).when(drawn("red-9"))
        assert flags(match.when(passes("bo"))) == ["V-FORCE-DRAWN"]
        assert flags(match.when(play("cy", "red-3"))) == ["V-FORCE-DRAWN"]
        match.when(play("bo", "red-9")).then(violations=0)

    @pytest.mark.parametrize("card", ["blue-1", "wild-draw-four"])
    def test_other_cards_may_be_kept(self, card):
        match = start("mario", house_rules=DRAWN).when(drawn(card), passes("bo"))
        match.then(violations=0)

    @pytest.mark.clause("V-FORCE-HAND")
    @pytest.mark.breach("V-FORCE-HAND", "B-KEEP", "H-KEEP")
    @pytest.mark.parametrize(
        ("edition", "clause"),
        [
            ("mario", "V-FORCE-HAND"),
            ("mickey", "V-FORCE-HAND"),
            ("classic-2025", "V-FORCE-HAND"),
            ("basic", "B-KEEP"),
            ("hello-kitty", "H-KEEP"),
        ],
    )
    def test_nobody_draws_beside_a_card_that_fits(self, edition, clause):
        color = "pink" if edition == "mickey" else "red"
        held = {"bo": [f"{color}-1"]}
        turned = f"{color}-5"
        match = start(edition, hands=held, turned=turned, house_rules=HAND).when(draw("bo"))
        assert flags(match) == [clause]
        free = start(edition, hands={"bo": ["wild-draw-four"]}, turned=turned, house_rules=HAND)
        assert flags(free.when(draw("bo"))) == (["H-KEEP"] if clause == "H-KEEP" else [])

    def test_what_nobody_knows_is_unknown(self):
        match = start("mario", house_rules=HAND).when(draw("bo"), passes("bo"))
        assert words(match)[-2:] == ["unknown", "unknown"]

    def test_a_last_card_that_is_forbidden_is_no_card_to_be_played(self):
        house = {**HAND, "last_card": "no-wild"}
        match = small("mario", 4, {"bo": ["wild"]}, house_rules=house).when(draw("bo"))
        assert flags(match) == []


class TestTheLastCard:
    @pytest.mark.clause("V-LAST-NO-WILD", "V-LAST-NUMBER")
    @pytest.mark.breach("V-LAST-NO-WILD", "V-LAST-NUMBER")
    @pytest.mark.parametrize(
        ("variant", "clause", "forbidden", "allowed"),
        [
            ("no-wild", "V-LAST-NO-WILD", ["wild", "wild-draw-four"], ["red-skip", "red-1"]),
            ("number", "V-LAST-NUMBER", ["wild", "red-skip", "red-draw-two"], ["red-1"]),
        ],
    )
    def test_each_variant(self, variant, clause, forbidden, allowed):
        for card in forbidden:
            match = small("basic", 4, {"bo": [card]}, house_rules={"last_card": variant})
            assert broken(match.refuses(play("bo", card))) == [clause]
            match.when(play("bo", card, as_played=True)).then(phase="showing_hands")
        for card in allowed:
            match = small("basic", 4, {"bo": [card]}, house_rules={"last_card": variant})
            assert flags(match.when(play("bo", card)).then(phase="showing_hands")) == []

    @pytest.mark.breach("V-LAST-NO-WILD")
    def test_with_its_effects(self):
        hands = {"bo": ["red-ribbon", "red-3"], "cy": ["red-4"]}
        match = small("hello-kitty", 4, hands, house_rules={"last_card": "no-wild"})
        off = [{"type": "discard", "player": "bo", "cards": ["red-3"]}]
        assert broken(match.refuses(play("bo", "red-ribbon", effects=off))) == ["V-LAST-NO-WILD"]
        match.when(play("bo", "red-ribbon", "red")).then(phase="playing")

    def test_hands_emptied_by_anothers_card_are_not_judged(self):
        hands = {"bo": ["wild-friendship", "pink-1"], "cy": ["wild"]}
        match = small("mickey", 4, hands, turned="pink-5", house_rules={"last_card": "no-wild"})
        off = [{"type": "discard", "player": "cy", "cards": ["wild"]}]
        won = match.when(play("bo", "wild-friendship", effects=off))
        won.then(phase="showing_hands")
        assert flags(won) == []

    def test_a_last_card_given_away_is_not_judged_however_the_gift_is_told(self):
        hands = {"bo": ["red-ribbon", "red-3"]}
        match = small("hello-kitty", 2, hands, house_rules={"last_card": "no-wild"})
        gift = {"from": "bo", "to": "ann"}
        told_with_it = [{"type": "give", **gift, "cards": ["red-3"]}]
        at_once = match.when(play("bo", "red-ribbon", "red", effects=told_with_it))
        afterwards = match.when(
            play("bo", "red-ribbon", "red"), told("card_given", player="bo", to="ann", card="red-3")
        )
        for won in (at_once, afterwards):
            assert flags(won.then(phase="showing_hands")) == []


def test_a_house_rule_that_says_what_the_booklet_says_changes_nothing():
    chosen = {"stacking": "none", "uno_penalty": 2, "hand_size": 7, "last_card": "any"}
    match = start("basic", house_rules=chosen)
    match.then(house_rules={}, house_rules_revision=REVISION)
    assert broken(match.when(play("bo", "red-draw-two")).refuses(play("cy", "red-1"))) == [
        "B-NO-STACK"
    ]


class TestNumbers:
    @pytest.mark.clause("V-UNO-PENALTY")
    @pytest.mark.breach("V-UNO-PENALTY")
    def test_what_a_catch_costs(self):
        hands = {"bo": ["red-1", "red-2"]}
        match = small("basic", 4, hands, house_rules={"uno_penalty": 4})
        match = match.when(play("bo", "red-1", uno=False))
        assert flags(match) == ["B-UNO"]
        match = match.when(told("uno_caught", player="bo", by="di"))
        assert [debt.clause for debt in match.board.pending] == ["V-UNO-PENALTY"]
        assert counts(match.when(draw("bo", 4)))["bo"] == 5
        too_few = draw("bo", 3, as_played=True)
        assert flags(match.when(too_few)) == ["V-UNO-PENALTY"]
        free = small("basic", 4, hands, house_rules={"uno_penalty": 0})
        free = free.when(play("bo", "red-1"), told("uno_caught", player="bo", by="di"))
        assert flags(free) == ["B-UNO"]
        free.then(pending=())

    @pytest.mark.clause("V-HAND-SIZE")
    @pytest.mark.breach("V-HAND-SIZE")
    def test_how_many_are_dealt(self):
        match = start("basic", house_rules={"hand_size": 3}, turned=None)
        assert counts(match) == dict.fromkeys(("ann", "bo", "cy", "di"), 3)
        match.then(draw_pile_count=96).when(first("red-5"))
        deal = told("round_started", hands={"bo": ["red-1", "red-2", "red-3", "red-4"]})
        opened = given("basic", 4, dealer="ann", house_rules={"hand_size": 3})
        assert broken(opened.refuses(deal)) == ["V-HAND-SIZE"]
