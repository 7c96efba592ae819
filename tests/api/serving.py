"""The whole service on a database, asked without a network, by callers of every role."""

import asyncio
import itertools
import json
import re
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from urllib.parse import unquote

import httpx
import pytest
from hypothesis import HealthCheck, settings

from scorekeeper import app as product
from scorekeeper.api.layers.rate_limits import TokenBuckets
from scorekeeper.app import create, is_lost, is_page
from scorekeeper.service.command import Outcome
from scorekeeper.service.live.followers import Pace
from scorekeeper.service.services import Services
from scorekeeper.service.standings import rating
from scorekeeper.service.views import LeagueOpening, PlayerRegistration, TokenMaking
from scorekeeper.settings import Settings
from tests.api.no_network import NoNetwork

T = TypeVar("T")

ADMIN = "an-admin-token-for-tests"
PLAYERS = ("ann", "bo", "cy", "di", "ed")
ROLES = ("viewer", "scorekeeper", "owner")

FOR_MACHINES = re.compile(
    r"regex|pattern|Expected|enum|\^\[|`|\b(?:str|int|bool|float|dict|array|datetime|NoneType)\b"
)
"""Words that are not for people: regular expressions, and names of types in Python and msgspec."""

# Seconds. The service itself waits for one, and then answers with the ratings that it has.
_RATED_WITHIN = 60

_leagues = itertools.count(1)


def for_machines(told: str, echoed: str) -> list[str]:
    """Return the words of a text that are not for people, except those that echo the request."""
    found = (match.group() for match in FOR_MACHINES.finditer(told))
    return [word for word in found if word.casefold() not in echoed.casefold()]


def sent(request: httpx.Request) -> str:
    """Return the address and the body of a request, without a body that was sent in pieces."""
    with suppress(httpx.RequestNotRead):
        return unquote(str(request.url)) + request.content.decode(errors="replace")
    return unquote(str(request.url))


def conforms(response: httpx.Response) -> httpx.Response:
    """Check what holds for every answer, and return the answer."""
    request = response.request
    assert response.status_code < 500, response.text
    assert response.headers["x-request-id"]
    assert response.headers["x-content-type-options"] == "nosniff"
    accept = request.headers.get("accept", "").encode()
    if is_page(request.url.path) or is_lost(request.method, request.url.path, accept):
        return response
    if response.status_code >= 400:
        assert response.headers["content-type"] == "application/problem+json"
        if request.method != "HEAD":
            problem = response.json()
            assert problem["type"] == f"/problems/{problem['code']}"
            assert problem["status"] == response.status_code
            assert problem["title"]
            assert problem["detail"]
            for told in (
                problem["detail"],
                *(each["detail"] for each in problem.get("errors", ())),
            ):
                assert not for_machines(told, sent(request)), told
            assert unquote(problem["instance"]) == request.url.path, problem
            assert problem["request_id"] == response.headers["x-request-id"]
    if request.method in {"GET", "HEAD"}:
        assert {"Accept-Language", "Authorization"} <= set(response.headers["vary"].split(", "))
    return response


