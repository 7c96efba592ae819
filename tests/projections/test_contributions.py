"""What each person gains from a match: the rank, the rounds, and the meetings with others."""

import pytest

from scorekeeper.match.events.events import MatchClosed, PlayerSubstituted
from scorekeeper.projections.contribution import Contributions, Meeting, contributions
from tests.match.story import TEAMS_OF_FOUR, Story, given, out, tally

CLOSED = MatchClosed(reason="late")


def brought(match: Story) -> Contributions:
    return contributions(match.when(CLOSED).state)


def ranks(match: Story) -> dict[str, int | None]:
    return {person: each.rank for person, each in brought(match).items()}


def ranks_when_won(match: Story) -> dict[str, int | None]:
    return {person: each.rank for person, each in contributions(match.state).items()}


def met(rounds: int, won: int, own: int, other: int) -> Meeting:
    return Meeting(rounds=rounds, rounds_won=won, points_for=own, points_against=other)


def test_each_for_themselves():
    match = given("basic", 3, "winner-collects", dealer="ann")
    found = brought(match.when(tally("ann", bo=10, cy=20), tally("bo", ann=5, cy=7)))
    assert [(one.seat, one.seats, one.side, one.rank) for one in found.values()] == [
        (1, 3, 1, 1),
        (2, 3, 2, 2),
        (3, 3, 3, 3),
    ]
    assert found["ann"].own == met(2, 1, 30, 12)
    assert found["cy"].own == met(2, 0, 0, 42)
    assert found["ann"].partners == {}
    assert found["ann"].opponents == {"bo": met(2, 1, 30, 12), "cy": met(2, 1, 30, 0)}


@pytest.mark.clause("X-TEAM")
def test_an_opposing_side_counts_once_and_partners_share_a_rank():
    match = given("mario", 4, "winner-collects", teams=TEAMS_OF_FOUR, dealer="ann")
    found = brought(match.when(tally("bo", ann=10, cy=20, di=3), tally("cy", ann=1, bo=4, di=2)))
    assert {person: (one.seat, one.side, one.rank) for person, one in found.items()} == {
        "ann": (1, 1, 3),
        "bo": (2, 2, 1),
        "cy": (3, 1, 3),
        "di": (4, 2, 1),
    }
    assert found["cy"].own == met(2, 1, 6, 30)
    assert found["cy"].partners == {"ann": met(2, 1, 6, 6)}
    assert found["cy"].opponents == {"bo": met(2, 1, 6, 30), "di": met(2, 1, 6, 30)}


def test_rounds_belong_to_those_who_sat_there_and_the_rank_to_the_last_of_them():
    match = given("basic", 3, "winner-collects", dealer="ann").when(tally("ann", bo=10, cy=20))
    match = match.when(PlayerSubstituted(player="ann", substitute="zoe"), tally("bo", zoe=5, cy=7))
    found = brought(match)
    assert {person: (one.seat, one.rank) for person, one in found.items()} == {
        "ann": (1, None),
        "bo": (2, 2),
        "cy": (3, 3),
        "zoe": (1, 1),
    }
    assert (found["ann"].own, found["zoe"].own) == (met(1, 1, 30, 0), met(1, 0, 0, 12))
    assert found["bo"].opponents["ann"] == met(1, 0, 0, 30)
    assert found["bo"].opponents["zoe"] == met(1, 1, 12, 0)


@pytest.mark.parametrize(
    ("mode", "rounds", "expected"),
    [
        ("winner-collects", [("ann", 9, 1), ("bo", 2, 3)], {"ann": 1, "bo": 2, "cy": 3}),
        ("lowest-total", [("ann", 9, 1), ("cy", 2, 9)], {"cy": 1, "ann": 2, "bo": 3}),
        ("plus-minus", [("ann", 5, 5)], {"ann": 1, "bo": 2, "cy": 2}),
    ],
)
def test_ranks_go_by_the_order_of_the_mode(mode, rounds, expected):
    """`("ann", 9, 1)`: ann goes out, and the next two around the table hold 9 and 1."""
    length = {"rounds": len(rounds)} if mode == "plus-minus" else {}
    match = given("hello-kitty", 3, mode, dealer="ann", **length)
    for winner, *points in rounds:
        losers = [player for player in ("ann", "bo", "cy") if player != winner]
        match = match.when(tally(winner, **dict(zip(losers, points, strict=True))))
    state = match.state if match.state.status == "won" else match.when(CLOSED).state
    assert {one: each.rank for one, each in contributions(state).items()} == expected


@pytest.mark.clause("C-FIRST-OUT")
def test_where_rounds_decide_ranks_go_by_the_rounds_won():
    match = given("classic-2025", 3, "first-out", rounds=5, dealer="ann")
    assert ranks(match.when(out("bo"), out("bo"), out("cy"))) == {"ann": 3, "bo": 1, "cy": 2}


@pytest.mark.clause("H-ELIMINATION")
def test_whoever_is_out_later_is_ranked_higher_and_plays_no_round_any_more():
    match = given("hello-kitty", 4, "elimination", target=50, dealer="ann")
    match = match.when(tally("ann", bo=60, cy=1, di=2), tally("ann", cy=55, di=3))
    assert match.board.eliminated == ("bo", "cy")
    found = brought(match)
    assert {one: each.rank for one, each in found.items()} == {"ann": 1, "bo": 4, "cy": 3, "di": 2}
    assert {one: each.own.rounds for one, each in found.items()} == {
        "ann": 2,
        "bo": 1,
        "cy": 2,
        "di": 2,
    }


@pytest.mark.clause("H-ELIMINATION")
@pytest.mark.clause("X-TIE")
def test_of_those_who_are_out_in_one_round_the_best_total_ranks_higher_wherever_they_sit():
    match = given("hello-kitty", 5, "elimination", target=50, dealer="ann")
    match = match.when(tally("ann", bo=53, cy=61, di=1, ed=53), tally("ann", di=50))
    assert ranks_when_won(match) == {"ann": 1, "di": 2, "bo": 3, "ed": 3, "cy": 5}


@pytest.mark.clause("H-ELIMINATION")
def test_of_those_who_are_still_in_at_an_early_end_the_best_total_ranks_higher():
    match = given("hello-kitty", 4, "elimination", target=50, dealer="ann")
    match = match.when(tally("ann", bo=9, cy=4, di=51))
    assert ranks(match) == {"ann": 1, "cy": 2, "bo": 3, "di": 4}


@pytest.mark.clause("H-ELIMINATION")
def test_whoever_was_caught_out_ranks_behind_those_whose_hands_were_counted_later():
    match = given("hello-kitty", 4, "elimination", target=50, dealer="ann")
    match = match.when(tally("ann", charges={"bo": 51}, cy=60, di=1), tally("ann", di=49))
    assert ranks_when_won(match) == {"ann": 1, "di": 2, "cy": 3, "bo": 4}


def test_nobody_brings_anything_home_before_the_end():
    assert contributions(given("basic", 2, dealer="ann").when(tally("ann", bo=9)).state) == {}
