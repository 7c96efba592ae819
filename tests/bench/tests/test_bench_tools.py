import asyncio
import subprocess
import sys
import threading
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import msgspec
import pytest

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.service.reading.match_request import AppendRequest, MatchRequest
from tests.bench.loads.evening import card_by_card, note, opening, tally
from tests.bench.loads.load import PLACE_OF_ID, Load, Target, answered, filled, generate, head, tail
from tests.bench.measuring.samples import (
    Sample,
    compare,
    percentile,
    pgbench_latencies,
    pgbench_rate,
    sample,
)
from tests.bench.side_by_side import figures

PRINTED = """\
transaction type: script.sql
latency average = 3.841 ms
initial connection time = 55.012 ms
tps = 8330.245294 (without initial connection time)
"""
TARGET = Target("/events", "a-token")
CREATED = b'HTTP/1.1 201 Created\r\netag: "2"\r\nContent-Length: 7\r\n\r\n'


def test_a_percentile_is_a_value_that_was_measured():
    hundred = [float(nth) for nth in range(100, 0, -1)]
    assert percentile(hundred, 0.50) == 50
    assert percentile(hundred, 0.99) == 99
    assert percentile([7.0], 0.01) == percentile([7.0], 1.0) == 7


def test_no_percentile_of_nothing():
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.99)


def test_a_ratio_is_taken_within_each_lap():
    def lap(ours, reference):
        return {"ours": Sample(ours, 1, 1), "reference": Sample(reference, 1, 1)}

    laps = [lap(50, 100), lap(30, 50), lap(4, 10)]  # the machine slows down from lap to lap
    found = compare(laps, "ours", "reference", "per_second")
    assert (found.ours, found.reference) == (30, 50)
    assert (found.lowest, found.ratio, found.highest) == (0.4, 0.5, 0.6)


def test_what_pgbench_prints_and_logs_is_read():
    assert pgbench_rate(PRINTED) == 8330.245294
    with pytest.raises(ValueError, match="no rate"):
        pgbench_rate("pgbench: error: aborted\n")
    log = ["0 199 2241 0 1175850568 995598\n", "1 3 900 0 1175850568 998079 12\n"]
    assert pgbench_latencies(log) == [2.241, 0.9]


def test_an_answer_counts_once_its_last_byte_is_there():
    whole = CREATED + b'{"a":1}'
    assert answered(whole)
    assert not any(answered(whole[:length]) for length in range(len(whole)))


def test_an_answer_of_unknown_length_is_not_waited_for():
    with pytest.raises(ValueError, match="without Content-Length"):
        answered(b"HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n")


def load_of(told, port=0, seconds=0.1):
    body = msgspec.json.encode({"events": [told]}).decode()
    return Load(port, [TARGET, TARGET], {"X-Key": PLACE_OF_ID}, [body], seconds, warm_up=0)


def test_every_request_gets_fresh_ids_and_keeps_its_length():
    load = load_of({**tally(), "id": PLACE_OF_ID})
    sent = [filled(head(load, TARGET), tail(load.bodies[0])) for _ in range(2)]
    ids = set()
    for one in sent:
        named, _, body = one.partition(b"\r\n\r\n")
        assert f"Content-Length: {len(body)}\r\n".encode() in named + b"\r\n"
        ids.add(msgspec.json.decode(body)["events"][0]["id"])
        [key] = [line for line in named.split(b"\r\n") if line.startswith(b"X-Key: ")]
        ids.add(key.removeprefix(b"X-Key: ").decode())
    assert len(ids) == 4
    assert PLACE_OF_ID not in ids


def test_several_bodies_are_sent_once_and_then_the_run_ends(serving):
    load = load_of(note(), serving(201, b"{}"))
    load = msgspec.structs.replace(load, targets=[TARGET], bodies=["[1]", "[2]"], seconds=30.0)
    with pytest.raises(RuntimeError, match="nothing more to send"):
        asyncio.run(generate(load))


def test_an_evening_card_by_card_is_taken_event_by_event():
    evening = card_by_card(2)
    request = msgspec.convert(opening("any") | evening.opening, MatchRequest).opening()
    edition = EDITIONS["basic", 1]
    fields = {name: getattr(request, name) for name in request.__struct_fields__}
    state = initial(edition, MatchOpened(**fields, revision=edition.revision))
    for told in evening.told:
        [event] = msgspec.convert({"events": [told]}, AppendRequest).events
        recorded = record(state, [event])
        assert isinstance(recorded, Recorded), recorded
        state = recorded.state
    assert sum(told["type"] == "card_played" for told in evening.told) > 40


@pytest.fixture
def serving():
    """A function that starts a server with one answer for every POST, and returns its port."""
    with ExitStack() as stack:

        def serve(status, body):
            class Answer(BaseHTTPRequestHandler):
                protocol_version = "HTTP/1.1"

                def do_POST(self):
                    self.rfile.read(int(self.headers["Content-Length"]))
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

                def log_message(self, *_):
                    pass

            server = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Answer))
            server.daemon_threads = False  # so that closing the server waits for its connections
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            stack.callback(thread.join)
            stack.callback(server.shutdown)
            return server.server_port

        yield serve


def test_the_generator_counts_what_was_created(serving):
    found = asyncio.run(generate(load_of(note(), serving(201, b"{}"))))
    assert found.per_second > 0
    assert 0 < found.p50 <= found.p99


def test_a_wrong_answer_ends_the_run_and_is_shown(serving):
    load = load_of(note(), serving(422, b"no dealer"), seconds=60)
    with pytest.raises(RuntimeError, match="no dealer"):
        asyncio.run(generate(load))


@pytest.mark.parametrize("command", ["tests.bench", "tests.bench.replay"])
def test_a_measurement_tells_its_options_where_the_peer_is_not_installed(command):
    hidden = "import sys, runpy; sys.modules['eventsourcing'] = None; sys.argv = ['x', '--help']"
    run = f"{hidden}; runpy.run_module({command!r}, run_name='__main__')"
    told = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")
    assert "Usage:" in told.stdout


def test_a_sample_of_latencies():
    assert sample(20.0, [3.0, 1.0, 2.0]) == Sample(20.0, 2.0, 3.0)


def test_figures_are_chosen_by_name():
    assert [figure.ours for figure in figures.figures_named(("p99",))] == [
        figures.TALLIES_32,
        figures.NOTES_32,
    ]
    assert figures.figures_named(()) == list(figures.FIGURES)
