"""A correction of who sat where: the results follow, and a fresh fold of the log finds the same."""

from tests.api.closed_matches import CLOSED
from tests.api.serving import tally
from tests.api.serving_kinds import on_both


def sits_in(player):
    return {"type": "player_substituted", "player": player, "substitute": "ed"}


def seats_of(league, player):
    """Return how many matches the player played in each seat, by the results and the statistics."""
    results = league.viewer.get("/results").json()["items"]
    statistics = league.viewer.get(f"/players/{player}/statistics").json()["by_seat"]
    return (
        {str(each["seat"]): 1 for each in results if each["player"] == player},
        {seat: each["played"] for seat, each in statistics.items()},
    )


@on_both
def test_who_sat_in_for_somebody_else_has_the_other_seat(league):
    round_ = tally("bo", ann=10)
    match = league.match(players=["ann", "bo"], events=[sits_in("ann"), round_, CLOSED])
    assert seats_of(league, "ed") == ({"1": 1}, {"1": 1})
    match.tell(
        {"type": "log_amended", "from": 2, "remove": 1, "insert": [sits_in("bo")], "reason": "bo's"}
    )
    assert seats_of(league, "ed") == ({"2": 1}, {"2": 1})
    rebuilt = league.owner.post("/rebuild", {}).json()["views"]
    assert {name: sum(each.values()) for name, each in rebuilt.items()} == dict.fromkeys(rebuilt, 0)
