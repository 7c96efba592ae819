"""Processes behind nginx: each league has one process, and another if that one is gone."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from tests.api.live_client import PATIENCE
from tests.api.server_process import Server, free_port
from tests.api.serving import ADMIN, note
from tests.databases import migrated
from tests.nginx import configured, running
from tests.programs import program

LEAGUES = [f"club-{number}" for number in range(12)]
AS_ADMIN = {"authorization": f"Bearer {ADMIN}"}


class Machine:
    """Two processes on one database behind nginx; every answer names the process that gave it."""

    def __init__(self, port: int, servers: list[Server]) -> None:
        self.servers = {f"127.0.0.1:{server.port}": server for server in servers}
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", headers=AS_ADMIN, timeout=PATIENCE
        )
        self._port = port

    def ask(self, method: str, path: str, json: Any = None) -> httpx.Response:
        return self.client.request(method, path, json=json)

    def asked_of(self, path: str, method: str = "GET") -> set[str]:
        """Return the processes that nginx asked, the last of which answered."""
        return set(self.ask(method, path).headers["asked"].split(", "))

    def asked_from(self, address: str, path: str) -> str:
        """Return the process that answers a client with another address of this machine."""
        with socket.create_connection(
            ("127.0.0.1", self._port), source_address=(address, 0)
        ) as wire:
            wire.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            answer = b"".join(iter(lambda: wire.recv(65_536), b"")).decode("latin-1")
        return next(line for line in answer.splitlines() if line.startswith("Asked: "))


@pytest.fixture(scope="module")
def machine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Machine]:
    program("nginx")
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o755)
    port = free_port()
    with migrated("postgresql", request, folder) as url, ExitStack() as stack:
        servers = [Server(folder / "data", url=url, trusted_proxies="127.0.0.1") for _ in range(2)]
        for server in servers:
            stack.callback(server.terminate)
        once = "reset_timedout_connection on;"
        told = {once: f"{once} add_header Asked $upstream_addr always;"}
        behind = [server.port for server in servers]
        stack.enter_context(
            running(configured(folder, port=port, behind=behind, changed=told), port)
        )
        machine = Machine(port, servers)
        stack.callback(machine.client.close)
        for league in LEAGUES:
            machine.ask("POST", "/v1/leagues", {"league": league, "name": league})
            root = f"/v1/leagues/{league}"
            for player in ("ann", "bo"):
                machine.ask("POST", f"{root}/players", {"player": player, "name": player})
            match = {"match": "m", "edition": "basic", "players": ["ann", "bo"]}
            assert machine.ask("POST", f"{root}/matches", match).status_code == 201
        yield machine


@pytest.fixture(scope="module")
def home(machine: Machine) -> dict[str, set[str]]:
    """The process of each league while all of them run."""
    return {league: machine.asked_of(f"/v1/leagues/{league}") for league in LEAGUES}


def test_all_of_a_league_reaches_one_process(machine: Machine, home: dict[str, set[str]]) -> None:
    for league in LEAGUES[:4]:
        root = f"/v1/leagues/{league}"
        paths = [root, f"{root}/matches", f"{root}/matches/m?limit=3", f"{root}/matches/m/events"]
        # This includes another spelling of the address, the league's pages, and errors.
        paths += [f"/l/{league}", f"/l/{league}/m/m/pad", f"/v1/leagues/%63{league[1:]}"]
        paths += [f"{root}/matches/none", f"{root}/"]
        assert [machine.asked_of(path) for path in paths] == [home[league]] * len(paths)
        assert machine.asked_of(f"{root}/matches/m/events", "POST") == home[league]
        assert len(home[league]) == 1
        with machine.client.stream("GET", f"{root}/live") as stream:
            assert {stream.headers["asked"]} == home[league]


def test_leagues_spread_over_the_processes(machine: Machine, home: dict[str, set[str]]) -> None:
    assert set().union(*home.values()) == set(machine.servers)


def test_what_is_of_no_league_spreads_by_address(machine: Machine) -> None:
    """So all guesses from an address are counted by one process."""
    clients = [f"127.0.1.{number}" for number in range(1, 14)]
    asked = [machine.asked_from(client, "/v1/me") for client in clients]
    assert len(set(asked)) == 2
    assert [machine.asked_from(client, "/v1/editions") for client in clients] == asked


def test_the_leagues_of_a_dead_process_move_to_the_other(
    machine: Machine, home: dict[str, set[str]]
) -> None:
    dead, living = machine.servers
    machine.servers[dead].kill()
    for league in LEAGUES:
        path = f"/v1/leagues/{league}/matches/m/events"
        told = machine.ask("POST", path, {"events": [note("after it died")]})
        assert told.status_code == 201, (league, told.text)
        assert told.headers["asked"].split(", ")[-1] == living
        found = machine.ask("GET", path).json()["items"]
        assert [entry["type"] for entry in found].count("note_added") == 1
