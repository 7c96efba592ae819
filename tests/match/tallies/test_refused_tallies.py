"""Tallies that can't be true, each refused for its own reason, and those a clause forbids."""

import pytest

from scorekeeper.match.events.card_events import FirstCardTurned
from scorekeeper.match.events.events import RoundStarted, RoundTallied, TalliedHand
from tests.match.story import TEAMS_OF_FOUR, given, out, sheet, tally
from tests.match.table import play, small, told

ZEROS = ["red-0", "yellow-0", "green-0", "blue-0"]


def basic(players=4, mode="winner-collects", **fields):
    return given("basic", players, mode, **fields)


@pytest.mark.parametrize(
    ("told", "reason", "facts"),
    [
        (tally("zoe", ann=1), "player-not-in-match", {"player": "zoe", "field": "winners"}),
        (tally("ann", zoe=1), "player-not-in-match", {"player": "zoe", "field": "hands"}),
        (tally("ann", dealer="zoe"), "player-not-in-match", {"player": "zoe", "field": "dealer"}),
        (tally(bo=1), "winners-invalid", {"winners": ()}),
        (tally("ann", "ann", bo=1), "winners-invalid", {"winners": ("ann", "ann")}),
        (tally("ann", bo=1, cy=2), "hand-missing", {"players": ("di",)}),
        (out("ann"), "hands-or-scores", {"players": ("bo", "cy", "di")}),
        (
            RoundTallied(winners=("ann",), hands={}, scores={}),
            "hands-or-scores",
            {},
        ),
        (
            tally("ann", bo=["purple-1"], cy=1, di=1),
            "card-not-in-box",
            {"card": "purple-1", "players": ("bo",)},
        ),
        (
            tally("ann", bo=["red-1"], cy=1, di=["super-star"]),
            "card-not-in-box",
            {"card": "super-star", "players": ("di",)},
        ),
        (
            tally("ann", bo=["red-0"], cy=["red-0"], di=1),
            "too-many-of-card",
            {"card": "red-0", "count": 2, "in_box": 1, "players": ("bo", "cy")},
        ),
        (
            tally("ann", bo=["wild"] * 3, cy=["wild"] * 2, di=1),
            "too-many-of-card",
            {"card": "wild", "count": 5, "in_box": 4, "players": ("bo", "cy")},
        ),
        (tally("ann", ann=["red-1"], bo=1, cy=1, di=1), "winner-has-cards", {"player": "ann"}),
        (tally("ann", ann=3, bo=1, cy=1, di=1), "winner-has-cards", {"player": "ann"}),
        (tally("ann", ann=(0, 1), bo=1, cy=1, di=1), "winner-has-cards", {"player": "ann"}),
        (tally("ann", bo=[], cy=1, di=1), "loser-without-cards", {"player": "bo"}),
        (tally("ann", bo=(0, 0), cy=1, di=1), "loser-without-cards", {"player": "bo"}),
        (tally("ann", bo=-1, cy=1, di=1), "points-negative", {"player": "bo", "points": -1}),
        (
            tally("ann", bo=(10, 1), cy=1, di=1),
            "points-impossible",
            {"player": "bo", "points": 10, "cards_left": 1},
        ),
        (
            tally("ann", bo=1241, cy=1, di=1),
            "points-impossible",
            {"player": "bo", "points": 1241, "cards_left": None},
        ),
        (
            tally("ann", bo=ZEROS, cy=0, di=1),
            "points-impossible",
            {"player": "cy", "points": 0, "cards_left": None},
        ),
        (
            tally("ann", bo=700, cy=600, di=1),
            "points-exceed-box",
            {"points": 1301, "players": ("bo", "cy", "di")},
        ),
        (
            tally("ann", bo=1, cy=1, di=1, charges={"bo": 5}),
            "charges-not-in-mode",
            {"mode": "winner-collects"},
        ),
        (sheet("ann", ann=9, bo=0, cy=0), "score-missing", {"players": ("di",)}),
    ],
)
def test_what_cannot_have_happened(told, reason, facts):
    refusal = basic().refuses(told)
    assert (refusal.code, refusal.reason, refusal.event_index) == ("impossible-event", reason, 0)
    assert refusal.facts == facts


