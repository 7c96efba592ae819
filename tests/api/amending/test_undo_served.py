"""Undo over HTTP takes back the latest append or a named event, and nothing older."""

from uuid import uuid4

import pytest
from httpx import Headers

from tests.api.amendments import DEAL, DRAW, PLAY, amended, dispute, evening
from tests.api.serving import note, tally
from tests.api.serving_kinds import on_both

UNKNOWN = {"version", "position", "amendments"}
REASON = {"reason": "taken back", "undo": True}


def numbers(board):
    return {name: value for name, value in board.items() if name not in UNKNOWN}


def undo(match, body=None, *, by=None, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    path = f"/matches/{match.slug}/undo" if by else "/undo"
    return (by or match).post(path, {} if body is None else body, headers=headers)


def refused(answer, status, code):
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    return answer.json()


def named(event):
    return event | {"id": str(uuid4())}


class TestWhatWasToldLast:
    @on_both
    def test_a_tap_is_taken_back(self, league):
        match = evening(league)
        before = match.board(at=3)
        answer = undo(match, {"reason": "slip"}, if_match='"5"')
        assert (answer.status_code, answer.headers["etag"]) == (201, '"6"')
        (entry,) = answer.json()["entries"]
        assert entry["type"] == "log_amended"
        taken_back = {"from": 5, "remove": 1, "insert": [], "reason": "slip", "undo": True}
        assert entry["data"] == taken_back
        assert numbers(match.board()) == numbers(before)

    def test_a_lock_may_come_in_several_lines(self, league):
        match = evening(league)
        lines = Headers([("if-match", '"4"'), ("if-match", '"5"')])
        assert match.post("/undo", {}, headers=lines).status_code == 201

    def test_a_reason_need_not_be_given_nor_a_body_sent(self, league):
        match = evening(league)
        answer = match.ask("POST", "/undo", headers={"if-match": '"5"'})
        assert answer.status_code == 201
        assert (
            answer.json()["entries"][0]["data"] == {"from": 5, "remove": 1, "insert": []} | REASON
        )

    def test_tap_after_tap_until_nothing_is_left(self, league):
        match = evening(league)
        for count in (1, 2, 3):
            assert undo(match, if_match="*").json()["state"]["amendments"] == count
        problem = refused(undo(match, if_match="*"), 409, "nothing-to-undo")
        assert problem["facts"] == {}
        assert numbers(match.board()) == numbers(match.board(at=1))

    @on_both
    def test_a_match_that_was_won_is_open_again_and_listed_so(self, league):
        match = league.match(scoring={"target": 5}, events=[tally("ann", bo=1, cy=2, di=9)])
        assert match.board()["status"] == "won"
        undone = undo(match, if_match='"4"').json()
        assert (undone["state"]["status"], undone["state"]["round"]) == ("open", 0)
        listed = league.viewer.get("/matches").json()["items"][0]
        assert (listed["status"], listed["winners"]) == ("open", [])

    def test_an_amendment_is_withdrawn(self, league):
        match = evening(league)
        board = match.board()
        match.tell(amended(**{"from": 5, "remove": 1, "insert": [DRAW, PLAY]}))
        undone = undo(match, if_match="*").json()
        data = undone["entries"][0]["data"]
        assert data == {"remove": 0, "insert": [], "withdraws": [6]} | REASON
        assert numbers(undone["state"]) == numbers(board)
        undone = undo(match, if_match="*").json()
        assert undone["entries"][0]["data"]["from"] == 5

    @pytest.mark.parametrize("said", [note(), dispute()])
    def test_what_was_said_stays_and_nothing_older_goes(self, league, said):
        match = evening(league)
        match.tell(said)
        problem = refused(undo(match, if_match='"6"'), 409, "nothing-to-undo")
        assert problem["facts"] == {"entry": 6, "type": said["type"]}
        assert f"6 ({said['type']})" in problem["detail"]
        assert match.board()["version"] == 6

    def test_a_ruling_stays_and_nothing_older_goes(self, league):
        match = evening(league)
        match.tell(dispute())
        ruling = {"type": "dispute_ruled", "dispute": 6, "ruling": "rejected", "reason": "no"}
        path = f"/matches/{match.slug}/events"
        assert league.owner.post(path, {"events": [ruling]}).status_code == 201
        problem = refused(undo(match, if_match="*"), 409, "nothing-to-undo")
        assert problem["facts"] == {"entry": 7, "type": "dispute_ruled"}

    def test_a_match_that_does_not_exist(self, league):
        answer = league.owner.post("/matches/no/undo", {}, headers={"if-match": "*"})
        assert answer.status_code == 404

    def test_a_viewer_takes_nothing_back(self, league):
        match = evening(league)
        refused(undo(match, by=league.viewer, if_match="*"), 403, "forbidden")

    @on_both
    def test_an_amendment_that_took_out_what_was_void_already(self, league):
        """The removed entries are restored as they were, and nothing that counts is lost."""
        match = evening(league)
        match.tell(amended(**{"from": 3, "remove": 1}))
        before = match.board()
        assert before["voided"] == 1
        match.tell(amended(**{"from": 5, "remove": 1}))
        undone = undo(match, if_match='"7"')
        assert undone.status_code == 201, undone.text
        assert numbers(undone.json()["state"]) == numbers(before)


class TestOneThatIsNamed:
    @pytest.fixture
    def rounds(self):
        return [named(tally("ann", bo=points, cy=1, di=1)) for points in (5, 7, 9)]

    @on_both
    def test_an_older_tap(self, league, rounds):
        match = league.match(events=rounds)
        answer = undo(match, {"of": rounds[1]["id"].upper()}, if_match='"7"')
        assert (
            answer.json()["entries"][0]["data"] == {"from": 4, "remove": 1, "insert": []} | REASON
        )
        assert match.board()["totals"]["bo"] == 14
        problem = refused(
            undo(match, {"of": rounds[1]["id"]}, if_match="*"), 409, "nothing-to-undo"
        )
        assert problem["facts"] == {"entry": 4}
        undo(match, if_match="*")
        assert match.board()["totals"]["bo"] == 5

    def test_one_that_others_rest_on(self, league):
        deal = [named(event) for event in DEAL]
        match = league.match(dealer="ann", events=deal)
        match.tell(named(PLAY))
        problem = refused(
            undo(match, {"of": deal[0]["id"]}, if_match='"5"'), 409, "undo-would-void"
        )
        assert [(each["version"], each["type"], each["code"]) for each in problem["voided"]] == [
            (3, "first_card_turned", "impossible-event"),
            (5, "card_played", "impossible-event"),
        ]
        assert match.board()["version"] == 5
        chinese = undo(match, {"of": deal[0]["id"]}, if_match="*", accept_language="zh-TW").json()
        assert chinese["detail"] == "之後有 2 筆紀錄以此為依據，請先收回那些紀錄。"
        assert chinese["voided"][0]["message"] != problem["voided"][0]["message"]

    def test_nothing_is_lost_where_an_amendment_is_withdrawn_either(self, league):
        """The inserted deal has become the only one."""
        deal = [named(event) for event in DEAL]
        match = league.match(dealer="ann", events=deal)
        match.tell(named(amended(**{"from": 2, "insert": DEAL[:1]})))
        assert undo(match, {"of": deal[0]["id"]}, if_match="*").status_code == 201
        problem = refused(undo(match, if_match="*"), 409, "undo-would-void")
        assert [each["version"] for each in problem["voided"]] == [3]

    def test_only_ones_own_but_for_an_owner(self, league, rounds):
        match = league.match()
        path = f"/matches/{match.slug}/events"
        league.owner.post(path, {"events": rounds[:1]})
        match.tell(rounds[1])
        problem = refused(undo(match, {"of": rounds[0]["id"]}, if_match='"1"'), 403, "forbidden")
        assert "owner" in problem["detail"]
        assert undo(match, {"of": rounds[1]["id"]}, if_match="*").status_code == 201
        other = undo(match, {"of": rounds[0]["id"]}, by=league.owner, if_match="*")
        assert other.status_code == 201
        match.tell(named(tally("ann", bo=1, cy=1, di=1)) | {"id": rounds[2]["id"]})
        other = undo(match, {"of": rounds[2]["id"]}, by=league.admin, if_match="*")
        assert (other.status_code, other.json()["state"]["round"]) == (201, 0)

    def test_what_is_not_there(self, league, rounds):
        match, other = league.match(events=rounds[:1]), league.match(events=rounds[1:2])
        for unknown in (str(uuid4()), rounds[1]["id"]):
            refused(undo(match, {"of": unknown}, if_match="*"), 404, "not-found")
        assert undo(match, {"of": "7"}, if_match="*").status_code == 400
        assert other.board()["round"] == 1

    def test_what_is_no_tap(self, league, rounds):
        said = named(note())
        match = league.match(events=[rounds[0], said])
        problem = refused(undo(match, {"of": said["id"]}, if_match="*"), 409, "nothing-to-undo")
        assert problem["facts"] == {"entry": 4, "type": "note_added"}
        opening, _, ended, _ = match.log()
        refused(undo(match, {"of": ended["id"]}, if_match="*"), 422, "inferred-not-removable")
        refused(undo(match, {"of": opening["id"]}, if_match="*"), 422, "opening-fixed")
        assert match.board()["version"] == 4


class TestTheRequest:
    def test_it_says_which_version_it_saw(self, league):
        match = evening(league)
        refused(undo(match), 428, "if-match-needed")
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
        told = named(tally("ann", bo=1, cy=2, di=9))
        match = league.match(events=[told])
        for body in ({}, {"of": told["id"]}):
            key, version = str(uuid4()), f'"{match.board()["version"]}"'
            first = undo(match, body, if_match=version, idempotency_key=key)
            again = undo(match, body, if_match=version, idempotency_key=key)
            assert (first.status_code, again.status_code) == (201, 200)
            assert again.content == first.content
            match.tell(
                {"type": "log_amended", "reason": "yes", "withdraws": [first.json()["version"]]}
            )
