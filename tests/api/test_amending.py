"""Amendments, disputes, what-if and undo over HTTP."""

from uuid import uuid4

import pytest
from serving import ADMIN, note, tally
from serving_kinds import on_both

DEAL = [
    {"type": "round_started", "dealer": "ann"},
    {"type": "first_card_turned", "card": "red-draw-two"},
]
PLAY = {"type": "card_played", "player": "cy", "card": "red-5"}
DRAW = {"type": "cards_drawn", "player": "cy", "count": 1}
FORGOTTEN = {"from": 5, "remove": 0, "insert": [DRAW]}
UNKNOWN = {"version", "position", "amendments"}


def amended(**fields):
    return {"type": "log_amended", "reason": "forgotten", **fields}


def dispute(**fields):
    return {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "no", **fields}


def ruling(dispute, ruling="upheld"):
    return {"type": "dispute_ruled", "dispute": dispute, "ruling": ruling, "reason": "seen"}


def evening(league):
    """Bo's draw, entry 4, was inferred before cy's play, entry 5."""
    match = league.match(dealer="ann", events=DEAL)
    assert match.append(PLAY).headers["etag"] == '"5"'
    return match


def numbers(board):
    return {name: value for name, value in board.items() if name not in UNKNOWN}


def undo(match, body=None, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return match.post("/undo", {} if body is None else body, headers=headers)


class TestAmending:
    @on_both
    def test_the_forgotten_draw(self, league):
        match = evening(league)
        answer = match.append(amended(**FORGOTTEN), if_match='"5"')
        assert (answer.status_code, answer.headers["etag"]) == (201, '"6"')
        told = answer.json()
        assert [entry["type"] for entry in told["entries"]] == ["log_amended"]
        assert told["entries"][0]["data"] == FORGOTTEN | {"reason": "forgotten"}
        assert (told["voided"], told["violations"]) == ([], [])
        assert told["state"]["draw_pile_count"] == 76
        assert match.board() == told["state"]
        assert match.board(at=5)["draw_pile_count"] == 77
        assert (told["state"]["amendments"], told["state"]["voided"]) == (1, 0)

    def test_other_answers_say_nothing_of_what_is_voided(self, league):
        assert "voided" not in league.match().tell(note())

    @on_both
    def test_every_version_is_folded_to_the_state_that_was_answered(self, league):
        match = evening(league)
        answers = [
            match.tell(event)
            for event in (
                amended(**FORGOTTEN),
                {"type": "card_played", "player": "di", "card": "red-6"},
                amended(withdraws=[6]),
                amended(**{"from": 3, "remove": 1, "insert": [{**DEAL[1], "card": "red-1"}]}),
                note(),
            )
        ]
        for answer in answers[:-1]:
            assert match.board(at=answer["version"]) == answer["state"]

    def test_a_match_is_won_by_an_amendment_and_opened_by_another(self, league):
        match = league.match(scoring={"target": 100}, dealer="ann")
        for _ in range(2):
            match.tell(tally("ann", bo=30, cy=1, di=2))
        answer = match.tell(
            amended(**{"from": 2, "remove": 1, "insert": [tally("ann", bo=130, cy=1, di=2)]})
        )
        assert answer["state"]["status"] == "won"
        assert answer["voided"] == [
            {
                "version": 4,
                "type": "round_tallied",
                "code": "impossible-event",
                "reason": "wrong-phase",
                "message": answer["voided"][0]["message"],
            }
        ]
        listed = league.scorekeeper.get("/matches").json()["items"][0]
        assert (listed["status"], listed["winners"]) == ("won", answer["state"]["winners"])
        match.tell(amended(withdraws=[6]))
        assert match.board()["voided"] == 0
        listed = league.scorekeeper.get("/matches").json()["items"][0]
        assert (listed["status"], listed["winners"]) == ("open", [])
        assert match.tell(tally("ann", bo=50, cy=1, di=2))["state"]["status"] == "won"

    @pytest.mark.parametrize(
        ("fields", "code"),
        [
            ({"from": 1, "remove": 1}, "opening-fixed"),
            ({"from": 4, "remove": 1}, "inferred-not-removable"),
            ({"from": 8, "remove": 0}, "impossible-event"),
            ({"from": 5, "remove": 3}, "impossible-event"),
            ({"withdraws": [5]}, "impossible-event"),
            ({"from": 5, "insert": [DRAW | {"player": "zoe"}]}, "impossible-event"),
            ({"from": 5, "insert": [DRAW | {"player": "ann"}]}, "rule-violation"),
            (
                {
                    "from": 2,
                    "insert": [
                        {"type": "player_substituted", "player": "ann", "substitute": "gus"}
                    ],
                },
                "player-not-registered",
            ),
        ],
    )
    def test_what_is_refused_leaves_no_trace_and_what_if_refuses_it_too(self, league, fields, code):
        match = evening(league)
        before = match.board()
        answer = match.append(note(), amended(**fields))
        assert (answer.status_code, answer.json()["code"]) == (422, code)
        assert answer.json()["event_index"] == 1
        tried = match.post("/what-if", fields)
        assert (tried.status_code, tried.json()["code"]) == (422, code)
        assert match.board() == before

    def test_the_insert_that_fails_is_named(self, league):
        match = evening(league)
        answer = match.append(amended(**{"from": 5, "insert": [DRAW, DRAW | {"player": "zoe"}]}))
        assert answer.json()["facts"]["insert"] == 1

    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"remove": 1},
            {"from": 0},
            {"from": 2, "remove": -1},
            {"from": 2, "insert": [{"type": "match_won", "winners": [], "totals": {}}]},
            {"from": 2, "insert": [DRAW | {"id": str(uuid4())}]},
            {"from": 2, "insert": [amended(withdraws=[2])]},
            {"from": 2, "insert": [dispute()]},
            {"from": 2, "surprise": 1},
            {"withdraws": 3},
        ],
    )
    def test_what_cannot_be_an_amendment_is_a_400(self, league, fields):
        match = evening(league)
        assert match.append(amended(**fields)).status_code == 400
        assert match.post("/what-if", fields).status_code == 400

    def test_overlapping_amendments(self, league):
        match = evening(league)
        match.tell(amended(**{"from": 5, "remove": 1}))
        answer = match.append(amended(**{"from": 5, "remove": 1}))
        assert (answer.status_code, answer.json()["code"]) == (422, "amendment-overlaps")
        assert answer.json()["facts"] == {"amendments": [6, 7]}
        match.tell(amended(**{"from": 5, "remove": 1, "withdraws": [6]}))

    @on_both
    def test_an_amendment_of_a_match_of_which_something_was_erased(self, league):
        match = league.match(events=[tally("ann", bo=1, cy=2, di=3)] * 3)
        position = match.log()[3]["position"]
        league.owner.post("/erasures", {"positions": [position], "reason": "asked"})
        answer = match.tell(amended(**{"from": 2, "remove": 1}))
        (voided,) = answer["voided"]
        assert (voided["version"], voided["code"]) == (4, "event-erased")
        assert "type" not in voided
        assert (answer["state"]["round"], answer["state"]["voided"]) == (1, 1)
        match.tell(note())
        assert match.board(at=8) == answer["state"]


