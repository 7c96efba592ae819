"""Verdicts are legal, illegal or unknown, by what is known at the time, and never a guess."""

from collections import Counter

import pytest

from scorekeeper.match.known_cards import known_in
from scorekeeper.match.readings import hindsight
from scorekeeper.match.readings.effective_log import corrected_steps, initial
from scorekeeper.match.readings.hindsight import Judgement, known_around
from scorekeeper.match.readings.reader import taken_in
from tests.match.judging import verdicts
from tests.match.story import Story, given, tally
from tests.match.table import challenge, draw, flags, owing, passes, play, shows, small, start, told

RED = ["red-1", "red-2", "red-3", "red-4", "red-6", "red-7"]
GREEN = ["green-1", "green-2", "green-3", "green-4", "green-6", "green-7"]
YELLOW = [f"yellow-{number}" for number in (1, 2, 3, 4, 6, 7, 8, 9)]
W4 = "wild-draw-four"


def judged(match: Story) -> list[Judgement]:
    """The verdicts on everything so far, from version 2 on."""
    opened, *events = match.log
    return verdicts(initial(match.state.edition, opened), events)


def verdict(match: Story, version: int) -> str:
    return judged(match)[version - 2].verdict


def told_but_for_bo(edition: str, *bo: str, of_ann: int = 7) -> Story:
    """All cards are known but bo's hand and, with `of_ann` below 7, some of ann's cards."""
    box = given(edition, 2).state.box
    rest = sorted((Counter(box.counts) - Counter(["red-5", *bo])).elements())
    hands = {"ann": rest[:of_ann]}
    return start(edition, 2, hands, turned="red-5", draw_pile=["red-5", *rest[7:]])


