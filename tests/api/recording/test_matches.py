"""Opening a match: defaults, nulls, refusals, and the same opening again."""

from uuid import uuid4

import pytest

from tests.api.serving import note, tally
from tests.api.serving_kinds import on_both

FOUR = ["ann", "bo", "cy", "di"]
TEAMS = [["ann", "cy"], ["bo", "di"]]


@on_both
def test_opening_answers_like_an_append(league):
    opening = league.opening(dealer="ann", at="2026-11-20T20:00:00+01:00")
    answer = league.scorekeeper.post("/matches", opening)
    assert answer.status_code == 201
    assert answer.headers["location"] == f"{league.root}/matches/{opening['match']}"
    assert answer.headers["etag"] == '"1"'
    body = answer.json()
    assert list(body) == ["match", "version", "position", "entries", "violations", "state"]
    assert (body["match"], body["version"], body["violations"]) == (opening["match"], 1, [])
    (entry,) = body["entries"]
    assert (entry["type"], entry["version"], entry["inferred"]) == ("match_opened", 1, False)
    assert entry["position"] == body["position"] == body["state"]["position"]
    assert entry["event_index"] is None
    assert entry["at"] == "2026-11-20T19:00:00Z"
    assert entry["data"] == {
        "edition": "basic",
        "players": FOUR,
        "dealer": "ann",
        "revision": 1,
    }
    assert league.served.ask("GET", answer.headers["location"]).json() == body["state"]


def test_the_scoreboard_of_a_match_that_was_just_opened(league):
    match = league.match(teams=TEAMS, dealer="ann")
    assert match.board() == {
        "match": match.slug,
        "edition": "basic",
        "revision": 1,
        "status": "open",
        "phase": "ready",
        "version": 1,
        "position": match.opened.json()["position"],
        "players": FOUR,
        "scoring": {
            "mode": "lowest-total",
            "target": 500,
            "rounds": None,
            "team_scoring": "own-hands",
        },
        "options": {},
        "house_rules": {},
        "house_rules_revision": None,
        "round": 0,
        "dealer": "ann",
        "turn": None,
        "direction": "clockwise",
        "top_card": None,
        "color": None,
        "pending": [],
        "awaiting_hands": [],
        "draw_pile_count": None,
        "color_pending": None,
        "hand_counts": None,
        "totals": dict.fromkeys(FOUR, 0),
        "teams": [{"players": team, "total": 0} for team in TEAMS],
        "rounds_won": dict.fromkeys(FOUR, 0),
        "eliminated": [],
        "winners": [],
        "violations": 0,
        "amendments": 0,
        "voided": 0,
        "open_disputes": 0,
    }


MODES = {
    "mario": "winner-collects",
    "basic": "lowest-total",
    "mickey": "winner-collects",
    "hello-kitty": "winner-collects",
    "classic-2025": "first-out",
}
ALL_MODES = ("winner-collects", "lowest-total", "elimination", "plus-minus", "first-out")


@pytest.mark.parametrize("edition", MODES)
def test_an_edition_and_players_are_enough(league, edition):
    opening = {"edition": edition, "players": FOUR}
    answer = league.scorekeeper.post("/matches", opening)
    assert answer.status_code == 201, answer.text
    state = answer.json()["state"]
    assert answer.headers["location"] == f"{league.root}/matches/{state['match']}"
    assert state["scoring"]["mode"] == MODES[edition]
    edition_view = league.served.ask("GET", f"/v1/editions/{edition}").json()
    assert edition_view["default_mode"] == MODES[edition]


@pytest.mark.parametrize("edition", MODES)
@pytest.mark.parametrize("mode", ALL_MODES)
@pytest.mark.parametrize("teams", [None, TEAMS])
def test_every_mode_in_every_edition(league, edition, mode, teams):
    scoring = {"mode": mode} | ({"rounds": 5} if mode == "plus-minus" else {})
    opening = league.opening(edition=edition, scoring=scoring, teams=teams)
    answer = league.scorekeeper.post("/matches", opening)
    if teams and mode in {"plus-minus", "elimination"}:
        assert (answer.status_code, answer.json()["code"]) == (422, "teams-not-in-mode")
        return
    assert answer.status_code == 201, answer.text
    team_scoring = {"lowest-total": "own-hands", "winner-collects": "opponents-hands"}
    assert answer.json()["state"]["scoring"] == {
        "mode": mode,
        "target": 500 if mode in {"winner-collects", "lowest-total", "elimination"} else None,
        "rounds": {"plus-minus": 5, "first-out": 1}.get(mode),
        "team_scoring": team_scoring.get(mode) if teams else None,
    }


@pytest.mark.parametrize(
    ("scoring", "target", "rounds"),
    [
        (None, 500, None),
        ({}, 500, None),
        ({"target": 200}, 200, None),
        ({"target": None}, None, None),
        ({"rounds": 3}, 500, 3),
        ({"target": None, "rounds": 3}, None, 3),
        ({"rounds": None}, 500, None),
        ({"mode": "first-out"}, None, 1),
        ({"mode": "first-out", "rounds": None}, None, None),
        ({"mode": "first-out", "rounds": 5}, None, 5),
        ({"mode": "first-out", "target": None}, None, 1),
        ({"mode": "plus-minus", "rounds": 5, "target": None}, None, 5),
    ],
)
def test_what_is_absent_follows_the_edition_and_null_switches_off(league, scoring, target, rounds):
    board = league.match(scoring=scoring).board()["scoring"]
    assert (board["target"], board["rounds"]) == (target, rounds)


