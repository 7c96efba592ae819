"""Rounds and hands as a reader of a match sees them."""

import msgspec
import pytest

from scorekeeper.editions.registry import latest
from scorekeeper.match.decider import evolve
from scorekeeper.match.events.events import MatchOpened, RoundEnded, TableEvent
from scorekeeper.match.events.opening import Opening, open_match
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import hands, rounds, scoreboard


def told(*bodies: dict[str, object], edition: str = "basic", **fields: object) -> State:
    """The state after these events of ann, bo and cy; ann deals."""
    body = {"edition": edition, "players": ["ann", "bo", "cy"], "dealer": "ann", **fields}
    opened = open_match(latest(edition), msgspec.convert(body, Opening))
    assert isinstance(opened, MatchOpened)
    recorded = record(
        initial(latest(edition), opened), [msgspec.convert(one, TableEvent) for one in bodies]
    )
    assert isinstance(recorded, Recorded)
    return recorded.state


TALLY = {
    "type": "round_tallied",
    "winners": ["ann"],
    "hands": {"cy": {"points": 9, "cards_left": 2}, "bo": {"cards": ["red-7", "wild"]}},
}
START = {"type": "round_started", "hands": {"bo": ["wild", "red-1"]}}
VOID = {"type": "round_voided", "reason": "misdeal", "redealt": True}


def test_a_round_from_its_tally():
    (dealt,) = msgspec.to_builtins(rounds(told(TALLY)))
    assert dealt == {
        "round": 1,
        "status": "ended",
        "dealer": "ann",
        "players": ("ann", "bo", "cy"),
        "substitutes": {},
        "winners": ("ann",),
        "hands": {
            "ann": {"cards": ()},
            "bo": {"cards": ("red-7", "wild")},
            "cy": {"points": 9, "cards_left": 2},
        },
        "hand_points": {"ann": 0, "bo": 57, "cy": 9},
        "scores": {"ann": 0, "bo": 57, "cy": 9},
        "charges": {},
        "tallied": True,
        "first_version": 2,
        "last_version": 3,
    }
    assert list(dealt["hands"]) == ["ann", "bo", "cy"]


def test_a_hand_whose_cards_nobody_counted():
    hand = {"bo": {"points": 7}, "cy": {"points": 0}}
    state = told({**TALLY, "hands": hand})
    assert msgspec.to_builtins(rounds(state)[0].hands["bo"]) == {"points": 7}
    assert msgspec.to_builtins(hands(state)) == {
        "ann": {"known": (), "unknown": 0},
        "bo": {"known": (), "unknown": None},
        "cy": {"known": (), "unknown": None},
    }


def test_a_sheet_of_scores_says_nothing_of_hands():
    state = told({**TALLY, "hands": None, "scores": {"ann": 0, "bo": 57, "cy": 9}})
    (dealt,) = rounds(state)
    assert dealt.hand_points == {"ann": 0, "bo": None, "cy": None}
    assert (dealt.hands["bo"], dealt.scores["bo"]) == (None, 57)


def test_charges_are_shown_beside_the_scores_that_hold_them():
    state = told({**TALLY, "charges": {"cy": 5}}, scoring={"mode": "elimination"})
    (dealt,) = rounds(state)
    assert (dealt.charges, dealt.scores) == ({"cy": 5}, {"ann": 0, "bo": 57, "cy": 14})


def test_the_running_round_is_the_last_and_shows_no_end():
    state = told(TALLY, START)
    ended, running = rounds(state)
    assert (ended.round, ended.status) == (1, "ended")
    assert (running.round, running.status, running.dealer) == (2, "running", "bo")
    assert (running.hands, running.hand_points, running.scores) == ({}, {}, {})
    assert (running.first_version, running.last_version) == (4, 4)
    assert msgspec.to_builtins(hands(state)) == {
        "ann": {"known": (), "unknown": 7},
        "bo": {"known": ("wild", "red-1"), "unknown": 5},
        "cy": {"known": (), "unknown": 7},
    }


def test_a_voided_round_that_is_dealt_again_has_no_scores():
    (dealt,) = rounds(told(START, VOID))
    assert (dealt.status, dealt.winners, dealt.scores) == ("voided", (), {})
    assert set(dealt.hands) == {"ann", "bo", "cy"}
    assert (dealt.first_version, dealt.last_version, dealt.tallied) == (2, 3, False)


def test_a_voided_round_that_counts_has_a_nought_for_everybody():
    (dealt,) = rounds(told(START, VOID | {"redealt": False}))
    assert (dealt.status, dealt.winners) == ("voided", ())
    assert dealt.scores == {"ann": 0, "bo": 0, "cy": 0}
    assert dealt.hand_points == {}


def test_a_round_that_is_broken_off_with_its_match_has_no_scores():
    (dealt,) = rounds(told(START, {"type": "match_abandoned", "reason": "bedtime"}))
    assert (dealt.status, dealt.scores) == ("voided", {})


def test_before_the_first_round_there_is_nothing_to_see():
    assert rounds(told()) == ()
    assert hands(told()) == {}


@pytest.mark.parametrize("length", [0, 1, 3])
def test_rounds_come_in_order(length):
    state = told(*[TALLY] * length, scoring={"target": None})
    assert [dealt.round for dealt in rounds(state)] == list(range(1, length + 1))


def test_the_scoreboard_of_a_round_that_was_dealt():
    board = scoreboard(told(TALLY, START), match="friday-1", position=812)
    assert (board.match, board.position, board.version) == ("friday-1", 812, 4)
    assert (board.phase, board.round, board.dealer) == ("turning", 2, "bo")
    assert board.hand_counts == {"ann": 7, "bo": 7, "cy": 7}
    assert board.draw_pile_count == 108 - 21
    assert board.teams is None


def test_a_scoreboard_keeps_what_it_showed():
    own = told(TALLY).copy()
    board = scoreboard(own, match="m", position=1)
    evolve(own, msgspec.convert(TALLY, TableEvent))
    evolve(
        own,
        RoundEnded(round=2, winners=("ann",), scores={"bo": 1, "ann": 2, "cy": 3}, hand_points={}),
    )
    assert own.totals == {"ann": 2, "bo": 58, "cy": 12}
    assert board.totals == {"ann": 0, "bo": 57, "cy": 9}
    assert board.rounds_won == {"ann": 1, "bo": 0, "cy": 0}


@pytest.mark.clause("H-ELIMINATION")
def test_what_a_catch_costs_shows_in_the_round_while_it_runs():
    king = {"type": "card_played", "player": "bo", "card": "wild-draw-four", "color": "blue"}
    guilty = {"type": "wild_draw_four_challenged", "by": "cy", "guilty": True, "points": 60}
    turned = {"type": "first_card_turned", "card": "red-5"}
    state = told(
        {"type": "round_started"},
        turned,
        king,
        guilty,
        edition="hello-kitty",
        scoring={"mode": "elimination"},
    )
    assert scoreboard(state, match="friday-1", position=6).totals == {"ann": 0, "bo": 60, "cy": 0}
    (running,) = rounds(state)
    assert (running.status, running.charges) == ("running", {"bo": 60})
