"""Appending: the answer, If-Match, batches, and refusals."""

import re

import pytest
from httpx import Headers
from hypothesis import given
from hypothesis import strategies as st

from tests.api.serving import examples, note, tally
from tests.api.serving_kinds import on_both

ROUND = tally("ann", bo=20, cy=["red-7", "wild"], di=7)


@on_both
def test_answers_with_the_entries_and_the_state_after_them(league):
    match = league.match()
    answer = match.append(ROUND, note())
    assert answer.status_code == 201
    assert answer.headers["etag"] == '"4"'
    assert answer.headers["content-type"] == "application/json"
    assert "idempotency-replayed" not in answer.headers
    body = answer.json()
    assert list(body) == ["match", "version", "position", "entries", "violations", "state"]
    assert body["match"] == match.slug
    assert body["version"] == 4
    assert body["position"] == body["state"]["position"] == body["entries"][-1]["position"]
    assert body["violations"] == []
    assert body["state"] == match.board()
    assert [(e["type"], e["inferred"], e["event_index"]) for e in body["entries"]] == [
        ("round_tallied", False, 0),
        ("round_ended", True, None),
        ("note_added", False, 1),
    ]


@on_both
def test_an_entry_tells_its_place_time_recorder_and_content(league):
    match = league.match()
    told = match.tell(ROUND | {"at": "2026-11-20T20:00:00+01:00", "as_played": True})
    first, inferred = told["entries"]
    assert list(first) == [
        "version",
        "position",
        "id",
        "type",
        "data",
        "inferred",
        "recorded_at",
        "recorded_by",
        "at",
        "hash",
        "event_index",
    ]
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", first["id"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", first["recorded_at"])
    assert re.fullmatch(r"[0-9a-f]{64}", first["hash"])
    assert first["at"] == "2026-11-20T19:00:00Z"
    assert inferred["at"] is None
    assert first["recorded_by"] == inferred["recorded_by"]
    assert first["recorded_by"] in {
        token["token_id"] for token in league.owner.get("/tokens").json()["items"]
    }
    assert first["data"] == {
        "as_played": True,
        "winners": ["ann"],
        "hands": {
            "bo": {"points": 20},
            "cy": {"cards": ["red-7", "wild"]},
            "di": {"points": 7},
        },
    }
    assert inferred["data"] == {
        "round": 1,
        "winners": ["ann"],
        "scores": {"ann": 0, "bo": 20, "cy": 57, "di": 7},
        "hand_points": {"ann": 0, "bo": 20, "cy": 57, "di": 7},
    }


@pytest.mark.parametrize(
    "if_match", ['"1"', '"1-redacted"', '"1-zh-TW"', "*", None, '"7", "1"', 'W/"9", "1"']
)
def test_a_lock_that_holds_lets_the_append_through(league, if_match):
    headers = {} if if_match is None else {"if_match": if_match}
    assert league.match().append(note(), **headers).status_code == 201


@pytest.mark.parametrize(
    "if_match", ['"2"', '"2-zh-TW"', '"0"', '"01"', '"1-"', 'W/"1"', '"one"', '"9007199254740993"']
)
def test_another_version_is_a_412_that_tells_the_current_one(league, if_match):
    match = league.match()
    answer = match.append(note(), if_match=if_match)
    assert answer.status_code == 412
    assert answer.json()["code"] == "version-mismatch"
    assert answer.json()["version"] == 1
    assert answer.headers["etag"] == '"1"'
    assert match.board()["version"] == 1


# Plain ones take the fast way past the framework; a query takes the ordinary one.
@pytest.mark.parametrize("address", ["/events", "/events?lang=en"])
@pytest.mark.parametrize(
    ("lines", "status"),
    [(['"7"', '"1"'], 201), (['"1"', '"7"'], 201), (['"7"', '"8"'], 412), (["*", '"1"'], 400)],
)
def test_a_lock_in_several_lines_is_one_list(league, address, lines, status):
    headers = Headers([("if-match", line) for line in lines])
    answer = league.match().post(address, {"events": [note()]}, headers=headers)
    assert answer.status_code == status


@pytest.mark.parametrize("if_match", ["1", '"1', "", '"1""2"', "**"])
def test_a_lock_that_cannot_be_read_is_a_400(league, if_match):
    answer = league.match().append(note(), if_match=if_match)
    assert (answer.status_code, answer.json()["reason"]) == (400, "if-match")