def test_both_a_target_and_a_number_of_rounds_whichever_comes_first(league):
    scoring = {"target": 50, "rounds": 2}
    by_target = league.match(scoring=scoring).tell(tally("ann", bo=50, cy=1, di=1))
    assert by_target["state"]["status"] == "won"
    by_rounds = league.match(scoring=scoring)
    assert by_rounds.tell(tally("ann", bo=1, cy=1, di=1))["state"]["status"] == "open"
    assert by_rounds.tell(tally("ann", bo=1, cy=1, di=1))["state"]["status"] == "won"


@pytest.mark.parametrize(
    ("opening", "code"),
    [
        ({"players": ["ann"]}, "players-invalid"),
        ({"players": []}, "players-invalid"),
        ({"players": ["ann", "ann"]}, "players-invalid"),
        ({"players": [f"p{n}" for n in range(11)]}, "players-invalid"),
        ({"players": ["ann", "nobody"]}, "player-not-registered"),
        ({"players": ["ann", "bo\n"]}, None),
        ({"edition": "mattel"}, "edition-unknown"),
        ({"teams": [["ann", "bo"], ["cy", "di"]]}, "teams-not-opposite"),
        ({"teams": [["ann", "cy"]]}, "teams-invalid"),
        ({"teams": [["ann", "cy"], ["ann", "di"]]}, "teams-invalid"),
        ({"teams": [["ann", "bo", "cy", "di"]]}, "teams-invalid"),
        ({"teams": []}, "teams-invalid"),
        ({"teams": [["ann", "cy"], ["bo", "di"], ["ed", "ed"]]}, "teams-invalid"),
        (
            {"players": ["ann", "bo", "cy"], "teams": [["ann", "cy"], ["bo", "bo"]]},
            "teams-invalid",
        ),
        ({"teams": TEAMS, "scoring": {"mode": "plus-minus", "rounds": 4}}, "teams-not-in-mode"),
        ({"teams": TEAMS, "scoring": {"mode": "elimination"}}, "teams-not-in-mode"),
        (
            {"teams": TEAMS, "scoring": {"team_scoring": "opponents-hands"}},
            "team-scoring-not-in-mode",
        ),
        (
            {
                "teams": TEAMS,
                "scoring": {"mode": "winner-collects", "team_scoring": "own-hands"},
            },
            "team-scoring-not-in-mode",
        ),
        ({"scoring": {"mode": "plus-minus"}}, "rounds-needed"),
        ({"scoring": {"mode": "plus-minus", "rounds": None}}, "rounds-needed"),
        ({"scoring": {"rounds": 0}}, "scoring-invalid"),
        ({"scoring": {"target": 0}}, "scoring-invalid"),
        ({"scoring": {"target": -500}}, "scoring-invalid"),
        ({"scoring": {"mode": "first-out", "target": 500}}, "scoring-invalid"),
        ({"options": {"question_block": "swap"}}, "option-not-in-edition"),
        (
            {"options": {"extra_cards": {"party": {"count": 1, "points": 50}}}},
            "option-not-in-edition",
        ),
        ({"options": {"caught_counts": False}}, "option-not-in-mode"),
        ({"dealer": "ed"}, "dealer-not-in-match"),
        ({"seating": [{"players": FOUR, "dealer": "ed"}]}, "seating-invalid"),
        ({"seating": [{"players": ["ann", "bo"], "dealer": "ann"}]}, "seating-invalid"),
        (
            {
                "teams": TEAMS,
                "seating": [{"players": ["ann", "cy", "bo", "di"], "dealer": "ann"}],
            },
            "teams-not-opposite",
        ),
    ],
)
def test_an_opening_that_can_not_be_played_is_a_422_with_its_own_code(league, opening, code):
    whole = league.opening(**opening)
    answer = league.scorekeeper.post("/matches", whole)
    if code is None:
        assert answer.status_code == 400
    else:
        assert (answer.status_code, answer.json()["code"]) == (422, code), answer.text
    assert league.owner.get(f"/matches/{whole['match']}").status_code == 404
    # A refusal leaves no trace: the slug is free.
    assert (
        league.scorekeeper.post(
            "/matches", league.opening() | {"match": whole["match"]}
        ).status_code
        == 201
    )