class TestRetries:
    @on_both
    def test_an_amendment_again_is_answered_as_then(self, league):
        match = evening(league)
        events = [
            amended(**FORGOTTEN, id=str(uuid4())),
            {"type": "card_played", "player": "di", "card": "red-6", "id": str(uuid4())},
        ]
        first = match.append(*events)
        match.tell(amended(withdraws=[6]))
        again = match.append(*events, if_match='"1"')
        assert (again.status_code, again.headers["idempotency-replayed"]) == (200, "true")
        assert again.content == first.content
        part = match.append(events[0])
        assert part.json()["version"] == 6
        assert part.json()["voided"] == []

    def test_a_longer_batch_goes_on_behind_the_amendment(self, league):
        match = evening(league)
        first = amended(**FORGOTTEN, id=str(uuid4()))
        match.tell(first)
        then = {"type": "card_played", "player": "di", "card": "red-6", "id": str(uuid4())}
        answer = match.append(first, then, if_match='"5"')
        assert answer.headers["idempotency-replayed"] == "partial"
        assert [entry["version"] for entry in answer.json()["entries"]] == [6, 7]
        assert answer.json()["voided"] == []

    def test_the_same_id_with_another_insert_is_reused(self, league):
        match = evening(league)
        event = amended(**FORGOTTEN, id=str(uuid4()))
        match.tell(event)
        answer = match.append(event | {"insert": [DRAW | {"count": 2}]})
        assert (answer.status_code, answer.json()["code"]) == (409, "event-id-reused")

    def test_a_retry_after_something_else_was_erased(self, league):
        match = evening(league)
        event = amended(**FORGOTTEN, id=str(uuid4()))
        first = match.tell(event)
        position = match.log()[2]["position"]
        erased = league.owner.post("/erasures", {"positions": [position], "reason": "x"})
        assert erased.status_code == 201
        again = match.append(event)
        assert (again.status_code, again.json()["version"]) == (200, first["version"])