class TestBluffs:
    @pytest.mark.clause("M-WILD4-LEGAL")
    def test_a_known_hand_decides_at_once(self):
        bluff = start("mario", 4, {"bo": [W4, *RED]}).when(play("bo", W4, "blue"))
        assert verdict(bluff, 4) == "illegal"
        honest = start("mario", 4, {"bo": [W4, *GREEN]}).when(play("bo", W4, "blue"))
        assert verdict(honest, 4) == "legal"

    @pytest.mark.clause("B-WILD4-LEGAL", "B-CHALLENGE")
    def test_a_card_that_lies_nowhere_else_is_in_the_only_hand_that_nobody_told(self):
        bluff = told_but_for_bo("basic", W4, "red-1", *GREEN[:5]).when(play("bo", W4, "blue"))
        assert flags(bluff) == ["B-WILD4-LEGAL"]
        assert verdict(bluff, 4) == "illegal"
        assert owing(bluff.when(challenge("ann"))) == [("bo", 4, "B-CHALLENGE")]
        honest = told_but_for_bo("basic", W4, *GREEN).when(play("bo", W4, "blue"))
        assert verdict(honest, 4) == "legal"
        assert owing(honest.when(challenge("ann"))) == [("ann", 6, "B-CHALLENGE")]
        # where one more card is hidden, it may be the red one
        either = told_but_for_bo("basic", W4, "red-1", *GREEN[:5], of_ann=6)
        either = either.when(play("bo", W4, "blue"))
        assert flags(either) == []
        assert verdict(either, 4) == "unknown"
        assert either.refuses(challenge("ann")).code == "verdict-needed"

    @pytest.mark.clause("M-WILD4-LEGAL")
    def test_an_unknown_hand_stays_unknown_until_a_later_card_settles_it(self):
        match = start("mario").when(play("bo", W4, "blue"))
        assert verdict(match, 4) == "unknown"
        match = match.when(play("di", "blue-1"), play("ann", "blue-2"))
        assert verdict(match, 4) == "unknown"
        # bo has drawn nothing since: the red card was in the hand
        match = match.when(play("bo", "wild", "red"), play("cy", "red-9"))
        assert verdict(match, 4) == "unknown"
        match = match.when(play("di", "red-8"), play("ann", "red-8"), play("bo", "red-6"))
        assert verdict(match, 4) == "illegal"
        (violation,) = judged(match)[4 - 2].violations
        assert violation.clause == "M-WILD4-LEGAL"

    @pytest.mark.clause("M-WILD4-LEGAL")
    def test_a_card_that_may_have_been_drawn_settles_nothing(self):
        match = start("mario", 2).when(play("bo", W4, "blue"), draw("bo"), passes("bo"))
        match = match.when(play("ann", "wild", "red"), play("bo", "red-6"))
        assert verdict(match, 4) == "unknown"
        # The draw can have brought only one of two red cards, also if both have the same name.
        match = match.when(play("ann", "red-9"), play("bo", "red-6"))
        assert verdict(match, 4) == "illegal"

    @pytest.mark.clause("M-CHALLENGE")
    def test_a_hand_shown_whole_is_read_backwards(self):
        match = start("mario").when(play("bo", W4, "blue"))
        assert verdict(match.when(shows("bo", *RED)), 4) == "illegal"
        assert verdict(match.when(shows("bo", *GREEN)), 4) == "legal"
        challenged = match.when(challenge("cy", hand=RED))
        assert verdict(challenged, 4) == "illegal"
        assert judged(challenged)[-1].violations == ()

    @pytest.mark.clause("B-CHALLENGE", "B-ADVICE")
    def test_only_the_hand_that_the_card_was_played_from_settles_a_challenge(self):
        match = start("basic").when(play("bo", W4, "blue"))
        shown = match.when(shows("bo", *RED), challenge("cy"))
        assert owing(shown) == [("bo", 4, "B-CHALLENGE")]
        of_another = start("basic").when(draw("bo", cards=[W4]), play("bo", W4, "blue"))
        of_another = of_another.when(shows("ann", *RED, "red-8"))
        assert of_another.refuses(challenge("cy")).code == "verdict-needed"
        drawn = match.when(told("advice_called", player="bo", by="ann"), draw("bo", 4))
        drawn = drawn.when(shows("bo", *GREEN, *RED[:4]))
        assert drawn.refuses(challenge("cy")).code == "verdict-needed"

    @pytest.mark.clause("H-CHALLENGE", "H-WILD4-LEGAL")
    def test_a_king_that_was_taken_back(self):
        match = start("hello-kitty").when(play("bo", W4, "blue"), challenge("cy", hand=RED))
        assert verdict(match, 4) == "illegal"
        by_word = start("hello-kitty").when(play("bo", W4, "blue"), challenge("cy", guilty=True))
        assert verdict(by_word, 4) == "unknown"
        assert [v.clause for v in judged(by_word)[-1].violations] == ["H-WILD4-LEGAL"]

    @pytest.mark.clause("H-CHALLENGE", "V-AT-ONCE")
    @pytest.mark.parametrize("reshuffles", [1, 2])
    def test_a_hand_is_read_backwards_past_as_many_kings_as_came_back(self, reshuffles):
        """After a second reshuffle only the upper one of two comes back."""
        match = start("hello-kitty", house_rules={"at_once": "identical"})
        whole = match.board.draw_pile_count
        assert whole is not None
        match = match.when(play("bo", "red-1"), play("cy", "red-2", as_played=True))
        match = match.when(draw("di", whole - 22, as_played=True), passes("di"))
        match = match.when(play("ann", "red-3", as_played=True), play("bo", W4, "blue", count=2))
        version = match.state.version
        again = told("pile_reshuffled", as_played=True)
        match = match.when(*[again] * reshuffles, challenge("cy", guilty=True))
        (_, count, _), *_ = owing(match)
        match = match.when(draw("bo", cards=YELLOW[:count]))
        back = [W4] * (2 if reshuffles == 1 else 1)
        match = match.when(shows("bo", *GREEN[3:], "blue-9", *back, *YELLOW[:count]))
        assert verdict(match, version) == "legal"
        challenged = judged(match)[version + reshuffles + 1 - 2]
        assert [v.reason for v in challenged.violations] == ["verdict-contradicts-hand"]

    @pytest.mark.clause("H-SWAP", "H-WILD4-LEGAL")
    @pytest.mark.parametrize(
        ("taken_over", "holder"),
        [
            (None, "ann"),
            ({"ann": "bo", "bo": "cy", "cy": "ann"}, "ann"),
            ({"ann": "cy", "bo": "ann", "cy": "bo"}, "cy"),
        ],
    )
    def test_a_hand_is_read_backwards_through_an_exchange(self, taken_over, holder):
        match = start("hello-kitty", 3).when(play("bo", W4, "blue"))
        version = match.state.version
        swap = taken_over and [{"type": "swap", "hands": taken_over}]
        match = match.when(play("ann", "swap-hands", "blue", effects=swap))
        assert verdict(match.when(shows(holder, *RED)), version) == "illegal"
        assert verdict(match.when(shows(holder, *GREEN)), version) == "legal"

    @pytest.mark.clause("H-SWAP", "H-WILD4-LEGAL")
    def test_an_exchange_that_a_last_card_does_not_bring_is_not_read_backwards(self):
        match = small("hello-kitty", 3, {"ann": ["swap-hands"]}).when(play("bo", W4, "blue"))
        version = match.state.version
        match = match.when(play("ann", "swap-hands"), shows("bo", *RED))
        assert verdict(match, version) == "illegal"

    @pytest.mark.clause("H-TWO", "H-WILD4-LEGAL")
    @pytest.mark.parametrize(
        ("gift", "laid", "expected"),
        [
            ({}, 1, "unknown"),
            ({}, 2, "illegal"),
            ({"card": "red-3"}, 1, "unknown"),
            ({"card": "green-9"}, 1, "illegal"),
        ],
    )
    @pytest.mark.parametrize("as_effect", [False, True])
    def test_only_a_card_that_is_not_the_gift_was_in_the_hand_before(
        self, gift, laid, expected, as_effect
    ):
        match = start("hello-kitty", 2).when(play("bo", "red-1"), play("ann", W4, "red"))
        version = match.state.version
        match = match.when(draw("ann", cards=["green-1"]), passes("ann"))
        if as_effect:
            cards = {"cards": [gift["card"]]} if gift else {"count": 1}
            effect = {"type": "give", "from": "bo", "to": "ann", **cards}
            match = match.when(play("bo", "red-ribbon", "red", effects=[effect]))
        else:
            match = match.when(play("bo", "red-ribbon", "red"))
            match = match.when(told("card_given", player="bo", to="ann", **gift))
        for _ in range(laid):
            match = match.when(play("ann", "red-3"), play("bo", "red-4"))
        assert verdict(match, version) == expected

    @pytest.mark.clause("D-FRIENDSHIP", "D-WILD4-LEGAL")
    @pytest.mark.parametrize(("player", "expected"), [("bo", "illegal"), ("cy", "unknown")])
    def test_what_is_discarded_was_in_the_hand_before(self, player, expected):
        match = start("mickey", 3).when(play("bo", W4, "green"))
        version = match.state.version
        match = match.when(play("ann", "green-1"))
        discard = [{"type": "discard", "player": player, "cards": ["red-1"]}]
        match = match.when(play("bo", "wild-friendship", effects=discard))
        assert verdict(match, version) == expected

    @pytest.mark.clause("B-WILD4-LEGAL")
    def test_the_hands_that_a_tally_lists_are_shown_too(self):
        match = start("basic", 2).when(play("bo", W4, "blue"))
        ended = match.when(draw("ann", 4), tally("ann", bo=RED))
        assert verdict(ended, 4) == "illegal"

    @pytest.mark.clause("B-WILD4-LEGAL", "X-COUNT")
    def test_a_hand_that_a_tally_lists_with_another_number_of_cards_settles_nothing(self):
        match = start("basic", 2).when(play("bo", W4, "blue"))
        for hand in (RED[:5], [*RED, "blue-1"]):
            ended = match.when(draw("ann", 4), tally("ann", bo=hand, as_played=True))
            assert flags(ended) == ["X-COUNT"]
            assert verdict(ended, 4) == "unknown"


