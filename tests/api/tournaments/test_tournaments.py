"""A tournament with rotating partners, from its opening to its champion."""

import json
import re
from uuid import uuid4

import pytest
from httpx import Headers

from scorekeeper.api.document.documentation import committed_document
from tests.api.serving import note, tally
from tests.api.serving_kinds import on_both

FOUR = ["ann", "bo", "cy", "di"]


def asked(**fields):
    return {"name": "The cup", "edition": "basic", "players": FOUR} | fields


def opened(league, slug=None, **fields):
    slug = slug or f"cup-{uuid4().hex[:8]}"
    answer = league.scorekeeper.post("/tournaments", asked(tournament=slug, **fields))
    assert answer.status_code == 201, answer.text
    return slug, answer.json()


def play(league, segments, *, points=10):
    """Every round at these tables is won by the player who sits first in the first round."""
    for segment in segments:
        for table in segment["tables"]:
            (winner, partner), others = table["teams"]
            hands = {partner: 0} | dict.fromkeys(others, points)
            for _ in table["rounds"]:
                answer = league.scorekeeper.post(
                    f"/matches/{table['match']}/events",
                    {"events": [tally(winner, **hands)]},
                )
                assert answer.status_code == 201, answer.text


def tell(league, tournament, *events, **request):
    return league.scorekeeper.post(
        f"/tournaments/{tournament}/events", {"events": list(events)}, **request
    )


def standings(league, tournament, **query):
    return league.viewer.get(f"/tournaments/{tournament}/standings", params=query).json()


@on_both
def test_what_was_read_is_the_lock_for_what_is_written(league):
    slug, _ = opened(league)
    read = league.viewer.get(f"/tournaments/{slug}")
    assert read.headers["etag"] == '"1-open"'
    closing = {"events": [{"type": "tournament_closed"}]}
    path, lock = f"/tournaments/{slug}/events", {"if-match": read.headers["etag"]}
    assert league.scorekeeper.post(path, closing, headers=lock).status_code == 201
    assert league.scorekeeper.post(path, closing, headers=lock).status_code == 412
    assert league.viewer.get(f"/tournaments/{slug}").headers["etag"] == '"2-closed"'


def test_a_lock_may_come_in_several_lines(league):
    slug, _ = opened(league)
    lines = Headers([("if-match", '"7"'), ("if-match", '"1"')])
    assert tell(league, slug, {"type": "tournament_closed"}, headers=lines).status_code == 201


@on_both
@pytest.mark.clause("B-ROTATE-4")
def test_opening_answers_with_the_schedule_and_opens_the_matches(league):
    slug = f"cup-{uuid4().hex[:8]}"
    answer = league.scorekeeper.post("/tournaments", asked(tournament=slug))
    assert answer.status_code == 201
    assert answer.headers["location"] == f"{league.root}/tournaments/{slug}"
    assert answer.headers["etag"] == '"1"'
    body = answer.json()
    assert body["status"] == "open"
    assert [s["segment"] for s in body["segments"]] == [1, 2, 3]
    first = body["segments"][0]
    assert first["byes"] == []
    (table,) = first["tables"]
    assert table == {
        "table": 1,
        "teams": [["di", "ann"], ["bo", "cy"]],
        "match": f"{slug}-s1-t1",
        "rounds": [
            {"round": 1, "players": ["di", "bo", "ann", "cy"], "dealer": "di"},
            {"round": 2, "players": ["di", "bo", "ann", "cy"], "dealer": "ann"},
            {"round": 3, "players": ["di", "cy", "ann", "bo"], "dealer": "bo"},
            {"round": 4, "players": ["di", "cy", "ann", "bo"], "dealer": "cy"},
        ],
    }
    board = league.viewer.get(f"/matches/{slug}-s2-t1").json()
    assert board["status"] == "open"
    assert board["scoring"]["rounds"] == 4
    assert board["scoring"]["target"] is None
    assert board["teams"] is not None
    read = league.viewer.get(f"/tournaments/{slug}")
    assert read.json() == body
    assert league.viewer.get(f"/tournaments/{slug}/schedule").json() == {
        "segments": body["segments"]
    }


@on_both
def test_all_lies_in_one_append(league):
    before = league.scorekeeper.post("/matches", league.opening()).json()["position"]
    slug, body = opened(league)
    assert body["position"] == before + 1
    positions = [
        league.viewer.get(f"/matches/{slug}-s{n}-t1").json()["position"] for n in (1, 2, 3)
    ]
    assert positions == [before + 2, before + 3, before + 4]


