"""Retries by event id: answered as the first time, and nothing is appended twice."""

from random import Random
from uuid import uuid4

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from scorekeeper.match.events.fields import MOST_EVENTS
from scorekeeper.match.events.opening import Opening
from scorekeeper.simulation.played_match import tell_match
from scorekeeper.simulation.tellings import Telling
from tests.api.serving import examples, note, tally
from tests.api.serving_kinds import on_both
from tests.match.story import NAMES
from tests.simulation.playing import any_match, seeds

A_UUID = "0f0e0d0c-0b0a-4908-8706-050403020100"

ROUND = tally("ann", bo=20, cy=["red-7", "wild"], di=7)


def named(event):
    """The event with an id of its own."""
    return event | {"id": str(uuid4())}


@on_both
@pytest.mark.parametrize("if_match", [None, '"1"', '"99"', '"4"', "*"])
def test_a_full_replay_is_the_first_answer_to_the_byte(league, if_match):
    match = league.match()
    batch = [named(ROUND), named(note())]
    first = match.append(*batch, if_match='"1"')
    assert first.status_code == 201
    match.tell(note("somebody else's"))
    before = match.board()
    again = match.append(*batch, **({} if if_match is None else {"if_match": if_match}))
    assert again.status_code == 200
    assert again.headers["idempotency-replayed"] == "true"
    assert again.headers["etag"] == first.headers["etag"] == '"4"'
    assert again.content == first.content
    assert match.board() == before


def test_a_retry_may_spell_ids_times_and_defaults_differently(league):
    match = league.match()
    event = named(note()) | {"at": "2026-11-20T19:00:00Z"}
    first = match.append(event)
    respelt = event | {
        "id": event["id"].upper(),
        "at": "2026-11-20T20:00:00.000+01:00",
        "as_played": False,
    }
    again = match.append(respelt)
    assert (again.status_code, again.content) == (200, first.content)


@on_both
@pytest.mark.parametrize(
    "unsaid",
    [{"count": 1}, {"jump_in": False}],
    ids=["one card", "no jump-in"],
)
@pytest.mark.parametrize("first_said", [True, False], ids=["said first", "said again"])
def test_a_retry_of_a_play_may_say_what_goes_without_saying(league, unsaid, first_said):
    """House rules ask how many cards are laid, and whether in turn: one, and in turn, if absent."""
    match = league.match()
    match.tell({"type": "round_started", "dealer": "di"})
    match.tell({"type": "first_card_turned", "card": "red-5"})
    play = named({"type": "card_played", "player": "ann", "card": "red-7"})
    first, second = (play | unsaid, play) if first_said else (play, play | unsaid)
    told = match.append(first)
    assert told.status_code == 201
    again = match.append(second)
    assert (again.status_code, again.content) == (200, told.content)
    partial = match.append(second, named(note()))
    assert (partial.status_code, partial.headers["idempotency-replayed"]) == (201, "partial")
    assert partial.json()["entries"][0] == told.json()["entries"][0]


def test_a_retry_of_an_amendment_may_say_what_goes_without_saying(league):
    match = league.match()
    match.tell({"type": "round_started", "dealer": "di"})
    match.tell({"type": "first_card_turned", "card": "red-5"})
    play = {"type": "card_played", "player": "ann", "card": "red-7"}
    amended = named({"type": "log_amended", "from": 4, "insert": [play], "reason": "forgotten"})
    match.tell(note())
    told = match.append(amended)
    assert told.status_code == 201
    again = match.append(amended | {"insert": [play | {"count": 1}]})
    assert (again.status_code, again.content) == (200, told.content)


