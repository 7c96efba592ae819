"""Followers over a socket, of a server that runs as its own process."""

import json

import pytest

from scorekeeper.service.live.followers import Pace
from tests.api.live_client import LEAGUE, MATCH, InProcess, Scorer, Stream, serving_league
from tests.api.serving import ADMIN, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server, scorer = serving_league(tmp_path_factory.mktemp("live"))
    scorer.close()
    yield server
    server.check()
    server.terminate()


@pytest.fixture
def scorer(server):
    with Scorer(server.url) as scorer:
        yield scorer


@pytest.fixture
def follow(server):
    """A function that follows an address; all its streams are left at the end."""
    streams = []

    def follow_one(path=f"{MATCH}/live", token=ADMIN, **request):
        streams.append(Stream(server.url, path, token, **request))
        return streams[-1]

    yield follow_one
    for stream in streams:
        stream.leave()


def as_recorded(answer):
    """The entries of an append's answer as they stand in a stream."""
    return [{**entry, "event_index": None} for entry in answer["entries"]]


def test_a_match_from_now_on_to_the_letter(scorer, follow):
    stream = follow()
    assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert stream.headers["cache-control"] == "no-store"
    assert stream.headers["x-accel-buffering"] == "no"
    assert stream.headers["vary"] == "Accept-Language, Authorization, Cookie"
    assert "etag" not in stream.headers
    assert "content-length" not in stream.headers
    board = scorer.get(MATCH).text
    assert stream.next().data == json.loads(board)
    told = scorer.tell({"type": "note_added", "text": "a\nb"}, {"type": "note_added", "text": "c"})
    received = b""
    while received.count(b"\n\n") < 3:
        received += stream.piece()
    expected = ""
    for entry in as_recorded(told):
        data = json.dumps({"match": "m", "entry": entry}, separators=(",", ":"))
        expected += f"id: {entry['position']}\nevent: entry\ndata: {data}\n\n"
    board = scorer.get(MATCH).text
    assert json.loads(board) == told["state"]
    assert received.decode() == expected + f"event: state\ndata: {board}\n\n"


def test_it_begins_with_the_time_to_wait_before_coming_back(scorer, follow):
    stream = follow(f"{LEAGUE}/live")
    assert stream.piece() == b"retry: 2000\n\n"


def test_a_league_has_its_own_entries_and_those_of_its_matches(scorer, follow):
    stream = follow(f"{LEAGUE}/live")
    token_id, _ = scorer.token("viewer")
    made = stream.next()
    assert made.data["match"] is None
    assert made.data["entry"]["data"] == {"role": "viewer", "token_id": token_id}
    told = scorer.tell({"type": "note_added", "text": "tea"})
    assert stream.next().data == {"match": "m", "entry": as_recorded(told)[0]}
    assert stream.next().data == told["state"]


@pytest.mark.parametrize("path", [f"{LEAGUE}/live", f"{MATCH}/live"])
def test_coming_back_with_the_last_id(scorer, follow, path):
    first = scorer.note(3) - 2
    for request in (
        {"last_event_id": str(first)},
        {"after": first},
        # A page reconnects with its original address; the id of its last frame wins over the query.
        {"last_event_id": str(first), "after": 0},
    ):
        stream = follow(path, **request)
        assert [stream.next().id, stream.next().id] == [first + 1, first + 2]
        assert (state := stream.next()).event == "state"
        assert state.position == first + 2


def test_from_the_beginning(scorer, follow):
    stream = follow(after=0)
    expected = scorer.positions()
    assert [stream.entry().id for _ in expected] == expected


def test_nothing_missed_is_nothing_sent(scorer, follow):
    last = scorer.note()
    stream = follow(after=last)
    new = scorer.note()
    assert stream.next().id == new


def test_an_id_that_the_ledger_has_not_reached_is_answered_with_a_resync(scorer, follow):
    last = scorer.note()
    stream = follow(last_event_id=str(last + 1_000))
    resync, state = stream.next(), stream.next()
    assert (resync.event, resync.id, resync.data) == ("resync", last, {"position": last})
    assert (state.event, state.position) == ("state", last)
    new = scorer.note()
    assert stream.next().id == new


