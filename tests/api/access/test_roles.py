"""Who may do what: every route declares its right, and every role is asked about every route."""

import itertools
from uuid import uuid4

import pytest
from litestar import get
from litestar.routes import HTTPRoute

from scorekeeper.api.application import application
from scorekeeper.api.handler_context import QUERY, RIGHT, guard
from scorekeeper.service.identity.access import Right
from tests.api.serving import ADMIN, note, tally
from tests.api.serving_kinds import on_both

APP = application()
ROUTES = [
    (str(method), route.path_format, handler)
    for route in APP.routes
    if isinstance(route, HTTPRoute)
    for handler in route.route_handlers
    for method in sorted(handler.http_methods)
    if method != "OPTIONS"
]
NAMES = [f"{method} {path}" for method, path, _ in ROUTES]
ROLES = ("nobody", "viewer", "scorekeeper", "owner", "stranger", "admin")
MAY = {
    Right.PUBLIC: {*ROLES},
    Right.SEE_LEAGUES: {*ROLES} - {"nobody"},
    Right.READ: {"viewer", "scorekeeper", "owner", "admin"},
    Right.RECORD: {"scorekeeper", "owner", "admin"},
    Right.OWN: {"owner", "admin"},
    Right.ADMINISTER: {"admin"},
}
# The right that each route of the contract requires; a route that is missing here fails a test.
RIGHTS = {
    "GET /v1/editions": Right.PUBLIC,
    "GET /v1/editions/{edition}": Right.PUBLIC,
    "POST /v1/leagues": Right.ADMINISTER,
    "GET /v1/leagues": Right.SEE_LEAGUES,
    "GET /v1/leagues/{league}": Right.READ,
    "PATCH /v1/leagues/{league}": Right.OWN,
    "POST /v1/leagues/{league}/players": Right.RECORD,
    "GET /v1/leagues/{league}/players": Right.READ,
    "GET /v1/leagues/{league}/players/{player}": Right.READ,
    "PATCH /v1/leagues/{league}/players/{player}": Right.RECORD,
    "POST /v1/leagues/{league}/erasures": Right.OWN,
    "POST /v1/leagues/{league}/rebuild": Right.OWN,
    "POST /v1/leagues/{league}/imports": Right.OWN,
    "POST /v1/leagues/{league}/tokens": Right.OWN,
    "GET /v1/leagues/{league}/tokens": Right.OWN,
    "DELETE /v1/leagues/{league}/tokens/{token_id}": Right.OWN,
    "POST /v1/leagues/{league}/invitations": Right.OWN,
    "GET /v1/leagues/{league}/invitations": Right.OWN,
    "DELETE /v1/leagues/{league}/invitations/{invitation}": Right.OWN,
    "POST /v1/session": Right.PUBLIC,
    "DELETE /v1/session": Right.PUBLIC,
    "GET /v1/me": Right.PUBLIC,
    "POST /v1/leagues/{league}/matches": Right.RECORD,
    "POST /v1/leagues/{league}/past-matches": Right.RECORD,
    "GET /v1/leagues/{league}/matches": Right.READ,
    "GET /v1/leagues/{league}/matches/{match}": Right.READ,
    "GET /v1/leagues/{league}/matches/{match}/audit": Right.READ,
    "GET /v1/leagues/{league}/matches/{match}/hands": Right.READ,
    "GET /v1/leagues/{league}/matches/{match}/progress": Right.READ,
    "GET /v1/leagues/{league}/matches/{match}/rounds": Right.READ,
    "GET /v1/leagues/{league}/matches/{match}/rounds/{number}": Right.READ,
    "GET /v1/leagues/{league}/matches/{match}/rounds/{number}/replay": Right.READ,
    "POST /v1/leagues/{league}/matches/{match}/events": Right.RECORD,
    "GET /v1/leagues/{league}/matches/{match}/events": Right.READ,
    "POST /v1/leagues/{league}/matches/{match}/what-if": Right.RECORD,
    "POST /v1/leagues/{league}/matches/{match}/undo": Right.RECORD,
    "GET /v1/leagues/{league}/export": Right.OWN,
    "GET /v1/leagues/{league}/log/checkpoint": Right.READ,
    "GET /v1/leagues/{league}/log/key": Right.READ,
    "GET /v1/leagues/{league}/log/tile/{tile}": Right.READ,
    "GET /v1/leagues/{league}/log/proof/inclusion": Right.READ,
    "GET /v1/leagues/{league}/log/proof/consistency": Right.READ,
    "POST /v1/leagues/{league}/tournaments": Right.RECORD,
    "GET /v1/leagues/{league}/tournaments": Right.READ,
    "GET /v1/leagues/{league}/tournaments/{tournament}": Right.READ,
    "GET /v1/leagues/{league}/tournaments/{tournament}/schedule": Right.READ,
    "GET /v1/leagues/{league}/tournaments/{tournament}/standings": Right.READ,
    "GET /v1/leagues/{league}/tournaments/{tournament}/board": Right.READ,
    "GET /v1/leagues/{league}/tournaments/{tournament}/progress": Right.READ,
    "POST /v1/leagues/{league}/tournaments/{tournament}/events": Right.RECORD,
    "GET /v1/leagues/{league}/tournaments/{tournament}/events": Right.READ,
    "GET /v1/leagues/{league}/live": Right.READ,
    "GET /v1/leagues/{league}/matches/{match}/live": Right.READ,
    "GET /v1/leagues/{league}/standings": Right.READ,
    "GET /v1/leagues/{league}/results": Right.READ,
    "GET /v1/leagues/{league}/players/{player}/statistics": Right.READ,
    "GET /v1/leagues/{league}/players/{player}/ratings": Right.READ,
    "GET /health/live": Right.PUBLIC,
    "GET /health/ready": Right.PUBLIC,
    "GET /metrics": Right.PUBLIC,
    "GET /openapi.json": Right.PUBLIC,
    "GET /docs": Right.PUBLIC,
}