def test_the_answer_is_a_function_of_the_ids(league):
    """A retry of any part of a batch is answered with that part's own entries and state."""
    match = league.match()
    batch = [named(ROUND), named(note("a")), named(ROUND), named(note("b"))]
    whole = match.tell(*batch)
    for upto in range(1, 5):
        answer = match.append(*batch[:upto])
        assert answer.status_code == 200
        body = answer.json()
        version = body["version"]
        assert answer.headers["etag"] == f'"{version}"'
        assert body["state"] == match.board(at=version)
        assert body["entries"] == [e for e in whole["entries"] if e["version"] <= version]
        assert body["position"] == body["state"]["position"]
    # Two of the four events, without the first.
    picked = match.append(batch[1], batch[3]).json()
    assert [(e["data"]["text"], e["event_index"]) for e in picked["entries"]] == [
        ("a", 0),
        ("b", 1),
    ]
    assert picked["version"] == whole["version"]


def test_a_replay_tells_the_violations_of_its_events_again(league):
    match = league.match()
    joint = named(tally("ann", "bo", cy=3, di=4) | {"as_played": True})
    batch = [named(note()), joint, named(joint)]
    first = match.append(*batch)
    assert [v["event_index"] for v in first.json()["violations"]] == [1, 2]
    assert match.append(*batch).content == first.content


@on_both
def test_known_ids_at_the_head_of_a_longer_batch_are_completed(league):
    match = league.match()
    head = [named(ROUND), named(note("first"))]
    rest = [named(note("second")), named(ROUND)]
    told = match.tell(*head)
    answer = match.append(*head, *rest)
    assert answer.status_code == 201
    assert answer.headers["idempotency-replayed"] == "partial"
    body = answer.json()
    assert answer.headers["etag"] == f'"{body["version"]}"' == '"7"'
    assert body["entries"][: len(told["entries"])] == told["entries"]
    assert [e["event_index"] for e in body["entries"]] == [0, None, 1, 2, 3, None]
    assert [e["version"] for e in body["entries"]] == [2, 3, 4, 5, 6, 7]
    assert body["state"] == match.board()
    # Now every event of the request is known.
    again = match.append(*head, *rest)
    assert (again.status_code, again.content) == (200, answer.content)


@pytest.mark.parametrize(
    ("interrupted", "if_match", "status"),
    [
        (False, '"1"', 201),  # only the head itself was recorded after version 1
        (False, '"3"', 201),  # likewise after the inferred entry
        (False, '"4"', 201),
        (False, '"2"', 201),
        (False, '"5"', 412),
        (True, '"1"', 412),  # somebody else recorded a note after the head
        (True, '"4"', 412),
        (True, '"5"', 201),
        (True, "*", 201),
    ],
)
def test_the_lock_of_a_partial_retry_passes_over_its_own_head(
    league, interrupted, if_match, status
):
    match = league.match()
    head = [named(ROUND), named(note())]
    match.tell(*head)
    if interrupted:
        match.tell(note("somebody else's"))
    version = match.board()["version"]
    answer = match.append(*head, named(note("new")), if_match=if_match)
    assert answer.status_code == status
    if status == 412:
        assert answer.json()["version"] == version
        assert match.board()["version"] == version


def test_a_partial_retry_counts_its_events_from_the_first_of_the_batch(league):
    match = league.match()
    head = [named(note()), named(note())]
    match.tell(*head)
    refused = match.append(*head, named(tally("zed")))
    assert (refused.status_code, refused.json()["event_index"]) == (422, 2)
    joint = named(tally("ann", "bo", cy=3, di=4))
    refused = match.append(*head, joint).json()
    assert (refused["event_index"], refused["violations"][0]["event_index"]) == (2, 2)
    stranger = {"type": "player_substituted", "player": "ann", "substitute": "nobody"}
    assert match.append(*head, named(stranger)).json()["event_index"] == 2
    joint["as_played"] = True
    assert match.append(*head, joint).json()["violations"][0]["event_index"] == 2
    assert match.board()["version"] == 5


