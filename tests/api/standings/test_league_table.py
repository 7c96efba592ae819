"""The league's table: what is won, by whom, and when."""

import csv
import io
from uuid import uuid4

import pytest

from tests.api.closed_matches import CLOSED, played
from tests.api.serving import note, tally
from tests.api.serving_kinds import on_both


def table(league, **query):
    found = league.viewer.get("/standings", params=query).json()
    return {each["player"]: each for each in found["items"]}


def sums(league, player, **query):
    """Return the counts of matches and rounds, and the points of the player's only kind."""
    line = table(league, **query)[player]
    (points,) = filter(None, line["points"].values())
    return [
        *(line[name] for name in ("played", "won", "rounds", "rounds_won")),
        points["own"],
        points["others"],
    ]


@on_both
def test_a_match_that_was_won_counts_and_others_do_not(league):
    assert league.viewer.get("/standings").json() == {"items": [], "next": None}
    # ann wins both rounds and has no points: the lowest total wins.
    played(league, tally("ann", bo=10, cy=20), tally("ann", bo=5, cy=1))
    league.match(players=["ann", "bo"], events=[tally("bo", ann=50)])
    league.match(
        players=["ann", "bo"],
        events=[tally("bo", ann=50), {"type": "match_abandoned", "reason": "late"}],
    )
    assert sums(league, "ann") == [1, 1, 2, 2, 0, 36]
    assert sums(league, "bo") == [1, 0, 2, 0, 15, 21]
    assert sums(league, "cy") == [1, 0, 2, 0, 21, 15]
    line = table(league)["ann"]
    assert line["rank"] == 1
    assert line["small_sample"] is True
    assert line["points"]["penalty"]["others_per_round"] == 18.0
    assert [table(league)[player]["rank"] for player in ("bo", "cy")] == [2, 2]


@on_both
def test_each_match_adds_to_the_sums_and_the_streaks(league):
    for winner in ("ann", "ann", "bo", "ann"):
        loser = "bo" if winner == "ann" else "ann"
        played(league, tally(winner, **{loser: 10}), players=("ann", "bo"))
    ann = table(league)["ann"]
    assert (ann["played"], ann["won"]) == (4, 3)
    assert (ann["streak"], ann["longest_streak"]) == (1, 2)
    bo = table(league)["bo"]
    assert (bo["streak"], bo["longest_streak"]) == (0, 1)


@on_both
def test_streaks_follow_the_days_on_which_was_played(league):
    for day, winner in (("20", "ann"), ("22", "ann"), ("21", "bo")):
        loser = "bo" if winner == "ann" else "ann"
        played(
            league,
            tally(winner, **{loser: 10}),
            players=("ann", "bo"),
            at=f"2026-11-{day}T20:00:00Z",
        )
    ann = table(league)["ann"]
    assert (ann["streak"], ann["longest_streak"]) == (1, 1)
    assert ann["last_played"] == "2026-11-22"


@on_both
def test_a_correction_in_a_match_of_last_year_corrects_every_number(league):
    old = league.match(
        players=["ann", "bo"], events=[tally("ann", bo=10), CLOSED], at="2025-11-20T20:00:00Z"
    )
    for _ in range(2):
        played(league, tally("ann", bo=10), players=("ann", "bo"))
    assert table(league)["ann"]["longest_streak"] == 3
    amended = old.append(
        {
            "type": "log_amended",
            "from": 2,
            "remove": 1,
            "insert": [tally("bo", ann=7)],
            "reason": "x",
        }
    )
    assert amended.status_code == 201, amended.text
    assert sums(league, "ann") == [3, 2, 3, 2, 7, 20]
    assert sums(league, "bo") == [3, 1, 3, 1, 20, 7]
    ann, bo = table(league)["ann"], table(league)["bo"]
    assert (ann["streak"], ann["longest_streak"]) == (2, 2)
    assert (bo["streak"], bo["longest_streak"]) == (0, 1)
    version = amended.json()["version"]
    old.tell(
        {
            "type": "log_amended",
            "from": 2,
            "remove": 0,
            "insert": [],
            "withdraws": [version],
            "reason": "no",
        }
    )
    assert sums(league, "ann") == [3, 3, 3, 3, 0, 30]
    assert table(league)["ann"]["longest_streak"] == 3


