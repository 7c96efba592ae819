"""The arithmetic of the scoring modes, without a match around it."""

from typing import get_args

import pytest

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.rules.scoring import MODES, HandSum, ModeName, best, knocked_out, reaches

ALONE = (("ann",), ("bo",), ("cy",))
TEAMS = (("ann", "cy"), ("bo", "di"))


def test_every_mode_can_be_played_in_every_edition():
    assert set(MODES) == set(get_args(ModeName))
    for edition in EDITIONS.values():
        assert set(edition.modes) == set(MODES)
        assert edition.default_mode.value in MODES
        for name, default in edition.modes.items():
            assert default.team_scoring == MODES[name].team_scoring
            assert (default.target is not None) <= (
                MODES[name].target_ends or MODES[name].knocks_out
            )


@pytest.mark.parametrize(
    ("mode", "sides", "winners", "counted"),
    [
        ("winner-collects", ALONE, ["bo"], ("ann", "cy")),
        ("winner-collects", ALONE, ["bo", "cy"], ("ann",)),
        ("winner-collects", TEAMS, ["ann"], ("bo", "di")),
        ("winner-collects", TEAMS, ["ann", "cy"], ("bo", "di")),
        ("winner-collects", TEAMS, ["ann", "bo"], ("cy", "di")),
        ("lowest-total", TEAMS, ["ann"], ("cy", "bo", "di")),
        ("plus-minus", ALONE, ["bo"], ("ann", "cy")),
        ("elimination", ALONE, ["bo"], ("ann", "cy")),
        ("first-out", ALONE, ["bo"], ()),
    ],
)
def test_whose_hands_count(mode, sides, winners, counted):
    assert MODES[mode].counted(sides, winners) == counted


@pytest.mark.parametrize("winners", [["ann"], ["bo"], ["ann", "bo"], ["ann", "cy"]])
@pytest.mark.parametrize(
    ("mode", "sides"),
    [
        *((mode, (*ALONE, ("di",))) for mode in MODES),
        *((mode, TEAMS) for mode in MODES if MODES[mode].teams),
    ],
)
def test_a_sheet_claims_no_more_than_the_hands_bear_out(mode, sides, winners):
    hands = {"ann": 20, "bo": 7, "cy": 13, "di": 4}
    points = {player: 0 if player in winners else value for player, value in hands.items()}
    claims = MODES[mode].claims(sides, winners, MODES[mode].award(sides, winners, points))
    assert claims
    for claim in claims:
        assert claim.points == sum(points[player] for player in claim.players)
        assert not set(claim.players) & set(winners)


def test_a_sheet_that_does_not_balance_claims_two_things_of_the_same_hands():
    claims = MODES["plus-minus"].claims(ALONE, ["ann"], {"ann": 9, "bo": -4, "cy": -4})
    assert {HandSum(("bo", "cy"), 9), HandSum(("bo", "cy"), 8)} <= set(claims)


@pytest.mark.clause("X-TIE")
def test_the_best_stand_highest_or_lowest_and_equals_share():
    standings = {"ann": 5, "bo": 9, "cy": 5, "di": 9}
    assert best(MODES["winner-collects"], standings) == ("bo", "di")
    assert best(MODES["plus-minus"], standings) == ("bo", "di")
    assert best(MODES["first-out"], standings) == ("bo", "di")
    assert best(MODES["lowest-total"], standings) == ("ann", "cy")
    assert best(MODES["elimination"], standings) == ("ann", "cy")


def test_a_target_is_reached_at_the_target():
    assert not reaches([499, 0], 500)
    assert reaches([0, 500], 500)
    assert not reaches([10_000], None)


@pytest.mark.clause("H-ELIMINATION")
@pytest.mark.parametrize(
    ("totals", "out"),
    [
        ((500, 500, 500), ""),
        ((501, 0, 499), "a"),
        ((501, 0, 500), "ac"),
        ((501, 500, 500), "abc"),
        ((501, 501, 500), "ab"),
        ((501, 501, 0), "ab"),
        ((499, 0), ""),
        ((500, 0), "a"),
        ((500, 500), "ab"),
        ((510, 505), "ab"),
        ((900, 0, 0, 500), "a"),
    ],
)
def test_who_is_out(totals, out):
    standing = dict(zip("abcd", totals, strict=False))
    assert knocked_out(standing, 500) == tuple(out)
    assert knocked_out(standing, None) == ()