@on_both
def test_two_scorers_with_one_version_one_writes_and_one_is_told(league):
    match = league.match()
    answers = league.served.together(
        *(
            caller.asking(
                "POST",
                f"/matches/{match.slug}/events",
                json={"events": [note(str(number))]},
                headers={"if-match": '"1"'},
            )
            for number, caller in enumerate((league.owner, league.scorekeeper) * 4)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [201] + [412] * 7
    assert {a.json()["version"] for a in answers} == {2}
    assert match.board()["version"] == 2


@on_both
def test_many_writers_leave_no_gap_in_versions_and_positions(league):
    first, second = league.match(), league.match()
    answers = league.served.together(
        *(
            match.asking("POST", "/events", json={"events": [note(), note()]})
            for match in (first, second) * 10
        )
    )
    assert {answer.status_code for answer in answers} == {201}
    logs = [match.log() for match in (first, second)]
    for log in logs:
        assert [entry["version"] for entry in log] == list(range(1, 22))
    positions = sorted(entry["position"] for log in logs for entry in log)
    assert positions == list(range(positions[0], positions[0] + 42))
    assert positions[-1] == second.board()["position"] or positions[-1] == first.board()["position"]


@on_both
@pytest.mark.parametrize(
    ("batch", "index", "status", "code"),
    [
        ([note(), tally("zed"), note()], 1, 422, "impossible-event"),
        ([tally("ann", bo=1, cy=1, di=1), tally("zed"), tally("yo")], 1, 422, "impossible-event"),
        ([note(), tally("ann", "bo", cy=3, di=4)], 1, 422, "rule-violation"),
        (
            [
                tally("zed"),
                {"type": "player_substituted", "player": "ann", "substitute": "nobody"},
            ],
            0,
            422,
            "impossible-event",
        ),
        (
            [
                note(),
                {"type": "player_substituted", "player": "ann", "substitute": "nobody"},
                tally("zed"),
            ],
            1,
            422,
            "player-not-registered",
        ),
    ],
)
def test_the_first_event_that_fails_decides_and_nothing_is_written(
    league, batch, index, status, code
):
    match = league.match()
    before = match.get().content
    answer = match.append(*batch)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["event_index"] == index
    for violation in answer.json().get("violations", []):
        assert violation["event_index"] == index
    assert match.get().content == before


def test_what_can_not_have_happened_is_refused_with_a_reason_and_facts(league):
    problem = league.match().append(tally("zed", bo=3)).json()
    assert problem["reason"] == "player-not-in-match"
    assert problem["facts"] == {"player": "zed", "field": "winners"}
    assert "zed" in problem["detail"]


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (tally("ann", bo=["red-12"], cy=3, di=3), "card-not-in-box"),
        (tally("ann", bo=["red-0"], cy=["red-0"], di=3), "too-many-of-card"),
        (tally("ann", bo=[], cy=3, di=3), "loser-without-cards"),
        (tally("ann", ann=["red-1"], bo=3, cy=3, di=3), "winner-has-cards"),
        (tally("ann", bo=-3, cy=3, di=3), "points-negative"),
        (tally("ann", bo=2000, cy=3, di=3), "points-impossible"),
        (tally("ann", bo=600, cy=600, di=600), "points-exceed-box"),
        (tally("ann", bo=3, cy=3), "hand-missing"),
        (tally("zed", bo=3, cy=3, di=3), "player-not-in-match"),
        (tally("ann", bo=3, cy=3, di=3, zed=3), "player-not-in-match"),
        (tally(bo=3, cy=3, di=3), "winners-invalid"),
        (tally("ann", "ann", bo=3, cy=3, di=3), "winners-invalid"),
        ({"type": "round_tallied", "winners": ["ann"]}, "hands-or-scores"),
        (tally("ann", bo=3, cy=3, di=3) | {"charges": {"bo": 3}}, "charges-not-in-mode"),
        (
            {
                "type": "round_tallied",
                "winners": ["ann"],
                "hands": {
                    "bo": {"points": 3, "cards_left": 1},
                    "cy": {"points": 19, "cards_left": 1},
                    "di": {"points": 3},
                },
            },
            "points-impossible",
        ),
        ({"type": "round_tallied", "winners": ["ann"], "scores": {"bo": 3}}, "score-missing"),
        ({"type": "round_voided", "reason": "misdeal", "redealt": True}, "wrong-phase"),
        ({"type": "match_closed"}, "no-round-played"),
        ({"type": "seats_changed", "players": ["ann", "bo", "cy"]}, "seats-invalid"),
        (
            {"type": "player_substituted", "player": "ann", "substitute": "bo"},
            "substitute-in-match",
        ),
    ],
)
def test_each_impossibility_has_its_own_reason_and_leaves_no_trace(league, told, reason):
    match = league.match()
    answer = match.append(told)
    assert (answer.status_code, answer.json()["code"]) == (422, "impossible-event"), answer.text
    assert answer.json()["reason"] == reason
    assert answer.json()["event_index"] == 0
    assert isinstance(answer.json()["facts"], dict)
    # `as_played` does not let through what cannot have happened.
    assert match.append(told | {"as_played": True}).json()["reason"] == reason
    assert match.board()["version"] == 1


def test_nothing_but_notes_follows_the_end_of_a_match(league):
    match = league.match(scoring={"target": 10})
    told = match.tell(tally("ann", bo=20, cy=3, di=3))
    assert [entry["type"] for entry in told["entries"]][1:] == ["round_ended", "match_won"]
    assert told["state"]["status"] == "won"
    assert told["state"]["phase"] == "over"
    late = match.append(ROUND)
    assert (late.status_code, late.json()["reason"]) == (422, "wrong-phase")
    assert match.append(note("well played")).status_code == 201