def leaving_streams(app: Any) -> Any:
    """Let clients of endless streams leave after the first piece, as tests read whole answers."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if not (scope["path"].startswith("/v1/") and scope["path"].endswith("/live")):
            await app(scope, receive, send)
            return
        left = asyncio.Event()

        async def leave() -> dict[str, str]:
            await left.wait()
            return {"type": "http.disconnect"}

        async def take(message: Any) -> None:
            await send(message)
            if message["type"] == "http.response.body":
                left.set()

        await app(scope, leave, take)

    return answer


def _authorized(token: str | None, headers: Any) -> httpx.Headers:
    """Return the headers, with the token unless they have one themselves."""
    whole = httpx.Headers(headers)
    if token is not None:
        whole.setdefault("authorization", f"Bearer {token}")
    return whole


class Served:
    """An application whose lifespan runs; every answer is checked against the contract."""

    def __init__(
        self, runner: asyncio.Runner, app: Any, state: Mapping[str, Any], url: str
    ) -> None:
        async def with_state(scope: Any, receive: Any, send: Any) -> None:
            await app({**scope, "state": {**state}}, receive, send)

        self.app = with_state
        self.services: Services = state["services"]
        self.url = url
        self._run = runner.run
        self._transport = NoNetwork(leaving_streams(self.app))
        self._client = httpx.AsyncClient(transport=self._transport, base_url="http://test")
        self._addresses = itertools.count(1)
        self._address: str | None = None

    def stay_at(self, address: str | None) -> None:
        """Let all further requests come from this address; None: each from a new one."""
        self._address = address

    def _new_address(self) -> str:
        """Return an unused address: failed authentication is counted by address, across tests."""
        number = next(self._addresses)
        return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"

    async def asking(
        self, method: str, address: str, *, token: str | None = ADMIN, **request: Any
    ) -> httpx.Response:
        self._transport.ask_from(self._address or self._new_address())
        headers = _authorized(token, request.pop("headers", None))
        asked = self._client.build_request(method, address, headers=headers, **request)
        # Straight to the transport, which follows no redirects and keeps no cookies: a cookie that
        # one test was given must not be sent by another.
        answer = await self._transport.handle_async_request(asked)
        answer.request = asked
        await answer.aread()
        return conforms(answer)

    def ask(self, method: str, address: str, **request: Any) -> httpx.Response:
        return self._run(self.asking(method, address, **request))

    def unchecked(
        self, method: str, address: str, *, token: str | None = ADMIN, **request: Any
    ) -> httpx.Response:
        """Ask without the contract's checks, for tests that break something and get a 5xx."""
        self._client.cookies.clear()
        headers = _authorized(token, request.pop("headers", None))
        return self._run(self._client.request(method, address, headers=headers, **request))

    def together(self, *requests: Coroutine[Any, Any, T]) -> list[T]:
        """All at once; answers in the order of the requests."""

        async def gather() -> list[T]:
            return await asyncio.gather(*requests)

        return self._run(gather())

    def league(self, players: Sequence[str] = PLAYERS) -> "League":
        return League(self, f"home-{next(_leagues)}", players)

    async def close(self) -> None:
        await self._client.aclose()


class Caller:
    """The holder of a token, who asks for what lies under one address."""

    def __init__(self, served: Served, token: str | None, root: str) -> None:
        self.served = served
        self.token = token
        self.root = root

    def ask(self, method: str, path: str = "", **request: Any) -> httpx.Response:
        return self.served.ask(method, self.root + path, token=self.token, **request)

    def asking(
        self, method: str, path: str = "", **request: Any
    ) -> Coroutine[Any, Any, httpx.Response]:
        return self.served.asking(method, self.root + path, token=self.token, **request)

    def get(self, path: str = "", **request: Any) -> httpx.Response:
        return self.ask("GET", path, **request)

    def post(self, path: str, json: Any, **request: Any) -> httpx.Response:
        return self.ask("POST", path, json=json, **request)

    def patch(self, path: str, json: Any, **request: Any) -> httpx.Response:
        return self.ask("PATCH", path, json=json, **request)

    def delete(self, path: str, **request: Any) -> httpx.Response:
        return self.ask("DELETE", path, **request)


class League:
    """A league with players, and a caller for each role."""

    def __init__(self, served: Served, slug: str, players: Sequence[str]) -> None:
        self.served = served
        self.slug = slug
        self.root = f"/v1/leagues/{slug}"
        self.admin = Caller(served, ADMIN, self.root)
        (tokens,) = served.together(_open_league(served.services, slug, players))
        self.viewer, self.scorekeeper, self.owner = (
            Caller(served, tokens[role], self.root) for role in ROLES
        )
        self.callers = {"viewer": self.viewer, "scorekeeper": self.scorekeeper, "owner": self.owner}
        self._matches = itertools.count(1)

    def opening(self, **opening: Any) -> dict[str, Any]:
        """Return an opening of four players in the basic edition, with given fields replaced."""
        return {
            "match": f"evening-{next(self._matches)}",
            "edition": "basic",
            "players": ["ann", "bo", "cy", "di"],
        } | opening

    def match(self, **opening: Any) -> "Match":
        """Open a match, which must succeed."""
        whole = self.opening(**opening)
        answer = self.scorekeeper.post("/matches", whole)
        assert answer.status_code == 201, answer.text
        return Match(self, whole["match"], answer)

    def sizes(self, *others: str) -> dict[str, int]:
        """Return the number of entries of this ledger and of others, without those not opened."""
        asked = self.served.services.ledger.sizes((self.slug, *others))
        (sizes,) = self.served.together(asked)
        return sizes


