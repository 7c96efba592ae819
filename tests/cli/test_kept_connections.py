"""A service closes a connection on which nothing was asked for half a minute.

Somebody whom a command asks a question may think for longer, and many rows take longer to check.
"""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Event, Thread
from typing import Any

import pytest

from scorekeeper.cli.remote import Remote


class AnswersOnce(BaseHTTPRequestHandler):
    """Answers, then closes the connection, which the answer does not announce."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.server.asked.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


class Service(HTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), AnswersOnce)
        self.asked: list[bytes] = []
        self.closed = Event()

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        self.closed.set()


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_connection_that_the_service_has_closed_is_opened_again(service: Service) -> None:
    with Remote(f"http://127.0.0.1:{service.server_port}", "secret") as remote:
        for number in range(3):
            assert remote.ask("POST", "/", number) == (200, b"{}")
            assert service.closed.wait(60)
            service.closed.clear()
    assert service.asked == [b"0", b"1", b"2"]