class TestDraws:
    @pytest.mark.clause("H-KEEP", "B-KEEP")
    @pytest.mark.parametrize("edition", ["hello-kitty", "basic"])
    def test_a_silent_draw(self, edition):
        able = start(edition, 4, {"bo": ["red-1"]}).when(draw("bo"))
        assert verdict(able, 4) == "illegal"
        assert [v.clause for v in able.violations] == [able.state.edition.keep.clause]
        unable = start(edition, 4, {"bo": [*GREEN, "blue-9"]}).when(draw("bo"))
        assert verdict(unable, 4) == "legal"
        unknown = start(edition).when(draw("bo"))
        assert verdict(unknown, 4) == "unknown"
        later = unknown.when(passes("bo"), play("cy", "red-8"), play("di", "red-8"))
        assert verdict(later, 4) == "unknown"

    @pytest.mark.clause("H-KEEP", "B-KEEP", "X-TURN")
    @pytest.mark.breach("X-TURN")
    @pytest.mark.parametrize("edition", ["hello-kitty", "basic"])
    def test_who_draws_out_of_turn_could_have_played_no_card(self, edition):
        match = start(edition, 4, {"cy": RED}).when(draw("cy", as_played=True))
        assert flags(match) == ["X-TURN"]

    @pytest.mark.clause("H-KEEP", "B-KEEP")
    @pytest.mark.parametrize("edition", ["hello-kitty", "basic"])
    def test_a_silent_draw_with_a_card_that_lies_nowhere_else(self, edition):
        able = told_but_for_bo(edition, "red-1", *GREEN).when(draw("bo"))
        assert flags(able) == [able.state.edition.keep.clause]
        assert verdict(able, 4) == "illegal"
        unable = told_but_for_bo(edition, "blue-1", *GREEN).when(draw("bo"))
        assert verdict(unable, 4) == "legal"
        either = told_but_for_bo(edition, "red-1", *GREEN, of_ann=6).when(draw("bo"))
        assert verdict(either, 4) == "unknown"

    @pytest.mark.clause("H-KEEP", "B-KEEP")
    def test_a_wild_draw_four_may_be_kept_back_in_one_booklet_only(self):
        for edition, expected in (("basic", "legal"), ("hello-kitty", "illegal")):
            match = start(edition, 4, {"bo": [*GREEN, W4]}).when(draw("bo"))
            assert verdict(match, 4) == expected

    @pytest.mark.clause("M-KEEP")
    def test_the_card_that_is_played_after_a_draw(self):
        match = start("mario", 4, {"bo": [*GREEN, "red-3"]}).when(draw("bo"))
        same = match.when(play("bo", "red-3"))
        assert verdict(same, 5) == "unknown"
        assert verdict(same.when(shows("bo", *GREEN, "red-3")), 5) == "legal"
        other = same.when(shows("bo", *GREEN, "red-9"))
        assert verdict(other, 5) == "illegal"

    @pytest.mark.clause("M-KEEP")
    def test_a_card_that_a_known_hand_lacked_is_the_one_drawn_face_down(self):
        match = start("mario", 4, {"bo": [*GREEN, "red-1"]}).when(draw("bo"), play("bo", "red-9"))
        assert verdict(match, 5) == "legal"

    @pytest.mark.clause("M-KEEP")
    def test_a_hand_that_is_shown_names_the_card_that_was_drawn_into_a_known_one(self):
        hands = {"bo": [*GREEN, "blue-9"], "ann": RED}
        match = start("mario", 4, hands).when(draw("bo"))
        assert match.when(shows("ann", *RED, "red-8")).state.table.drawn.cards == ()
        shown = match.when(shows("bo", *GREEN, "blue-9", "red-9"))
        assert shown.state.table.drawn.cards == ("red-9",)
        unknown = start("mario").when(draw("bo"), shows("bo", *GREEN, "blue-9", "red-9"))
        assert unknown.state.table.drawn.cards == ()

    @pytest.mark.clause("M-KEEP")
    @pytest.mark.parametrize(("card", "turned"), [("red-0", "red-5"), ("red-3", "red-3")])
    def test_all_other_copies_are_accounted_for(self, card, turned):
        match = start("mario", 4, {"bo": [*GREEN, card]}, turned=turned).when(draw("bo"))
        (violation,) = match.refuses(play("bo", card)).violations
        assert violation.clause == "M-KEEP"


