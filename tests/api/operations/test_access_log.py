import asyncio
import io
import json

import pytest
import structlog
from litestar import Litestar, get
from litestar.params import FromPath
from litestar.types import Receive, Scope, Send

from scorekeeper.api.layers.request_log import Metrics, RequestLog, RequestLogLayer
from scorekeeper.api.problems import EXCEPTION_HANDLERS
from scorekeeper.api.structured_log import LINES, configure_logging, trace_of
from tests.api.edges import ask


@pytest.fixture
def lines():
    """The lines logged so far, as a function."""
    file = io.BytesIO()
    before = structlog.get_config()
    configure_logging(file)
    yield lambda: [json.loads(line) for line in file.getvalue().splitlines()]
    configure_logging()
    structlog.configure(**before)


def test_a_loop_that_was_closed_early_holds_nothing_back(lines):
    closed = asyncio.new_event_loop()
    closed.call_soon(LINES.add, {"line": 1})
    closed.call_soon(closed.stop)
    closed.run_forever()
    closed.close()
    assert lines() == []

    async def add_and_wait() -> None:
        LINES.add({"line": 2})
        await asyncio.sleep(0)

    asyncio.run(add_and_wait())
    assert lines() == [{"line": 1}, {"line": 2}]


@get("/names/{name:str}")
async def name(name: FromPath[str]) -> str:
    return name


@get("/bugs")
async def bug() -> None:
    token = "sk_home_secret"
    raise ZeroDivisionError(len(token))


async def recognised(scope: Scope, receive: Receive, send: Send) -> None:
    trace_of(scope).token_id = "t1"
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def broken(scope: Scope, receive: Receive, send: Send) -> None:
    raise ZeroDivisionError


async def half(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    raise ZeroDivisionError


@pytest.fixture
def metrics():
    return Metrics()


def logged(app, metrics):
    ticks = iter([100.0, 100.0125])
    return RequestLogLayer(app, RequestLog(metrics, clock=lambda: next(ticks)))


@pytest.fixture
def app(metrics):
    litestar = Litestar([name, bug], exception_handlers=EXCEPTION_HANDLERS, openapi_config=None)
    return logged(litestar, metrics)


def test_a_request_is_one_line_with_these_fields_and_no_others(lines, app):
    answer = ask(
        app, "GET", "/names/ann?token=secret", headers={"authorization": "Bearer sk_home_secret"}
    )
    [line] = lines()
    assert line.pop("time").endswith("Z")
    assert line == {
        "event": "request",
        "level": "info",
        "method": "GET",
        "path": "/names/ann",
        "status": 200,
        "duration_ms": 12.5,
        "request_id": answer.headers["x-request-id"],
    }


def test_the_token_is_named_by_its_id_once_it_is_recognised(lines, metrics):
    ask(logged(recognised, metrics), "GET", "/")
    assert lines()[0]["token_id"] == "t1"


def test_every_request_has_an_id_of_its_own(lines, metrics):
    ids = {ask(logged(recognised, metrics), "GET", "/").headers["x-request-id"] for _ in range(9)}
    assert len(ids) == 9


def test_a_sane_request_id_is_kept(lines, app):
    answer = ask(app, "GET", "/names/ann", headers={"x-request-id": "evening-1.A_b"})
    assert answer.headers["x-request-id"] == "evening-1.A_b"
    assert lines()[0]["request_id"] == "evening-1.A_b"


@pytest.mark.parametrize("given", ["", "a" * 65, "a b", "a\tb", "ä", '"a"', "{}"])
def test_a_strange_request_id_is_replaced(lines, app, given):
    answer = ask(app, "GET", "/names/ann", headers={"x-request-id": given.encode()})
    assert answer.headers["x-request-id"] != given
    assert answer.headers["x-request-id"].isalnum()


def test_a_problem_names_the_request(lines, app):
    answer = ask(app, "GET", "/nowhere")
    assert answer.json()["request_id"] == answer.headers["x-request-id"]
    assert lines()[0]["status"] == 404


def test_a_bug_is_logged_with_its_traceback_and_without_local_variables(lines, app):
    answer = ask(app, "GET", "/bugs")
    bug_line, request_line = lines()
    assert answer.status_code == request_line["status"] == 500
    assert bug_line["event"] == "failed"
    assert bug_line["level"] == "error"
    assert bug_line["request_id"] == answer.json()["request_id"]
    assert "ZeroDivisionError" in bug_line["exception"]
    assert "sk_home_secret" not in json.dumps(bug_line).replace('token = "sk_home_secret"', "")


def test_an_exception_that_nobody_answered_becomes_a_problem(lines, metrics):
    answer = ask(logged(broken, metrics), "GET", "/")
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal"
    assert [line["event"] for line in lines()] == ["failed", "request"]


def test_half_an_answer_is_broken_off(lines, metrics):
    with pytest.raises(ZeroDivisionError):
        ask(logged(half, metrics), "GET", "/")
    assert [line["event"] for line in lines()] == ["failed", "request"]


def test_text_that_is_no_utf_8_does_not_break_the_log(lines):
    structlog.get_logger().info("odd", path="/\ud800")
    assert lines()[0]["path"] == "/\ud800"


def test_answers_are_counted_by_the_route_and_not_by_the_path(lines, app, metrics):
    ask(app, "GET", "/names/ann")
    said = metrics.exposition().decode()
    assert 'requests_total{method="GET",route="/names/{name}",status="200"} 1.0' in said
    assert "ann" not in said


def test_an_address_without_a_route_is_counted_as_such(lines, app, metrics):
    ask(app, "GET", "/names/ann/nowhere")
    said = metrics.exposition().decode()
    assert 'requests_total{method="GET",route="unmatched",status="404"} 1.0' in said