@pytest.mark.parametrize(
    ("mode", "told", "reason"),
    [
        ("winner-collects", sheet("ann", ann=9, bo=1, cy=0), "score-contradicts-mode"),
        ("winner-collects", sheet("ann", ann=-9, bo=0, cy=0), "score-contradicts-mode"),
        ("winner-collects", sheet("ann", ann=1241, bo=0, cy=0), "points-exceed-box"),
        ("winner-collects", sheet("ann", "bo", ann=9, bo=8, cy=0), "scores-do-not-balance"),
        ("lowest-total", sheet("ann", ann=1, bo=9, cy=9), "score-contradicts-mode"),
        ("lowest-total", sheet("ann", ann=0, bo=-9, cy=9), "score-contradicts-mode"),
        ("lowest-total", sheet("ann", ann=0, bo=1239, cy=2), "points-exceed-box"),
        ("lowest-total", sheet("ann", ann=0, bo=1241, cy=1), "points-impossible"),
        ("plus-minus", sheet("ann", ann=9, bo=-4, cy=-4), "scores-do-not-balance"),
        ("plus-minus", sheet("ann", ann=0, bo=-4, cy=4), "score-contradicts-mode"),
        ("plus-minus", sheet("ann", "bo", ann=4, bo=5, cy=-4), "scores-do-not-balance"),
        ("elimination", sheet("ann", ann=0, bo=-1, cy=4), "score-contradicts-mode"),
        ("first-out", sheet("ann", ann=1, bo=0, cy=0), "score-contradicts-mode"),
        ("first-out", tally("ann", bo=["purple-1"]), "card-not-in-box"),
    ],
)
def test_a_sheet_that_the_mode_cannot_have_made(mode, told, reason):
    refusal = given("basic", 3, mode, rounds=3).refuses(told)
    assert (refusal.code, refusal.reason) == ("impossible-event", reason)


def test_points_that_nobody_holds_are_laid_to_nobody():
    refusal = given("basic", 3, "lowest-total").refuses(sheet("ann", ann=5, bo=9, cy=9))
    assert refusal.facts == {"points": 5, "mode": "lowest-total"}


def test_partners_can_only_have_one_score():
    match = given("basic", 4, teams=TEAMS_OF_FOUR)
    refusal = match.refuses(sheet("ann", ann=5, cy=6, bo=9, di=9))
    assert (refusal.reason, refusal.facts["players"]) == ("score-contradicts-mode", ("ann", "cy"))


def test_charges_are_points_and_do_not_go_with_a_sheet():
    match = given("hello-kitty", 3, "elimination")
    assert match.refuses(tally("ann", bo=1, cy=1, charges={"bo": -5})).reason == "points-negative"
    told = RoundTallied(winners=("ann",), scores={"ann": 0, "bo": 1, "cy": 2}, charges={"bo": 1})
    assert match.refuses(told).reason == "charges-with-scores"
    refusal = match.refuses(tally("ann", bo=1, cy=1, charges={"zoe": 5}))
    assert refusal.reason == "player-not-in-match"


@pytest.mark.clause("H-ELIMINATION")
def test_who_is_out_deals_no_round_that_is_told_as_a_whole():
    match = given("hello-kitty", 3, "elimination", dealer="ann")
    match = match.when(tally("ann", bo=501, cy=1)).then(eliminated=("bo",))
    refusal = match.refuses(tally("ann", cy=1, dealer="bo"))
    assert refusal.reason == "player-eliminated"
    assert refusal.facts == {"player": "bo", "field": "dealer"}
    match.when(tally("ann", cy=1, dealer="cy"))


@pytest.mark.clause("H-ELIMINATION")
def test_who_leaves_in_the_middle_of_a_round_may_have_dealt_it():
    match = small("hello-kitty", 3, {"ann": ["red-1", "red-2"]}, mode="elimination", target=1)
    match = match.when(play("bo", "red-7"), play("cy", "red-8"), play("ann", "red-1"))
    match = match.when(told("uno_caught", player="ann", by="cy")).then(eliminated=("ann",))
    match.when(tally("bo", cy=1, dealer="ann"))


def test_a_loser_may_hold_a_zero_and_so_may_four():
    basic(5).when(tally("ann", bo=0, cy=0, di=0, ed=0)).then_scores(ann=0, bo=0, cy=0, di=0, ed=0)
    refusal = basic(6).refuses(tally("ann", bo=0, cy=0, di=0, ed=0, flo=0))
    assert refusal.reason == "points-exceed-box"


def test_the_whole_value_of_the_box_can_lie_in_two_hands():
    basic(3).when(tally("ann", bo=1200, cy=40)).then_totals(ann=1240, bo=0, cy=0)
    assert basic(3).refuses(tally("ann", bo=1200, cy=41)).reason == "points-exceed-box"


def test_cards_in_other_hands_cannot_be_in_a_hand_told_by_points():
    wilds = ["wild"] * 4 + ["wild-draw-four"] * 4
    basic(3).when(tally("ann", bo=wilds[1:], cy=(50, 1)))
    refusal = basic(3).refuses(tally("ann", bo=wilds, cy=(50, 1)))
    assert (refusal.reason, refusal.facts["player"]) == ("points-impossible", "cy")


def test_hands_that_fit_singly_may_not_fit_together():
    each = (200, 4)
    basic(3).when(tally("ann", bo=each, cy=each))
    refusal = basic(4).refuses(tally("ann", bo=each, cy=each, di=each))
    assert refusal.reason == "points-exceed-box"


