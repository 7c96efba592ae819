"""Answers above 1 kB are compressed for clients that accept it, except for streams and secrets."""

import asyncio
import gzip

import pytest
from litestar import Litestar, Response, get, post
from litestar.response import Stream

from scorekeeper.api.layers.representation import STATIC, Conditional, may_be_packed
from tests.api.edges import ask
from tests.api.serving import note, tally

LONG = "we had tea " * 200
IDENTITY = {"accept-encoding": "identity"}
GZIP = {"accept-encoding": "gzip"}


@get("/long")
async def long() -> str:
    return LONG


@get("/short")
async def short() -> str:
    return "tea"


@get("/huge")
async def huge() -> str:
    return LONG * 100


@get("/never-changes", opt={STATIC: True})
async def never_changes() -> Response[str]:
    return Response(LONG * 100, headers={"etag": '"never"'})


@get("/secret")
async def secret() -> Response[str]:
    return Response(LONG, headers={"cache-control": "no-store"})


@get("/cookie")
async def cookie() -> Response[str]:
    return Response(LONG, headers={"set-cookie": "sk-friday=secret"})


@get("/problem")
async def problem() -> Response[str]:
    headers = {"cache-control": "no-store"}
    return Response(LONG, media_type="application/problem+json", headers=headers, status_code=404)


@get("/hashes", media_type="application/octet-stream")
async def hashes() -> bytes:
    return b"\0" * 5_000


@get("/packed-already")
async def packed_already() -> Response[bytes]:
    return Response(
        gzip.compress(LONG.encode()), headers={"content-encoding": "gzip"}, media_type="text/plain"
    )


@get("/stream")
async def stream() -> Stream:
    async def pieces():
        for _ in range(3):
            yield LONG

    return Stream(pieces(), media_type="text/plain")


@get("/events")
async def events() -> Response[str]:
    return Response(LONG, media_type="text/event-stream")


@get("/lines")
async def lines() -> Response[str]:
    return Response(LONG, media_type="application/x-ndjson")


@post("/long")
async def post_long() -> str:
    return LONG


@post("/stream")
async def post_stream() -> Stream:
    async def pieces():
        yield LONG
        yield LONG

    return Stream(pieces(), media_type="text/plain")


ROUTES = [
    long, short, huge, never_changes, secret, cookie, problem, hashes, packed_already, stream,
    events, lines, post_long, post_stream,
]  # fmt: skip


@pytest.fixture(scope="module")
def app():
    return Conditional(Litestar(ROUTES, openapi_config=None))


def is_packed(answer):
    return answer.headers.get("content-encoding") == "gzip"


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/long"), ("GET", "/huge"), ("POST", "/long"), ("GET", "/problem")]
)
def test_what_is_long_is_packed_and_means_the_same(app, method, path):
    packed, plain = (ask(app, method, path, headers=headers) for headers in (GZIP, IDENTITY))
    assert is_packed(packed)
    assert not is_packed(plain)
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 5
    assert packed.headers.get("etag") == plain.headers.get("etag")
    if method == "GET":
        assert all("Accept-Encoding" in each.headers["vary"] for each in (packed, plain))


@pytest.mark.parametrize(
    "path",
    ["/short", "/secret", "/cookie", "/hashes", "/stream", "/events", "/lines"],
)
def test_what_is_short_or_secret_or_a_stream_is_not(app, path):
    assert "content-encoding" not in ask(app, "GET", path, headers=GZIP).headers


def test_what_is_packed_already_stays_as_it_is(app):
    assert ask(app, "GET", "/packed-already", headers=GZIP).text == LONG


def test_no_stream_is_packed_whatever_was_asked(app):
    answer = ask(app, "POST", "/stream", headers=GZIP)
    assert (answer.text, is_packed(answer)) == (LONG * 2, False)


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip", True),
        ("GZip", True),
        ("br, gzip;q=0.5", True),
        ("deflate, *", True),
        ("*;q=0.1", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("*, gzip;q=0", False),
        ("*;q=0", False),
        ("gzipped", False),
        ("gzip;q=1.2.3", False),
    ],
)
def test_gzip_is_accepted_by_name_or_as_any_and_not_at_quality_0(app, accepted, packed):
    assert is_packed(ask(app, "GET", "/long", headers={"accept-encoding": accepted})) == packed


