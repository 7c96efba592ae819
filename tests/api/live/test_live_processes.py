"""Followers of servers that stop, start again, or run as several processes."""

import random
import shutil
import socket
from threading import Event, Thread

import pytest

from tests.api.live_client import LEAGUE, MATCH, Scorer, Stream, serving_league
from tests.api.server_process import Server, server_process
from tests.api.serving import ADMIN
from tests.sse import parse

MANY = 200
ON_BOTH = pytest.mark.parametrize("kind", ["sqlite", "postgresql"])


@pytest.fixture
def database(kind, request):
    """The address of an empty database, or "" for a file in the server's directory."""
    return "" if kind == "sqlite" else request.getfixturevalue("postgresql_url")


def deaf(server):
    """Return a connection that asks to follow, and reads only the beginning of the answer."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    connection.connect(("127.0.0.1", server.port))
    asked = (
        f"GET {LEAGUE}/live?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ADMIN}\r\n\r\n"
    )
    connection.sendall(asked.encode())
    assert connection.recv(64).startswith(b"HTTP/1.1 200")
    return connection


@ON_BOTH
def test_a_server_stops_with_followers_attached(tmp_path, database):
    """Every stream ends properly, and no worker has to be killed."""
    server, scorer = serving_league(tmp_path, url=database)
    streams = [Stream(server.url, f"{(MATCH, LEAGUE)[nth % 2]}/live") for nth in range(MANY)]
    last = scorer.note()
    assert {stream.entry().id for stream in streams} == {last}
    server.terminate()
    for stream in streams:
        assert {frame.event for frame in stream.rest()} <= {"state"}
        stream.leave()
    scorer.close()
    assert "timeout graceful shutdown exceeded" not in "".join(server.printed)


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_a_server_stops_though_some_take_nothing(tmp_path, database):
    """Their streams are cut off; the others end properly, and no acknowledged entry is lost."""
    server, scorer = serving_league(tmp_path, url=database)
    for _ in range(10):
        scorer.note(900, text="tea " * 250)
    stuck = [deaf(server) for _ in range(5)]
    stream = Stream(server.url, f"{MATCH}/live")
    assert stream.next().event == "state"
    last = scorer.note()
    assert stream.entry().id == last
    server.terminate()
    assert {frame.event for frame in stream.rest()} <= {"state"}
    assert "Traceback" not in "".join(server.printed)
    for each in (scorer, *stuck):
        each.close()
    stream.leave()
    with server_process(tmp_path, url=database) as url, Scorer(url) as scorer:
        assert scorer.note() == last + 1


@pytest.mark.parametrize(
    ("kind", "cuts"),
    [
        ("sqlite", 50),
        pytest.param("sqlite", 1_000, marks=pytest.mark.slow),
        pytest.param("postgresql", 1_000, marks=pytest.mark.slow),
    ],
)
def test_cut_off_at_any_byte_and_restarted_in_the_middle(tmp_path, database, cuts):
    """One client follows and is cut off again and again, one records; the server restarts twice."""
    chance = random.Random(cuts)
    server, scorer = serving_league(tmp_path, url=database)
    follower = Returning(f"{MATCH}/live", chance)
    recorder = Recorder(scorer)
    for stretch in range(3):
        if stretch:
            server.terminate()
            server = Server(tmp_path, url=database, port=server.port)
        with recorder:
            while follower.cuts < cuts * (stretch + 1) // 3:
                follower.stay(server.url)
    expected = scorer.positions()
    with Recorder(scorer):
        while follower.last_id < expected[-1]:
            follower.stay(server.url)
    expected = [position for position in scorer.positions() if position <= follower.last_id]
    assert follower.seen == expected
    scorer.close()
    server.terminate()


def test_what_one_process_records_another_tells(tmp_path, postgresql_url, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    first, scorer = serving_league(tmp_path / "first", url=postgresql_url)
    # A second machine with the same signing key.
    (tmp_path / "second").mkdir(mode=0o700)
    shutil.copy(tmp_path / "first" / "signing-key.pem", tmp_path / "second")
    second = Server(tmp_path / "second", url=postgresql_url, workers=2)
    streams = [
        Stream(server.url, f"{path}/live")
        for server in (first, second)
        for path in (MATCH, LEAGUE) * 2
    ]
    with Scorer(second.url) as other:
        told = [each.note(2) for each in (scorer, other) for _ in range(5)]
    for stream in streams:
        assert [stream.entry().id for _ in range(20)] == list(range(told[0] - 1, told[-1] + 1))
    # The metrics files of the second server's workers.
    assert [each.name.rpartition("-")[0] for each in temporary.iterdir()] == ["scorekeeper-metrics"]
    first.terminate()
    second.terminate()
    assert list(temporary.iterdir()) == []
    for stream in streams:
        assert {frame.event for frame in stream.rest()} <= {"state"}
        stream.leave()
    scorer.close()


class Returning:
    """A follower that leaves amid a frame again and again, and resumes after the last whole one."""

    def __init__(self, path, chance):
        self.path = path
        self.chance = chance
        self.last_id = 0
        self.seen = []
        self.cuts = 0

    def stay(self, url):
        stream = Stream(url, self.path, last_event_id=str(self.last_id))
        assert stream.status == 200
        received = b"".join(stream.piece() for _ in range(self.chance.choice((1, 2, 2, 3))))
        stream.leave()
        whole, found, _ = received[: self.chance.randint(0, len(received))].rpartition(b"\n\n")
        for frame in parse(whole + found) if found else ():
            if frame.event == "entry":
                self.last_id = frame.id
                self.seen.append(frame.id)
        self.cuts += 1


class Recorder:
    """Records in a thread of its own while it is entered."""

    def __init__(self, scorer):
        self.scorer = scorer

    def __enter__(self):
        self._over = Event()
        self._thread = Thread(target=self._record)
        self._thread.start()

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _record(self):
        while not self._over.is_set():
            self.scorer.note()
            self._over.wait(0.005)
