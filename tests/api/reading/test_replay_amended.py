"""Replay of rounds whose log was amended or disputed."""

import json

import pytest

from tests.api.reading.test_replay import HANDS, ROUND, match, replay, versions
from tests.api.serving import Caller
from tests.api.serving_kinds import on_both

__all__ = ["match"]


def amend(match, **fields):
    return match.tell({"type": "log_amended", "reason": "a mistake", **fields})


@on_both
def test_amended(league):
    match = league.match(dealer="ann")
    match.tell({"type": "round_started"}, {"type": "first_card_turned", "card": "red-draw-two"},
               {"type": "card_played", "player": "cy", "card": "red-5"},
               {"type": "card_played", "player": "di", "card": "red-7"})  # fmt: skip
    before = replay(match)
    amend(match, **{"from": 5, "remove": 0, "insert": [
        {"type": "cards_drawn", "player": "cy", "count": 1}]})  # fmt: skip
    items = replay(match)["items"]
    assert [item["event"]["type"] for item in items] == [
        "round_started", "first_card_turned", "cards_drawn", "cards_drawn", "card_played",
        "card_played"]  # fmt: skip
    inserted = items[3]
    assert (inserted["amendment"], inserted["index"]) == (7, 0)
    assert "version" not in inserted
    entry = match.log()[-1]
    assert inserted["recorded_by"] == entry["recorded_by"]
    assert inserted["recorded_at"] == entry["recorded_at"]
    assert items[-1]["state"]["draw_pile_count"] == 76
    recorded = replay(match, view="recorded")["items"]
    assert versions(recorded) == [2, 3, 4, 5, 6, 7]
    assert [item["state"] for item in recorded] == [
        match.get(params={"at": version}).json() for version in range(2, 8)
    ]
    assert recorded[-1]["explanation"] == (
        "Before entry 5 this is to be read: a draw. So the log is amended: a mistake"
    )
    assert recorded[-1]["verdict"] == "legal"
    assert replay(match, at=6) == before


def test_a_round_that_an_amendment_told_has_no_step_as_it_was_recorded(league):
    match = league.match(dealer="ann")
    told = {"type": "round_tallied", "winners": ["bo"], "hands": {
        name: {"points": 5} for name in ("ann", "cy", "di")}}  # fmt: skip
    match.tell(told)
    amend(match, **{"from": 4, "remove": 0, "insert": [told]})
    assert [item["event"]["type"] for item in replay(match, 2)["items"]] == [
        "round_tallied", "round_ended"]  # fmt: skip
    recorded = replay(match, 2, view="recorded")
    assert (recorded["items"], recorded["score"]) == ([], None)


def test_voided(league):
    match = league.match(dealer="ann")
    match.tell(*ROUND[:2], {"type": "card_played", "player": "bo", "card": "red-9"})
    match.tell({"type": "card_played", "player": "cy", "card": "red-4"})
    dealt = {**HANDS, "cy": ["blue-1", "blue-2", "blue-4", "blue-6", "blue-7", "blue-8", "blue-9"]}
    amend(match, **{"from": 2, "remove": 1, "insert": [{"type": "round_started", "hands": dealt}]})
    last = replay(match)["items"][-1]
    assert last["version"] == 5
    assert last["voided"]["code"] == "impossible-event"
    assert last["voided"]["reason"] == "card-not-in-hand"
    assert last["verdict"] == "unknown"
    assert last["violations"] == []
    assert "cy can't hold red-4; the hand is blue-1, blue-2," in last["explanation"]
    assert last["state"]["voided"] == 1
    assert replay(match, lang="zh-TW")["items"][-1]["explanation"]


def test_a_dispute_and_its_ruling_stand_in_the_replay(league, match):
    match.tell({"type": "dispute_opened", "by": "cy", "round": 1, "claim": "That was a bluff."})
    version = match.board()["version"]
    ruling = {
        "type": "dispute_ruled",
        "dispute": version,
        "ruling": "rejected",
        "reason": "It was not.",
    }
    ruled = league.owner.post(f"/matches/{match.slug}/events", {"events": [ruling]})
    assert ruled.status_code == 201, ruled.text
    told = replay(match)["items"][-2:]
    assert [item["explanation"] for item in told] == [
        "cy disputes round 1: That was a bluff.",
        f"The dispute of cy (entry {version}) is rejected: It was not.",
    ]
    assert told[0]["recorded_by"] != told[1]["recorded_by"]


@pytest.mark.parametrize("view", ["corrected", "recorded"])
def test_viewers_see_no_hidden_card_of_an_amendment(league, match, view):
    amend(match, **{"from": 4, "remove": 1, "insert": [
        {"type": "cards_drawn", "player": "bo", "cards": ["blue-8"]}]})  # fmt: skip
    viewer = Caller(league.served, league.viewer.token, match.root)
    seen = viewer.get("/rounds/1/replay", params={"view": view})
    laid = {"red-5", "red-draw-two", "wild-draw-four"}
    hidden = {card for hand in HANDS.values() for card in hand} - laid | {"blue-8"}
    assert "blue-8" in json.dumps(replay(match, view=view))
    assert [card for card in hidden if f'"{card}"' in seen.text] == []
    assert "cards" in json.dumps([i["event"] for i in seen.json()["items"]])
    for item in seen.json()["items"]:
        if view == "recorded":
            assert item["state"] == viewer.get(params={"at": item["version"]}).json()
