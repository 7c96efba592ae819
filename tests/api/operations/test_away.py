"""The service while its database is away: it says so, stays up, and goes on when it is back."""

import pytest

from tests.api.serving import ADMIN, note, serving


@pytest.fixture
def server(postgresql):
    return postgresql


@pytest.fixture
def served(server):
    url = server.create(migrated=True)
    with serving(url) as running:
        yield running
    server.drop(url)


def test_every_answer_says_so_while_the_database_is_away(server, served):
    league = served.league()
    match = league.match()
    token = league.scorekeeper.token
    tap = {"json": {"events": [note()]}}
    asks = {
        "a tap": ("POST", f"{match.root}/events", token, tap),
        "a scoreboard": ("GET", match.root, token, {}),
        "a list": ("GET", f"{league.root}/matches", token, {}),
        "a token not seen before": ("GET", league.root, "sk_home_another", {}),
        "another league": ("POST", "/v1/leagues", ADMIN, {"json": {"league": "x", "name": "X"}}),
        "whether it is ready": ("GET", "/health/ready", ADMIN, {}),
    }
    match.tell(note())
    server.take_away(served.url)
    try:
        for what, (method, address, caller, request) in asks.items():
            answer = served.unchecked(method, address, token=caller, **request)
            assert (answer.status_code, what) == (503, what)
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["code"] == "unavailable"
            assert int(answer.headers["retry-after"]) > 0
        assert served.ask("GET", "/health/live").status_code == 200
    finally:
        server.give_back(served.url)
    assert served.ask("GET", "/health/ready").status_code == 200
    match.tell(note())
    assert [entry["type"] for entry in match.log()] == ["match_opened", "note_added", "note_added"]
