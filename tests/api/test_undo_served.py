"""Undo over HTTP: an amendment that takes the last tap back."""

from uuid import uuid4

from amendments import DEAL, DRAW, PLAY, amended, dispute, evening
from serving import note, tally
from serving_kinds import on_both

UNKNOWN = {"version", "position", "amendments"}


def numbers(board):
    return {name: value for name, value in board.items() if name not in UNKNOWN}


def undo(match, body=None, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return match.post("/undo", {} if body is None else body, headers=headers)


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
