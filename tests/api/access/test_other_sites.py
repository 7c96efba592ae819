"""Every request that changes something, sent by another site's page with a device's cookie."""

import json
from pathlib import Path

import pytest

from tests.api.database_search import every_value
from tests.api.serving import ADMIN, note, serving
from tests.api.serving_kinds import each_on_sqlite
from tests.databases import migrated

DOCUMENT = json.loads(Path("openapi/openapi.json").read_text(encoding="utf-8"))
OURS = {"sec-fetch-site": "same-origin", "origin": "http://test"}
ELSEWHERE = (
    {"sec-fetch-site": "cross-site", "origin": "https://elsewhere.example"},
    {"sec-fetch-site": "same-site", "origin": "http://other.test"},
    {"sec-fetch-site": "cross-site", "origin": "http://test"},
    {"sec-fetch-site": "none"},
    {"origin": "https://elsewhere.example"},
    {"origin": "null"},
    {"origin": "http://["},
)
MUTE = {}
"""The headers of a browser that sends neither of the two, or of a program that holds a cookie."""

BODIES = {
    "POST /v1/leagues": {"name": "Theirs"},
    "PATCH /v1/leagues/{league}": {"name": "Theirs"},
    "POST /v1/leagues/{league}/erasures": {"reason": "asked for"},
    "POST /v1/leagues/{league}/imports": {
        "text": "date,edition,players,points,match\n2019-05-03,basic,ann bo,- 5,sheet\n"
    },
    "POST /v1/leagues/{league}/invitations": {"role": "owner"},
    "DELETE /v1/leagues/{league}/invitations/{invitation}": None,
    "POST /v1/leagues/{league}/matches": {"edition": "basic", "players": ["ann", "bo"]},
    "POST /v1/leagues/{league}/matches/{match}/events": {"events": [note()]},
    "POST /v1/leagues/{league}/matches/{match}/undo": {},
    "POST /v1/leagues/{league}/matches/{match}/what-if": {"from": 2, "remove": 1, "insert": []},
    "POST /v1/leagues/{league}/past-matches": {
        "matches": [
            {
                "match": "past",
                "edition": "basic",
                "players": ["ann", "bo"],
                "scoring": {"rounds": 1},
                "at": "2019-05-03T20:00:00Z",
                "events": [
                    {
                        "type": "round_tallied",
                        "id": "5d1c6f0e-2b7a-4a39-8e64-9c3f1b2a0d01",
                        "winners": ["ann"],
                        "scores": {"ann": 0, "bo": 5},
                    }
                ],
            }
        ]
    },
    "POST /v1/leagues/{league}/players": {"name": "Theirs"},
    "PATCH /v1/leagues/{league}/players/{player}": {"name": None},
    "POST /v1/leagues/{league}/rebuild": None,
    "POST /v1/leagues/{league}/tokens": {"role": "owner", "name": "theirs"},
    "DELETE /v1/leagues/{league}/tokens/{token_id}": None,
    "POST /v1/leagues/{league}/tournaments": {
        "name": "Theirs",
        "edition": "basic",
        "players": ["ann", "bo", "cy", "di"],
    },
    "POST /v1/leagues/{league}/tournaments/{tournament}/events": {
        "events": [{"type": "tournament_closed"}]
    },
    "DELETE /v1/session": None,
    "POST /v1/session": {"name": "theirs"},
}


def changing():
    return {
        f"{method.upper()} {path}"
        for path, operations in DOCUMENT["paths"].items()
        for method in operations
        if method in {"post", "put", "patch", "delete"}
    }


def test_every_operation_that_changes_something_is_tried():
    assert set(BODIES) == changing()


@pytest.fixture(scope="module")
def served(kind, request, tmp_path_factory):
    """A service on its own database, since every value of it is compared before and after."""
    folder = tmp_path_factory.mktemp("other-sites")
    with migrated(kind, request, folder) as url, serving(url) as running:
        yield running


@pytest.fixture
def home(league):
    """A league with one of everything that a request can name, as the parameters of paths."""
    match = league.match(match="evening", dealer="ann")
    match.tell(note(), {"type": "round_started"})
    invitation = league.owner.post("/invitations", {"role": "scorekeeper"}).json()
    token = league.owner.post("/tokens", {"role": "viewer", "name": "a phone"}).json()
    four = {"tournament": "cup", "name": "Cup", "edition": "basic"}
    opened = league.owner.post("/tournaments", four | {"players": ["ann", "bo", "cy", "di"]})
    assert opened.status_code == 201
    return {
        "league": league.slug,
        "match": "evening",
        "player": "ed",
        "tournament": "cup",
        "invitation": invitation["invitation"],
        "token_id": token["token_id"],
        "code": invitation["code"],
    }


@each_on_sqlite(
    "operation",
    BODIES,
    quick_on_postgresql={"POST /v1/session", "POST /v1/leagues/{league}/matches/{match}/events"},
)
def test_another_site_changes_nothing_with_a_device_s_cookie(league, home, operation):
    method, path = operation.format(**home).split(" ")
    body = BODIES[operation]
    holder = (
        ("sk_admin", ADMIN) if path == "/v1/leagues" else (f"sk-{league.slug}", league.owner.token)
    )
    headers = {"cookie": "=".join(holder)}
    if path.endswith("/undo"):
        version = league.owner.get("/matches/evening").json()["version"]
        headers["if-match"] = f'"{version}"'
    if operation == "POST /v1/session":
        body = body | {"code": home["code"]}
    if path.endswith("/erasures"):
        log = league.owner.get("/matches/evening/events").json()["items"]
        body = body | {"positions": [log[1]["position"]]}
    params = {"league": league.slug} if operation == "DELETE /v1/session" else None

    def asked(sent):
        sent = headers | sent
        return league.served.ask(method, path, token=None, json=body, params=params, headers=sent)

    # A code is not a cookie: programs without these headers may send one.
    closed = ELSEWHERE if operation == "POST /v1/session" else (*ELSEWHERE, MUTE)
    before = sorted(every_value(league.served))
    for sent in closed:
        answer = asked(sent)
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
    assert sorted(every_value(league.served)) == before
    assert asked(OURS).is_success