@on_both
def test_a_match_that_is_open_again_counts_no_more(league):
    match = league.match(players=["ann", "bo"], events=[tally("ann", bo=10), CLOSED])
    closing = next(entry for entry in match.log() if entry["type"] == "match_closed")
    match.tell(
        {
            "type": "log_amended",
            "from": closing["version"],
            "remove": 1,
            "insert": [],
            "reason": "x",
        }
    )
    assert table(league) == {}
    assert league.viewer.get("/results").json()["items"] == []
    match.tell(tally("bo", ann=3), CLOSED)
    assert sums(league, "ann") == [1, 1, 2, 1, 3, 10]


@on_both
def test_partners_share_their_teams_points_and_opponents_count_once(league):
    played(
        league,
        tally("ann", bo=10, cy=20, di=7),
        players=("ann", "bo", "cy", "di"),
        teams=[["ann", "cy"], ["bo", "di"]],
    )
    assert sums(league, "ann") == [1, 0, 1, 1, 20, 17]
    assert sums(league, "cy") == [1, 0, 1, 0, 20, 17]
    assert sums(league, "bo") == [1, 1, 1, 0, 17, 20]
    mine = league.viewer.get("/players/ann/statistics").json()
    assert [
        (each["player"], each["won"], each["points"]["penalty"]["others"])
        for each in mine["opponents"]
    ] == [
        ("bo", 0, 17),
        ("di", 0, 17),
    ]
    assert [each["player"] for each in mine["partners"]] == ["cy"]


@on_both
def test_statistics_go_to_the_substitute(league):
    sits_in = {"type": "player_substituted", "player": "ann", "substitute": "ed"}
    played(league, tally("ann", bo=10), sits_in, tally("ann", bo=10), players=("ann", "bo"))
    assert sums(league, "ann") == [1, 0, 1, 1, 0, 10]
    assert sums(league, "ed") == [1, 1, 1, 1, 0, 10]
    assert sums(league, "bo") == [1, 0, 2, 0, 20, 0]


@on_both
def test_a_season_an_edition_seats_and_somebody_narrow_it_down(league):
    at = "2025-12-31T23:59:59.5Z"
    played(league, tally("ann", bo=10), players=("ann", "bo"), at=at)
    played(league, tally("ann", bo=1, cy=1), at="2026-01-01T00:00:00Z")
    hk = {"edition": "hello-kitty", "scoring": {"mode": "lowest-total"}}
    played(league, tally("cy", bo=2), players=("bo", "cy"), at="2026-06-01T12:00:00Z", **hk)
    assert sums(league, "ann", to="2025-12-31") == [1, 1, 1, 1, 0, 10]
    assert sums(league, "ann", **{"from": "2026-01-01"}) == [1, 1, 1, 1, 0, 2]
    assert sums(league, "bo", seats=2) == [2, 0, 2, 0, 12, 0]
    assert set(table(league, edition="hello-kitty")) == {"bo", "cy"}
    assert sums(league, "bo", **{"from": "2026-01-01"}) == [2, 0, 2, 0, 3, 1]
    assert sums(league, "bo", **{"with": "ann", "from": "2026-01-01"}) == [1, 0, 1, 0, 1, 1]
    assert set(table(league, **{"with": "ann", "seats": 2})) == {"ann", "bo"}
    mine = league.viewer.get("/players/bo/statistics", params={"with": "ann"}).json()
    assert mine["statistics"]["played"] == 2
    assert {key: each["played"] for key, each in mine["by_players"].items()} == {"2": 1, "3": 1}
    mine = league.viewer.get("/players/bo/statistics").json()
    assert {key: each["played"] for key, each in mine["by_edition"].items()} == {
        "basic": 2,
        "hello-kitty": 1,
    }
    assert {key: each["played"] for key, each in mine["by_seat"].items()} == {"1": 1, "2": 2}
    refused = league.viewer.get("/standings", params={"from": "yesterday"})
    assert (refused.status_code, refused.json()["code"]) == (400, "malformed")


