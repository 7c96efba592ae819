"""Pins the figures of ratings, so that an openskill release that rates otherwise is noticed."""

from scorekeeper.projections.ratings import UNRATED, RatedSide, Rating, rated


def ranked(*places):
    """Return rated sides, the best first.

    "ann" is a side alone, "ann+bo" a team, and "ann = bo" two sides with the same rank.
    """
    sides = []
    for place in places:
        rank = len(sides) + 1
        sides += [RatedSide(tuple(side.split("+")), rank) for side in place.split(" = ")]
    return sides


def after(*matches, before=()):
    """Everybody's mu and sigma in millionths, after these matches."""
    ratings = dict(before)
    for places in matches:
        ratings |= rated(ratings, ranked(*places))
    return {player: (each.mu, each.sigma) for player, each in sorted(ratings.items())}


def test_who_is_new_has_twenty_five_and_a_third_of_it():
    assert (UNRATED.mu, UNRATED.sigma, UNRATED.ordinal) == (25_000_000, 8_333_333, 1)


def test_three_players_one_after_the_other():
    assert after(["ann", "bo", "cy"]) == {
        "ann": (27_869_049, 8_205_243),
        "bo": (25_717_262, 8_058_224),
        "cy": (21_413_689, 8_058_224),
    }


def test_who_played_against_nobody_is_not_rated():
    assert rated({}, ranked("ann+bo")) == {}
    assert rated({}, []) == {}


def test_two_against_two():
    assert after(["ann+cy", "bo+di"]) == {
        "ann": (26_964_295, 8_177_962),
        "bo": (23_035_705, 8_177_962),
        "cy": (26_964_295, 8_177_962),
        "di": (23_035_705, 8_177_962),
    }


def test_partners_of_unequal_experience_move_by_their_own_uncertainty():
    known = {"ann": Rating(29_000_000, 2_500_000), "bo": Rating(21_000_000, 4_000_000)}
    assert after(["ann+cy", "bo+di"], before=known) == {
        "ann": (29_161_327, 2_495_654),
        "bo": (20_587_281, 3_975_888),
        "cy": (26_790_716, 8_119_156),
        "di": (23_209_284, 8_105_568),
    }


def test_a_tie():
    known = {"ann": Rating(29_000_000, 2_500_000)}
    assert after(["ann = bo"], before=known) == {
        "ann": (28_944_015, 2_497_317),
        "bo": (25_621_430, 7_816_510),
    }
    assert after(["ann", "bo = cy", "di"]) == {
        "ann": (27_795_253, 8_263_571),
        "bo": (24_689_416, 8_179_618),
        "cy": (24_689_416, 8_179_618),
        "di": (22_825_915, 8_179_618),
    }


def test_whoever_is_known_well_becomes_less_certain_with_a_match():
    known = {"ann": Rating(25_000_000, 400_000), "bo": Rating(25_000_000, 400_000)}
    assert after(["ann", "bo"], before=known) == {
        "ann": (25_014_098, 408_572),
        "bo": (24_985_902, 408_572),
    }


EVENINGS = [
    ["ann", "bo", "cy"],
    ["ann", "cy", "bo"],
    ["bo", "ann", "cy", "di"],
    ["ann+cy", "bo+di"],
    ["di", "ann"],
    ["ann", "bo = cy = di"],
    ["bo+di", "ann+cy"],
    ["cy", "di", "bo", "ann"],
    ["ed", "ann", "bo", "cy", "di"],
    ["ann", "ed"],
    ["ann = ed", "bo"],
    ["ann+bo", "cy+di"],
    ["ann+di", "bo+cy"],
    ["di", "cy"],
    ["bo", "di", "ed"],
    ["ann", "bo", "cy", "di", "ed", "fay"],
    ["fay", "ed = di", "cy", "bo = ann"],
    ["ann+ed", "bo+fay", "cy+di"],
    ["fay", "ann"],
    ["ann", "fay"],
    ["bo", "cy", "ann"],
]


def test_twenty_one_matches_one_after_the_other():
    assert after(*EVENINGS) == {
        "ann": (27_842_286, 6_062_802),
        "bo": (28_631_113, 6_346_638),
        "cy": (20_766_664, 6_313_551),
        "di": (23_654_629, 6_348_964),
        "ed": (23_426_436, 7_216_175),
        "fay": (24_457_103, 7_289_312),
    }
