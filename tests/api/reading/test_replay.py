"""A round step by step over HTTP."""

import json
from itertools import pairwise

import pytest

from tests.api.serving import Caller, note
from tests.api.serving_kinds import on_both

HANDS = {
    "ann": ["red-1", "red-2", "wild-draw-four", "blue-3", "blue-5", "wild", "green-9"],
    "bo": ["red-9", "green-1", "green-2", "green-3", "yellow-1", "yellow-2", "yellow-4"],
}
ROUND = [
    {"type": "round_started", "hands": HANDS},
    {"type": "first_card_turned", "card": "red-5", "at": "2026-11-20T19:00:00Z"},
    {"type": "cards_drawn", "player": "bo"},
    {"type": "card_played", "player": "cy", "card": "red-draw-two"},
    {"type": "card_played", "player": "ann", "card": "wild-draw-four", "color": "green"},
    {"type": "wild_draw_four_challenged", "by": "bo"},
]
END = {"type": "round_tallied", "winners": ["cy"], "hands": {
    "ann": {"cards": ["red-1", "wild"]}, "bo": {"points": 40}, "di": {"points": 60}}}  # fmt: skip


@pytest.fixture
def match(league):
    match = league.match(dealer="ann")
    match.tell(*ROUND)
    return match


def replay(match, number=1, **params):
    answer = match.get(f"/rounds/{number}/replay", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def versions(items):
    return [item.get("version") for item in items]


@on_both
def test_every_entry_of_the_round_with_all_there_is_to_say_of_it(league):
    match = league.match(dealer="ann")
    match.tell(*ROUND)
    items = replay(match)["items"]
    log = {entry["version"]: entry for entry in match.log()}
    assert versions(items) == list(log)[1:]
    for item in items:
        entry = log[item["version"]]
        assert item["recorded_by"] == entry["recorded_by"]
        assert item["recorded_at"] == entry["recorded_at"]
        assert item["inferred"] == entry["inferred"]
        assert item["at"] == entry["at"]
        sent = {"type": entry["type"], **entry["data"]}
        assert item["event"] == (sent if entry["at"] is None else {**sent, "at": entry["at"]})
        assert item["state"] == match.get(params={"at": item["version"]}).json()
        then = match.get("/hands", params={"at": item["version"]}).json()["hands"]
        assert item["hands"]["then"] == then
        assert item["verdict"] in ("legal", "illegal", "unknown")
        assert item["explanation"]
        assert item["clauses"]
        assert "voided" not in item
        assert "amendment" not in item
    clauses = {one["id"]: one["text"] for one in league.owner.served.ask(
        "GET", "/v1/editions/basic").json()["clauses"]}  # fmt: skip
    for item in items:
        assert all(clauses[one["id"]] == one["text"] for one in item["clauses"])


def test_what_the_steps_say(match):
    items = replay(match)["items"]
    assert [item["explanation"] for item in items] == [
        "ann deals 7 cards each to ann, bo, cy, di (B-DEAL).",
        "red-5 is turned up; bo begins (B-UP-NUMBER).",
        "bo draws 1 (B-DRAW).",
        "bo passes; cy is on turn (B-DRAW).",
        (
            "cy plays red-draw-two, which matches the colour red (B-MATCH). "
            "di is to draw 2 and loses the turn."
        ),
        "di draws 2, owed since cy's red-draw-two (B-DRAW-TWO).",
        (
            "ann plays wild-draw-four, which goes on any card (B-MATCH). ann names green. "
            "bo is to draw 4 and loses the turn."
        ),
        (
            "bo challenges ann's wild-draw-four: it was not allowed (B-CHALLENGE). "
            "ann is to draw 4. bo is on turn."
        ),
    ]
    assert [item["verdict"] for item in items].count("illegal") == 2
    draw, bluff = items[2], items[6]
    assert [v["clause"] for v in draw["violations"]] == ["B-KEEP"]
    assert [v["clause"] for v in bluff["violations"]] == ["B-WILD4-LEGAL"]
    assert "B-WILD4-BLUFF" in [clause["id"] for clause in bluff["clauses"]]


def test_the_language_that_is_asked_for(match):
    chinese = replay(match, lang="zh-TW")
    assert chinese["items"][4]["explanation"] == (
        "cy 出紅色抽兩張，與目前的紅色同色（B-MATCH）。di 要抽 2 張，而且不能出牌。"
    )
    header = match.get("/rounds/1/replay", headers={"accept-language": "zh-TW"})
    assert header.json() == chinese
    assert header.headers["content-language"] == "zh-TW"
    english = match.get("/rounds/1/replay")
    assert english.headers["content-language"] == "en"
    assert "content-language" not in match.get("/rounds/1").headers
    assert header.headers["etag"] != english.headers["etag"]


def test_tags_and_conditions(match):
    first = match.get("/rounds/1/replay")
    version = match.board()["version"]
    assert first.headers["etag"] == f'"{version}"'
    same = match.get("/rounds/1/replay", headers={"if-none-match": first.headers["etag"]})
    assert (same.status_code, same.content) == (304, b"")
    match.tell(note())
    changed = match.get("/rounds/1/replay", headers={"if-none-match": first.headers["etag"]})
    assert changed.status_code == 200
    past = match.get("/rounds/1/replay", params={"at": version})
    assert past.headers["etag"] == first.headers["etag"]
    assert past.json() == first.json()


@pytest.mark.parametrize("number", ["01", "+1", " 1", "１", "1_0", "-0"])
def test_a_round_has_one_address(match, number):
    for path in (f"/rounds/{number}", f"/rounds/{number}/replay"):
        answer = match.get(path)
        assert (answer.status_code, answer.json()["reason"]) == (404, "address")


def test_no_such_round_version_or_view(match, league):
    for number in (0, 2, 10**9):
        assert match.get(f"/rounds/{number}/replay").status_code == 404
    assert match.get("/rounds/1/replay", params={"at": 1}).status_code == 404
    assert match.get("/rounds/1/replay", params={"at": 999}).status_code == 404
    assert match.get("/rounds/x/replay").status_code == 404
    assert match.get("/rounds/1/replay", params={"view": "other"}).status_code == 400
    assert match.get("/rounds/1/replay", params={"view": "null"}).status_code == 400
    assert match.get("/rounds/1/replay", params={"lang": "fr"}).status_code == 400
    assert match.get("/rounds/1/replay", params={"verbose": "1"}).status_code == 400
    assert league.owner.get("/matches/none/rounds/1/replay").status_code == 404


@on_both
def test_as_recorded_each_entry_is_as_the_book_stood(league):
    match = league.match(dealer="ann")
    hidden = [{"type": "round_started"}, *ROUND[1:-1]]
    match.tell(*hidden, {"type": "wild_draw_four_challenged", "by": "bo", "hand": HANDS["ann"][:2]
               + HANDS["ann"][3:]})  # fmt: skip
    recorded, corrected = replay(match, view="recorded")["items"], replay(match)["items"]
    assert versions(recorded) == versions(corrected)
    for item in recorded:
        then = replay(match, at=item["version"])["items"][-1]
        assert item["state"] == then["state"]
        assert item["verdict"] == then["verdict"]
        assert item["explanation"] == then["explanation"]
        assert item["hands"]["then"] == then["hands"]["then"]
    # The challenge showed the hand, so what was unknown at the time is certain now.
    assert [recorded[6]["verdict"], corrected[6]["verdict"]] == ["unknown", "illegal"]
    assert recorded[6]["hands"]["now"] == corrected[6]["hands"]["now"]
    assert len(recorded[6]["hands"]["now"]["ann"]["known"]) == 6
    assert recorded[6]["hands"]["then"]["ann"] == {"known": [], "unknown": 6}


@on_both
def test_the_score_unfolds_to_cards_and_entries(league):
    match = league.match(dealer="ann")
    match.tell(*ROUND)
    assert replay(match)["score"] is None
    match.tell({**END, "as_played": True})
    answer = replay(match)
    score = answer["score"]
    assert [clause["id"] for clause in score["clauses"]] == ["B-SCORE"]
    assert score["points_clause"]["id"] == "B-POINTS"
    view = match.get("/rounds/1").json()
    tally = next(i for i in answer["items"] if i["event"]["type"] == "round_tallied")
    for player, one in score["scores"].items():
        assert one["score"] == view["scores"][player]
        assert sum(part["points"] for part in one["parts"]) == one["score"]
        assert one["total"] == match.board()["totals"][player]
    cards = score["hands"]["ann"]["cards"]
    assert [(card["card"], card["points"]) for card in cards] == [("red-1", 1), ("wild", 50)]
    for card in cards:
        (source,) = card["sources"]
        assert answer["items"][source["item"]] == tally
        assert source["version"] == tally["version"]
    assert score["hands"]["bo"]["told"]["version"] == tally["version"]


def test_a_round_told_at_once(league):
    match = league.match(dealer="ann", scoring={"mode": "lowest-total", "target": 30})
    match.tell(END)
    items = replay(match)["items"]
    assert [item["event"]["type"] for item in items] == [
        "round_tallied", "round_ended", "match_won"]  # fmt: skip
    assert items[-1]["state"] == match.board()
    match_two = league.match(dealer="ann")
    match_two.tell(note(), END, note(), END)
    assert versions(replay(match_two, 1)["items"]) == [2, 3, 4, 5]
    assert versions(replay(match_two, 2)["items"]) == [6, 7]


def test_what_leads_up_to_a_round_belongs_to_it(league):
    match = league.match()
    draws = {"ann": "red-1", "bo": "red-9", "cy": "red-2", "di": "red-3"}
    match.tell({"type": "dealer_drawn", "draws": draws}, END)
    match.tell({"type": "seats_changed", "players": ["bo", "ann", "cy", "di"]}, END)
    assert versions(replay(match, 1)["items"]) == [2, 3, 4]
    assert versions(replay(match, 2)["items"]) == [5, 6, 7]


class TestViewers:
    """Viewers see the round in progress as it is visible at the table."""

    @staticmethod
    def looking(league, match):
        return Caller(league.served, league.viewer.token, match.root)

    @pytest.mark.parametrize("view", ["corrected", "recorded"])
    def test_nothing_hidden_comes_through(self, league, match, view):
        seen = self.looking(league, match).get("/rounds/1/replay", params={"view": view})
        assert seen.headers["etag"].endswith('-redacted"')
        laid = {"red-5", "red-draw-two", "wild-draw-four"}
        hidden = {card for hand in HANDS.values() for card in hand} - laid
        whole = json.dumps(replay(match, view=view))
        assert any(card in whole for card in hidden)
        assert [card for card in hidden if f'"{card}"' in seen.text] == []
        items = seen.json()["items"]
        assert items[0]["event"]["redacted"] == ["hands"]
        assert items[-1]["state"]["hand_counts"] == match.board()["hand_counts"]
        bluff = next(i for i in items if i["event"].get("card") == "wild-draw-four")
        assert bluff["verdict"] == "unknown"
        assert bluff["violations"] == []

    def test_a_round_that_is_over_is_no_secret(self, league, match):
        match.tell({**END, "as_played": True})
        viewer = self.looking(league, match)
        for params in ({}, {"view": "recorded"}, {"at": 4}):
            seen, whole = (one.get("/rounds/1/replay", params=params) for one in (viewer, match))
            assert seen.json() == whole.json()
            assert seen.headers["etag"] == whole.headers["etag"]
        match.tell({"type": "round_started", "hands": HANDS})
        assert viewer.get("/rounds/1/replay").json() == match.get("/rounds/1/replay").json()
        assert viewer.get("/rounds/2/replay").json() != match.get("/rounds/2/replay").json()

    def test_the_states_are_those_of_the_scoreboard_for_viewers(self, league, match):
        viewer = self.looking(league, match)
        for item in viewer.get("/rounds/1/replay").json()["items"]:
            assert item["state"] == viewer.get(params={"at": item["version"]}).json()


def test_an_erased_entry(league, match):
    position = next(e for e in match.log() if e["version"] == 6)["position"]
    erased = league.owner.post("/erasures", {"positions": [position], "reason": "a wish"})
    assert erased.status_code == 201, erased.text
    for view in ("corrected", "recorded"):
        items = replay(match, view=view)["items"]
        gone = next(item for item in items if item.get("version") == 6)
        assert gone["event"] is None
        assert gone["voided"]["code"] == "event-erased"
        assert "red-draw-two" not in json.dumps(gone["event"])


def test_states_follow_one_another(match):
    items = replay(match)["items"]
    assert all(one["state"]["version"] + 1 == other["version"] for one, other in pairwise(items))