@on_both
def test_the_table_comes_a_page_at_a_time(league):
    for winner in ("di", "ann", "ann"):
        hands = {player: 10 for player in ("ann", "bo", "cy", "di") if player != winner}
        played(league, tally(winner, **hands), players=("ann", "bo", "cy", "di"))
    found, query = [], {"limit": 1}
    while True:
        page = league.viewer.get("/standings", params=query)
        found += [(each["rank"], each["player"]) for each in page.json()["items"]]
        if page.json()["next"] is None:
            break
        assert 'rel="next"' in page.headers["link"]
        query["cursor"] = page.json()["next"]
    assert found == [(1, "ann"), (2, "di"), (3, "bo"), (3, "cy")]
    assert league.viewer.get("/standings", params={"cursor": "YQ"}).status_code == 400


def pages(league, limit, **query):
    """All lines of the table, `limit` at a time."""
    found = []
    while True:
        page = league.viewer.get("/standings", params={"limit": limit, **query}).json()
        found += page["items"]
        if page["next"] is None:
            return found
        query["cursor"] = page["next"]


@on_both
def test_pages_of_any_size_have_the_ranks_of_the_whole_and_so_has_what_is_narrowed_down(league):
    for winner, rounds in (("ann", 1), ("ann", 1), ("cy", 2), ("di", 1), ("bo", 1)):
        played(league, *[tally(winner, ed=10)] * rounds, players=(winner, "ed"))
    whole = league.viewer.get("/standings").json()["items"]
    assert [(each["rank"], each["player"]) for each in whole] == [
        (1, "ann"),
        (2, "cy"),
        (3, "bo"),
        (3, "di"),
        (5, "ed"),
    ]
    assert [each["small_sample"] for each in whole] == [True, True, True, True, False]
    for limit in range(1, len(whole) + 1):
        assert pages(league, limit) == whole
        assert pages(league, limit, seats=2) == whole
    for line in whole:
        del line["rank"]
        mine = league.viewer.get(f"/players/{line.pop('player')}").json()
        assert mine["statistics"] == line


@on_both
def test_csv_has_numbers_as_numbers_and_no_formulas(league):
    played(league, tally("ann", bo=10), players=("ann", "bo"))
    answer = league.viewer.get("/standings", headers={"accept": "text/csv"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    heading, first, second = csv.reader(io.StringIO(answer.text))
    assert heading[:4] == ["rank", "player", "played", "won"]
    assert first[:4] == ["1", "ann", "1", "1"]
    assert second[:4] == ["2", "bo", "1", "0"]
    answer = league.viewer.get("/results", headers={"accept": "text/csv"})
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["player"], row["rank"], row["points_for"]) for row in rows] == [
        ("ann", "1", "0"),
        ("bo", "2", "10"),
    ]


CSV = "text/csv; charset=utf-8"
JSON = "application/json"


@pytest.mark.parametrize("path", ["/standings", "/results", "/tournaments/cup/standings"])
@pytest.mark.parametrize(
    ("accept", "answered"),
    [
        ("Text/CSV", CSV),
        ("text/csv;q=0.9, */*;q=0.1", CSV),
        ("text/*", CSV),
        ("application/json;q=0.5, text/csv", CSV),
        ("application/json, text/csv;q=0", JSON),
        ("application/json, text/csv;q=0.5", JSON),
        ("text/html, */*;q=0.8", JSON),
        ("text/html", JSON),
    ],
)
def test_what_is_preferred_is_answered(league, path, accept, answered):
    league.scorekeeper.post(
        "/tournaments",
        {
            "tournament": "cup",
            "name": "Cup",
            "edition": "basic",
            "players": ["ann", "bo", "cy", "di"],
        },
    )
    answer = league.viewer.get(path, headers={"accept": accept})
    assert answer.headers["content-type"] == answered
    assert "Accept" in answer.headers["vary"].split(", ")


@on_both
def test_results_come_in_the_order_in_which_matches_were_won(league):
    first = league.match(players=["ann", "bo"])
    second = played(league, tally("ann", bo=10), players=("ann", "bo"))
    first.tell(tally("bo", ann=10), CLOSED)
    found = league.viewer.get("/results", params={"limit": 3}).json()
    assert [each["match"] for each in found["items"]] == [second.slug, second.slug, first.slug]
    rest = league.viewer.get("/results", params={"cursor": found["next"]}).json()["items"]
    assert [(each["match"], each["player"]) for each in rest] == [(first.slug, "bo")]


