"""What-if predicts every number: each is compared with what is read after recording."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from scorekeeper.match.readings import amend, effective_log
from scorekeeper.match.readings.amended_fold import amended_fold, newly_amended_fold
from scorekeeper.simulation.tellings import Telling
from tests.api.amendments import FORGOTTEN, amended, evening
from tests.api.closed_matches import CLOSED, played
from tests.api.serving import Match, examples, note, tally
from tests.api.serving_kinds import on_both, quick_on_sqlite
from tests.api.tournaments.test_tournaments import opened, play
from tests.match.story import NAMES
from tests.pointers import leaves
from tests.simulation.playing import any_match, told_events

REPLACED = {"from": 2, "remove": 1}


def pages(league, match):
    tournaments = league.viewer.get("/tournaments").json()["items"]
    paths = ["/standings", "/results", "/matches", "/players/ann/statistics"]
    paths += [f"/tournaments/{each['tournament']}/standings" for each in tournaments]
    return [
        *(league.viewer.get(path).json() for path in paths),
        *(match.get(path).json() for path in ("", "/hands", "/rounds", "/events")),
    ]


def ask(league, match, fields):
    before = pages(league, match)
    tried = match.post("/what-if", fields)
    assert tried.status_code == 200, tried.text
    assert pages(league, match) == before
    return tried.json()


def asked_and_recorded(league, match, fields, *, tournament=None, also=None):
    """Ask, record the same, compare both, and return the what-if's answer."""
    before = reading(league, match, tournament)
    tried = ask(league, match, fields)
    told = match.tell(amended(**fields))
    after = reading(league, match, tournament)
    people = {*told["state"]["players"], also}
    table = league.viewer.get("/standings").json()["items"]
    standings = f"/tournaments/{tournament}/standings"
    assert tried | {"violations": None, "changes": None} == {
        "state": match.board(),
        "rounds": match.get("/rounds").json()["items"],
        "voided": told["voided"],
        "violations": None,
        "hands": match.get("/hands").json()["hands"],
        "table": [line for line in table if line["player"] in people],
        "tournament": None if tournament is None else league.viewer.get(standings).json(),
        "changes": None,
    }
    assert told_changes(tried) == differences(before, after)
    return tried


def told_changes(tried):
    found = {change["at"]: (change["before"], change["after"]) for change in tried["changes"]}
    assert len(found) == len(tried["changes"])
    return found


def reading(league, match, tournament):
    """Return the reads that the changes of a what-if point into."""
    lines = league.viewer.get("/standings").json()["items"]
    path = f"/tournaments/{tournament}/standings"
    columns = league.viewer.get(path).json()["items"] if tournament else []
    return {
        "match": match.board(),
        "rounds": {each["round"]: each for each in match.get("/rounds").json()["items"]},
        "hands": match.get("/hands").json()["hands"],
        "table": {line["player"]: line for line in lines},
        "tournament": {column["player"]: column for column in columns},
    }


def differences(before, after):
    """Return all differences; in the table these can concern players outside the match, too."""
    old, new = leaves(before), leaves(after)
    return {
        at: (old.get(at), new.get(at))
        for at in old | new
        if old.get(at) != new.get(at)
        if at not in {"/match/version", "/match/position", "/match/amendments"}
    }


def round_of(winner):
    return tally(winner, **{"bo" if winner == "ann" else "ann": 10})


def won_by(winner, league, **opening):
    return played(league, round_of(winner), players=("ann", "bo"), **opening)


def sits_in(player):
    return {"type": "player_substituted", "player": "bo", "substitute": player}


@pytest.fixture
def readings(monkeypatch):
    """A list with an item for each time that a log with amendments is read."""
    found = []

    def counted(read):
        def reading(*of, **named):
            found.append(of)
            return read(*of, **named)

        return reading

    monkeypatch.setattr(effective_log, "amended_fold", counted(amended_fold))
    monkeypatch.setattr(amend, "newly_amended_fold", counted(newly_amended_fold))
    return found