class TestWhatIf:
    @on_both
    def test_what_if_is_the_state_after_recording_it_and_records_nothing(self, league):
        match = evening(league)
        log = match.log()
        tried = match.post("/what-if", FORGOTTEN)
        assert tried.status_code == 200
        beside = {"hands", "table", "tournament"}
        assert set(tried.json()) == {"state", "rounds", "voided", "violations"} | beside
        assert match.log() == log
        answer = match.tell(amended(**FORGOTTEN))
        assert tried.json()["state"] == answer["state"]
        assert tried.json()["rounds"] == match.get("/rounds").json()["items"]
        assert tried.json()["voided"] == answer["voided"]

    def test_all_that_would_be_flagged_and_voided_is_named(self, league):
        match = league.match(
            events=[*DEAL[:1], {"type": "first_card_turned", "card": "red-5"}], dealer="ann"
        )
        match.tell({"type": "card_played", "player": "bo", "card": "red-6"})
        match.tell({"type": "card_played", "player": "cy", "card": "red-7"})
        tried = match.post("/what-if", {"from": 4, "remove": 1}).json()
        (found,) = tried["violations"]
        assert (found["version"], found["clause"], found["event_index"]) == (5, "X-TURN", None)
        assert tried["state"]["violations"] == 1
        answer = match.tell(amended(**{"from": 4, "remove": 1}))
        (found,) = answer["violations"]
        assert (found["version"], found["clause"], found["event_index"]) == (5, "X-TURN", 0)

    def test_a_viewer_may_not_ask(self, league):
        match = evening(league)
        path = f"/matches/{match.slug}/what-if"
        assert league.viewer.post(path, FORGOTTEN).status_code == 403
        assert league.owner.post(path, FORGOTTEN).status_code == 200

    def test_a_match_that_does_not_exist(self, league):
        assert league.owner.post("/matches/no/what-if", FORGOTTEN).status_code == 404

    def test_with_a_key_the_same_question_has_the_same_answer(self, league):
        match = evening(league)
        key = {"idempotency-key": str(uuid4())}
        first = match.post("/what-if", FORGOTTEN, headers=key)
        match.tell(note())
        again = match.post("/what-if", FORGOTTEN, headers=key)
        assert (again.status_code, again.content) == (200, first.content)
        assert again.headers["idempotency-replayed"] == "true"
        other = match.post("/what-if", {"from": 5, "remove": 1}, headers=key)
        assert (other.status_code, other.json()["code"]) == (409, "idempotency-key-reused")


class TestUndo:
    @on_both
    def test_the_last_tap_is_taken_back(self, league):
        match = evening(league)
        before = match.board(at=3)
        match.tell(note(), dispute())
        answer = undo(match, {"reason": "slip"}, if_match='"7"')
        assert (answer.status_code, answer.headers["etag"]) == (201, '"8"')
        (entry,) = answer.json()["entries"]
        assert entry["type"] == "log_amended"
        assert entry["data"] == {"from": 5, "remove": 1, "insert": [], "reason": "slip"}
        board = match.board()
        assert numbers(board) == numbers(before) | {"open_disputes": 1}

    def test_a_reason_need_not_be_given_nor_a_body_sent(self, league):
        match = evening(league)
        answer = match.ask("POST", "/undo", headers={"if-match": '"5"'})
        assert answer.status_code == 201
        assert answer.json()["entries"][0]["data"]["from"] == 5

    def test_tap_after_tap_until_nothing_is_left(self, league):
        match = evening(league)
        for count in (1, 2, 3):
            assert undo(match, if_match="*").json()["state"]["amendments"] == count
        answer = undo(match, if_match="*")
        assert (answer.status_code, answer.json()["code"]) == (409, "nothing-to-undo")
        assert numbers(match.board()) == numbers(match.board(at=1))

    @on_both
    def test_a_match_that_was_won_is_open_again_and_listed_so(self, league):
        match = league.match(scoring={"target": 5}, events=[tally("ann", bo=1, cy=2, di=9)])
        assert match.board()["status"] == "won"
        undone = undo(match, if_match='"4"').json()
        assert (undone["state"]["status"], undone["state"]["round"]) == ("open", 0)
        listed = league.viewer.get("/matches").json()["items"][0]
        assert (listed["status"], listed["winners"]) == ("open", [])

    def test_what_an_amendment_inserted_is_taken_back_like_a_tap(self, league):
        match = evening(league)
        match.tell(amended(**{"from": 5, "remove": 1, "insert": [DRAW, PLAY]}))
        board = match.board()
        undone = undo(match, if_match="*").json()
        assert undone["entries"][0]["data"] == {
            "from": 5,
            "remove": 1,
            "insert": [DRAW],
            "withdraws": [6],
            "reason": "taken back",
        }
        assert undone["state"]["top_card"] == "red-draw-two"
        match.tell(PLAY)
        assert numbers(match.board()) == numbers(board)

    def test_an_insertion_alone_is_withdrawn(self, league):
        match = league.match(events=[tally("ann", bo=1, cy=2, di=3)])
        match.tell(amended(**{"from": 4, "insert": [tally("bo", ann=5, cy=2, di=3)]}))
        undone = undo(match, if_match="*").json()
        data = undone["entries"][0]["data"]
        assert data == {"remove": 0, "insert": [], "withdraws": [4], "reason": "taken back"}
        assert numbers(undone["state"]) == numbers(match.board(at=3))

    def test_a_draw_told_for_an_inferred_one_is_inferred_again(self, league):
        match = league.match(dealer="ann", events=DEAL)
        match.tell({"type": "card_played", "player": "cy", "card": "red-5"})
        match.tell(amended(**{"from": 5, "remove": 1}))
        before = match.board()
        told = {"type": "cards_drawn", "player": "bo", "cards": ["red-1", "red-2"]}
        match.tell(amended(**{"from": 4, "remove": 1, "insert": [told]}))
        assert numbers(match.board())["draw_pile_count"] == 77
        undo(match, if_match="*")
        assert numbers(match.board()) == numbers(before)

    def test_a_match_that_does_not_exist(self, league):
        answer = league.owner.post("/matches/no/undo", {}, headers={"if-match": "*"})
        assert answer.status_code == 404

    def test_the_request_says_which_version_it_saw(self, league):
        match = evening(league)
        answer = undo(match)
        assert (answer.status_code, answer.json()["code"]) == (428, "if-match-needed")
        answer = undo(match, if_match='"4"')
        assert (answer.status_code, answer.json()["version"]) == (412, 5)
        assert undo(match, if_match='"4-zh-TW"').status_code == 412
        assert undo(match, if_match="5").status_code == 400
        assert undo(match, {"surprise": 1}, if_match="*").status_code == 400
        assert undo(match, {"reason": ""}, if_match="*").status_code == 400
        assert match.board()["version"] == 5

    @on_both
    def test_two_who_take_back_the_same_tap(self, league):
        match = evening(league)
        asked = [
            match.asking("POST", "/undo", json={}, headers={"if-match": '"5"'}) for _ in range(2)
        ]
        answers = match.served.together(*asked)
        assert sorted(answer.status_code for answer in answers) == [201, 412]

    def test_with_a_key_it_is_taken_back_once(self, league):
        match = evening(league)
        key = str(uuid4())
        first = undo(match, if_match='"5"', idempotency_key=key)
        again = undo(match, if_match='"5"', idempotency_key=key)
        assert (first.status_code, again.status_code) == (201, 200)
        assert (again.content, again.headers["etag"]) == (first.content, '"6"')


