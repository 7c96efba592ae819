import re
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec
import pytest
from litestar import Litestar, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.testing import TestClient
from litestar.types import Receive, Scope, Send
from structlog.testing import capture_logs

import scorekeeper
from scorekeeper.api.handler_context import StrictRequest
from scorekeeper.api.problems import (
    EXCEPTION_HANDLERS,
    Code,
    Problem,
    error_answer,
    send_error,
)
from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.match.events.fields import SLUG, TimeOutOfRange
from scorekeeper.match.events.refusal import RefusalCode
from scorekeeper.service.refused import Refused, not_found
from tests.api.edges import ask


class Name(msgspec.Struct, forbid_unknown_fields=True):
    name: str


@post("/names")
async def rename(data: JSONBody[Name]) -> Name:
    return data


SLUG_TOLD = (
    "slug has to consist of lower-case letters, digits and hyphens, 63 at the most, and begin "
    "with a letter or a digit. Did you mean a?"
)


async def narrowed(
    seats: Annotated[int | None, QueryParameter(ge=2, le=10)] = None,
    until: Annotated[date | None, QueryParameter(name="to")] = None,
) -> str:
    return f"{seats} {until}"


@get("/names/{number:int}", dependencies={"chosen": Provide(narrowed)})
async def name(
    number: FromPath[int],
    needed: FromQuery[int],
    chosen: NamedDependency[str],
    limit: Annotated[int, QueryParameter(ge=1, le=9)] = 5,
    first: Annotated[int | None, QueryParameter(name="from", ge=0, le=5)] = None,
    order: FromQuery[Literal["up", "down"]] = "up",
    day: FromQuery[date | None] = None,
    slug: Annotated[str | None, QueryParameter(pattern=SLUG)] = None,
) -> str:
    return f"{number} {needed} {limit} {first} {order} {day} {slug} {chosen}"


@get("/refused")
async def refused() -> None:
    raise Refused(
        "impossible-event",
        reason="too-many-of-card",
        facts={"card": "red-0", "in_box": 1, "count": 2},
        event_index=3,
    )


@get("/missing")
async def missing() -> None:
    raise not_found("match")


@get("/busy")
async def busy() -> None:
    raise Refused("unavailable", reason="followers", retry_after=7)


@get("/bug")
async def bug() -> None:
    raise ZeroDivisionError("a secret stands here")


@get("/gone-wrong")
async def gone_wrong() -> None:
    raise HTTPException("a secret stands here", status_code=502)


@pytest.fixture(scope="module")
def client():
    app = Litestar(
        [rename, name, refused, missing, busy, bug, gone_wrong],
        exception_handlers=EXCEPTION_HANDLERS,
        request_class=StrictRequest,
        openapi_config=None,
        request_max_body_size=100,
    )
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def problem(answer, status, code):
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    told = msgspec.json.decode(answer.content, type=Problem)
    assert told.code is Code(code)
    assert told.type == f"/problems/{code}"
    assert told.status == status
    assert told.title == Code(code).title
    return answer.json()


def test_a_refusal_keeps_its_members(client):
    told = problem(client.get("/refused"), 422, "impossible-event")
    assert told["reason"] == "too-many-of-card"
    assert told["facts"] == {"card": "red-0", "in_box": 1, "count": 2}
    assert told["event_index"] == 3
    assert told["detail"] == "The box holds 1 red-0; 2 are told."
    assert told["instance"] == "/refused"
    assert "violations" not in told


def test_what_is_missing_and_what_nobody_may_know_are_told_alike(client):
    assert problem(client.get("/missing"), 404, "not-found")["title"] == Code.NOT_FOUND.title
    problem(client.get("/nowhere"), 404, "not-found")


def test_a_strange_path_is_told_back_in_ascii(client):
    told = problem(client.get("/%00/%F0%9F%82%A1"), 404, "not-found")
    assert told["instance"] == "/%00/%F0%9F%82%A1"


def test_a_method_that_is_not_there_lists_those_that_are(client):
    answer = client.delete("/names")
    problem(answer, 405, "method-not-allowed")
    assert answer.headers["allow"] == "OPTIONS, POST"


@pytest.mark.parametrize("body", [b"{", b"", b'{"name": "\xff"}', b'{"name": 1e999}'])
def test_what_is_no_json_is_malformed(client, body):
    problem(
        client.post("/names", content=body, headers={"content-type": "application/json"}),
        400,
        "malformed",
    )


@pytest.mark.parametrize("headers", [{}, {"content-type": "application/json"}])
def test_where_no_body_came_the_problem_says_what_it_has_to_be(client, headers):
    told = problem(client.post("/names", headers=headers), 400, "malformed")
    assert (told["reason"], told["detail"]) == ("not-json", "The body must be JSON in UTF-8.")


