"""Amendments, disputes and what-if over HTTP."""

from uuid import uuid4

import pytest
from sqlalchemy import text

from tests.api.amendments import DEAL, DRAW, FORGOTTEN, amended, dispute, evening
from tests.api.serving import ADMIN, note, tally
from tests.api.serving_kinds import on_both


def ruling(dispute, ruling="upheld"):
    return {"type": "dispute_ruled", "dispute": dispute, "ruling": ruling, "reason": "seen"}


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
                "facts": {"type": "round_tallied", "phase": "over"},
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
        beside = {"hands", "table", "tournament", "changes"}
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

    def test_no_answer_is_kept_under_a_key(self, league):
        """A what-if writes nothing, so with a repeated key it is worked out again."""
        match = evening(league)
        key = {"idempotency-key": str(uuid4())}
        kept = answers_kept(match)
        first = match.post("/what-if", FORGOTTEN, headers=key)
        assert answers_kept(match) == kept
        told = match.tell(note())
        again = match.post("/what-if", FORGOTTEN, headers=key)
        assert "idempotency-replayed" not in again.headers
        assert first.json()["state"]["version"] == told["version"]
        assert again.json()["state"]["version"] == told["version"] + 1


def answers_kept(match):
    count = text("SELECT count(*) FROM answers WHERE about = :about")
    about = {"about": f"match:{match.slug}"}
    reading = match.served.services.ledger.read(lambda c: c.scalar(count, about))
    return match.served.together(reading)


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