async def _open_league(
    services: Services, league: str, players: Sequence[str]
) -> Mapping[str, str]:
    """Open a league and return the token of each role.

    This goes past HTTP, which would take most of the time of a short test.
    """
    admin = await services.access.caller(f"Bearer {ADMIN}")
    opening = LeagueOpening(league=league, name="Our league")
    outcome, _ = await services.leagues.open(admin, opening, None)
    tokens = {"owner": _token_in(outcome)}
    owner = await services.access.caller(f"Bearer {tokens['owner']}")
    made = [
        services.tokens.make(owner, league, TokenMaking(role=role, name=role), None)
        for role in ("viewer", "scorekeeper")
    ]
    registered = [
        services.players.register(owner, league, PlayerRegistration(player=each, name=each), None)
        for each in players
    ]
    viewer, scorekeeper, *_ = await asyncio.gather(*made, *registered)
    return tokens | {"viewer": _token_in(viewer), "scorekeeper": _token_in(scorekeeper)}


def _token_in(made: Outcome) -> str:
    return json.loads(made.body)["token"]


class Match(Caller):
    """A match as its scorekeeper sees it."""

    def __init__(self, league: League, slug: str, opened: httpx.Response) -> None:
        super().__init__(league.served, league.scorekeeper.token, f"{league.root}/matches/{slug}")
        self.slug = slug
        self.opened = opened

    def append(self, *events: Any, **headers: str) -> httpx.Response:
        """Headers are given as `if_match='"3"'`."""
        return self.post(
            "/events",
            {"events": list(events)},
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )

    def tell(self, *events: Any) -> dict[str, Any]:
        """Append events, which must succeed, and return the answer."""
        answer = self.append(*events)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def board(self, **query: Any) -> dict[str, Any]:
        return self.get(params=query).json()

    def log(self) -> list[dict[str, Any]]:
        return self.get("/events", params={"limit": 1000}).json()["items"]


def examples(count: int) -> settings:
    """Return Hypothesis settings for properties that share one league, on a busy machine."""
    return settings(
        max_examples=count,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


def tally(*winners: str, **hands: Any) -> dict[str, Any]:
    """Return a whole round as one event; a hand is given as its points, or as a list of cards."""
    return {
        "type": "round_tallied",
        "winners": list(winners),
        "hands": {
            player: {"points": hand} if isinstance(hand, int) else {"cards": hand}
            for player, hand in hands.items()
        },
    }


def note(text: str = "we had tea") -> dict[str, Any]:
    return {"type": "note_added", "text": text}


@contextmanager
def serving(
    url: str, pace: Pace | None = None, *, offload: bool = False, **settings: Any
) -> Iterator[Served]:
    """Serve a migrated database; the service keeps its files in a temporary folder.

    `offload`: long computations run in worker processes, which take a second to start; else in this
    process. Whoever asks for ratings waits for them, and what an address has used up of a limit
    does not come back with the time.
    """
    with TemporaryDirectory() as data_dir, pytest.MonkeyPatch.context() as patch:
        patch.setattr(rating, "_SECONDS_WAITED", _RATED_WITHIN)
        patch.setattr(product, "TokenBuckets", partial(TokenBuckets, clock=lambda: 0.0))
        given = {"database_url": url, "admin_token": ADMIN, "data_dir": data_dir} | settings
        app = create(Settings.load({}, **given), pace=pace, offload=offload)
        with _running(app, url) as served:
            yield served


@contextmanager
def _running(app: Any, url: str) -> Iterator[Served]:
    with asyncio.Runner() as runner:
        state: dict[str, Any] = {}
        told: asyncio.Queue[Any] = asyncio.Queue()
        answered: asyncio.Queue[Any] = asyncio.Queue()

        async def start() -> asyncio.Task[None]:
            scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": state}
            run: Callable[..., Coroutine[Any, Any, None]] = app
            task = asyncio.create_task(run(scope, told.get, answered.put))
            await told.put({"type": "lifespan.startup"})
            assert (await answered.get())["type"] == "lifespan.startup.complete"
            return task

        async def stop(task: asyncio.Task[None]) -> None:
            await served.close()
            await told.put({"type": "lifespan.shutdown"})
            assert (await answered.get())["type"] == "lifespan.shutdown.complete"
            await task

        task = runner.run(start())
        served = Served(runner, app, state, url)
        try:
            yield served
        finally:
            runner.run(stop(task))
