"""A client that floods the service, or opens many silent connections, beside an honest client.

The flooding client never reads its answers. These fill the system's buffers, and from then on
nothing may pile up in the service. So the honest client is certain to be answered before the other
one is done, even on a slow machine.
"""

import pytest

from scorekeeper.cli.serve import HEAD_SECONDS, MOST_CONNECTIONS
from tests.abuse.wire import Wire, request
from tests.api.serving import ADMIN

TOKEN = f"Authorization: Bearer {ADMIN}"
HONEST = request("GET", "/v1/leagues/home", TOKEN)
SHORTEST = b"GET /v1 HTTP/1.1\r\nHost: home\r\n\r\n"
# The most that a client can have sent ahead of its answers, in buffers of system and server.
MOST_AHEAD = 16 << 20
MEGABYTE = 1 << 20


def asked(server):
    """The status of an honest request on a connection of its own."""
    with Wire(server.port) as wire:
        return wire.send(HONEST).answer()[0]


@pytest.mark.parametrize("size", [1, pytest.param(64, marks=pytest.mark.slow)], ids=["1MB", "64MB"])
@pytest.mark.usefixtures("scorer")
def test_requests_that_nobody_reads_the_answers_of_are_not_read_on(server, size):
    """Requests have 32 bytes, answers 300. The system buffers some of both; the rest waits."""
    before = server.memory()
    with Wire(server.port, takes=4_096) as wire:
        taken = wire.send_while_taken([SHORTEST * 2_048] * 16 * size)
        assert asked(server) == 200
        assert taken < MOST_AHEAD
        assert server.memory() - before < 32 * MEGABYTE


@pytest.mark.usefixtures("scorer")
def test_requests_in_one_piece_take_their_turns_with_those_of_others(server):
    """Each connection gets one answer at a time, so a single request need not wait for the many."""
    with Wire(server.port) as many, Wire(server.port) as one:
        many.send(SHORTEST * 5_000)
        many.answer()
        one.send(HONEST)
        assert one.answer()[0] == 200
        answers = [many.answer()[0] for _ in range(4_999)]
    assert set(answers) == {404}


@pytest.mark.parametrize("count", [300, pytest.param(5_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("begun", [b"", b"POST /v1/leagues HTTP/1.1\r\nHost: x\r\nX-Slow: "])
@pytest.mark.usefixtures("scorer")
def test_connections_that_say_nothing_leave_room_for_others(server, room_for, count, begun):
    room_for(count)
    silent = [Wire(server.port).send(begun) for _ in range(count)]
    assert asked(server) == 200
    for wire in silent:
        wire.close()


@pytest.mark.slow
@pytest.mark.usefixtures("scorer")
def test_when_all_places_are_taken_who_has_one_is_answered_and_others_wait_for_one(
    server, room_for
):
    """A place gets free when a silent connection is closed, half a minute after it came."""
    room_for(MOST_CONNECTIONS + 2)
    silent = []
    with Wire(server.port) as connected:
        # Asked often, so that on a slow machine it is not silent for half a minute itself.
        while len(silent) < MOST_CONNECTIONS:
            silent += [Wire(server.port) for _ in range(MOST_CONNECTIONS // 10)]
            assert connected.send(HONEST).answer()[0] == 200
        with Wire(server.port, patience=4 * HEAD_SECONDS) as newcomer:
            assert newcomer.send(HONEST).answer()[0] == 200
    for wire in silent:
        wire.close()


@pytest.mark.parametrize("count", [300, pytest.param(5_000, marks=pytest.mark.slow)])
@pytest.mark.usefixtures("scorer")
def test_bodies_that_do_not_come_leave_room_for_others(server, room_for, count):
    room_for(count)
    head = request("POST", "/v1/leagues", TOKEN, "Content-Type: application/json")[:-2]
    begun = head + b"Content-Length: 9\r\n\r\n{"
    waiting = [Wire(server.port).send(begun) for _ in range(count)]
    assert asked(server) == 200
    for wire in waiting:
        wire.close()