# These take a code or a cookie in place of a token: see tests/api/access/test_sessions.py.
OF_BROWSERS = {"POST /v1/session", "DELETE /v1/session"}
# The required query of a route.
NEEDED = {
    "GET /v1/leagues/{league}/log/proof/inclusion": "?position=1",
    "GET /v1/leagues/{league}/log/proof/consistency": "?from=1",
}
CUP = {"name": "The cup", "edition": "basic", "players": ["ann", "bo", "cy", "di"]}
# With an id, the same request by the next role is a retry.
SEAT_TAKEN = {
    "type": "player_substituted",
    "player": "ann",
    "substitute": "ed",
    "id": "018f0000-0000-7000-8000-000000000001",
}


def body_of(name, league):
    """A body that the route takes."""
    return {
        "POST /v1/leagues": {"league": f"new-{uuid4().hex[:8]}", "name": "New"},
        "PATCH /v1/leagues/{league}": {"name": "New"},
        "POST /v1/leagues/{league}/players": {"player": "new", "name": "New"},
        "PATCH /v1/leagues/{league}/players/{player}": {"name": "New"},
        "POST /v1/leagues/{league}/erasures": {"positions": [league.noted], "reason": "x"},
        "POST /v1/leagues/{league}/imports": {"text": "", "preview": True},
        "POST /v1/leagues/{league}/tokens": {"role": "viewer", "name": "New"},
        "POST /v1/leagues/{league}/invitations": {"role": "viewer"},
        "POST /v1/leagues/{league}/matches": league.opening(),
        "POST /v1/leagues/{league}/past-matches": {
            "matches": [league.opening(events=[note() | {"id": str(uuid4())}])]
        },
        "POST /v1/leagues/{league}/matches/{match}/events": {"events": [note()]},
        "POST /v1/leagues/{league}/tournaments": CUP | {"tournament": f"c-{uuid4().hex[:8]}"},
        "POST /v1/leagues/{league}/tournaments/{tournament}/events": {"events": [SEAT_TAKEN]},
        "POST /v1/leagues/{league}/matches/{match}/what-if": {"from": 2, "remove": 1},
        "POST /v1/leagues/{league}/matches/{match}/undo": {"reason": "x"},
    }.get(name)


def ask(league, name, token, *, slug=None, query=""):
    """Ask the route for what exists in the league, or in the league `slug`."""
    method, _, path = name.partition(" ")
    in_path = {
        "tournament": "cup",
        "edition": "basic",
        "player": "ann",
        "number": 1,
        "match": "long" if name.endswith("/undo") else "m",
        "token_id": "t",
        "invitation": "i",
        "tile": "0/000.p/2",
    }
    address = path
    for key, value in (in_path | {"league": slug or league.slug}).items():
        address = address.replace(f"{{{key}}}", str(value))
    if name in NEEDED and not query:
        query = NEEDED[name]
    body = body_of(name, league)
    request = {"headers": {"if-match": "*"}} if name.endswith("/undo") else {}
    if body is not None:
        request["json"] = body
    return league.served.ask(method, address + query, token=token, **request)


@pytest.mark.parametrize(("method", "path", "handler"), ROUTES, ids=NAMES)
def test_every_route_declares_its_right(method, path, handler):
    assert isinstance(handler.opt[RIGHT], Right)
    if path.startswith("/v1/"):
        name = f"{method} {path}"
        assert name in RIGHTS, "RIGHTS has a line for each route, with the right that it requires"
        assert handler.opt[RIGHT] is RIGHTS[name]
    else:
        assert handler.opt[RIGHT] is Right.PUBLIC
    # A league's things are never public, and never open to every token.
    if "{league}" in path:
        assert handler.opt[RIGHT] not in {Right.PUBLIC, Right.SEE_LEAGUES}