def test_a_sheet_of_scores_can_not_be_judged():
    match = start("basic", 2).when(
        told("round_tallied", winners=["ann"], scores={"ann": 0, "bo": 9})
    )
    assert verdict(match, 4) == "unknown"


def test_what_was_told_as_played_stays_illegal():
    match = start("basic").when(play("bo", "green-1", as_played=True))
    assert verdict(match, 4) == "illegal"
    assert [one.verdict for one in judged(match)][:2] == ["legal", "legal"]


def test_the_pile_is_known_by_what_is_drawn_of_it_later():
    """Cards drawn later are known to lie in the pile from its deal on, and not before."""
    match = start("basic", 2).when(draw("bo"), passes("bo"), draw("ann", cards=["green-9"]))
    known = known_around(taken_in(corrected_steps(match.state)))
    piles = [list(known_in(table.pile)) if table else None for table in known]
    turned = piles.pop(1)
    assert sorted(turned or ()) == ["green-9", "red-5"]
    assert piles == [None, ["green-9"], ["green-9"], ["green-9"], []]


@pytest.mark.clause("M-WILD4-LEGAL", "M-CHALLENGE")
def test_the_known_tables_stay_as_they_are_where_a_bluff_is_judged():
    match = start("mario").when(play("bo", W4, "blue"), challenge("cy", hand=RED))
    taken = taken_in(corrected_steps(match.state))
    known = known_around(taken)
    suspects = [table and table.suspect for table in known]
    found = hindsight.judged(taken, known)
    assert [one.verdict for one in found] == ["legal", "legal", "illegal", "legal"]
    assert [table and table.suspect for table in known] == suspects


