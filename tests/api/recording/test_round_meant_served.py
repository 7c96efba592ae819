"""If devices name the round that they record, no round is counted twice."""

from uuid import uuid4

import pytest

from tests.api.serving import Caller, note, serving, tally
from tests.api.serving_kinds import on_both

FOUR = ["ann", "bo", "cy", "di"]
OUT = tally("ann", bo=5, cy=7, di=9)
START = {"type": "round_started", "dealer": "ann"}


def named(event, **fields):
    return {**event, "id": str(uuid4()), **fields}


def meant(number, event=OUT, **fields):
    return named(event, round=number, **fields)


def refused(answer, code, **members):
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (409, code)
    assert {name: problem[name] for name in members} == members
    return problem


@pytest.fixture
def match(league):
    """A match in which one round is over."""
    return league.match(events=[OUT])


@on_both
def test_two_who_tell_the_same_round_at_once(league):
    match = league.match()
    theirs = [meant(1, tally("ann", bo=points, cy=7, di=9)) for points in (5, 6, 7)]
    posts = [match.asking("POST", "/events", json={"events": [each]}) for each in theirs]
    answers = match.served.together(*posts)
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
    there = match.get("/rounds/1").json()
    for answer in answers:
        if answer.status_code == 409:
            refused(answer, "round-taken", round=there, event_index=0)
    assert match.board()["round"] == 1


def test_two_at_different_processes(postgresql_url):
    """The other process still remembers the match as it was before the round."""
    with serving(postgresql_url) as served, serving(postgresql_url) as other:
        match = served.league().match()
        elsewhere = Caller(other, match.token, match.root)
        assert elsewhere.post("/events", {"events": [note()]}).status_code == 201
        match.tell(meant(1))
        answer = elsewhere.post("/events", {"events": [meant(1)]})
        refused(answer, "round-taken", round=match.get("/rounds/1").json())


def test_the_number_is_neither_kept_nor_answered(match):
    answer = match.tell(meant(2))
    assert answer["entries"][0]["data"] == {name: OUT[name] for name in ("winners", "hands")}
    for read in ("/events", "/rounds/2/replay", "/audit"):
        assert '"round":null' not in match.get(read).text
    told = match.get("/rounds/2/replay").json()["items"][0]["event"]
    assert told == OUT


def test_what_is_taken_is_shown_as_the_round_is_read(match):
    problem = refused(match.append(named(note()), meant(1)), "round-taken", event_index=1)
    assert problem["round"] == match.get("/rounds/1").json()
    assert problem["facts"] == {"round": 1, "next": 2}
    match.tell(START | {"round": 2})
    problem = refused(match.append(START | {"round": 2}), "round-taken")
    assert problem["round"] == match.get("/rounds/2").json()
    assert problem["round"]["status"] == "running"


def test_one_that_nobody_has_reached(match):
    problem = refused(match.append(meant(3)), "round-not-reached", event_index=0)
    assert problem["facts"] == {"round": 3, "next": 2}
    assert "round" not in problem


def test_a_round_told_twice_in_one_request_is_recorded_nowhere(match):
    problem = refused(match.append(meant(2), meant(2)), "round-taken", event_index=1)
    assert "round" not in problem
    assert match.board()["round"] == 1


def test_it_is_said_in_the_language_that_was_asked_for(match):
    chinese = match.append(meant(1), **{"accept-language": "zh-TW"})
    assert refused(chinese, "round-taken")["detail"] == "第 1 輪已有紀錄，接下來是第 2 輪。"
    chinese = match.append(meant(3), **{"accept-language": "zh-TW"})
    assert refused(chinese, "round-not-reached")["detail"] == "第 3 輪還沒開始，接下來是第 2 輪。"


class TestBesideOtherConditions:
    def test_ids_come_first(self, match):
        """A retry is recognised by its id, whatever round it names."""
        eight = ["red-1"] * 2 + ["red-2"] * 2 + ["red-3"] * 2 + ["red-4"] * 2
        event = meant(2, START, hands={"ann": eight}, as_played=True)
        first = match.append(event)
        assert [each["clause"] for each in first.json()["violations"]] == ["B-DEAL"]
        del event["round"]
        for again in (event, event | {"round": 1}, event | {"round": 9}, event | {"round": None}):
            answer = match.append(again, if_match='"1"')
            assert (answer.status_code, answer.content) == (200, first.content)

    def test_the_rest_of_a_batch_is_held_against_its_rounds(self, match):
        batch = [meant(2), meant(3)]
        match.tell(batch[0])
        answer = match.append(*batch)
        assert answer.headers["idempotency-replayed"] == "partial"
        other = [batch[0], meant(3)]
        problem = refused(match.append(*other), "round-taken", event_index=1)
        assert problem["round"] == match.get("/rounds/3").json()

    def test_then_the_round_then_the_lock_then_the_rules(self, match):
        refused(match.append(meant(1), if_match='"1"'), "round-taken")
        refused(match.append(meant(9), if_match='"1"'), "round-not-reached")
        refused(match.append(named(note()), meant(1), if_match='"1"'), "round-taken")
        impossible = meant(2, winners=["nobody"])
        for told in (meant(2), impossible):
            answer = match.append(told, if_match='"1"')
            assert (answer.status_code, answer.json()["version"]) == (412, 3)
        assert match.append(impossible, if_match='"3"').json()["code"] == "impossible-event"
        assert match.append(meant(2), if_match='"3"').status_code == 201

    def test_a_refused_one_leaves_its_id_and_its_key_free(self, match):
        event = meant(1)
        refused(match.append(event, idempotency_key="k"), "round-taken")
        assert match.append(event | {"round": 2}, idempotency_key="k").status_code == 201

    @pytest.mark.parametrize("number", [0, "2", 2.5])
    def test_what_is_no_number_of_a_round(self, match, number):
        assert match.append(meant(number)).json()["code"] == "malformed"


class TestWhereverEventsAreTold:
    def test_with_an_opening(self, league):
        opening = league.opening(events=[meant(1), meant(2)])
        first = league.owner.post("/matches", opening)
        assert first.status_code == 201
        silent = [{k: v for k, v in each.items() if k != "round"} for each in opening["events"]]
        again = league.owner.post("/matches", opening | {"events": silent})
        assert (again.status_code, again.content) == (200, first.content)
        opening = league.opening(events=[meant(2)])
        refused(league.owner.post("/matches", opening), "round-not-reached", event_index=0)

    def test_with_matches_of_the_past(self, league):
        def bring_in(*events):
            past = league.opening(events=list(events), match="past")
            return league.owner.post("/past-matches", {"matches": [past]})

        first = meant(1)
        assert bring_in(first, meant(2)).status_code == 201
        problem = refused(bring_in(first, meant(2)), "round-taken", event_index=1, match_index=0)
        assert problem["round"] == league.owner.get("/matches/past/rounds/2").json()

    def test_at_the_tables_of_a_tournament(self, league):
        cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": FOUR}
        opened = league.owner.post("/tournaments", cup)
        table = opened.json()["segments"][0]["tables"][0]
        (ann, partner), (bo, di) = table["teams"]
        told = tally(ann, **{partner: 0, bo: 10, di: 10})
        path = f"/matches/{table['match']}"
        for number in (1, 2):
            answer = league.owner.post(f"{path}/events", {"events": [meant(number, told)]})
            assert answer.status_code == 201
        again = league.owner.post(f"{path}/events", {"events": [meant(2, told)]})
        there = league.owner.get(f"{path}/rounds/2").json()
        refused(again, "round-taken", round=there)