class TestDisputes:
    def test_open_ones_are_seen_on_the_scoreboard_and_in_the_list(self, league):
        match = league.match(events=[tally("ann", bo=1, cy=2, di=3)])
        told = match.tell(dispute(entry=2))
        assert told["state"]["open_disputes"] == 1

        def listed():
            return league.viewer.get("/matches").json()["items"][0]["open_disputes"]

        assert listed() == 1
        path = f"/matches/{match.slug}/events"
        ruled = league.owner.post(path, {"events": [ruling(told["version"])]})
        assert ruled.json()["state"]["open_disputes"] == 0
        assert listed() == 0
        entry = ruled.json()["entries"][0]
        assert entry["recorded_by"] != told["entries"][0]["recorded_by"]

    def test_only_an_owner_rules(self, league):
        match = league.match(events=[tally("ann", bo=1, cy=2, di=3)])
        version = match.tell(dispute())["version"]
        answer = match.append(ruling(version))
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        path = f"/matches/{match.slug}/events"
        for token in (league.owner.token, ADMIN):
            answer = league.served.ask(
                "POST", match.root + "/events", token=token, json={"events": [ruling(version)]}
            )
            assert answer.status_code == (201 if token == league.owner.token else 409)
        closed = league.owner.post(path, {"events": [ruling(version)]})
        assert (closed.status_code, closed.json()["code"]) == (409, "dispute-closed")
        opening = league.opening(events=[tally("ann", bo=1, cy=2, di=3), dispute(), ruling(4)])
        assert league.scorekeeper.post("/matches", opening).status_code == 403
        opened = league.owner.post("/matches", opening)
        assert opened.json()["state"]["open_disputes"] == 0

    def test_upheld_with_its_amendment_in_one_append(self, league):
        match = league.match(events=[tally("ann", bo=1, cy=2, di=3)])
        version = match.tell(dispute(entry=2))["version"]
        replaced = {"from": 2, "remove": 1, "insert": [tally("bo", ann=1, cy=2, di=3)]}
        answer = league.owner.post(
            f"/matches/{match.slug}/events",
            {"events": [ruling(version), amended(dispute=version, **replaced)]},
        )
        assert answer.status_code == 201
        assert answer.json()["state"]["rounds_won"]["bo"] == 1
        assert answer.json()["state"]["open_disputes"] == 0
