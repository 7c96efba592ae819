"""Followers that never read, and a great many followers."""

import pytest

from scorekeeper.service.live.followers import Places
from tests.abuse.wire import Wire, request
from tests.api.live_client import Stream
from tests.api.serving import ADMIN

TOKEN = f"Authorization: Bearer {ADMIN}"
LIVE = "/v1/leagues/home/live"
MEGABYTE = 1 << 20
LONG = "tea " * 250


def deaf(server, path):
    """Return a connection that asks to follow, and reads only the head of the answer."""
    wire = Wire(server.port, takes=4_096)
    assert wire.send(request("GET", path, TOKEN)).head()[1] == 200
    return wire


@pytest.mark.parametrize(
    ("followers", "appends"), [(20, 20), pytest.param(300, 60, marks=pytest.mark.slow)]
)
def test_what_nobody_takes_does_not_pile_up(server, scorer, match, followers, appends):
    """Half of them follow from now on, half from the beginning; none reads what is sent."""
    notes = {"events": [{"type": "note_added", "text": LONG}] * 300}
    scorer.made(f"{match}/events", notes)
    before = server.memory()
    wires = [deaf(server, f"{match}/live?after={after}") for after in (0, 10**6) * followers]
    heard = Stream(server.url, f"{match}/live")
    for _ in range(appends):
        last = scorer.made(f"{match}/events", notes)["position"]
    while (frame := heard.next()).event != "state" or frame.position < last:
        pass
    # Much less than all notes for all followers, even at 500 bytes for each kilobyte of notes.
    whole = appends * 300 * len(LONG) * 2 * followers
    grown = server.memory() - before
    assert grown < 64 * MEGABYTE + len(wires) * MEGABYTE // 2 < whole
    for wire in wires:
        wire.close()
    heard.leave()


@pytest.mark.slow
def test_a_token_that_went_round_leaves_room_for_others(server, scorer):
    """The token has as many streams as it may; one more is refused, and other tokens can follow."""
    _, token = scorer.token("viewer")
    asked = request("GET", LIVE, f"Authorization: Bearer {token}")
    wires = []
    for _ in range(Places().token):
        wires.append(Wire(server.port))
        assert wires[-1].send(asked).head()[1] == 200
    with Wire(server.port) as wire:
        status, headers, body = wire.send(asked).answer()
        assert (status, headers["retry-after"]) == (429, "30")
        assert b'"too-many-followers"' in body
    heard = Stream(server.url, LIVE)
    last = scorer.made(f"{LIVE.removesuffix('/live')}/players", {"name": "New"})
    assert last["player"]
    assert heard.next().data["match"] is None
    heard.leave()
    for wire in wires:
        wire.close()
