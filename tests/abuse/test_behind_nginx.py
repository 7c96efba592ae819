"""The service behind nginx, with the configuration of `deploy/nginx.conf`."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from scorekeeper.api.layers.rate_limits import FAILURES_PER_MINUTE
from tests.abuse.wire import Wire, request
from tests.api.live_client import MATCH
from tests.api.server_process import Server, free_port
from tests.api.serving import ADMIN
from tests.nginx import check_configuration, configured, running

MANY_GUESSES = 4 * FAILURES_PER_MINUTE
"""Enough on a slow machine too, although guesses are forgiven one by one within a minute."""

TOKEN = f"Authorization: Bearer {ADMIN}"
STREAMS = 20
HONEST = request("GET", "/v1/leagues/home", TOKEN)


def test_its_configuration_is_sound(tmp_path: Path) -> None:
    check_configuration(configured(tmp_path, port=1, behind=[2]))


@pytest.fixture(scope="module")
def nginx(
    server: Server, scorer: object, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SimpleNamespace]:
    """nginx in front of the service, with few connections."""
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o755)
    port = free_port()
    few = {
        "worker_connections 16384;": "worker_connections 256;",
        "worker_processes auto;": "worker_processes 1;",
        "limit_conn streams 200;": f"limit_conn streams {STREAMS};",
    }
    file = configured(folder, port=port, behind=[server.port], changed=few)
    with running(file, port):
        yield SimpleNamespace(port=port)


def asked(nginx: SimpleNamespace, message: bytes = HONEST) -> tuple[int, bytes]:
    with Wire(nginx.port) as wire:
        status, _, body = wire.send(message).answer()
    return status, body


def test_silent_connections_shut_nobody_out(nginx: SimpleNamespace) -> None:
    """There are twice as many as nginx has; it closes the oldest of them for new clients."""
    silent = [Wire(nginx.port) for _ in range(512)]
    assert asked(nginx)[0] == 200
    for wire in silent:
        wire.close()


def test_an_address_has_so_many_streams_and_what_else_it_asks_for_is_answered(
    nginx: SimpleNamespace,
) -> None:
    follow = request("GET", "/v1/leagues/home/live", TOKEN)
    streams = []
    for _ in range(STREAMS):
        streams.append(Wire(nginx.port))
        assert streams[-1].send(follow).head()[1] == 200
    status, body = asked(nginx, follow)
    assert (status, json.loads(body)["code"]) == (429, "too-many-requests")
    assert asked(nginx)[0] == 200
    for wire in streams:
        wire.close()


def test_it_says_itself_who_asks(nginx: SimpleNamespace) -> None:
    """Guesses that name another client's address each time are counted all the same."""
    guesses = (
        request(
            "GET",
            "/v1/leagues",
            f"Authorization: Bearer sk_home_{nth}",
            f"X-Forwarded-For: 203.0.113.{nth}",
        )
        for nth in range(MANY_GUESSES)
    )
    assert any(asked(nginx, guess)[0] == 429 for guess in guesses)
    assert asked(nginx)[0] == 200


def test_what_it_refuses_itself_is_a_problem_too(nginx: SimpleNamespace) -> None:
    long = request("POST", "/v1/leagues", TOKEN, "Content-Length: 9999999")
    status, body = asked(nginx, long)
    problem = json.loads(body)
    assert (status, problem["status"], problem["code"]) == (413, 413, "body-too-large")
    status, body = asked(nginx, b"GET / HTTP/1.1\r\nHost x\r\n\r\n")
    assert (status, json.loads(body)["code"]) == (400, "malformed")


def test_the_status_is_that_of_the_problem(tmp_path: Path) -> None:
    """No service runs. Only this machine reads the metrics, at its own address."""
    tmp_path.chmod(0o755)
    port = free_port()
    elsewhere = {"allow 127.0.0.1;": "allow 192.0.2.1;"}
    file = configured(tmp_path, port=port, behind=[free_port()], changed=elsewhere)
    here = SimpleNamespace(port=port)
    with running(file, port):
        for message, expected in (
            (HONEST, 503),
            (request("GET", "/metrics"), 404),
            (request("GET", f"/{'a' * 40_000}"), 400),
            (b"HELO scorekeeper\r\n\r\n", 400),
            (b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            (request("GET", "/", f"X-Long: {'a' * 40_000}"), 400),
        ):
            status, body = asked(here, message)
            assert (status, json.loads(body)["status"]) == (expected, expected)


def test_requests_in_one_piece_are_answered_in_their_order(nginx: SimpleNamespace) -> None:
    with Wire(nginx.port) as wire:
        wire.send(HONEST * 100)
        assert {wire.answer()[0] for _ in range(100)} == {200}


def test_who_closes_the_sending_side_behind_an_append_is_answered(nginx: SimpleNamespace) -> None:
    """Without a proxy, the service takes such a client for disconnected."""
    body = json.dumps({"events": [{"type": "note_added", "text": "tea"}]}).encode()
    head = ("Content-Type: application/json", f"Content-Length: {len(body)}")
    append = request("POST", MATCH + "/events", TOKEN, *head)
    for _ in range(20):
        with Wire(nginx.port) as wire:
            status, _, _ = wire.send(append, body).no_more().answer()
        assert status == 201