@on_both
@pytest.mark.parametrize(
    ("order", "index"), [([2, 0], 1), ([0, 2, 1], 2), ([1, 0], 1), ([2, 0, 3, 1], 1)]
)
def test_a_known_id_out_of_order_is_a_409(league, order, index):
    """Events 0 and 1 are recorded, 2 and 3 are not."""
    match = league.match()
    events = [named(note(str(number))) for number in range(4)]
    match.tell(*events[:2])
    answer = match.append(*(events[number] for number in order))
    assert (answer.status_code, answer.json()["code"]) == (409, "event-ids-out-of-order")
    assert answer.json()["event_index"] == index
    assert match.board()["version"] == 3


@on_both
def test_an_id_with_other_content_is_a_409(league):
    match = league.match()
    event = named(note("one"))
    match.tell(event)
    for other in (
        event | {"text": "two"},
        event | {"as_played": True},
        ROUND | {"id": event["id"]},
    ):
        answer = match.append(other)
        assert (answer.status_code, answer.json()["code"]) == (409, "event-id-reused")
        assert answer.json()["event_index"] == 0
    assert match.board()["version"] == 2


def test_an_id_of_another_match_is_a_409(league):
    here, there = league.match(), league.match()
    event = named(note())
    here.tell(event)
    answer = there.append(event)
    assert (answer.status_code, answer.json()["code"]) == (409, "event-id-reused")
    opening = league.opening(events=[event])
    answer = league.owner.post("/matches", opening)
    assert (answer.status_code, answer.json()["code"]) == (409, "event-id-reused")
    assert league.owner.get(f"/matches/{opening['match']}").status_code == 404


def test_an_id_that_the_server_made_is_a_409(league):
    match = league.match()
    match.tell(ROUND)
    amended = {"type": "log_amended", "from": 2, "remove": 1, "insert": [], "reason": "Not so."}
    for entry in match.log():
        for event in (note(), amended):
            answer = match.append(event | {"id": entry["id"]})
            assert (answer.status_code, answer.json()["code"]) == (409, "event-id-reused")


def test_the_same_id_may_be_used_in_another_league(league):
    event = named(note())
    league.match().tell(event)
    league.served.league().match().tell(event)


@pytest.mark.parametrize("spelling", [str.lower, str.upper])
def test_an_id_twice_in_one_request_is_a_400(league, spelling):
    event = named(note())
    answer = league.match().append(event, event | {"id": spelling(event["id"])})
    assert (answer.status_code, answer.json()["code"]) == (400, "event-id-twice")
    opening = league.opening(events=[event, event | {"id": spelling(event["id"])}])
    assert league.owner.post("/matches", opening).json()["code"] == "event-id-twice"


def test_ids_on_some_events_only_are_a_400(league):
    for batch in ([named(note()), note()], [note(), named(note())]):
        answer = league.match().append(*batch)
        assert (answer.status_code, answer.json()["code"]) == (400, "event-ids-incomplete")
        opened = league.owner.post("/matches", league.opening(events=batch))
        assert opened.json()["code"] == "event-ids-incomplete"


@pytest.mark.parametrize(
    "event_id",
    ["", "1", "not-a-uuid", f"{A_UUID}\n", f"{{{A_UUID}}}", 7],
)
def test_an_id_is_a_uuid(league, event_id):
    assert league.match().append(note() | {"id": event_id}).status_code == 400


def test_ids_come_before_the_lock_and_the_lock_before_the_rules(league):
    match = league.match()
    event = named(note())
    match.tell(event)
    reused = match.append(event | {"text": "other"}, if_match='"9"')
    assert reused.json()["code"] == "event-id-reused"
    locked = match.append(tally("zed"), if_match='"9"')
    assert locked.json()["code"] == "version-mismatch"


@on_both
def test_many_at_once_with_one_id_write_one_event(league):
    match = league.match()
    event = named(ROUND)
    answers = league.served.together(
        *(match.asking("POST", "/events", json={"events": [event]}) for _ in range(20))
    )
    assert sorted(answer.status_code for answer in answers) == [200] * 19 + [201]
    assert len({answer.content for answer in answers}) == 1
    assert len({answer.headers["etag"] for answer in answers}) == 1
    assert match.board()["version"] == 3


