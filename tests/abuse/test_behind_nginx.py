"""The service behind nginx as `deploy/nginx.conf` has it, on machines that have nginx."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from scorekeeper.api.layers.rate_limits import FAILURES_PER_MINUTE
from tests.abuse.wire import Wire, request
from tests.api.server_process import Server, free_port
from tests.api.serving import ADMIN

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
CONFIGURATION = Path(__file__).resolve().parents[2] / "deploy/nginx.conf"
TOKEN = f"Authorization: Bearer {ADMIN}"
STREAMS = 20
HONEST = request("GET", "/v1/leagues/home", TOKEN)

pytestmark = pytest.mark.skipif(NGINX is None, reason="there is no nginx here")


def test_its_configuration_is_sound(tmp_path: Path) -> None:
    done = subprocess.run(
        [NGINX, "-t", "-c", configured(tmp_path, port=1, behind=2)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr


def configured(folder: Path, *, port: int, behind: int, connections: int | None = None) -> Path:
    """The delivered configuration, but for ports and for files that only root may write."""
    told = CONFIGURATION.read_text(encoding="utf-8")
    changed = {
        "listen 80 ": f"listen 127.0.0.1:{port} ",
        "server 127.0.0.1:8000;": f"server 127.0.0.1:{behind};",
        "pid /run/nginx.pid;": f"pid {folder}/nginx.pid; daemon off;",
        "    access_log off;": "    access_log off;\n"
        + "".join(
            f"    {kind}_temp_path {folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        ),
    }
    if connections is not None:
        changed["worker_connections 16384;"] = f"worker_connections {connections};"
        changed["worker_processes auto;"] = "worker_processes 1;"
        changed["limit_conn streams 200;"] = f"limit_conn streams {STREAMS};"
    for delivered, here in changed.items():
        assert told.count(delivered) == 1, delivered
        told = told.replace(delivered, here)
    file = folder / "nginx.conf"
    file.write_text(told, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def nginx(
    server: Server, scorer: object, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SimpleNamespace]:
    """In front of the served league; it has a few connections only."""
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o755)
    port = free_port()
    file = configured(folder, port=port, behind=server.port, connections=256)
    process = subprocess.Popen([NGINX, "-c", file], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        until_it_listens(port, process)
        yield SimpleNamespace(port=port)
    finally:
        process.terminate()
        process.communicate()


def until_it_listens(port: int, process: "subprocess.Popen[str]") -> None:
    while process.poll() is None:
        try:
            Wire(port).close()
        except ConnectionRefusedError:
            continue
        return
    raise AssertionError(process.communicate()[1])


def asked(nginx: SimpleNamespace, message: bytes = HONEST) -> tuple[int, bytes]:
    with Wire(nginx.port) as wire:
        status, _, body = wire.send(message).answer()
    return status, body


def test_silent_connections_shut_nobody_out(nginx: SimpleNamespace) -> None:
    """Twice as many as there are; the oldest of them are closed for those who come."""
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
    """Somebody who guesses names another address each time, in vain."""
    told = [
        asked(
            nginx,
            request(
                "GET",
                "/v1/leagues",
                f"Authorization: Bearer sk_home_{nth}",
                f"X-Forwarded-For: 203.0.113.{nth}",
            ),
        )[0]
        for nth in range(FAILURES_PER_MINUTE + 2)
    ]
    assert told[-1] == 429
    assert asked(nginx)[0] == 200


def test_what_it_refuses_itself_is_a_problem_too(nginx: SimpleNamespace) -> None:
    long = request("POST", "/v1/leagues", TOKEN, "Content-Length: 9999999")
    status, body = asked(nginx, long)
    problem = json.loads(body)
    assert (status, problem["status"], problem["code"]) == (413, 413, "body-too-large")
    status, body = asked(nginx, b"GET / HTTP/1.1\r\nHost x\r\n\r\n")
    assert (status, json.loads(body)["code"]) == (400, "malformed")


def test_requests_in_one_piece_are_answered_in_their_order(nginx: SimpleNamespace) -> None:
    with Wire(nginx.port) as wire:
        wire.send(HONEST * 100)
        assert {wire.answer()[0] for _ in range(100)} == {200}
