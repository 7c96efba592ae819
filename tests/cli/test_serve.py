import signal
import socket

import pytest
from click.testing import CliRunner

from scorekeeper.cli.main import scorekeeper
from tests.api.server_process import Server


def test_where_somebody_listens_already_nothing_is_begun(tmp_path):
    """Nobody is greeted with the other one's address, and no token is made that nobody sees."""
    data = tmp_path / "data"
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = CliRunner().invoke(
            scorekeeper, ["serve", "--port", str(port), "--data-dir", str(data)]
        )
    assert done.exit_code == 1
    assert f"Can't listen on 127.0.0.1, port {port}" in done.output
    assert not data.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_to_be_ended_from_the_keyboard_or_by_a_supervisor_is_no_failure(tmp_path, number):
    server = Server(tmp_path)
    assert server.terminate(number) == 0
    assert [line for line in server.printed if "Aborted" in line or "Traceback" in line] == []


def test_a_service_that_was_killed_leaves_neither_its_port_nor_its_database_taken(tmp_path):
    server = Server(tmp_path)
    server.kill()
    again = Server(tmp_path, port=server.port)
    again.terminate()


def test_a_proxy_for_the_way_out_is_not_asked_for_the_service_itself(tmp_path, monkeypatch):
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    server = Server(tmp_path)
    server.terminate()
    assert [line for line in server.printed if server.url in line]