@on_both
@pytest.mark.clause("B-TEAM")
def test_results_follow_from_the_matches_and_make_a_champion(league):
    slug, body = opened(league)
    play(league, body["segments"][:2])
    partial = standings(league, slug)
    assert partial["complete"] is False
    assert partial["champions"] == []
    play(league, body["segments"][2:])
    done = standings(league, slug)
    assert done["complete"] is True
    assert done["champions"] == ["di"]
    assert done["next"] is None
    assert [(i["player"], i["total"], i["rounds"], i["rank"]) for i in done["items"]] == [
        ("di", 0, 12, 1),
        ("ann", 160, 12, 2),
        ("bo", 160, 12, 2),
        ("cy", 160, 12, 2),
    ]
    assert done["items"][0]["round_wins"] == 12
    assert league.viewer.get(f"/tournaments/{slug}").json()["status"] == "complete"
    page = standings(league, slug, limit=1)
    assert [each["player"] for each in page["items"]] == ["di"]
    rest = standings(league, slug, cursor=page["next"])
    assert [each["player"] for each in rest["items"]] == ["ann", "bo", "cy"]


def test_the_standings_as_csv(league):
    slug, body = opened(league)
    play(league, body["segments"])
    answer = league.viewer.get(f"/tournaments/{slug}/standings", headers={"accept": "text/csv"})
    heading, first, *rest = answer.text.splitlines()
    assert heading == "rank,player,total,rounds,round_wins"
    assert first == "1,di,0,12,12"
    assert len(rest) == 3


@on_both
def test_seats_and_dealers_change_by_themselves(league):
    _, body = opened(league)
    (table,) = body["segments"][0]["tables"]
    for each in table["rounds"]:
        board = league.viewer.get(f"/matches/{table['match']}").json()
        assert (board["players"], board["dealer"]) == (each["players"], each["dealer"])
        league.scorekeeper.post(
            f"/matches/{table['match']}/events", {"events": [tally("di", ann=1, bo=2, cy=3)]}
        )
    assert league.viewer.get(f"/matches/{table['match']}").json()["status"] == "won"


def test_the_interface_tells_what_the_order_goes_by():
    """`tests/tournament` shows that each criterion outweighs those after it."""
    paths = json.loads(committed_document())["paths"]
    told = paths["/v1/leagues/{league}/tournaments/{tournament}/standings"]["get"]["description"]
    criteria = re.findall(r"^\d\. (.+)$", told, flags=re.MULTILINE)
    names = ["withdrew", "no round", "total", "Rounds won", "against each other", "lots"]
    assert [name for name, each in zip(names, criteria, strict=True) if name in each] == names


@on_both
def test_lots_settle_a_tie_once_all_is_played(league):
    slug, body = opened(league)
    draw = {"type": "tie_drawn", "order": ["cy", "ann", "bo"]}
    early = tell(league, slug, draw)
    assert (early.status_code, early.json()["reason"]) == (422, "rounds-outstanding")
    play(league, body["segments"])
    assert standings(league, slug)["tied"] == [["ann", "bo", "cy"]]
    assert tell(league, slug, draw).status_code == 201
    done = standings(league, slug)
    assert [each["player"] for each in done["items"]] == ["di", "cy", "ann", "bo"]
    assert [each["rank"] for each in done["items"]] == [1, 2, 3, 4]


@on_both
def test_a_substitute_sits_in_at_all_open_tables(league):
    slug, body = opened(league)
    event = {"type": "player_substituted", "player": "ann", "substitute": "ed"}
    answer = tell(league, slug, event, headers={"if-match": '"1"'})
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert told["version"] == 2
    assert [entry["type"] for entry in told["entries"]] == ["player_substituted"]
    assert told["matches"] == [s["tables"][0]["match"] for s in body["segments"]]
    assert told["state"]["substitutes"] == {"ann": "ed"}
    log = league.viewer.get(f"/matches/{slug}-s1-t1/events").json()["items"]
    assert [entry["type"] for entry in log] == ["match_opened", "player_substituted"]
    stranger = tell(league, slug, event | {"substitute": "nobody"})
    assert (stranger.status_code, stranger.json()["code"]) == (422, "player-not-registered")
    unknown = tell(league, slug, event | {"player": "zoe"})
    assert unknown.json()["reason"] == "player-not-in-tournament"