def test_events_of_an_opening_can_be_retried_as_an_append(league):
    events = [named(ROUND), named(note())]
    match = league.match(events=events)
    again = match.append(*events)
    assert (again.status_code, again.headers["idempotency-replayed"]) == (200, "true")
    assert again.json()["entries"] == match.opened.json()["entries"][1:]
    assert again.json()["state"] == match.opened.json()["state"]


def test_a_refusal_leaves_no_trace_so_that_its_id_is_free(league):
    match = league.match()
    event = named(tally("zed"))
    assert match.append(event).status_code == 422
    assert match.append(ROUND | {"id": event["id"]}).status_code == 201


@given(data=st.data())
@examples(10)
def test_any_sending_of_growing_heads_ends_in_the_same_log(league, data):
    """Two devices send the same events again and again, each time a few more."""
    told = [
        named(data.draw(st.sampled_from([ROUND, note(), tally("bo", ann=5, cy=6, di=7)])))
        for _ in range(data.draw(st.integers(2, 6)))
    ]
    heads = data.draw(st.lists(st.integers(1, len(told)), min_size=1, max_size=6))
    sent, once = league.match(scoring={"target": None}), league.match(scoring={"target": None})
    for head in [*heads, len(told)]:
        assert sent.append(*told[:head]).status_code in {200, 201}
    once.tell(*({k: v for k, v in event.items() if k != "id"} for event in told))
    logs = [
        [(e["version"], e["type"], e["data"], e["inferred"]) for e in match.log()]
        for match in (sent, once)
    ]
    assert logs[0] == logs[1]


@on_both
@given(seed=seeds, telling=st.sampled_from(Telling), data=st.data())
@settings(examples(5), phases=[Phase.explicit, Phase.reuse, Phase.generate])
def test_the_rest_of_any_match_told_again_changes_nothing(served, seed, telling, data):
    """The retry may begin at any event; players and the detail of the recording do not matter."""
    played = any_match(seed)
    opening = {name: getattr(played.opened, name) for name in Opening.__struct_fields__}
    match = served.league(NAMES).match(**msgspec.to_builtins(opening))
    sent = []
    for part in tell_match(Random(seed), played, telling):
        told = [named(msgspec.to_builtins(event)) for event in part]
        for at in range(0, len(told), MOST_EVENTS):
            match.tell(*told[at : at + MOST_EVENTS])
        sent += told
    board, log = match.get().content, match.log()
    # One request can't hold all events of a long match.
    starts = st.integers(max(0, len(sent) - MOST_EVENTS), len(sent) - 1)
    for start in data.draw(st.lists(starts, min_size=4, max_size=4)):
        again = match.append(*sent[start:])
        assert (again.status_code, again.headers["idempotency-replayed"]) == (200, "true")
        assert (match.get().content, match.log()) == (board, log)


def test_a_draw_that_the_table_told_itself_is_no_part_of_the_play_before_it(league):
    """Sent alone, that play would have inferred the draw and the end of the match."""
    match = league.match(edition="classic-2025", players=["ann", "bo"], dealer="ann")
    batch = [
        named(event)
        for event in (
            {"type": "round_started"},
            {"type": "first_card_turned", "card": "red-5"},
            {"type": "hand_shown", "player": "bo", "cards": ["red-draw-two"], "as_played": True},
            {"type": "card_played", "player": "bo", "card": "red-draw-two"},
            {"type": "cards_drawn", "player": "ann", "count": 2},
        )
    ]
    first = match.append(*batch)
    assert first.status_code == 201, first.text
    assert [entry["inferred"] for entry in first.json()["entries"]] == [False] * 5 + [True] * 2
    assert match.append(*batch).content == first.content
    assert match.append(*batch[:4]).json()["version"] == 5
