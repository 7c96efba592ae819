"""Bodies in which bytes were changed, removed, doubled or inserted.

`serving` checks each answer: it is no failure of the service, and a refusal is a problem of a
stable
type.
"""

import json
import random

import pytest

from tests.api.serving import PLAYERS, note, serving, tally

FOUR = list(PLAYERS[:4])
LEAGUE = "/v1/leagues/home"
MATCH = f"{LEAGUE}/matches/evening"
OPENING = {"edition": "basic", "players": FOUR, "scoring": {"rounds": 3}, "events": [note()]}
WHOLE = {
    f"{MATCH}/events": {"events": [tally(FOUR[0], **dict.fromkeys(FOUR[1:], 7)), note("tea")]},
    f"{MATCH}/what-if": {"from": 2, "remove": 1, "insert": [note()]},
    f"{LEAGUE}/matches": OPENING,
    f"{LEAGUE}/past-matches": {
        "matches": [OPENING | {"match": "past", "at": "2024-01-01T19:00:00Z"}]
    },
    f"{LEAGUE}/players": {"player": "zoe", "name": "Zoë", "country": None},
    f"{LEAGUE}/tokens": {"role": "viewer", "name": "the screen"},
    f"{LEAGUE}/tournaments": {"tournament": "cup", "edition": "basic", "players": FOUR},
    f"{LEAGUE}/erasures": {"positions": [99_999], "reason": "asked for"},
    "/v1/leagues": {"league": "another", "name": "Another"},
}
"""A valid body for each address."""
JSON = {"content-type": "application/json"}
TELLING = [b"null", b"-1", b"1e999", b"9" * 400, b'"\\ud800"', b"[]", b"{}", b"true", b'""', b"0.5"]


def mutated(body, chance):
    """Return the body with one to three changes of a few bytes."""
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(body) + 1)
        end = min(len(body), start + chance.choice([0, 1, 1, 2, 8, 60]))
        put = chance.choice(
            [
                b"",
                bytes([chance.randrange(256)]),
                body[start:end] * 2,
                body[end : end + 20],
                chance.choice(TELLING),
                chance.choice([b'"', b"{", b"]", b",", b":", b"\\u", b"\x00", b"\xff\xfe"]),
            ]
        )
        body = body[:start] + put + body[end:]
    return body


MANY = [pytest.mark.slow, pytest.mark.long]


@pytest.mark.parametrize("count", [300, pytest.param(20_000, marks=MANY)])
def test_each_is_answered_and_the_service_goes_on(sqlite_url, count):
    chance = random.Random(count)
    asked = [(address, json.dumps(body).encode()) for address, body in WHOLE.items()]
    with serving(sqlite_url) as served:
        served.ask("POST", "/v1/leagues", json={"league": "home", "name": "Home"})
        for player in FOUR:
            served.ask("POST", f"{LEAGUE}/players", json={"player": player, "name": player})
        opening = OPENING | {"match": "evening"}
        assert served.ask("POST", f"{LEAGUE}/matches", json=opening).status_code == 201
        refused = 0
        for _ in range(count):
            address, whole = chance.choice(asked)
            body = mutated(whole, chance)
            answer = served.ask("POST", address, content=body, headers=JSON)
            refused += answer.is_client_error
        assert refused > count // 2
        assert served.ask("GET", MATCH).status_code == 200
