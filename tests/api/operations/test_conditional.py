import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar import Litestar, Response, get, patch, post
from litestar.response import Stream
from litestar.types import Receive, Scope, Send

from scorekeeper.api.layers.input_validation import InputValidation
from scorekeeper.api.layers.rate_limits import Limits, TokenBuckets
from scorekeeper.api.layers.representation import Conditional, IfMatch, if_match
from scorekeeper.api.layers.request_log import Metrics, RequestLog, RequestLogLayer
from scorekeeper.api.problems import EXCEPTION_HANDLERS
from scorekeeper.service.identity.access import bearer_digest
from scorekeeper.service.refused import Refused
from tests.api.edges import ask

VARY = "Accept-Encoding, Accept-Language, Authorization, Cookie"


@get("/names")
async def names() -> list[str]:
    return ["ann", "bo"]


@post("/names")
async def add_name() -> list[str]:
    return ["cy"]


@patch("/names")
async def rename() -> None:
    raise Refused("version-mismatch", version=7)


@get("/match")
async def match() -> Response[dict[str, int]]:
    headers = {"etag": '"7"', "link": "<x>", "vary": "Accept", "cache-control": "no-cache"}
    return Response({"version": 7}, headers=headers)


@get("/log")
async def log() -> Stream:
    async def lines():
        yield b"1\n"
        yield b"2\n"

    return Stream(lines(), media_type="application/x-ndjson")


@get("/endless")
async def endless() -> Stream:
    async def beats():
        while True:
            yield b":\n\n"

    return Stream(beats(), media_type="text/event-stream")


@get("/broken")
async def broken() -> Stream:
    async def lines():
        yield b"1\n"
        raise ZeroDivisionError

    return Stream(lines())


@get("/old")
async def old() -> Response[None]:
    return Response(None, status_code=302, headers={"location": "/names"})


@pytest.fixture(scope="module")
def app():
    routes = [names, add_name, rename, match, log, endless, broken, old]
    return Conditional(Litestar(routes, exception_handlers=EXCEPTION_HANDLERS, openapi_config=None))


def test_a_reading_has_a_strong_tag_that_its_bytes_decide(app):
    first, second = ask(app, "GET", "/names"), ask(app, "GET", "/names")
    assert first.headers["etag"] == second.headers["etag"]
    assert first.headers["etag"].startswith('"')
    assert first.headers["etag"] != ask(app, "GET", "/match").headers["etag"]


def test_a_reading_keeps_the_tag_it_has(app):
    assert ask(app, "GET", "/match").headers["etag"] == '"7"'


def test_a_reading_depends_on_the_language_and_on_who_asks(app):
    assert ask(app, "GET", "/names").headers["vary"] == VARY
    assert ask(app, "GET", "/match").headers["vary"] == f"Accept, {VARY}"
    assert "vary" in ask(app, "GET", "/nowhere").headers


async def fail(scope: Scope, receive: Receive, send: Send) -> None:
    raise ZeroDivisionError


def spent() -> TokenBuckets:
    buckets = TokenBuckets(1, clock=lambda: 0.0)
    buckets.take(bearer_digest(b"Bearer good"))
    return buckets


@pytest.mark.parametrize(
    ("layer", "address", "status"),
    [
        (InputValidation(fail), "/names?lang=%00", 400),
        (Limits(fail, TokenBuckets(1), tokens=spent()), "/names", 429),
        (RequestLogLayer(fail, RequestLog(Metrics())), "/names", 500),
    ],
)
def test_a_reading_that_a_layer_refuses_depends_on_the_same(layer, address, status):
    token = {"authorization": "Bearer good"}
    refused = [ask(layer, method, address, headers=token) for method in ("GET", "HEAD", "POST")]
    assert [answer.status_code for answer in refused] == [status] * 3
    vary = "Accept-Language, Authorization, Cookie"
    assert [answer.headers.get("vary") for answer in refused] == [vary, vary, None]


@pytest.mark.parametrize("condition", ['"7"', 'W/"7"', '"6", "7"', '"6",W/"7"', "*", " * "])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_the_client_has_is_not_sent_again(app, method, condition):
    answer = ask(app, method, "/match", headers={"if-none-match": condition})
    assert answer.status_code == 304
    assert answer.content == b""
    assert answer.headers["etag"] == '"7"'
    assert answer.headers["vary"] == f"Accept, {VARY}"
    assert answer.headers["cache-control"] == "no-cache"
    assert "content-type" not in answer.headers
    assert "content-length" not in answer.headers