@on_both
def test_who_has_finished_nothing_has_noughts(league):
    mine = league.viewer.get("/players/ann/statistics").json()
    assert mine["statistics"]["played"] == 0
    assert mine["statistics"]["last_played"] is None
    assert league.viewer.get(f"/players/x-{uuid4().hex}/statistics").status_code == 404
    league.match(events=[note()])


@on_both
@pytest.mark.clause("H-ELIMINATION")
def test_whoever_is_out_plays_no_more_rounds(league):
    league.match(
        players=["ann", "bo", "cy"],
        edition="hello-kitty",
        scoring={"mode": "elimination", "target": 100},
        events=[
            tally("ann", bo=10, cy=101),
            tally("ann", bo=40),
            tally("ann", bo=50),
        ],
    )
    assert sums(league, "cy") == [1, 0, 1, 0, 101, 10]
    assert sums(league, "bo") == [1, 0, 3, 0, 100, 101]
    assert sums(league, "ann") == [1, 1, 3, 3, 0, 201]
    met = league.viewer.get("/players/ann/statistics").json()["opponents"]
    assert {each["player"]: each["rounds"] for each in met} == {"bo": 3, "cy": 1}


@on_both
def test_whoever_takes_a_seat_and_plays_no_round_there_takes_no_result(league):
    leaving = {"type": "player_substituted", "player": "ann", "substitute": "di"}
    played(league, tally("ann", bo=10), leaving, players=("ann", "bo"))
    assert sums(league, "ann") == [1, 1, 1, 1, 0, 10]
    assert "di" not in table(league)


def figures(points):
    """Return rounds, own and others' points, for each kind that the player has points of."""
    return {
        kind: (each["rounds"], each["own"], each["others"])
        for kind, each in points.items()
        if each is not None
    }


@on_both
def test_points_collected_points_that_a_hand_cost_and_balances_are_never_added_up(league):
    """ann has 30 points in each mode: collected points, penalty points, and a balance of 30."""
    two = ("ann", "bo")
    for mode in ("winner-collects", "plus-minus"):
        rounds = {"rounds": 2} if mode == "plus-minus" else {}
        played(league, tally("ann", bo=30), players=two, scoring={"mode": mode, **rounds})
    for mode in ("lowest-total", "elimination"):
        played(league, tally("bo", ann=15), players=two, scoring={"mode": mode})
    played(league, tally("ann"), players=two, scoring={"mode": "first-out", "rounds": 2})
    expected = {
        "collected": (1, 30, 0),
        "penalty": (2, 30, 0),
        "balance": (1, 30, -30),
    }
    line = table(league)["ann"]
    assert (line["played"], line["won"], line["rounds"], line["rounds_won"]) == (5, 3, 5, 3)
    assert figures(line["points"]) == expected
    assert line["points"]["penalty"]["own_per_round"] == 15.0
    assert figures(table(league, seats=2)["ann"]["points"]) == expected
    mine = league.viewer.get("/players/ann/statistics").json()
    assert figures(mine["statistics"]["points"]) == expected
    (met,) = mine["opponents"]
    assert figures(met["points"]) == expected
    (met,) = league.viewer.get("/players/ann/statistics", params={"seats": 2}).json()["opponents"]
    assert figures(met["points"]) == expected
    assert {
        mode: (each["played"], *figures(each["points"]))
        for mode, each in mine["by_scoring_mode"].items()
    } == {
        "winner-collects": (1, "collected"),
        "plus-minus": (1, "balance"),
        "lowest-total": (1, "penalty"),
        "elimination": (1, "penalty"),
        "first-out": (1,),
    }
    results = league.viewer.get("/results", params={"with": "ann"}).json()["items"]
    assert {
        (each["scoring_mode"], each["points_for"], each["points_against"])
        for each in results
        if each["player"] == "ann"
    } == {
        ("winner-collects", 30, 0),
        ("plus-minus", 30, -30),
        ("lowest-total", 15, 0),
        ("elimination", 15, 0),
        ("first-out", 0, 0),
    }
    answer = league.viewer.get("/standings", headers={"accept": "text/csv"})
    first = next(csv.DictReader(io.StringIO(answer.text)))
    assert (first["player"], first["collected_own"], first["penalty_own"]) == ("ann", "30", "30")
    assert (first["balance_own"], first["balance_others_per_round"]) == ("30", "-30.0")
