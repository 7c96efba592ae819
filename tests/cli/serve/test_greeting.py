"""The output of `serve` at its start: its addresses, also for phones, and where its data is."""

import socket
import sys
from pathlib import Path
from subprocess import run
from types import SimpleNamespace
from urllib.request import ProxyHandler, build_opener

import httpx
import psutil
import pytest

from scorekeeper.cli.terminal.greeting import FirstStart, greeting, network_addresses
from scorekeeper.cli.terminal.output import print_whole
from scorekeeper.settings import Settings
from tests.api.live_client import PATIENCE
from tests.api.server_process import Server
from tests.api.serving import ADMIN

INTERFACES = {
    "lo": ["127.0.0.1", "::1"],
    "wlan0": ["192.168.1.7", "fd00::7", "fe80::1%wlan0"],
    "eth0": ["10.0.0.4"],
    "docker0": ["172.17.0.1"],
    "usb0": ["169.254.3.4"],
    "off0": ["192.168.9.9"],
}
PHONES = "Phones in the house find it here:"


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with these network interfaces, one of which is down."""

    def family(address: str) -> socket.AddressFamily:
        return socket.AF_INET6 if ":" in address else socket.AF_INET

    known = {
        name: [SimpleNamespace(family=family(address), address=address) for address in addresses]
        for name, addresses in INTERFACES.items()
    }
    states = {name: SimpleNamespace(isup=name != "off0") for name in INTERFACES}
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: known)
    monkeypatch.setattr(psutil, "net_if_stats", lambda: states)


OPEN = "Open it in a browser:  "
NEXT = "Next, open a league:"


def lines(
    listening: str, made: str | None = "secret", code: str | None = None, **settings: object
) -> list[str]:
    return list(greeting(Settings.load({}, **settings), listening, FirstStart(made, code)))


@pytest.mark.usefixtures("machine")
def test_it_says_what_it_is_where_it_is_where_the_data_lies_and_how_to_end_it(
    tmp_path: Path,
) -> None:
    said = "\n".join(lines("127.0.0.1", data_dir=tmp_path, port=8123))
    assert "http://127.0.0.1:8123 " in said
    assert "http://127.0.0.1:8123/docs" in said
    assert "UNO league" in said
    assert str(tmp_path / "scorekeeper.sqlite3") in said
    assert "Ctrl-C ends it" in said
    assert "Admin token, shown once:  secret" in said


@pytest.mark.usefixtures("machine")
def test_a_shell_puts_a_given_token_into_the_next_step() -> None:
    (command,) = (line for line in lines("127.0.0.1", made=None) if "curl http" in line)
    assert "Authorization: Bearer the given one" in arguments(command, "the given one")


@pytest.mark.usefixtures("machine")
def test_a_password_of_the_database_is_not_shown() -> None:
    url = "postgresql+asyncpg://keeper:hush@server/book"
    said = "\n".join(lines("127.0.0.1", database_url=url))
    assert "server/book" in said
    assert "hush" not in said


@pytest.mark.usefixtures("machine")
def test_who_listens_to_this_machine_only_is_told_how_to_let_phones_in() -> None:
    for listening in ("127.0.0.1", "::1"):
        said = lines(listening)
        assert PHONES not in said
        assert any("SCOREKEEPER_HOST=0.0.0.0 make run" in line for line in said)


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("listening", ["127.0.0.1", "0.0.0.0"])
def test_behind_a_proxy_phones_are_sent_to_its_address_and_to_no_other(listening: str) -> None:
    said = lines(listening, public_url="https://shelf.local", code="N1B6-WX4A")
    assert "Phones find it at https://shelf.local" in said
    assert PHONES not in said
    assert not any("can't reach it" in line or "0.0.0.0" in line for line in said)


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize(
    ("listening", "found"),
    [
        ("0.0.0.0", [("10.0.0.4", "eth0"), ("192.168.1.7", "wlan0")]),
        ("::", [("10.0.0.4", "eth0"), ("192.168.1.7", "wlan0"), ("fd00::7", "wlan0")]),
        ("192.168.1.7", [("192.168.1.7", "wlan0")]),
        ("127.0.0.1", []),
    ],
)
def test_addresses_that_a_phone_can_open_are_those_of_the_interfaces_that_are_listened_to(
    listening: str, found: list[tuple[str, str]]
) -> None:
    assert network_addresses(listening) == found


@pytest.mark.usefixtures("machine")
def test_every_address_is_listed_under_a_line_of_its_own() -> None:
    said = lines("::", port=8123)
    at = said.index(PHONES) + 1
    assert said[at : at + 3] == [
        "  http://10.0.0.4:8123  (eth0)",
        "  http://192.168.1.7:8123  (wlan0)",
        "  http://[fd00::7]:8123  (wlan0)",
    ]


def test_where_the_system_may_not_be_asked_the_rest_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`deploy/scorekeeper.service` is such a system: it forbids the address family for asking."""

    def refused() -> None:
        raise OSError(97, "Address family not supported by protocol")

    monkeypatch.setattr(psutil, "net_if_addrs", refused)
    monkeypatch.setattr(psutil, "net_if_stats", refused)
    said = lines("0.0.0.0")
    assert said[0].startswith("Scorekeeper serves http://127.0.0.1:8000 ")
    assert "No address of this machine was found that phones could reach." in said
    assert "Admin token, shown once:  secret" in said