@pytest.mark.parametrize("condition", ['"6"', "7", '"77"', "", "7,"])
def test_what_the_client_lacks_is_sent(app, condition):
    answer = ask(app, "GET", "/match", headers={"if-none-match": condition})
    assert answer.status_code == 200
    assert answer.json() == {"version": 7}


def test_a_tag_that_was_made_here_is_recognised(app):
    tag = ask(app, "GET", "/names").headers["etag"]
    assert ask(app, "GET", "/names", headers={"if-none-match": tag}).status_code == 304


@pytest.mark.parametrize("path", ["/nowhere", "/old"])
def test_only_a_200_is_tagged_or_spared(app, path):
    answer = ask(app, "GET", path, headers={"if-none-match": "*"})
    assert answer.status_code in {302, 404}
    assert "etag" not in answer.headers


def test_a_writing_request_is_left_alone(app):
    answer = ask(app, "POST", "/names", headers={"if-none-match": "*"})
    assert answer.status_code == 201
    assert "etag" not in answer.headers
    assert "vary" not in answer.headers


@pytest.mark.parametrize("path", ["/names", "/match", "/nowhere", "/old"])
def test_head_is_get_without_the_body(app, path):
    head, whole = ask(app, "HEAD", path), ask(app, "GET", path)
    assert head.status_code == whole.status_code
    assert head.headers == whole.headers
    assert head.content == b""


def test_a_stream_goes_out_piece_by_piece_and_untagged(app):
    answer = ask(app, "GET", "/log", headers={"if-none-match": "*"})
    assert answer.text == "1\n2\n"
    assert "etag" not in answer.headers


@pytest.mark.parametrize("path", ["/log", "/endless"])
def test_head_of_a_stream_ends(app, path):
    answer = ask(app, "HEAD", path)
    assert answer.status_code == 200
    assert answer.content == b""


def test_a_stream_that_breaks_is_not_hidden(app):
    with pytest.raises(Exception, match="after response started"):
        ask(app, "GET", "/broken")


def test_options_lists_the_methods_of_all_handlers_of_the_address(app):
    answer = ask(app, "OPTIONS", "/names")
    assert answer.status_code == 204
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, PATCH, POST"
    assert ask(app, "OPTIONS", "/match").headers["allow"] == "GET, HEAD, OPTIONS"


def test_a_method_that_is_not_there_meets_the_same_list(app):
    answer = ask(app, "DELETE", "/names")
    assert answer.status_code == 405
    assert answer.headers["allow"] == ask(app, "OPTIONS", "/names").headers["allow"]


@pytest.mark.parametrize("method", ["OPTIONS", "HEAD"])
def test_nothing_is_nowhere(app, method):
    assert ask(app, method, "/nowhere").status_code == 404


@pytest.mark.parametrize(
    ("header", "versions"),
    [
        ('"5"', {5}),
        ('"5", "6"', {5, 6}),
        ('"5","6"', {5, 6}),
        ('W/"5"', set()),
        ('W/"5", "6"', {6}),
        ('"abc"', set()),
        ('"05"', set()),
        ('""', set()),
        ('"' + "9" * 40 + '"', set()),
        ('"a,\\b"', set()),
    ],
)
def test_if_match_names_versions(header, versions):
    assert if_match(header) == IfMatch(frozenset(versions))


def test_if_match_may_be_absent_or_any():
    assert if_match(None) is None
    condition = if_match("*")
    assert condition is not None
    assert condition.holds(1)


def test_if_match_holds_for_the_versions_named():
    condition = IfMatch(frozenset({5}))
    assert condition.holds(5)
    assert not condition.holds(6)


@pytest.mark.parametrize(
    "header", ["", "5", '"5', '"5" "6"', '"5",', '*, "5"', 'w/"5"', '"5"x', '"a b"']
)
def test_if_match_that_is_none_is_malformed(header):
    with pytest.raises(Refused) as refused:
        if_match(header)
    assert (refused.value.code, refused.value.reason) == ("malformed", "if-match")


@given(st.text())
def test_if_match_of_any_text_is_read_or_refused(header):
    try:
        condition = if_match(header)
    except Refused:
        return
    assert condition is not None
