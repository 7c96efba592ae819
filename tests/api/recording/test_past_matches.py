"""Imports of past matches: many in one request, in their order, and none twice."""

from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from tests.api.serving import Served, examples, tally
from tests.api.serving_kinds import on_both

PLAYERS = ("ann", "bo", "cy", "di")


def past(match, *events, players=("ann", "bo"), **opening):
    """A match of the past; each event has an id."""
    told = [{**event, "id": str(uuid4())} for event in events]
    return {"match": match, "edition": "basic", "players": list(players), "events": told} | opening


def won(match, winner, *, rounds=1, **opening):
    """A match that the winner won, closed after its rounds."""
    losers = [player for player in opening.get("players", ("ann", "bo")) if player != winner]
    told = [tally(winner, **dict.fromkeys(losers, 10))] * rounds
    return past(match, *told, {"type": "match_closed"}, **opening)


def bring_in(league, *matches, **request):
    return league.scorekeeper.post("/past-matches", {"matches": list(matches)}, **request)


def views(league):
    """Return the league's table, and every player's line and statistics."""
    found = {"table": league.viewer.get("/standings").json()["items"]}
    for player in PLAYERS:
        found[player] = league.viewer.get(f"/players/{player}").json()
        found[f"{player}'s"] = league.viewer.get(f"/players/{player}/statistics").json()
    return found


@on_both
def test_matches_stand_in_the_log_in_the_order_in_which_they_were_sent(league):
    answer = bring_in(
        league, won("b", "ann", rounds=2), won("a", "bo"), past("c", tally("bo", ann=5))
    )
    assert answer.status_code == 201, answer.text
    assert answer.json() == {
        "matches": [
            {"match": "b", "version": 7, "status": "won", "appended": 7},
            {"match": "a", "version": 5, "status": "won", "appended": 5},
            {"match": "c", "version": 3, "status": "open", "appended": 3},
        ]
    }
    listed = league.viewer.get("/matches").json()["items"]
    assert [each["match"] for each in reversed(listed)] == ["b", "a", "c"]


@on_both
def test_the_same_again_is_answered_and_appends_nothing(league):
    matches = [won("a", "ann"), won("b", "bo")]
    first = bring_in(league, *matches)
    seen = views(league)
    again = bring_in(league, *matches)
    assert again.status_code == 200
    assert again.headers["idempotency-replayed"] == "true"
    before, after = first.json()["matches"], again.json()["matches"]
    assert after == [{**each, "appended": 0} for each in before]
    assert views(league) == seen


@on_both
def test_what_is_new_of_a_match_is_appended(league):
    whole = won("a", "ann", rounds=3)
    begun = {**whole, "events": whole["events"][:2]}
    bring_in(league, begun)
    answer = bring_in(league, won("b", "bo"), whole)
    assert answer.status_code == 201
    assert answer.headers["idempotency-replayed"] == "partial"
    assert [each["appended"] for each in answer.json()["matches"]] == [5, 4]
    ann = views(league)["ann"]
    assert (ann["statistics"]["played"], ann["statistics"]["won"]) == (2, 1)
    # `a` was opened before `b`, which ann lost.
    assert (ann["statistics"]["streak"], ann["statistics"]["longest_streak"]) == (0, 1)


@on_both
def test_a_match_that_is_refused_stops_all_and_is_named(league):
    good, wrong = won("a", "ann"), past("b", tally("ann", bo=1), tally("ann", zoe=1))
    answer = bring_in(league, good, wrong)
    assert answer.status_code == 422
    problem = answer.json()
    assert problem["code"] == "impossible-event"
    assert (problem["match_index"], problem["event_index"]) == (1, 1)
    stranger = bring_in(league, good, won("b", "ann", players=("ann", "zoe"))).json()
    assert (stranger["code"], stranger["match_index"]) == ("player-not-registered", 1)
    unknown = bring_in(league, {**good, "edition": "chess"}).json()
    assert (unknown["code"], unknown["match_index"]) == ("edition-unknown", 0)
    assert league.viewer.get("/matches").json()["items"] == []


@on_both
def test_another_match_of_the_same_name_is_left_alone(league):
    match = league.match(match="b", players=["ann", "bo"])
    version = match.get().json()["version"]
    answer = bring_in(league, won("a", "ann"), won("b", "ann"))
    assert answer.status_code == 409
    assert (answer.json()["code"], answer.json()["match_index"]) == ("match-exists", 1)
    assert match.get().json()["version"] == version


def test_an_id_of_another_match_is_refused(league):
    first = won("a", "ann")
    bring_in(league, first)
    answer = bring_in(league, won("c", "bo"), {**first, "match": "b"})
    assert (answer.json()["code"], answer.json()["match_index"]) == ("event-id-reused", 1)


def test_the_id_of_the_opening_is_refused(league):
    (entry,) = league.match(match="a").log()
    amended = {"type": "log_amended", "from": 2, "remove": 1, "reason": "Not so."}
    answer = bring_in(league, past("a") | {"events": [amended | {"id": entry["id"]}]})
    assert (answer.status_code, answer.json()["code"]) == (409, "event-id-reused")


def test_every_event_has_an_id(league):
    match = won("a", "ann")
    for event in match["events"]:
        del event["id"]
    answer = bring_in(league, match)
    assert (answer.status_code, answer.json()["code"]) == (400, "event-ids-incomplete")


def test_a_request_is_bounded_and_names_each_match_once(league):
    for matches in (
        [won("a", "ann"), won("a", "ann")],
        [won("a", "ann", rounds=500), won("b", "ann", rounds=500)],
        [past("a")],
        [],
    ):
        answer = bring_in(league, *matches)
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_only_an_owner_rules_on_disputes(league):
    ruled = {"type": "dispute_ruled", "dispute": 4, "ruling": "upheld", "reason": "x"}
    answer = bring_in(league, won("a", "ann"), past("b", tally("ann", bo=1), ruled))
    assert answer.status_code == 403
    assert (answer.json()["match_index"], answer.json()["event_index"]) == (1, 1)


@on_both
def test_a_key_names_the_whole_request(league):
    matches, key = [won("a", "ann")], {"headers": {"idempotency-key": "k"}}
    first = bring_in(league, *matches, **key)
    again = bring_in(league, *matches, **key)
    assert (again.status_code, again.content) == (200, first.content)
    other = bring_in(league, won("b", "ann"), **key)
    assert other.json()["code"] == "idempotency-key-reused"


MATCHES = st.lists(
    st.tuples(
        st.sampled_from([("ann", "bo"), ("bo", "cy", "ann"), ("ann", "bo", "cy", "di")]),
        st.integers(0, 1),
        st.integers(1, 4),
        st.integers(1, 2),
        st.booleans(),
    ),
    min_size=1,
    max_size=8,
)


@examples(15)
@given(MATCHES)
def test_the_table_says_the_same_as_if_each_match_had_been_logged_by_itself(
    served: Served, evenings
):
    singly, together = served.league(), served.league()
    batch: list[dict[str, object]] = []
    for number, (players, winner, day, rounds, cut) in enumerate(evenings):
        opening = {"players": players, "at": f"2024-11-0{day}T20:00:00Z"}
        match = won(f"m-{number}", players[winner], rounds=rounds, **opening)
        batch.append(match)
        rest = [
            {name: value for name, value in event.items() if name != "id"}
            for event in match["events"]
        ]
        singly.match(match=f"m-{number}", events=rest[:-1], **opening).tell(rest[-1])
        if cut:
            assert bring_in(together, *batch).is_success
            batch = []
    if batch:
        assert bring_in(together, *batch).is_success
    assert views(together) == views(singly)