@pytest.mark.parametrize(
    ("body", "at", "detail"),
    [
        ({"name": 5}, "$.name", "name has to be a text."),
        ({"name": "a", "age": 5}, "$", "There is no field age here; there are: name."),
        ({}, "$", "The field name is missing."),
        ([], "$", "The body has to be an object."),
    ],
)
def test_what_does_not_fit_is_named_with_what_would(client, body, at, detail):
    told = problem(client.post("/names", json=body), 400, "malformed")
    assert told["errors"] == [{"at": at, "detail": detail}]
    assert told["detail"] == detail


@pytest.mark.parametrize(
    ("query", "at", "detail"),
    [
        ("limit=many", "limit", "limit has to be a whole number."),
        ("limit=0", "limit", "limit has to lie between 1 and 9."),
        ("limit=1" + "0" * 5_000, "limit", "limit has to be a whole number."),
        ("limit=01", "limit", "limit has to be a whole number."),
        ("from=20", "from", "from has to lie between 0 and 5."),
        ("order=wrong", "order", "order has to be one of these: down, up."),
        ("day=monday", "day", "day has to be a date, such as 2026-11-20."),
        ("slug=A", "slug", SLUG_TOLD),
        ("seats=11", "seats", "seats has to lie between 2 and 10."),
        ("to=x", "to", "to has to be a date, such as 2026-11-20."),
    ],
)
def test_a_query_parameter_that_does_not_fit_is_named_with_what_would(client, query, at, detail):
    told = problem(client.get(f"/names/1?needed=1&{query}"), 400, "malformed")
    assert told["errors"] == [{"at": at, "detail": detail}]


def test_all_query_parameters_that_do_not_fit_are_named(client):
    told = problem(client.get("/names/1?needed=1&from=x&limit=many"), 400, "malformed")
    assert [error["at"] for error in told["errors"]] == ["limit", "from"]


def test_a_query_parameter_that_is_needed_and_missing_is_named(client):
    told = problem(client.get("/names/1"), 400, "malformed")
    assert told["detail"] == "The field needed is missing."


def test_a_body_beyond_the_limit_is_too_large(client):
    problem(client.post("/names", json={"name": "a" * 200}), 413, "body-too-large")


def test_an_unavailable_service_says_when_to_try_again(client):
    answer = client.get("/busy")
    problem(answer, 503, "unavailable")
    assert answer.headers["retry-after"] == "7"


@pytest.mark.parametrize("path", ["/bug", "/gone-wrong"])
def test_a_bug_is_a_problem_without_its_insides_and_a_line_in_the_log(client, path):
    with capture_logs() as lines:
        answer = client.get(path)
    problem(answer, 500, "internal")
    assert "secret" not in answer.text
    assert [line["event"] for line in lines] == ["failed"]


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Refused("match-exists"), 409, "match-exists"),
        (LedgerUnavailable("lost"), 503, "unavailable"),
        (TimeOutOfRange("The field at lies outside."), 400, "malformed"),
        (msgspec.ValidationError("what is stored is no event"), 500, "internal"),
        (msgspec.DecodeError("what is stored is no JSON"), 500, "internal"),
        (UnicodeDecodeError("utf-8", b"", 0, 0, "what is stored is no text"), 500, "internal"),
        (HTTPException("no", status_code=418), 400, "malformed"),
        (KeyError("bug"), 500, "internal"),
    ],
)
def test_plain_asgi_sends_the_same_problems(error, status, code):
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send_error(scope, send, error)

    with capture_logs():
        problem(ask(app, "GET", "/x"), status, code)


@pytest.mark.parametrize(
    ("code", "given", "header", "value"),
    [
        (Code.UNAUTHORIZED, {}, "www-authenticate", "Bearer"),
        (Code.TOO_MANY_REQUESTS, {"retry_after": 9}, "retry-after", "9"),
        (Code.UNAVAILABLE, {}, "retry-after", "1"),
        (Code.METHOD_NOT_ALLOWED, {"allow": ["POST", "GET"]}, "allow", "GET, HEAD, POST"),
        (Code.REQUEST_TIMEOUT, {}, "connection", "close"),
    ],
)
def test_the_headers_that_a_status_needs(code, given, header, value):
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send_error(scope, send, Refused(code.value, **given))

    assert ask(app, "GET", "/x").headers[header] == value


def test_every_code_has_a_title_of_its_own():
    assert len({code.title for code in Code}) == len(Code)


def test_every_refusal_of_the_decider_has_its_number():
    assert set(get_args(RefusalCode)) <= {code.value for code in Code}


def test_every_code_that_the_service_names_has_its_number():
    named = re.compile(r'Refused\(\s*"([a-z-]+)"')
    texts = (path.read_text() for path in Path(scorekeeper.__file__).parent.rglob("*.py"))
    assert {code for text in texts for code in named.findall(text)} <= {c.value for c in Code}


def test_a_member_that_the_problem_lacks_is_a_bug():
    scope = {"path": "/", "raw_path": b"/", "query_string": b"", "headers": []}
    with pytest.raises(TypeError, match="evnt_index"):
        error_answer(scope, Refused("malformed", evnt_index=1))
