import signal
import socket

import pytest
from click.testing import CliRunner

from scorekeeper.cli.main import scorekeeper
from tests.abuse.wire import Wire, request
from tests.api.live_client import LEAGUE, Scorer
from tests.api.server_process import Server
from tests.api.serving import ADMIN


def test_where_somebody_listens_already_nothing_is_begun(tmp_path):
    """The greeting would have another program's address, and the new token would never be seen."""
    data = tmp_path / "data"
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = CliRunner().invoke(
            scorekeeper, ["serve", "--port", str(port), "--data-dir", str(data)]
        )
    assert done.exit_code == 1
    assert f"Can't listen on 127.0.0.1, port {port}" in done.output
    assert not data.exists()


def modes(folder):
    """Return the permissions of the folder and of everything in it."""
    return {file.name: oct(file.stat().st_mode & 0o777) for file in [folder, *folder.rglob("*")]}


def test_what_lies_on_the_disk_is_its_owners_alone(tmp_path):
    """This includes SQLite's files beside the database, and a file that others could read."""
    data = tmp_path / "data"
    for _ in range(2):
        server = Server(data)
        with Scorer(server.url) as scorer:
            if scorer.get(LEAGUE).status_code == 404:
                scorer.open()
            assert scorer.get(f"{LEAGUE}/log/checkpoint").status_code == 200
        found = modes(data)
        server.terminate()
        assert {"scorekeeper.sqlite3", "scorekeeper.sqlite3-wal", "signing-key.pem"} < set(found)
        folders = {name for name in found if (data / name).is_dir()} | {"data"}
        assert {found[name] for name in folders} == {"0o700"}
        assert {found[name] for name in set(found) - folders} == {"0o600"}
        (data / "scorekeeper.sqlite3").chmod(0o644)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_to_be_ended_from_the_keyboard_or_by_a_supervisor_is_no_failure(tmp_path, number):
    """Or by a terminal that is closed, on which the server would start further workers."""
    server = Server(tmp_path)
    assert server.terminate(number) == 0
    assert [line for line in server.printed if "Aborted" in line or "Traceback" in line] == []


def test_a_worker_ends_with_its_parent_though_a_body_never_comes_to_an_end(tmp_path):
    """It would keep port and database for as long as a body may take, and then answer 408."""
    server = Server(tmp_path)
    with Wire(server.port) as phone:
        headers = (f"Authorization: Bearer {ADMIN}", "Content-Type: application/json")
        phone.send(request("POST", f"{LEAGUE}/matches", *headers, body=b"{}")[:-1])
        server.kill()
        assert phone.rest() == b""


def test_a_proxy_for_the_way_out_is_not_asked_for_the_service_itself(tmp_path, monkeypatch):
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    server = Server(tmp_path)
    server.terminate()
    assert [line for line in server.printed if server.url in line]
