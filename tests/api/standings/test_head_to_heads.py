"""Head-to-heads: a player's results with each opponent and each partner."""

from tests.api.closed_matches import played
from tests.api.serving import tally
from tests.api.serving_kinds import on_both


def met(league, player, **query):
    """Return matches and rounds, played and won, and points, by opponent and by partner."""
    found = league.viewer.get(f"/players/{player}/statistics", params=query).json()
    return tuple(
        {each["player"]: _figures(each) for each in found[people]}
        for people in ("opponents", "partners")
    )


def _figures(line):
    """The pair has points of one kind only, and these are returned."""
    (points,) = filter(None, line["points"].values())
    counts = (line[name] for name in ("played", "won", "rounds", "rounds_won"))
    return [*counts, points["own"], points["others"]]


@on_both
def test_head_to_heads_follow_the_season_somebody_the_edition_and_the_seats(league):
    two = {"players": ("ann", "bo"), "at": "2025-11-20T20:00:00Z"}
    played(league, tally("ann", bo=10), tally("bo", ann=4), tally("ann", bo=1), **two)
    played(league, tally("bo", ann=7, cy=3), at="2026-11-20T20:00:00Z")
    played(
        league,
        tally("ann", bo=10, cy=20, di=7),
        players=("ann", "bo", "cy", "di"),
        teams=[["ann", "cy"], ["bo", "di"]],
        edition="hello-kitty",
        scoring={"mode": "lowest-total"},
        at="2026-12-20T20:00:00Z",
    )
    first, second = (
        {"bo": [1, 1, 3, 2, 4, 11]},
        {"bo": [1, 0, 1, 0, 7, 0], "cy": [1, 0, 1, 0, 7, 3]},
    )
    third = ({"bo": [1, 0, 1, 1, 20, 17], "di": [1, 0, 1, 1, 20, 17]}, {"cy": [1, 0, 1, 1, 20, 20]})
    assert met(league, "ann", to="2025-12-31", **{"with": "bo"}) == (first, {})
    assert met(league, "ann", to="2025-12-31") == (first, {})
    assert met(league, "ann", seats=2) == (first, {})
    assert met(league, "ann", seats=3) == (second, {})
    assert met(league, "ann", edition="hello-kitty") == third
    assert met(league, "ann", **{"with": "di"}) == third
    assert met(league, "ann", **{"from": "2026-12-01"}) == third
    assert met(league, "ann", edition="mario") == ({}, {})
    both = {"bo": [2, 1, 4, 2, 11, 11], "cy": [1, 0, 1, 0, 7, 3]}
    assert met(league, "ann", edition="basic") == (both, {})


@on_both
def test_head_to_heads_of_all_seasons_are_those_that_are_stored(league):
    """For a player who was out, substituted or corrected, only rounds that both played count."""
    league.owner.post("/players", {"player": "fay", "name": "Fay"})
    sits_in = {"type": "player_substituted", "player": "ann", "substitute": "ed"}
    played(league, tally("ann", bo=10), sits_in, tally("ann", bo=10), players=("ann", "bo"))
    pairs = {"players": ("ann", "bo", "cy", "di"), "teams": [["ann", "cy"], ["bo", "di"]]}
    played(
        league, tally("ann", bo=10, cy=20, di=7), sits_in, tally("bo", ann=3, cy=1, di=5), **pairs
    )
    leaves = {"type": "player_substituted", "player": "bo", "substitute": "fay"}
    played(league, tally("ann", bo=8), sits_in, leaves, tally("ann", bo=5), players=("ann", "bo"))
    league.match(
        players=["ann", "bo", "cy"],
        edition="hello-kitty",
        scoring={"mode": "elimination", "target": 100},
        events=[tally("ann", bo=10, cy=101), tally("ann", bo=40), tally("ann", bo=51)],
    )
    match = played(league, tally("ann", bo=10, cy=2), tally("cy", ann=3, bo=4))
    put_right = {"type": "log_amended", "from": 2, "remove": 1, "reason": "x"}
    match.tell(put_right | {"insert": [tally("bo", ann=9, cy=2), sits_in]})
    bo, cy, di = [5, 1, 7, 6, 29, 136], [2, 1, 2, 1, 9, 103], [1, 0, 1, 1, 20, 17]
    assert met(league, "ann") == ({"bo": bo, "cy": cy, "di": di}, {"cy": [1, 0, 1, 1, 20, 20]})
    bo, cy, di = [3, 1, 3, 1, 7, 19], [1, 0, 1, 0, 3, 0], [1, 0, 1, 0, 4, 5]
    fay = [1, 1, 1, 1, 0, 5]
    against = {"bo": bo, "cy": cy, "di": di, "fay": fay}
    assert met(league, "ed") == (against, {"cy": [1, 0, 1, 0, 4, 4]})
    for player in ("ann", "bo", "cy", "di", "ed", "fay"):
        stored = met(league, player)
        assert met(league, player, **{"from": "2000-01-01"}) == stored
        assert stored[0]
    assert "fay" not in met(league, "ann", seats=2)[0]
    assert "ed" not in met(league, "ann", seats=2)[1]
