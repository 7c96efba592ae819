"""`…/audit` checks a match, and returns a sentence for each check."""

import pytest

from tests.api.serving import note, tally
from tests.api.serving_kinds import on_both

STARTED = {"type": "round_started", "dealer": "ann"}
TURNED = {"type": "first_card_turned", "card": "red-5"}
CHECKS = ["chain", "contents", "contiguity", "tree", "inference", "conservation", "list"]


def play(player, card, **more):
    return {"type": "card_played", "player": player, "card": card} | more


def audit(match, **query):
    answer = match.get("/audit", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def checks(found):
    return {check["check"]: check["ok"] for check in found["checks"]}


@on_both
def test_a_sound_match(league):
    match = league.match(events=[STARTED, TURNED, play("bo", "red-7"), play("cy", "red-8")])
    found = audit(match)
    assert (found["match"], found["version"], found["ok"]) == (match.slug, 5, True)
    assert found["position"] == match.board()["position"]
    assert checks(found) == dict.fromkeys(CHECKS, True)
    assert found["verdicts"] == {"legal": 4, "illegal": 0, "unknown": 0}
    assert found["violations"] == found["voided"] == found["erased"] == found["disputes"] == []
    (cards,) = found["conservation"]
    assert cards == {"round": 1, "ok": True, "cards": 108, "added": 0, "steps": 4, "shifts": []}
    (recorder,) = found["recordings"]
    assert (recorder["entries"], recorder["inferred"]) == (5, 0)
    assert recorder["recorded_by"] == match.log()[0]["recorded_by"]
    assert match.get("/audit").headers["etag"] == '"5"'


@pytest.fixture
def meanwhile(league, monkeypatch):
    """Return a function that has a request sent during an audit, before a step of its reading."""
    reading = league.served.services.reading

    def send(caller, *request, before="folded", **sent):
        step = getattr(reading, before)

        async def after_the_request(*asked, **named):
            monkeypatch.setattr(reading, before, step)
            answer = await caller.asking(*request, **sent)
            assert answer.status_code == 201, answer.text
            return await step(*asked, **named)

        monkeypatch.setattr(reading, before, after_the_request)

    return send


@on_both
def test_what_is_recorded_meanwhile_is_checked_too(league, meanwhile):
    match = league.match(events=[STARTED, TURNED])
    meanwhile(match, "POST", "/events", json={"events": [play("bo", "red-7")]})
    found = audit(match)
    assert (found["version"], found["ok"]) == (4, True)
    assert found["position"] == match.board()["position"]
    assert found["recordings"][0]["entries"] == 4


@on_both
def test_a_row_that_is_written_meanwhile_is_not_compared(league, meanwhile):
    """Which row of the list belonged to the match as it was read, nobody knows any more."""
    match = league.match(events=[STARTED, TURNED])
    over = {"events": [{"type": "match_abandoned", "reason": "late"}]}
    meanwhile(match, "POST", "/events", before="steps_of", json=over)
    found = audit(match)
    assert (found["version"], found["ok"]) == (3, True)
    assert checks(found) == dict.fromkeys(CHECKS[:-1], True)
    assert checks(audit(match)) == dict.fromkeys(CHECKS, True)


@on_both
def test_what_is_erased_meanwhile_is_gone(league, meanwhile):
    """Otherwise a browser would keep an answer that lacks it under the tag of one that has it."""
    match = league.match(events=[note("one"), note("two"), note("three")])
    first, second = (match.log()[at]["position"] for at in (1, 2))
    for position, erased in ((first, [2]), (second, [2, 3])):
        erasure = {"positions": [position], "reason": "asked for"}
        meanwhile(league.owner, "POST", "/erasures", json=erasure)
        answer = match.get("/audit")
        assert [each["version"] for each in answer.json()["erased"]] == erased
        assert answer.headers["etag"] == f'"4-erased-{len(erased)}"'


@pytest.mark.clause("B-MATCH")
def test_what_the_table_let_pass_is_told_with_its_clause(league):
    played = play("bo", "blue-skip", as_played=True)
    found = audit(league.match(events=[STARTED, TURNED, played]))
    assert found["ok"]
    assert found["verdicts"]["illegal"] == 1
    (violation,) = found["violations"]
    assert (violation["version"], violation["clause"]) == (4, "B-MATCH")
    assert (violation["type"], violation["as_played"]) == ("card_played", True)
    assert "blue-skip does not match red-5" in violation["message"]


def test_it_speaks_the_readers_language(league):
    match = league.match(events=[STARTED, TURNED])
    english, chinese = match.get("/audit"), match.get("/audit", params={"lang": "zh-TW"})
    assert english.json()["checks"][0]["message"] == (
        "Every header links to the one before it, over all 3 entries."
    )
    assert chinese.json()["checks"][0]["message"] == "全部 3 筆紀錄的標頭都與前一筆相連。"
    assert english.headers["etag"] != chinese.headers["etag"]


@on_both
def test_amendments_and_what_they_void(league):
    match = league.match(events=[STARTED, TURNED, play("bo", "red-7"), play("cy", "red-8")])
    started = {"from": 4, "remove": 1, "insert": [play("bo", "wild")], "reason": "it was a wild"}
    match.tell({"type": "log_amended"} | started)
    match.tell({"type": "log_amended", "withdraws": [6], "reason": "it was not"})
    found = audit(match)
    first, second = found["amendments"]
    assert (first["version"], first["from"], first["remove"], first["inserted"]) == (6, 4, 1, 1)
    assert (first["in_force"], second["in_force"], second["withdraws"]) == (False, True, [6])
    assert first["message"] == "This amendment was withdrawn and does not count: it was a wild"
    assert found["ok"]
    at = audit(match, at=6)
    assert at["amendments"][0]["message"] == (
        "From entry 4 on, entries taken out: 1, events put in: 1. Why: it was a wild"
    )
    # The next card presupposes a colour that nobody named.
    (voided,) = at["voided"]
    assert (voided["version"], voided["type"]) == (5, "card_played")


@on_both
def test_disputes_and_rulings(league):
    match = league.match(events=[tally("ann", bo=1, cy=2, di=3)])
    claim = {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "I had nothing left"}
    version = match.tell(claim | {"entry": 2})["version"]
    (dispute,) = audit(match)["disputes"]
    assert (dispute["dispute"], dispute["entry"], dispute["ruling"]) == (version, 2, None)
    assert "nobody has ruled" in dispute["message"]
    ruling = {"type": "dispute_ruled", "dispute": version, "ruling": "rejected", "reason": "no"}
    answer = league.owner.post(f"/matches/{match.slug}/events", {"events": [ruling]})
    assert answer.status_code == 201
    (dispute,) = audit(match)["disputes"]
    assert (dispute["ruling"], dispute["reason"]) == ("rejected", "no")
    assert dispute["ruled_by"] != dispute["recorded_by"]
    assert len(audit(match)["recordings"]) == 2


@on_both
def test_what_was_erased_and_can_not_be_derived(league):
    match = league.match(events=[STARTED, TURNED, play("bo", "red-7"), play("cy", "red-8")])
    (inferred,) = (each for each in audit(match)["checks"] if each["check"] == "inference")
    assert "follows from the rules" in inferred["message"]
    erased = match.log()[3]
    asked = {"positions": [erased["position"]], "reason": "x"}
    assert league.owner.post("/erasures", asked).status_code == 201
    found = audit(match)
    (told,) = found["erased"]
    assert told["message"] == (
        "The content of entry 4 (card_played) was erased: what it did in round 1 can't be derived "
        "any more."
    )
    assert (told["version"], told["position"], told["round"]) == (4, erased["position"], 1)
    assert found["ok"]
    assert checks(found) == dict.fromkeys(CHECKS, True)
    messages = {check["check"]: check["message"] for check in found["checks"]}
    assert "can't be compared any more" in messages["inference"]


@pytest.mark.clause("X-COUNT")
def test_a_count_of_the_tables_own_is_told_where_it_was_taken(league):
    match = league.match(players=["ann", "bo"], events=[STARTED, TURNED])
    shown = {"type": "hand_shown", "player": "bo", "cards": ["red-1"] * 2, "as_played": True}
    match.tell(shown)
    (cards,) = audit(match)["conservation"]
    (shift,) = cards["shifts"]
    assert (shift["version"], shift["by"], shift["clauses"]) == (4, -5, ["X-COUNT"])
    assert cards["ok"]
    assert audit(match)["ok"]


def test_a_past_version(league):
    match = league.match(events=[STARTED, TURNED, play("bo", "red-7")])
    found = audit(match, at=3)
    assert (found["version"], found["verdicts"]["legal"]) == (3, 2)
    assert checks(found) == {name: True for name in CHECKS if name != "list"}
    assert match.get("/audit", params={"at": 9}).status_code == 404