def test_hands_that_do_not_count_are_taken_and_checked():
    teams = basic(teams=TEAMS_OF_FOUR)
    teams.when(tally("ann", bo=1, cy=["red-0"], di=1))
    assert teams.refuses(tally("ann", bo=1, cy=["red-0"] * 2, di=1)).reason == "too-many-of-card"
    assert teams.refuses(tally("ann", bo=1, cy=[], di=1)).reason == "loser-without-cards"
    given("basic", 3, "first-out").when(tally("ann", bo=["red-0"]))


@pytest.mark.clause("X-JOINT")
class TestJointWinners:
    @pytest.mark.breach("X-JOINT")
    @pytest.mark.parametrize("edition", ["basic", "hello-kitty", "classic-2025"])
    def test_no_card_of_the_box_empties_several_hands(self, edition):
        match = given(edition, 3, "winner-collects")
        refusal = match.refuses(tally("ann", bo=1, cy=1), tally("ann", "bo", cy=1))
        assert (refusal.code, refusal.event_index) == ("rule-violation", 1)
        (violation,) = refusal.violations
        assert (violation.clause, violation.reason) == ("X-JOINT", "joint-winners")
        assert (violation.facts, violation.event_index) == ({"winners": ("ann", "bo")}, 1)

    def test_the_table_may_have_played_it_so(self):
        match = given("basic", 3).when(tally("ann", "bo", cy=1, as_played=True))
        match.then(violations=1).then_scores(ann=0, bo=0, cy=1)
        assert [(found.clause, found.event_index) for found in match.violations] == [("X-JOINT", 0)]
        assert match.replayed().violations == 1

    def test_as_played_changes_nothing_on_what_is_legal(self):
        assert given("basic", 2).when(tally("ann", bo=1, as_played=True)).board.violations == 0

    def test_extra_cards_might_empty_several(self):
        options = {"extra_cards": {"blank": {"count": 1, "points": 50}}}
        match = given("classic-2025", 3, "winner-collects", options=options)
        match.when(tally("ann", "bo", cy=1)).then(violations=0)


@pytest.mark.clause("X-COUNT")
def test_a_tally_in_a_round_of_which_the_book_knows_the_counts():
    match = given("basic", 2, dealer="ann").when(RoundStarted())
    refusal = match.refuses(tally("ann", bo=["red-1"]))
    assert refusal.code == "rule-violation"
    assert [(found.clause, found.facts) for found in refusal.violations] == [
        ("X-COUNT", {"player": "bo", "cards": 1, "book": 7})
    ]
    match.when(tally("ann", bo=["red-1"], as_played=True)).then(violations=1, round=1)
    match.when(tally("ann", bo=(1, 1))).then(violations=0)


class TestKnownHands:
    """A tally ends a round that was followed card by card, and the book knows some of its cards."""

    SEVEN = ("red-1", "red-2", "red-3", "red-4", "red-6", "red-7", "red-8")

    def started(self):
        match = given("basic", 3, dealer="cy").when(RoundStarted(hands={"bo": self.SEVEN}))
        return match.when(FirstCardTurned(card="red-0"))

    def test_a_known_hand_cannot_have_lacked_its_cards(self):
        other = [*self.SEVEN[:6], "blue-8"]
        refusal = self.started().refuses(tally("ann", bo=other, cy=9))
        assert (refusal.code, refusal.reason) == ("impossible-event", "hand-contradicts-book")
        assert refusal.facts == {"player": "bo", "card": "red-8"}
        self.started().when(tally("ann", bo=[*self.SEVEN], cy=9)).then_scores(ann=0, bo=31, cy=9)

    def test_a_card_that_lies_on_the_pile_is_in_no_hand(self):
        refusal = self.started().refuses(tally("bo", ann=["red-0"], cy=9, as_played=True))
        assert (refusal.code, refusal.reason) == ("impossible-event", "too-many-of-card")

    def test_of_what_was_played_on_unseen_the_book_says_nothing(self):
        told = tally("cy", bo=["red-1"], ann=["red-2", "red-2"], as_played=True)
        self.started().when(told).then_scores(ann=4, bo=1, cy=0)


def test_all_or_nothing_and_the_first_fault_decides():
    match = basic(2)
    refusal = match.refuses(tally("ann", bo=1), tally("ann", bo=-1), tally("zoe"))
    assert (refusal.event_index, refusal.reason) == (1, "points-negative")


def test_a_hand_is_told_in_one_way():
    with pytest.raises(ValueError, match="either cards or points"):
        TalliedHand()
    with pytest.raises(ValueError, match="either cards or points"):
        TalliedHand(cards=(), points=0)
    with pytest.raises(ValueError, match="goes with points"):
        TalliedHand(cards=("red-1",), cards_left=1)