@on_both
def test_in_the_middle_of_a_round_nobody_sits_in_and_the_answer_names_the_table(league):
    slug, body = opened(league)
    started = league.scorekeeper.post(
        f"/matches/{slug}-s2-t1/events", {"events": [{"type": "round_started"}]}
    )
    assert started.status_code == 201
    event = {"type": "player_substituted", "player": "ann", "substitute": "ed"}
    answer = tell(league, slug, event)
    assert (answer.status_code, answer.json()["reason"]) == (422, "wrong-phase")
    assert answer.json()["facts"]["match"] == f"{slug}-s2-t1"
    assert league.viewer.get(f"/matches/{slug}-s1-t1").json()["version"] == 1
    assert len(body["segments"]) == 3


@on_both
def test_who_withdraws_leaves_the_open_tables_abandoned(league):
    slug, body = opened(league)
    play(league, body["segments"][:1])
    answer = tell(league, slug, {"type": "player_withdrawn", "player": "ann", "reason": "ill"})
    assert answer.status_code == 201
    assert answer.json()["matches"] == [f"{slug}-s2-t1", f"{slug}-s3-t1"]
    found = standings(league, slug)
    assert found["complete"] is True
    assert found["items"][-1]["player"] == "ann"
    assert found["champions"] == ["di"]
    again = tell(league, slug, {"type": "player_withdrawn", "player": "ann"})
    assert again.json()["reason"] == "player-withdrawn"


@on_both
def test_closing_ends_it(league):
    slug, _ = opened(league)
    assert tell(league, slug, {"type": "tournament_closed", "reason": "late"}).status_code == 201
    assert league.viewer.get(f"/tournaments/{slug}").json()["status"] == "closed"
    assert league.viewer.get(f"/matches/{slug}-s1-t1").json()["status"] == "abandoned"
    again = tell(league, slug, {"type": "tournament_closed"})
    assert again.json()["reason"] == "tournament-closed"
    log = league.viewer.get(f"/tournaments/{slug}/events").json()["items"]
    assert [entry["type"] for entry in log] == ["tournament_opened", "tournament_closed"]
    assert log[1]["data"] == {"reason": "late"}


@on_both
def test_the_same_opening_again_is_answered_as_then(league):
    slug, body = opened(league)
    again = league.scorekeeper.post("/tournaments", asked(tournament=slug))
    assert (again.status_code, again.json()) == (200, body)
    other = league.scorekeeper.post("/tournaments", asked(tournament=slug, cycles=2))
    assert (other.status_code, other.json()["code"]) == (409, "tournament-exists")


def test_the_names_of_its_matches_are_no_longer_than_names_are(league):
    fits = f"{uuid4().hex:x<57}"
    _, body = opened(league, fits)
    assert len(body["segments"][-1]["tables"][-1]["match"]) == 63
    answer = league.scorekeeper.post("/tournaments", asked(tournament=f"{fits}y"))
    assert (answer.status_code, answer.json()["reason"]) == (400, "slug-too-long")
    assert "57 characters" in answer.json()["detail"]


@on_both
def test_a_retry_by_ids_changes_nothing(league):
    slug, _ = opened(league)
    event = {"type": "player_withdrawn", "player": "ann", "id": str(uuid4())}
    first = tell(league, slug, event)
    again = tell(league, slug, event)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json() == first.json()
    other = tell(league, slug, event | {"player": "bo"})
    assert (other.status_code, other.json()["code"]) == (409, "event-id-reused")
    behind = tell(league, slug, {"type": "tournament_closed"}, headers={"if-match": '"1"'})
    assert (behind.status_code, behind.json()["version"]) == (412, 2)


def withdrawal_and_closing():
    """Return two events with ids."""
    withdrawn = {"type": "player_withdrawn", "player": "ann", "id": str(uuid4())}
    return withdrawn, {"type": "tournament_closed", "id": str(uuid4())}


def events_of(league, slug):
    return league.viewer.get(f"/tournaments/{slug}/events").json()["items"]


@on_both
@pytest.mark.parametrize("seen", [None, '"1"', '"2"'])
def test_known_events_at_the_head_of_a_longer_batch_are_left_and_the_rest_is_appended(league, seen):
    """An If-Match from before the head still holds, since only the head itself came after it."""
    slug, _ = opened(league)
    withdrawn, closed = withdrawal_and_closing()
    first = tell(league, slug, withdrawn).json()
    headers = {} if seen is None else {"if-match": seen}
    both = tell(league, slug, withdrawn, closed, headers=headers)
    assert (both.status_code, both.headers["idempotency-replayed"]) == (201, "partial")
    assert both.json()["entries"][0] == first["entries"][0]
    assert [entry["event_index"] for entry in both.json()["entries"]] == [0, 1]
    assert [entry["version"] for entry in events_of(league, slug)] == [1, 2, 3]
    again = tell(league, slug, withdrawn, closed)
    assert (again.status_code, again.json()) == (200, both.json())