def test_the_amended_match_is_read_once(league, readings):
    misplay = {"type": "card_played", "player": "bo", "card": "blue-1", "as_played": True}
    started = {"type": "round_started", "dealer": "ann"}
    turned = {"type": "first_card_turned", "card": "red-5"}
    match = league.match(events=[started, turned, misplay])
    tried = ask(league, match, {"from": 3, "remove": 0, "insert": [note("late")]})
    assert [found["version"] for found in tried["violations"]] == [4]
    assert len(readings) == 1


def ranks(tried):
    return [(line["rank"], line["player"]) for line in tried["table"]]


@quick_on_sqlite
def test_the_hands_of_a_round_in_progress(league):
    match = evening(league)
    before = match.get("/hands").json()["hands"]
    tried = asked_and_recorded(league, match, FORGOTTEN)
    assert tried["hands"]["cy"]["unknown"] == before["cy"]["unknown"] + 1
    assert (tried["table"], tried["tournament"]) == ([], None)


@quick_on_sqlite
def test_a_match_that_would_be_won_and_one_that_would_be_open_again(league):
    played(league, tally("ed", di=10), players=("ed", "di"))
    played(league, tally("bo", ed=10), players=("bo", "ed"))
    match = league.match(players=["ann", "bo", "cy"], scoring={"target": 100})
    for _ in range(2):
        match.tell(tally("ann", bo=30, cy=1))
    won = REPLACED | {"insert": [tally("ann", bo=130, cy=1)]}
    tried = asked_and_recorded(league, match, won)
    assert (tried["state"]["status"], len(tried["voided"])) == ("won", 1)
    # ed, who is not in this match, shares the first rank; so does di, who is last, with cy.
    assert ranks(tried) == [(1, "ann"), (1, "bo"), (4, "cy")]
    tried = asked_and_recorded(league, match, {"withdraws": [match.board()["version"]]})
    assert tried["state"]["status"] == "open"
    assert ranks(tried) == [(1, "bo")]


@on_both
def test_a_correction_in_a_match_of_last_year(league):
    old, *_ = (
        won_by("ann", league, at=at)
        for at in ("2025-11-20T20:00:00Z", "2026-11-20T20:00:00Z", "2026-11-21T20:00:00Z")
    )
    corrected = REPLACED | {"insert": [tally("bo", ann=7)]}
    ann, bo = asked_and_recorded(league, old, corrected)["table"]
    assert (ann["streak"], ann["longest_streak"], ann["points"]["penalty"]["own"]) == (2, 2, 7)
    assert (bo["streak"], bo["longest_streak"], bo["won"]) == (0, 1, 1)
    assert ann["last_played"] == "2026-11-21"


@pytest.mark.parametrize(
    ("place", "winner", "streak", "longest"), [(0, "bo", 1, 1), (1, "ann", 3, 3), (2, "bo", 0, 1)]
)
def test_matches_of_one_moment_stay_in_the_order_in_which_they_were_won(
    league, place, winner, streak, longest
):
    matches = [won_by(each, league, at="2025-11-20T20:00:00Z") for each in ("ann", "bo", "ann")]
    other = REPLACED | {"insert": [round_of(winner)]}
    line = asked_and_recorded(league, matches[place], other)["table"][0 if winner == "ann" else 1]
    assert (line["player"], line["streak"], line["longest_streak"]) == ("ann", streak, longest)


@quick_on_sqlite
@pytest.mark.parametrize("rounds", [1, 2])
def test_whoever_would_sit_in_is_counted_with_all_other_matches(league, rounds):
    played(league, tally("ed", di=10), players=("ed", "di"))
    match = league.match(players=["ann", "bo"], events=[round_of("ann"), round_of("bo"), CLOSED])
    comes_back = [sits_in("bo")] if rounds == 1 else []
    amendment = REPLACED | {"insert": [sits_in("ed"), round_of("ann"), *comes_back]}
    tried = asked_and_recorded(league, match, amendment, also="ed")
    counted = {line["player"]: line["rounds"] for line in tried["table"]}
    assert (counted["ann"], counted.get("bo", 0), counted["ed"]) == (2, 2 - rounds, 1 + rounds)
    back = {"withdraws": [match.board()["version"]]}
    tried = asked_and_recorded(league, match, back, also="ed")
    counted = {line["player"]: line["rounds"] for line in tried["table"]}
    assert counted == {"ann": 2, "bo": 2, "ed": 1}


