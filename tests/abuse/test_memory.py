"""After each load the process needs less than 1.3 times the memory that it had before.

Each load runs once before the measurement, since the first requests load and cache things that
stay.
"""

import json

import pytest

from tests.abuse.wire import Wire, request
from tests.api.serving import ADMIN

TOKEN = f"Authorization: Bearer {ADMIN}"
JSON = "Content-Type: application/json"
MOST = 1.3
NOTES = [{"type": "note_added", "text": "x" * 2_000}] * 480
NEVER = {"type": "card_played", "player": "nobody", "card": "red-1"}


def told(*more):
    return json.dumps({"events": [*NOTES, *more]}).encode()


REFUSED = [
    (400, (), told()[:-1]),
    (400, (), told({"type": "note_added", "text": 7})),
    (412, ('If-Match: "99"',), told()),
    (422, (), told(NEVER)),
]


@pytest.mark.parametrize("count", [30, pytest.param(365, marks=pytest.mark.slow)])
def test_refused_bodies_leave_nothing_behind(server, match, count):
    """Bodies of a megabyte each, refused before and after they have waited for the match."""

    def refused(times):
        with Wire(server.port) as wire:
            for _ in range(times):
                for status, headers, body in REFUSED:
                    asked = request("POST", f"{match}/events", JSON, TOKEN, *headers, body=body)
                    assert wire.send(asked).answer()[0] == status

    refused(3)
    before = server.memory()
    refused(count)
    assert server.memory() < MOST * before


@pytest.mark.parametrize("count", [20, pytest.param(300, marks=pytest.mark.slow)])
def test_followers_that_never_read_leave_nothing_behind(server, scorer, match, count):
    notes = {"events": NOTES[:60]}

    def followed(times):
        asked = request("GET", f"{match}/live?after=0", TOKEN)
        wires = [Wire(server.port, takes=4_096).send(asked) for _ in range(times)]
        for wire in wires:
            assert wire.head()[1] == 200
        scorer.made(f"{match}/events", notes)
        for wire in wires:
            wire.close()

    followed(3)
    before = server.memory()
    for _ in range(3):
        followed(count)
    assert server.memory() < MOST * before


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_long_pages_leave_nothing_behind(server, scorer, match, count):
    for _ in range(3):
        scorer.made(f"{match}/events", {"events": NOTES})

    def read(times):
        with Wire(server.port) as wire:
            for _ in range(times):
                asked = request("GET", f"{match}/events?limit=1000", TOKEN)
                status, _, body = wire.send(asked).answer()
                assert status == 200
                assert len(body) > 1_000_000

    read(3)
    before = server.memory()
    read(count)
    assert server.memory() < MOST * before