def test_the_table_above_names_no_route_that_is_gone():
    assert {name for name in RIGHTS if "/v1/" in name} <= set(NAMES)


def test_a_route_without_a_right_answers_nobody(league):
    """A forgotten right must fail, and never grant access."""

    @get("/v1/forgotten")
    async def forgotten() -> None: ...

    async def asked() -> None:
        await guard(None, forgotten)  # type: ignore[arg-type]

    with pytest.raises(KeyError, match=RIGHT):
        league.served.together(asked())


@on_both
@pytest.mark.parametrize(
    ("name", "role"),
    list(itertools.product([name for name in RIGHTS if name not in OF_BROWSERS], ROLES)),
)
def test_every_role_on_every_route(roles_league, name, role):
    league, tokens = roles_league
    answer = ask(league, name, tokens[role])
    right = RIGHTS[name]
    if role in MAY[right]:
        assert answer.status_code not in {401, 403}
        # The token and the invitation of the address do not exist; everything else does.
        if "{token_id}" not in name and "{invitation}" not in name:
            assert answer.status_code < 300, answer.text
    elif role == "nobody":
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
    elif role == "stranger" and "{league}" in name:
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.fixture(scope="session")
def roles_league(served):
    """A league with matches and a tournament, and a token of every role."""
    league, other = served.league(), served.league()
    match = league.match(match="m", events=[{"type": "round_started", "dealer": "ann"}, note()])
    league.match(match="long", events=[tally("ann", bo=1, cy=2, di=3)] * 20)
    league.noted = match.log()[-1]["position"]
    assert league.owner.post("/tournaments", CUP | {"tournament": "cup"}).status_code == 201
    tokens = {role: caller.token for role, caller in league.callers.items()}
    return league, tokens | {"nobody": None, "stranger": other.owner.token, "admin": ADMIN}


@pytest.mark.parametrize("name", [name for name in NAMES if "{league}" in name])
def test_what_exists_elsewhere_and_what_does_not_exist_look_alike(roles_league, name):
    league, tokens = roles_league
    there = ask(league, name, tokens["stranger"])
    nowhere = ask(league, name, tokens["stranger"], slug="nowhere")
    assert there.status_code == nowhere.status_code == 404
    mine, theirs = there.json(), nowhere.json()
    for problem in (mine, theirs):
        del problem["request_id"], problem["instance"]
    assert mine == theirs
    assert sorted(set(there.headers) - {"date"}) == sorted(set(nowhere.headers) - {"date"})


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_query_parameter_is_a_400_on_every_route(roles_league, name):
    league, _ = roles_league
    answer = ask(league, name, ADMIN, query="?surprise=1")
    assert (answer.status_code, answer.json()["reason"]) == (400, "query-unknown")


@pytest.mark.parametrize(("method", "path", "handler"), ROUTES, ids=NAMES)
def test_a_query_parameter_twice_is_a_400(roles_league, method, path, handler):
    league, _ = roles_league
    for parameter in sorted(handler.opt.get(QUERY, ())):
        query = f"?{parameter}=1&{parameter}=1"
        answer = ask(league, f"{method} {path}", ADMIN, query=query)
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize(("method", "path", "handler"), ROUTES, ids=NAMES)
def test_the_word_null_is_a_value_like_any_other(roles_league, method, path, handler):
    """It is a valid slug, so it may name a player; it is not a valid number or choice."""
    league, _ = roles_league
    for parameter in sorted(handler.opt.get(QUERY, ())):
        for value in ("null", "NULL"):
            query = f"?{parameter}={value}"
            answer = ask(league, f"{method} {path}", ADMIN, query=query)
            if value == "null" and parameter in {"player", "edition", "with"}:
                found = answer.json()
                assert found.get("items", []) == []
                assert found.get("statistics", {"played": 0})["played"] == 0
            elif parameter != "cursor" and (path, value) != ("/v1/session", "null"):
                assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize("name", [name for name in RIGHTS if RIGHTS[name] is not Right.PUBLIC])
def test_without_a_token_nothing_is_said_about_the_request_itself(roles_league, name):
    """A stranger learns that a token is needed, not whether the body or the query was right."""
    league, _ = roles_league
    method, _, path = name.replace("{number}", "1").partition(" ")
    answer = league.served.ask(
        method, path + "?surprise=1", token=None, content=b"[", headers={"content-type": "x/y"}
    )
    assert answer.status_code == 401