def test_head_tells_what_get_would(app):
    for headers in (GZIP, IDENTITY):
        whole, head = (ask(app, method, "/long", headers=headers) for method in ("GET", "HEAD"))
        assert head.headers == whole.headers
        assert head.content == b""


def test_what_the_client_has_is_told_without_a_body_by_the_same_tag(app):
    tag = ask(app, "GET", "/long", headers=IDENTITY).headers["etag"]
    answer = ask(app, "GET", "/long", headers=GZIP | {"if-none-match": tag})
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["etag"] == tag
    assert "Accept-Encoding" in answer.headers["vary"]
    assert "content-encoding" not in answer.headers


@pytest.fixture
def aside(monkeypatch):
    """The functions that were run in threads."""
    done = []
    to_thread = asyncio.to_thread

    async def noted(work, *arguments, **named):
        done.append(work)
        return await to_thread(work, *arguments, **named)

    monkeypatch.setattr(asyncio, "to_thread", noted)
    return done


def test_much_is_packed_beside_the_event_loop(app, aside):
    ask(app, "GET", "/long", headers=GZIP)
    assert aside == []
    ask(app, "GET", "/huge", headers=GZIP)
    assert aside == [gzip.compress]


def test_what_never_changes_is_packed_once(app, aside, monkeypatch):
    monkeypatch.setattr("scorekeeper.api.layers.representation._once", {})
    first, second = (ask(app, "GET", "/never-changes", headers=GZIP) for _ in range(2))
    assert first.content == second.content == (LONG * 100).encode()
    assert aside == [gzip.compress]


@pytest.fixture(scope="module")
def match(served):
    match = served.league().match()
    match.tell(*(note(f"{number}: we had tea") for number in range(20)))
    return match


@pytest.mark.parametrize(
    "path", ["", "/events", "/audit", "/../../standings", "/../../../../editions/basic"]
)
def test_readings_are_packed_by_the_whole_service(match, path):
    packed, plain = (match.get(path, headers=headers) for headers in (GZIP, IDENTITY))
    assert is_packed(packed) == (len(plain.content) >= 1024)
    assert packed.content == plain.content
    assert packed.headers["etag"] == plain.headers["etag"]


def test_appends_are_packed_in_front_of_the_framework_and_inside_it(match):
    for path in ("/events", "/events?lang=en"):
        told = {"events": [note(), note()]}
        answer = match.post(path, told, headers=GZIP)
        assert is_packed(answer)
        assert answer.headers["etag"] == f'"{answer.json()["version"]}"'
        assert not is_packed(match.post(path, told, headers=IDENTITY))


def test_streams_and_exports_are_sent_as_they_are(match, served):
    lines = match.get("/events", headers=GZIP | {"accept": "application/x-ndjson"})
    assert len(lines.text.splitlines()) == len(match.log())
    league = match.root.rpartition("/matches")[0]
    export = served.ask("GET", f"{league}/export", headers=GZIP)
    live = match.get("/live", headers=GZIP)
    for answer in (lines, export, live):
        assert answer.status_code == 200
        assert not is_packed(answer)


def test_a_long_problem_is_packed(match):
    told = {"events": [{"type": "note_added", "text": "x" * 3_000}, note()]}
    assert match.post("/events", told, headers=GZIP).status_code == 400
    rounds = [tally("ann", bo=1, cy=2, di=3) | {"round": 1}]
    match.post("/events", {"events": rounds})
    taken = match.post("/events", {"events": rounds}, headers=GZIP)
    assert (taken.status_code, is_packed(taken)) == (409, len(taken.content) >= 1024)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/leagues", {"name": "Secret"}),
        ("{league}/tokens", {"role": "viewer", "name": "Board"}),
        ("{league}/invitations", {"role": "viewer"}),
    ],
)
def test_answers_that_show_a_secret_say_that_nobody_may_keep_them(served, path, body):
    """`no-store` also keeps these answers from being compressed, however long they are."""
    league = served.league()
    answer = served.ask("POST", path.format(league=league.root), json=body)
    assert answer.json().keys() & {"token", "code"}
    assert answer.headers["cache-control"] == "no-store"
    pairs = [(name.lower().encode(), text.encode()) for name, text in answer.headers.items()]
    assert not may_be_packed(pairs)
