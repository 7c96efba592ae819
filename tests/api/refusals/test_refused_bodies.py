"""Refused bodies are freed with their answer, without waiting for the cyclic garbage collector.

The collector runs rarely, so a thousand bodies of a megabyte could pile up to a gigabyte.
"""

import gc
import json
import tracemalloc

import pytest

from scorekeeper.api.layers.input_validation import BODY_LIMIT
from tests.api.serving import note
from tests.api.serving_kinds import each_on_sqlite

NOTES = [note("x" * 2_000)] * 480
JSON = (b"content-type", b"application/json")
ROUNDS = 8
# A thread may hold the objects of its latest task a moment longer.
HELD = 3


def told(*more, **members):
    return json.dumps({"events": [*NOTES, *more], **members}).encode()


IMPOSSIBLE = told({"type": "card_played", "player": "nobody", "card": "red-1"})

REFUSED = {
    "not JSON": (b"{" + b"a" * 1_000_000, 400),
    "a key twice": (IMPOSSIBLE[:-1] + b',"events":[]}', 400),
    "too many levels": (b"[" * 500_000 + b"]" * 500_000, 400),
    "half a surrogate": (IMPOSSIBLE.replace(b"xxxx", rb"\ud8", 1), 400),
    "a text that is a number": (told(note(7)), 400),
    "a type that is not known": (told({"type": "tea_drunk"}), 400),
    "what can't have happened": (IMPOSSIBLE, 422),
    "another version": (told(), 412, (b"if-match", b'"99"')),
    "another match": (told(), 404),
    "nothing that may be recorded": (told(), 403),
}


async def asked(app, path, token, body, *headers):
    """Return the status of the answer, without holding a reference to the body."""
    status = []
    sent = iter([{"type": "http.request", "body": body, "more_body": False}])
    del body

    async def receive():
        return next(sent)

    async def send(message):
        status.append(message.get("status"))

    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"authorization", f"Bearer {token}".encode()), JSON, *headers],
        "client": ("10.255.0.1", 5),
        "server": ("test", 80),
    }
    await app(scope, receive, send)
    return status[0]


@pytest.mark.parametrize("way", ["", "?lang=en"], ids=["in front of the framework", "behind it"])
@each_on_sqlite("why", REFUSED, quick_on_postgresql={"another version", "what can't have happened"})
def test_a_refused_body_is_let_go_of_at_once(league, why, way):
    body, expected, *headers = REFUSED[why]
    assert len(body) > BODY_LIMIT // 2
    headers.append((b"content-length", b"%d" % len(body)))
    match = league.match().slug if why != "another match" else "nowhere"
    caller = league.viewer if expected == 403 else league.scorekeeper
    path = f"{league.root}/matches/{match}/events{way}"

    def ask():
        # A new copy of the body each time, as the server makes one for each request.
        own = bytes(bytearray(body))
        return league.served.together(asked(league.served.app, path, caller.token, own, *headers))[
            0
        ]

    assert ask() == expected
    gc.disable()
    tracemalloc.start()
    try:
        for _ in range(ROUNDS):
            ask()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.enable()
    assert kept < HELD * len(body), f"{kept} bytes are kept of {ROUNDS} bodies"