@pytest.mark.parametrize("path", [f"{LEAGUE}/live", f"{MATCH}/live"])
@pytest.mark.parametrize(
    "request_",
    [
        {"last_event_id": text}
        for text in ("", "x", "-1", "1.0", "1e3", "9" * 17, str(2**53 + 1), "٣".encode())
    ]
    + [{"after": text} for text in ("", "x", "-1", "1.5", "null", str(2**53 + 1))],
)
def test_what_is_no_position_is_malformed(follow, path, request_):
    stream = follow(path, **request_)
    assert (stream.status, stream.problem["code"]) == (400, "malformed")


def test_what_is_not_there(follow):
    for path in (f"{LEAGUE}/matches/none/live", "/v1/leagues/none/live"):
        stream = follow(path)
        assert (stream.status, stream.problem["code"]) == (404, "not-found")
        assert stream.headers["content-type"] == "application/problem+json"


def test_without_a_token(follow):
    stream = follow(token="sk_home_wrong")
    assert (stream.status, stream.problem["code"]) == (401, "unauthorized")


@pytest.mark.parametrize("path", [f"{LEAGUE}/live", f"{MATCH}/live"])
def test_head_ends_at_once(scorer, path):
    answer = scorer.head(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"


def test_a_viewer_follows_without_the_hidden_cards_of_the_round(scorer, follow):
    scorer.made(
        f"{LEAGUE}/matches",
        {"match": "hidden", "edition": "basic", "players": ["ann", "bo"], "dealer": "bo"},
    )
    path = f"{LEAGUE}/matches/hidden"
    _, token = scorer.token("viewer")
    watching, keeping = follow(f"{path}/live", token), follow(f"{path}/live")
    late = follow(f"{LEAGUE}/live", token)
    hand = ["red-1", "red-2", "red-3", "red-4", "blue-6", "blue-7", "wild"]
    events = [
        {"type": "round_started", "hands": {"ann": hand}},
        {"type": "first_card_turned", "card": "red-9"},
        {"type": "card_played", "player": "ann", "card": "red-1"},
        {"type": "cards_drawn", "player": "bo", "cards": ["green-8"]},
    ]
    for event in events:
        told = scorer.made(f"{path}/events", {"events": [event]})
        for stream in (watching, late):
            while (frame := stream.next()).position < told["position"] or frame.event != "state":
                for card in (*hand[1:], "green-8"):
                    assert card not in json.dumps(frame.data), frame
        while (frame := keeping.next()).position < told["position"] or frame.event != "state":
            pass
        assert frame.data == told["state"]
    # A viewer who follows later does not receive the hidden cards either.
    again = follow(f"{path}/live", token, after=0)
    seen = [again.entry() for _ in range(5)]
    assert seen[1].data["entry"]["data"]["redacted"] == ["hands"]
    for card in (*hand[1:], "green-8"):
        assert card not in json.dumps([frame.data for frame in seen])


def test_a_token_that_is_revoked_ends_its_streams(scorer, follow):
    token_id, token = scorer.token("viewer")
    theirs, ours = follow(token=token), follow()
    scorer.delete(f"{LEAGUE}/tokens/{token_id}")
    assert [frame.event for frame in theirs.rest()] == ["state"]
    assert follow(token=token).status == 401
    new = scorer.note()
    assert ours.entry().id == new


def test_a_stream_has_its_line_in_the_log_once_it_has_ended(tmp_path):
    server, scorer = serving_league(tmp_path)
    left, stays = Stream(server.url, f"{MATCH}/live"), Stream(server.url, f"{LEAGUE}/live")
    assert left.next().event == "state"
    left.leave()
    server.terminate()
    assert stays.rest() == []
    lines = [json.loads(line) for line in server.printed if line.startswith("{")]
    found = {line["path"]: line for line in lines if line.get("path", "").endswith("e")}
    for path in (f"{MATCH}/live", f"{LEAGUE}/live"):
        assert (found[path]["status"], found[path]["token_id"]) == (200, "admin")
    stays.leave()
    scorer.close()


def test_a_beat_comes_every_so_often(database_url):
    async def story(app):
        follower = InProcess(app, f"{league.root}/live")
        assert await follower.body() == b"retry: 2000\n\n"
        assert [await follower.body() for _ in range(3)] == [b"event: beat\ndata: {}\n\n"] * 3
        follower.left.set()
        await follower.task

    with serving(database_url, pace=Pace(heartbeat=0.01)) as served:
        league = served.league()
        served.together(story(served.app))


def test_every_fifteen_seconds_where_nothing_else_is_said():
    assert Pace().heartbeat == 15
