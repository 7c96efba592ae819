import asyncio
import json

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from litestar import Litestar, post
from litestar.params import JSONBody
from litestar.testing import TestClient
from litestar.types import Receive, Scope, Send

from scorekeeper.api.layers.input_validation import (
    BODY_LIMIT,
    InputValidation,
    check_body,
    check_json,
    decoded,
)
from scorekeeper.api.problems import EXCEPTION_HANDLERS
from scorekeeper.service.refused import Refused
from tests.api.edges import ask


class Note(msgspec.Struct, forbid_unknown_fields=True):
    text: str | None = None


@post("/notes")
async def add_note(data: JSONBody[Note]) -> Note:
    return data


@post("/knocks")
async def knock() -> None:
    return None


@pytest.fixture(scope="module")
def app():
    return Litestar(
        [add_note, knock],
        exception_handlers=EXCEPTION_HANDLERS,
        before_request=check_body,
        openapi_config=None,
        request_max_body_size=BODY_LIMIT,
    )


@pytest.fixture(scope="module")
def client(app):
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


REFUSED = {
    b"": "not-json",
    b"{": "not-json",
    b"{} {}": "not-json",
    b'{"text": "\xff"}': "not-json",
    b'{"text": "\xed\xa0\x80"}': "not-json",
    b'{"text": "a\x00"}': "not-json",
    b"\x00": "not-json",
    b'\xef\xbb\xbf{"text": "a"}': "not-json",
    b"[" * 100_000: "too-deep",
    b"[" * 33 + b"]" * 33: "too-deep",
    b'{"a":[' * 17 + b"]}" * 17: "too-deep",
    b'["]]]]",' * 33 + b'"[[["' + b"]" * 33: "too-deep",
    b'["\\"]]"' + b',["\\"]]"' * 32 + b"]" * 33: "too-deep",
    rb'{"text": "a\u0000"}': "nul",
    rb'{"a\u0000": 1}': "nul",
    rb'{"text": "\ud800"}': "not-json",
    rb'{"text": "\udc00\ud800"}': "not-json",
    b'{"text": NaN}': "not-json",
    b'{"text": -Infinity}': "not-json",
    b'{"text": 9007199254740993}': "number-too-large",
    b'{"text": -9007199254740993}': "number-too-large",
    b'{"text": 9223372036854775808}': "number-too-large",
    b'{"text": 1' + b"0" * 5_000 + b"}": "number-too-large",
    b'{"text": 1e16}': "number-too-large",
    b'{"text": -1E300}': "number-too-large",
    b'{"text": 1e999}': "number-too-large",
    b'{"text": "a", "text": "b"}': "duplicate-key",
    b'{"a": [{"b" :1,"b"\n:1}]}': "duplicate-key",
    b'{"a": {"b": {"c": 1}, "c": 2}, "a": 1}': "duplicate-key",
    rb'{"a": 1, "\u0061": 1}': "duplicate-key",
    rb'{"a": "\":", "a": 1}': "duplicate-key",
    b'{"": 1, "": 1}': "duplicate-key",
    b'{"text": ":", "a": 1, "a": 1}': "duplicate-key",
}

LET_IN = [
    b"{}",
    b" [ ] ",
    b"[" * 32 + b"]" * 32,
    b"[" + b"[]," * 500 + b"{}]",
    b'["[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["]',
    b'{"text": 9007199254740992, "other": -9007199254740992}',
    b'{"at": "2026-11-20T19:00:00Z", "id": "12345678901234567890e5"}',
    b'{"a": {"b": 1}, "b": 1}',
    b'{"a" : [{"b"\t:1}, {"b"\n:1}]}',
    rb'{"text": "\":\":\": \\", "\\u0000": "\ud83c\udca1 \u00e9"}',
    '{"text": "紅色的 5 🂡"}'.encode(),
    b'{"text": ":)", "other": [":", "::"]}',
    b"[1.5, 1e3, -0, 0.12345678901234567890]",
]


@pytest.mark.parametrize(("body", "reason"), REFUSED.items(), ids=range(len(REFUSED)))
def test_what_readers_of_json_take_differently_is_refused(body, reason):
    with pytest.raises(Refused) as refused:
        check_json(body)
    assert (refused.value.code, refused.value.reason) == ("malformed", reason)


@pytest.mark.parametrize("body", LET_IN, ids=range(len(LET_IN)))
def test_what_all_readers_take_alike_is_let_in(body):
    check_json(body)


TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=20,
)


@given(VALUES, st.booleans(), st.sampled_from([None, 0, 2]))
@example(value={'":': '":', "\\": ["{[", ":"]}, ascii_only=True, indent=None)
def test_whatever_python_writes_is_let_in(value, ascii_only, indent):
    check_json(json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode())


class Numbers(msgspec.Struct, forbid_unknown_fields=True):
    numbers: list[int]
    text: str = ""


NUMBERS = msgspec.json.Decoder(Numbers)


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [("5", 5), ("5.0", 5), ("-5.00", -5), ("5e0", 5), ("50E-1", 5), ("-0", 0), ("-0.0", 0)],
)
def test_an_integer_is_known_by_its_value(spelled, meant):
    body = b'{"text": "5.0", "numbers": [%b]}' % spelled.encode()
    check_json(body)
    read = decoded(NUMBERS, body)
    assert (read.text, read.numbers) == ("5.0", [meant])
    assert {type(number) for number in read.numbers} == {int}