@quick_on_sqlite
def test_the_standings_of_the_tournament(league):
    slug, body = opened(league)
    play(league, body["segments"])
    first = body["segments"][0]["tables"][0]
    match = Match(league, first["match"], league.viewer.get(f"/matches/{first['match']}"))
    (winner, partner), others = first["teams"]
    hands = {partner: 0} | dict.fromkeys(others, 200)
    more = REPLACED | {"insert": [tally(winner, **hands)]}
    tried = asked_and_recorded(league, match, more, tournament=slug)
    assert tried["tournament"]["complete"] is True
    # In one of eight lost rounds, 400 points replace two hands of 10.
    assert max(each["total"] for each in tried["tournament"]["items"]) == 8 * 20 - 20 + 400
    fewer = REPLACED | {"withdraws": [match.board()["version"]]}
    tried = asked_and_recorded(league, match, fewer, tournament=slug)
    assert (tried["tournament"]["complete"], tried["tournament"]["champions"]) == (False, [])
    assert tried["table"] != []


@on_both
def test_whoever_is_passed_has_another_rank(league):
    played(league, tally("ed", di=10), players=("ed", "di"))
    match = won_by("bo", league)
    tried = asked_and_recorded(league, match, REPLACED | {"insert": [tally("ann", bo=7)] * 2})
    assert ("/table/ed/rank", 1, 2) in [tuple(change.values()) for change in tried["changes"]]
    assert "ed" not in {line["player"] for line in tried["table"]}


@examples(5)
@given(seed=st.integers(0, 2**16))
def test_the_changes_of_any_match_are_all_that_differs(served, seed):
    """They are compared with readings before an amendment and after it was really recorded."""
    rng = Random(seed)
    league = served.league([*NAMES, "pat", "quin"])
    for winner, loser in (("pat", "quin"), ("quin", "pat")):
        played(league, tally(winner, **{loser: 10}), players=(winner, loser))
    simulated = any_match(seed, most_rounds=1)
    events = to_builtins(told_events(simulated, rng.choice(list(Telling))))
    opening = to_builtins(simulated.opened)
    del opening["type"], opening["revision"]
    match = league.match(**opening)
    for first in range(0, len(events), 1000):
        match.tell(*events[first : first + 1000])
    match.append(CLOSED)
    for _ in range(3):
        inserted = rng.sample(events, min(len(events), rng.choice((0, 0, 1, 2))))
        fields = {
            "from": rng.randint(2, match.board()["version"] + 1),
            "remove": rng.choice((0, 1, 1, 2, 5, 30)),
            "insert": [event | {"as_played": True} for event in inserted],
        }
        before = reading(league, match, None)
        tried = match.post("/what-if", fields)
        recorded = match.append(amended(**fields))
        assert (tried.status_code == 200) is recorded.is_success
        if recorded.is_success:
            assert told_changes(tried.json()) == differences(before, reading(league, match, None))


def test_the_changes_are_told_leaf_by_leaf(league):
    match = played(league, round_of("ann"), round_of("ann"), players=("ann", "bo"))
    amendment = REPLACED | {"insert": [tally("bo", ann=7)]}
    changes = ask(league, match, amendment)["changes"]
    told = [(change["at"], change["before"], change["after"]) for change in changes]
    of_match = [change for change in told if change[0].startswith("/match/")]
    assert of_match == [
        ("/match/totals/ann", 0, 7),
        ("/match/totals/bo", 20, 10),
        ("/match/rounds_won/ann", 2, 1),
        ("/match/rounds_won/bo", 0, 1),
    ]
    assert ("/rounds/1/winners/0", "ann", "bo") in told
    assert ("/table/ann/rounds_won", 2, 1) in told
    assert ask(league, match, {"from": 2, "remove": 0, "insert": []})["changes"] == []