def test_what_a_phone_is_sent_to_answers(tmp_path: Path) -> None:
    server = Server(tmp_path, host="0.0.0.0")
    opener = build_opener(ProxyHandler({}))
    try:
        for address, interface in network_addresses("0.0.0.0"):
            url = f"http://{address}:{server.port}"
            assert f"  {url}  ({interface})\n" in server.printed
            with opener.open(f"{url}/health/live", timeout=PATIENCE) as answer:
                assert answer.status == 200
    finally:
        server.terminate()


@pytest.mark.usefixtures("machine")
def test_the_first_browser_is_shown_the_way_in_by_its_code() -> None:
    said = lines("127.0.0.1", code="K7QF-2M9X")
    assert "  http://127.0.0.1:8000/join#K7QF-2M9X" in said
    assert not any("█" in line for line in said)
    assert not any("/join" in line for line in lines("127.0.0.1"))


@pytest.mark.usefixtures("machine")
def test_a_phone_in_the_house_scans_the_way_in() -> None:
    said = lines("0.0.0.0", code="K7QF-2M9X")
    assert "  http://10.0.0.4:8000/join#K7QF-2M9X" in said
    squares = [line for line in said if "█" in line]
    assert len({len(line) for line in squares}) == 1
    assert len(squares) > 12


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("coloured", [True, False], ids=["coloured", "NO_COLOR"])
def test_a_light_terminal_shows_the_code_to_scan_in_black_on_white(
    coloured: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not coloured:
        monkeypatch.setenv("NO_COLOR", "1")
    print_whole(lines("0.0.0.0", code="K7QF-2M9X"))
    squares = [line for line in capsys.readouterr().out.splitlines() if "█" in line]
    white_on_black = "  \x1b[97m\x1b[40m" if coloured else "  "
    assert all(line.startswith(f"{white_on_black}█") for line in squares)


def test_links_begin_with_the_public_address() -> None:
    said = lines("127.0.0.1", code="K7QF-2M9X", public_url="https://uno.example.org")
    assert "  https://uno.example.org/join#K7QF-2M9X" in said


@pytest.mark.usefixtures("machine")
def test_a_league_is_asked_for_only_while_there_is_none() -> None:
    first, later = lines("127.0.0.1", code="K7QF-2M9X"), lines("127.0.0.1")
    assert NEXT in first
    assert not any(line.startswith(OPEN) for line in first)
    assert NEXT not in later
    assert f"{OPEN}http://127.0.0.1:8000/" in later
    assert f"{OPEN}https://uno.example.org/" in lines(
        "127.0.0.1", public_url="https://uno.example.org"
    )


@pytest.mark.usefixtures("machine")
def test_a_later_start_names_the_address_by_which_devices_came_in() -> None:
    """The cookies of devices belong to that address, so the link for a new one must have it too."""
    said = lines("0.0.0.0")
    assert f"{OPEN}http://10.0.0.4:8000/" in said
    assert any(line.startswith("  curl http://10.0.0.4:8000/v1/leagues/LEAGUE/") for line in said)


def test_whoever_has_lost_every_device_is_let_in_again_by_what_is_printed(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
            asked = {"league": "friday", "name": "Friday evenings"}
            headers = {"Authorization": f"Bearer {ADMIN}"}
            assert client.post("/v1/leagues", json=asked, headers=headers).status_code == 201
        server.terminate()
        server = Server(tmp_path)
        (command,) = (line for line in server.printed if line.startswith("  curl "))
        url, _, header, _, kind, _, body = arguments(command.replace("LEAGUE", "friday"), ADMIN)
        headers = dict(each.split(": ", 1) for each in (header, kind))
        with httpx.Client(timeout=PATIENCE) as client:
            made = client.post(url, content=body, headers=headers)
            code = {"code": made.json()["code"], "name": "Mum's new phone"}
            let_in = client.post(f"{server.url}/v1/session", json=code)
        assert made.json()["url"].startswith(f"{server.url}/join#")
        assert (let_in.status_code, let_in.json()["role"]) == (201, "owner")
    finally:
        server.terminate()


def arguments(command: str, token: str) -> list[str]:
    """Return the arguments that a shell gives to curl."""
    told = run(
        ["/bin/sh", "-c", command.replace("curl", "printf '%s\\n'", 1)],
        env={"SCOREKEEPER_ADMIN_TOKEN": token},
        capture_output=True,
        check=True,
        text=True,
    )
    return told.stdout.splitlines()


@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_an_ipv6_address_to_listen_on_may_stand_in_brackets_as_in_an_address(host: str) -> None:
    assert Settings.load({"SCOREKEEPER_HOST": host}).host == "::1"
    assert Settings.load({}, host=host).host == "::1"
