"""The examples of the contract, sent as printed there, give the figures printed there."""

import pytest

from tests.api.serving import tally
from tests.api.serving_kinds import on_both

FOUR = ["ann", "bo", "cy", "di"]
PRINTED = {
    "match": "friday-1",
    "edition": "basic",
    "players": FOUR,
    "teams": [["ann", "cy"], ["bo", "di"]],
    "scoring": {
        "mode": "lowest-total",
        "target": 500,
        "rounds": None,
        "team_scoring": "own-hands",
    },
    "options": {},
    "dealer": "ann",
    "at": "2026-11-20T19:00:00Z",
}


@on_both
def test_the_opening_as_printed(league):
    answer = league.scorekeeper.post("/matches", PRINTED)
    assert answer.status_code == 201
    state = answer.json()["state"]
    assert state["scoring"] == PRINTED["scoring"]
    assert (state["dealer"], state["options"], state["phase"]) == ("ann", {}, "ready")
    assert [team["players"] for team in state["teams"]] == PRINTED["teams"]


def totals(league, told, **opening):
    return league.match(**opening).tell(told)["state"]["totals"]


@pytest.mark.clause("H-PLUSMINUS")
def test_hello_kitty_by_plus_minus(league):
    match = league.match(edition="hello-kitty", scoring={"mode": "plus-minus", "rounds": 5})
    state = match.tell(tally("bo", ann=40, cy=38, di=40))["state"]
    assert state["totals"] == {"ann": -40, "bo": 118, "cy": -38, "di": -40}
    assert sum(state["totals"].values()) == 0


@pytest.mark.clause("X-JOINT", "M-STAR")
def test_mickey_with_two_winners(league):
    match = league.match(edition="mickey")
    told = match.tell(tally("ann", "bo", cy=30, di=12))
    assert told["violations"] == []
    assert told["state"]["totals"] == {"ann": 42, "bo": 42, "cy": 0, "di": 0}


@pytest.mark.clause("B-TEAM", "X-TEAM")
def test_basic_in_teams(league):
    teams = {"teams": [["ann", "cy"], ["bo", "di"]]}
    told = tally("ann", bo=10, cy=20, di=7)
    own = league.match(**teams).tell(told)["state"]
    assert own["teams"] == [
        {"players": ["ann", "cy"], "total": 20},
        {"players": ["bo", "di"], "total": 17},
    ]
    assert own["totals"] == {"ann": 20, "bo": 17, "cy": 20, "di": 17}
    opponents = {"mode": "winner-collects", "team_scoring": "opponents-hands"}
    assert totals(league, told, **teams, scoring=opponents) == {
        "ann": 17,
        "bo": 0,
        "cy": 17,
        "di": 0,
    }


CARDS = {"bo": ["red-7", "wild"], "cy": ["green-skip"], "di": ["green-1", "green-4"]}
POINTS = {"bo": 57, "cy": 20, "di": 5}
SHEETS = {
    "lowest-total": {"ann": 0, **POINTS},
    "winner-collects": {"ann": 82, "bo": 0, "cy": 0, "di": 0},
    "plus-minus": {"ann": 82, "bo": -57, "cy": -20, "di": -5},
}


@pytest.mark.parametrize("mode", SHEETS)
@pytest.mark.parametrize("edition", ["mario", "basic", "mickey", "hello-kitty", "classic-2025"])
def test_a_tally_by_cards_equals_the_same_by_points_or_by_scores(league, edition, mode):
    told = (
        tally("ann", **CARDS),
        tally("ann", **POINTS),
        {"type": "round_tallied", "winners": ["ann"], "scores": SHEETS[mode]},
    )
    scoring = {"mode": mode, "rounds": 3}
    boards = []
    for each in told:
        board = league.match(edition=edition, scoring=scoring).tell(each)["state"]
        assert board["totals"] == SHEETS[mode]
        boards.append({k: v for k, v in board.items() if k not in {"match", "position"}})
    assert boards[0] == boards[1] == boards[2]