@on_both
def test_the_same_opening_again_is_answered_as_then_to_the_byte(league):
    opening = league.opening(
        teams=TEAMS,
        scoring={
            "mode": "lowest-total",
            "target": 500,
            "rounds": None,
            "team_scoring": "own-hands",
        },
        options={},
        at="2026-11-20T19:00:00Z",
        events=[tally("ann", bo=20, cy=3, di=7)],
    )
    first = league.scorekeeper.post("/matches", opening)
    assert first.status_code == 201
    path = f"/matches/{opening['match']}"
    league.owner.post(f"{path}/events", {"events": [note()]})
    # Neither the caller nor the order of the fields matters.
    for caller, body in (
        (league.scorekeeper, opening),
        (league.owner, dict(reversed(opening.items()))),
    ):
        again = caller.post("/matches", body)
        assert (again.status_code, again.content) == (200, first.content)
        assert again.headers["idempotency-replayed"] == "true"
        assert again.headers["etag"] == first.headers["etag"] == '"3"'
        assert again.headers["location"] == first.headers["location"]
    assert league.owner.get(path).json()["version"] == 4


@pytest.mark.parametrize(
    "change",
    [
        {"dealer": "bo"},
        {"players": ["bo", "cy", "di", "ann"]},
        {"edition": "mickey"},
        {"scoring": {"target": 400}},
        {"at": "2026-11-20T19:00:00Z"},
        {"events": [note()]},
        {"edition": "mattel"},
    ],
)
@on_both
def test_another_opening_under_the_slug_is_a_409(league, change):
    opening = league.opening()
    league.scorekeeper.post("/matches", opening)
    answer = league.scorekeeper.post("/matches", opening | change)
    assert (answer.status_code, answer.json()["code"]) == (409, "match-exists")


def test_an_opening_that_means_the_same_is_the_same(league):
    event = note() | {"id": str(uuid4()), "at": "2026-11-20T19:00:00Z"}
    opening = league.opening(at="2026-11-20T19:00:00Z", events=[event])
    first = league.scorekeeper.post("/matches", opening)
    respelt = event | {"id": event["id"].upper(), "at": "2026-11-20T20:00:00+01:00"}
    again = league.scorekeeper.post(
        "/matches", opening | {"at": "2026-11-20T21:00:00+02:00", "events": [respelt]}
    )
    assert (again.status_code, again.content) == (200, first.content)


@on_both
def test_many_at_once_open_one(league):
    opening = league.opening()
    answers = league.served.together(
        *(league.scorekeeper.asking("POST", "/matches", json=opening) for _ in range(8))
    )
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len({answer.content for answer in answers}) == 1


@on_both
def test_events_are_appended_in_the_same_request(league):
    opening = league.opening(events=[note(), tally("ann", bo=20, cy=3, di=7)])
    answer = league.scorekeeper.post("/matches", opening)
    body = answer.json()
    assert answer.headers["etag"] == '"4"'
    assert [(e["type"], e["event_index"]) for e in body["entries"]] == [
        ("match_opened", None),
        ("note_added", 0),
        ("round_tallied", 1),
        ("round_ended", None),
    ]
    assert body["state"]["totals"] == {"ann": 0, "bo": 20, "cy": 3, "di": 7}


@on_both
def test_an_event_that_fails_leaves_no_match(league):
    opening = league.opening(events=[note(), tally("zed")])
    answer = league.scorekeeper.post("/matches", opening)
    assert (answer.status_code, answer.json()["event_index"]) == (422, 1)
    assert league.owner.get(f"/matches/{opening['match']}").status_code == 404
    stranger = {"type": "player_substituted", "player": "ann", "substitute": "nobody"}
    answer = league.scorekeeper.post("/matches", league.opening(events=[note(), stranger]))
    assert (answer.json()["code"], answer.json()["event_index"]) == ("player-not-registered", 1)


def test_a_match_that_is_won_in_its_opening_is_listed_as_won(league):
    match = league.match(scoring={"target": 10}, events=[tally("ann", bo=20, cy=3, di=7)])
    (listed,) = league.viewer.get("/matches", params={"status": "won"}).json()["items"]
    assert (listed["match"], listed["winners"]) == (match.slug, ["ann"])


def test_optional_fields_may_be_null(league):
    names = ("match", "teams", "scoring", "options", "dealer", "seating", "at")
    opening = {"edition": "basic", "players": FOUR} | dict.fromkeys(names)
    assert league.scorekeeper.post("/matches", opening).status_code == 201


def test_players_of_another_league_are_strangers(league):
    other = league.served.league(players=("far",))
    assert other.owner.get("/players/far").status_code == 200
    answer = league.scorekeeper.post("/matches", league.opening(players=["ann", "far"]))
    assert (answer.status_code, answer.json()["code"]) == (422, "player-not-registered")
    assert answer.json()["facts"] == {"players": ["far"]}


def test_two_to_ten_players_sit_down(served):
    names = [f"p{number}" for number in range(10)]
    league = served.league(players=names)
    for count in (2, 10):
        assert len(league.match(players=names[:count]).board()["players"]) == count


def test_a_planned_seating_moves_seats_and_dealer(league):
    seating = [
        {"players": FOUR, "dealer": "ann"},
        {"players": ["cy", "bo", "ann", "di"], "dealer": "di"},
    ]
    match = league.match(seating=seating)
    assert match.board()["dealer"] == "ann"
    state = match.tell(tally("ann", bo=1, cy=2, di=3))["state"]
    assert (state["players"], state["dealer"]) == (["cy", "bo", "ann", "di"], "di")