@pytest.mark.clause("M-KEEP", "X-MISPLAY")
@pytest.mark.parametrize("card", ["red-3", "red-9"])
def test_which_card_was_drawn_stays_open_where_a_card_was_taken_back(card: str) -> None:
    """Bo's first hand was known but for one card: red-3, which goes back, or red-9."""
    match = start("mario", 3, {"bo": GREEN}).when(draw("bo"), play("bo", "red-3"))
    match = match.when(told("misplay_called", by="ann"))
    for seen in (match, match.when(shows("bo", *GREEN, "red-3", "red-9"))):
        laid = seen.when(play("bo", card))
        assert verdict(laid, laid.state.version) == "unknown"


@pytest.mark.clause("M-RESHUFFLE", "M-BLOCK")
@pytest.mark.parametrize(
    ("agreed", "said"),
    [({}, "illegal"), ({"options": {"question_block": "Somebody draws."}}, "unknown")],
)
def test_whether_a_reshuffle_is_too_early_is_unknown_where_a_card_may_draw_any_number(
    agreed: dict[str, object], said: str
) -> None:
    again = told("pile_reshuffled", as_played=True)
    match = start("mario", 2, **agreed).when(again)
    assert verdict(match, match.state.version) == said
    left = match.board.draw_pile_count
    match = match.when(draw("bo", left, as_played=True), again)
    assert verdict(match, match.state.version) == "legal"