@pytest.mark.parametrize(("last", "status"), [(299, "open"), (300, "won")])
@pytest.mark.parametrize(("mode", "at_500"), [("lowest-total", "bo"), ("winner-collects", "ann")])
def test_499_goes_on_and_500_ends(league, mode, at_500, last, status):
    """In both modes the same hands reach the target: for their holder, or for the winner."""
    match = league.match(players=["ann", "bo"], scoring={"mode": mode})
    state = match.tell(tally("ann", bo=200), tally("ann", bo=last))["state"]
    assert state["totals"][at_500] == 200 + last
    assert state["status"] == status
    assert state["winners"] == (["ann"] if status == "won" else [])


@on_both
def test_an_evening_up_to_500_points(league):
    """What a family does: open, tap each finished round, read the winner."""
    match = league.match(edition="mario", dealer="ann")
    for number in range(1, 5):
        state = match.tell(tally("bo", ann=60, cy=40, di=20))["state"]
        assert (state["status"], state["round"]) == ("open", number)
        assert state["totals"]["bo"] == 120 * number
    told = match.tell(tally("ann", bo=30, cy=10, di=20))
    assert told["state"]["totals"] == {"ann": 60, "bo": 480, "cy": 0, "di": 0}
    told = match.tell(tally("bo", ann=7, cy=3, di=10))
    assert [entry["type"] for entry in told["entries"]] == [
        "round_tallied",
        "round_ended",
        "match_won",
    ]
    assert told["entries"][-1]["data"] == {
        "winners": ["bo"],
        "totals": {"ann": 60, "bo": 500, "cy": 0, "di": 0},
    }
    state = told["state"]
    assert (state["status"], state["phase"], state["winners"]) == ("won", "over", ["bo"])
    assert state["rounds_won"] == {"ann": 1, "bo": 5, "cy": 0, "di": 0}


def test_renaming_players_permutes_the_result_only(served):
    names = {"ann": "wu", "bo": "xi", "cy": "yo", "di": "zed"}
    league, other = served.league(), served.league(players=tuple(names.values()))
    told = [tally("ann", bo=20, cy=3, di=7), tally("di", ann=5, bo=1, cy=9)]

    def renamed(node):
        if isinstance(node, dict):
            return {names.get(key, key): renamed(value) for key, value in node.items()}
        if isinstance(node, list):
            return [renamed(value) for value in node]
        return names.get(node, node) if isinstance(node, str) else node

    ours = league.match(match="m", events=told).board()
    theirs = other.match(match="m", players=renamed(FOUR), events=renamed(told)).board()
    for board in (ours, theirs):
        del board["position"]
    assert renamed(ours) == theirs


def test_a_voided_round_counts_for_nobody(league):
    match = league.match(dealer="ann", scoring={"rounds": 2})
    match.tell({"type": "round_started"})
    state = match.tell({"type": "round_voided", "reason": "misdeal", "redealt": True})["state"]
    assert (state["dealer"], state["round"], state["phase"]) == ("ann", 1, "ready")
    match.tell({"type": "round_started"})
    state = match.tell({"type": "round_voided", "reason": "bedtime", "redealt": False})["state"]
    assert state["totals"] == dict.fromkeys(FOUR, 0)
    # The voided round counts as one of the rounds, so one more ends the match.
    assert match.tell(tally("ann", bo=1, cy=2, di=3))["state"]["status"] == "won"


def test_a_match_that_is_closed_or_abandoned(league):
    closed = league.match(events=[tally("ann", bo=1, cy=2, di=3)])
    told = closed.tell({"type": "match_closed", "reason": "bedtime"})
    assert [entry["type"] for entry in told["entries"]] == ["match_closed", "match_won"]
    assert (told["state"]["status"], told["state"]["winners"]) == ("won", ["ann"])
    abandoned = league.match(events=[tally("ann", bo=1, cy=2, di=3)])
    state = abandoned.tell({"type": "match_abandoned", "reason": "flood"})["state"]
    assert (state["status"], state["winners"]) == ("abandoned", [])
    assert state["totals"] == {"ann": 0, "bo": 1, "cy": 2, "di": 3}


def test_a_substitute_plays_on_in_the_column(league):
    match = league.match()
    substitution = {"type": "player_substituted", "player": "di", "substitute": "ed"}
    match.tell(substitution, tally("ann", bo=1, cy=2, di=3))
    assert match.board()["totals"]["di"] == 3
    assert match.get("/rounds/1").json()["substitutes"] == {"di": "ed"}