@on_both
def test_the_answer_to_a_retry_is_a_function_of_its_ids(league):
    """It does not matter how the events were split into requests, then or now."""
    withdrawn, closed = withdrawal_and_closing()
    slug, _ = opened(league)
    one, other = (tell(league, slug, each).json() for each in (withdrawn, closed))
    both = tell(league, slug, withdrawn, closed)
    assert (both.status_code, both.headers["idempotency-replayed"]) == (200, "true")
    assert both.json()["entries"] == [*one["entries"], other["entries"][0] | {"event_index": 1}]
    assert both.json()["state"] == other["state"]
    assert both.headers["etag"] == '"3"'

    slug, _ = opened(league)
    withdrawn, closed = withdrawal_and_closing()
    both = tell(league, slug, withdrawn, closed).json()
    one = tell(league, slug, withdrawn)
    assert (one.status_code, one.headers["idempotency-replayed"]) == (200, "true")
    assert one.json()["entries"] == both["entries"][:1]
    assert (one.json()["version"], one.json()["state"]["status"]) == (2, "complete")
    assert one.json()["state"]["withdrawn"] == both["state"]["withdrawn"]
    assert one.json()["matches"]
    assert len(events_of(league, slug)) == 3


@on_both
def test_a_known_event_does_not_follow_a_new_one(league):
    slug, _ = opened(league)
    withdrawn, closed = withdrawal_and_closing()
    tell(league, slug, withdrawn)
    answer = tell(league, slug, closed, withdrawn)
    assert (answer.status_code, answer.json()["code"]) == (409, "event-ids-out-of-order")
    assert len(events_of(league, slug)) == 2


@on_both
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"players": ["ann", "bo", "cy"]}, "players-not-schedulable"),
        ({"players": ["ann", "bo", "cy", "zoe"]}, "player-not-registered"),
        ({"players": ["ann", "bo", "cy", "cy"]}, "players-invalid"),
        ({"rounds_per_partner": 5}, "rounds-per-partner-invalid"),
        ({"edition": "chess"}, "edition-unknown"),
        ({"scoring": {"mode": "plus-minus"}}, "teams-not-in-mode"),
        ({"cycles": 0}, "malformed"),
        ({"name": ""}, "malformed"),
        ({"seats": 4}, "malformed"),
    ],
)
def test_what_can_not_be_played_is_refused(league, fields, code):
    answer = league.scorekeeper.post("/tournaments", asked(tournament="no", **fields))
    assert answer.json()["code"] == code
    assert league.viewer.get("/tournaments/no").status_code == 404


def test_no_schedule_for_three_names_the_nearest_that_work(league):
    answer = league.scorekeeper.post("/tournaments", asked(players=["ann", "bo", "cy"]))
    assert answer.status_code == 422
    assert answer.json()["facts"]["nearest"] == [4]
    assert "4" in answer.json()["detail"]


def test_a_target_is_refused_with_what_the_tables_play(league):
    answer = league.scorekeeper.post("/tournaments", asked(scoring={"target": 300}))
    assert (answer.status_code, answer.json()["detail"]) == (
        422,
        "Each table of a tournament plays 4 rounds, and to no target.",
    )


@on_both
def test_a_slug_of_a_table_that_is_taken_is_refused_as_a_whole(league):
    taken = league.match(match="mine-s3-t1")
    answer = league.scorekeeper.post("/tournaments", asked(tournament="mine"))
    assert (answer.status_code, answer.json()["code"]) == (409, "match-exists")
    assert league.viewer.get("/matches/mine-s1-t1").status_code == 404
    taken.tell(note())


@on_both
def test_the_list_shows_the_latest_first(league):
    one, _ = opened(league)
    two, _ = opened(league)
    page = league.viewer.get("/tournaments", params={"limit": 1})
    (item,) = page.json()["items"]
    assert (item["tournament"], item["status"], item["players"]) == (two, "open", FOUR)
    rest = league.viewer.get("/tournaments", params={"cursor": page.json()["next"]}).json()
    assert one in [each["tournament"] for each in rest["items"]]