@pytest.mark.parametrize("wrong", ["5.5", "5e-1", '"5"', "true", "null", "[5.0]"])
def test_what_is_no_integer_is_none_in_any_spelling(wrong):
    with pytest.raises(Refused, match="malformed"):
        decoded(NUMBERS, b'{"numbers": [5.0, %b]}' % wrong.encode())


@given(st.dictionaries(TEXTS, VALUES, min_size=1), st.booleans())
@example(value={'":': 1}, ascii_only=False)
@example(value={"a": 1, "text": ":)"}, ascii_only=False)
def test_a_key_more_is_noticed_wherever_it_stands(value, ascii_only):
    whole = json.dumps(value, ensure_ascii=ascii_only)
    key = json.dumps(next(iter(value)), ensure_ascii=ascii_only)
    with pytest.raises(Refused) as refused:
        check_json(f"{whole[:-1]}, {key}: null}}".encode())
    assert refused.value.reason == "duplicate-key"


@pytest.mark.parametrize(("body", "reason"), list(REFUSED.items())[1:], ids=range(1, len(REFUSED)))
def test_a_body_that_readers_would_take_differently_is_400(client, body, reason):
    answer = client.post("/notes", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["code"] == "malformed"
    assert answer.json()["reason"] == reason


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/json; charset=latin-1"},
        {"content-type": "application/json; odata=verbose; charset=latin-1"},
        {"content-type": "application/json; charset"},
        {"content-type": "application/json" + "; " * 1_000 + "!"},
        {"content-type": "application/jsonp"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
)
def test_a_body_that_is_said_to_be_no_json_is_415(client, headers):
    answer = client.post("/notes", content=b"{}", headers=headers)
    assert answer.status_code == 415
    assert answer.json()["code"] == "unsupported-media-type"


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON;charset=UTF-8",
        'application/json ; charset="utf-8"',
        "application/json; charset=utf8",
        "application/json;",
        "application/json; ",
        "application/json; odata=verbose",
        'application/json;profile="https://example.com/a;b=c" ; charset=utf-8',
    ],
)
def test_json_in_utf_8_is_read(client, content_type):
    answer = client.post("/notes", content=b'{"text":"a"}', headers={"content-type": content_type})
    assert answer.is_success


def test_a_post_without_a_body_needs_no_content_type(client):
    assert client.post("/knocks").status_code == 201


def chunks(pieces):
    async def produce():
        for piece in pieces:
            yield piece

    return produce()


JSON = {"content-type": "application/json"}


def test_a_body_beyond_the_limit_is_413_announced_or_in_chunks(app):
    text = b'"' + b"a" * BODY_LIMIT + b'"'
    for body in (text, chunks([text[:1000], text[1000:]])):
        answer = ask(app, "POST", "/notes", content=body, headers=JSON)
        assert answer.status_code == 413
        assert answer.json()["code"] == "body-too-large"


def test_a_body_as_long_as_the_limit_is_read(app):
    text = "a" * (BODY_LIMIT - len(b'{"text":""}'))
    body = b'{"text":"%b"}' % text.encode()
    assert len(body) == BODY_LIMIT
    for content in (body, chunks([body[:1000], body[1000:]])):
        assert ask(app, "POST", "/notes", content=content, headers=JSON).json()["text"] == text


def test_who_leaves_in_the_middle_of_a_body_is_no_fault_of_ours(app):
    """Nobody receives the answer, but the log has to show it as the client's fault."""
    left = [
        {"type": "http.request", "body": b'{"te', "more_body": True},
        {"type": "http.disconnect"},
    ]
    statuses = []

    async def receive():
        return left.pop(0) if len(left) > 1 else left[0]

    async def send(message):
        statuses.append(message.get("status"))

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/notes",
        "raw_path": b"/notes",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
        "client": None,
        "app": app,
    }
    asyncio.run(app(scope, receive, send))
    assert statuses[0] == 400


async def greet(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello", "more_body": False})


@pytest.mark.parametrize(
    "address", ["/%00", "/a%zz", "/%ff", "/%ed%a0%80", "/a?b=%00", "/a?b=%ff", "/a?%=1", "/a?b=%e"]
)
def test_an_address_that_is_no_text_is_400(address):
    answer = ask(InputValidation(greet), "GET", address)
    assert answer.status_code == 400
    assert answer.json()["code"] == "malformed"


@pytest.mark.parametrize("address", ["/", "/a%20b", "/%E7%B4%85?b=%E7%B4%85&c=%25", "/a?b=c+d"])
def test_an_address_that_is_text_is_let_through(address):
    assert ask(InputValidation(greet), "GET", address).text == "hello"


@pytest.mark.parametrize(
    "host",
    ["a b", "a/b", "a@b", "<b>", "[::1", "[x]", "a:b", "a:65536", "[::1]:99999", ":80", "x" * 256],
)
def test_a_host_that_is_none_is_400(host):
    answer = ask(InputValidation(greet), "GET", "/", headers={"host": host})
    assert (answer.status_code, answer.json()["reason"]) == (400, "host")


@pytest.mark.parametrize(
    "host", ["", "uno.example.org", "10.0.0.1:8000", "[::1]:8000", "[fe80::1]", "my_box", "a:"]
)
def test_a_host_that_is_one_is_let_through(host):
    assert ask(InputValidation(greet), "GET", "/", headers={"host": host}).text == "hello"