def test_what_the_rules_forbid_is_recorded_and_flagged_where_it_was_played_so(league):
    match = league.match()
    joint = tally("ann", "bo", cy=3, di=4)
    refused = match.append(joint).json()
    (violation,) = refused["violations"]
    assert sorted(violation) == ["clause", "event_index", "facts", "message", "reason"]
    assert violation["clause"] == "X-JOINT"
    assert violation["facts"] == {"winners": ["ann", "bo"]}
    assert violation["message"]
    told = match.tell(note(), joint | {"as_played": True})
    assert told["violations"] == [violation | {"event_index": 1}]
    assert told["state"]["violations"] == 1
    assert told["state"]["rounds_won"] == {"ann": 1, "bo": 1, "cy": 0, "di": 0}
    # The answer lists the violations of that append only.
    assert match.tell(note())["violations"] == []


def test_every_violation_cites_a_clause_that_its_edition_lists(league):
    match = league.match()
    (violation,) = match.append(tally("ann", "bo", cy=3, di=4)).json()["violations"]
    clauses = league.served.ask("GET", "/v1/editions/basic").json()["clauses"]
    assert violation["clause"] in {clause["id"] for clause in clauses}


def test_as_played_changes_nothing_on_a_legal_event(league):
    plain, flagged = league.match(), league.match()
    plain.tell(ROUND)
    flagged.tell(ROUND | {"as_played": True})
    ours, theirs = plain.board(), flagged.board()
    different = {"match", "position"}
    assert {k: v for k, v in ours.items() if k not in different} == {
        k: v for k, v in theirs.items() if k not in different
    }


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_violations_and_refusals_are_told_in_the_language_that_was_asked_for(league, language):
    match = league.match()
    joint = {"events": [tally("ann", "bo", cy=3, di=4)]}
    by_header = match.post("/events", joint, headers={"accept-language": language})
    by_query = match.post(f"/events?lang={language}", joint)
    for answer in (by_header, by_query):
        assert answer.headers["content-language"] == language
        problem = answer.json()
        assert problem["title"].isascii() == (language == "en")
        message = problem["violations"][0]["message"]
        assert message.isascii() == (language == "en")
        assert problem["detail"].isascii() == (language == "en")
    for wrong in ({"players": ["ann", "bo", "nobody"]}, {"edition": "chess"}):
        opening = league.opening(**wrong)
        problem = league.scorekeeper.post(f"/matches?lang={language}", opening).json()
        assert problem["detail"].isascii() == (language == "en")


@pytest.mark.parametrize("type_", ["match_opened", "round_ended", "match_won", "game_over", ""])
def test_events_of_the_server_and_unknown_ones_are_a_400(league, type_):
    answer = league.match().append({"type": type_})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize("count", [0, 1001])
def test_a_batch_has_one_to_a_thousand_events(league, count):
    assert league.match().append(*[note()] * count).status_code == 400


@on_both
def test_a_batch_of_a_thousand_is_taken(league):
    told = league.match().tell(*[note()] * 1000)
    assert told["version"] == 1001


def test_appending_to_what_does_not_exist_is_a_404(league):
    path = "/matches/nowhere/events"
    assert league.owner.post(path, {"events": [note()]}).status_code == 404
    assert (
        league.served.ask(
            "POST", "/v1/leagues/nowhere/matches/m/events", json={"events": [note()]}
        ).status_code
        == 404
    )


FOUR = ("ann", "bo", "cy", "di")
CARDS = {"ann": "red-7", "bo": "blue-skip", "cy": "wild", "di": "green-0"}
HANDS = {player: st.one_of(st.integers(1, 60), st.just([card])) for player, card in CARDS.items()}
TALLIES = st.sampled_from(FOUR).flatmap(
    lambda winner: st.fixed_dictionaries(
        {player: hand for player, hand in HANDS.items() if player != winner}
    ).map(lambda hands: tally(winner, **hands))
)
EVENTS = st.one_of(
    TALLIES,
    st.builds(note, st.text("abc 中", min_size=1, max_size=5)),
    st.permutations(FOUR).map(lambda players: {"type": "seats_changed", "players": players}),
)


@given(told=st.lists(EVENTS, min_size=1, max_size=6), data=st.data())
@examples(12)
def test_one_batch_equals_the_same_events_singly_or_in_any_parts(league, told, data):
    cut = data.draw(st.integers(0, len(told)))
    whole, singly, in_opening = (
        league.match(scoring={"target": None}),
        league.match(scoring={"target": None}),
        league.match(scoring={"target": None}, events=told[:cut]),
    )
    whole.tell(*told)
    for event in told:
        singly.tell(event)
    if told[cut:]:
        in_opening.tell(*told[cut:])
    pictures = [
        (
            {k: v for k, v in match.board().items() if k not in {"match", "position"}},
            [(e["version"], e["type"], e["data"], e["inferred"]) for e in match.log()],
            match.get("/rounds").json(),
            match.get("/hands").json(),
        )
        for match in (whole, singly, in_opening)
    ]
    assert pictures[0] == pictures[1] == pictures[2]
