import asyncio

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar.types import Receive, Scope, Send

from scorekeeper.api.layers import rate_limits
from scorekeeper.api.layers.rate_limits import (
    FAILURES_PER_MINUTE,
    KeyedSemaphore,
    Limits,
    TokenBuckets,
    refuse_guesses,
)
from scorekeeper.api.problems import send_error
from scorekeeper.api.structured_log import trace_of
from scorekeeper.service.refused import Refused
from tests.api.edges import ask
from tests.api.serving import note, serving


class Clock:
    now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_a_bucket_holds_a_minute_and_is_refilled_evenly(clock):
    buckets = TokenBuckets(60, clock)
    assert [buckets.take("ann") for _ in range(61)] == [0] * 60 + [1]
    clock.now += 0.5
    assert buckets.take("ann") == 1
    clock.now += 0.5
    assert buckets.take("ann") == 0
    assert buckets.take("ann") == 1


def test_a_slow_bucket_says_how_long(clock):
    buckets = TokenBuckets(2, clock)
    assert [buckets.take("ann") for _ in range(3)] == [0, 0, 30]
    clock.now += 10
    assert buckets.take("ann") == 20
    clock.now += 3_600
    assert [buckets.take("ann") for _ in range(3)] == [0, 0, 30]


def test_everybody_has_a_bucket(clock):
    buckets = TokenBuckets(1, clock)
    assert buckets.take("ann") == buckets.take("bo") == 0
    assert buckets.take("ann") == buckets.take("bo") == 60


def test_no_more_buckets_are_kept_than_are_bounded(clock, monkeypatch):
    monkeypatch.setattr(rate_limits, "_REMEMBERED", 3)
    buckets = TokenBuckets(1, clock)
    for key in range(1_000):
        buckets.take(key)
    assert [key for key in reversed(range(1_000)) if buckets.take(key)] == [999, 998, 997]


@given(st.lists(st.tuples(st.floats(0, 100), st.booleans())), st.integers(1, 100))
def test_never_more_than_the_rate_and_one_bucket(steps, per_minute):
    clock = Clock()
    buckets = TokenBuckets(per_minute, clock)
    taken = 0
    for seconds, again in steps:
        clock.now += seconds
        taken += buckets.take("ann") == 0
        taken += again and buckets.take("ann") == 0
    assert taken <= per_minute + (clock.now - Clock.now) * per_minute / 60 + 1e-6


async def league(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that knows one token, and serves the editions to everybody."""
    sent = dict(scope["headers"]).get(b"authorization")
    if scope["path"] == "/v1/editions" or sent == b"Bearer good":
        if sent == b"Bearer good":
            trace_of(scope).token_id = "t1"
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    else:
        await send_error(scope, send, Refused("unauthorized"))


def status(app, path="/v1/leagues", token=None, **request):
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return ask(app, "GET", path, headers=headers, **request).status_code


def test_guessing_at_tokens_is_slowed_down_for_the_address(clock):
    app = Limits(league, TokenBuckets(3, clock))
    assert [status(app, token=f"guess{n}") for n in range(4)] == [401, 401, 401, 429]
    assert status(app) == 429
    assert status(app, token="guess", client="10.0.0.2") == 401
    clock.now += 20
    assert [status(app, token="guess") for _ in range(2)] == [401, 429]


def test_the_answer_says_when_to_come_back(clock):
    app = Limits(league, TokenBuckets(3, clock))
    answers = [ask(app, "GET", "/v1/leagues") for _ in range(4)]
    assert answers[3].headers["retry-after"] == "20"
    assert answers[3].json()["code"] == "too-many-requests"


def test_a_stranger_does_not_shut_out_who_has_a_token(clock):
    app = Limits(league, TokenBuckets(1, clock))
    assert [status(app, token="guess") for _ in range(2)] == [401, 429]
    assert status(app, token="good") == 200
    assert status(app, "/v1/editions") == 200, "nor from what is for everybody"


@pytest.mark.parametrize("path", ["//v1/leagues", "/%2Fv1/leagues", "/v1//leagues", "/elsewhere"])
def test_a_guess_is_one_at_whatever_address(clock, path):
    app = Limits(league, TokenBuckets(3, clock))
    assert [status(app, path, token=f"guess{n}") for n in range(4)] == [401, 401, 401, 429]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("198.51.100.7:4711", "198.51.100.7:4712"),
        ("198.51.100.7", "::ffff:198.51.100.7"),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::1"),
        ("[2001:db8:1:2::1]:4711", "2001:db8:1:2::2"),
    ],
)
def test_who_has_many_addresses_fails_as_one(clock, first, second):
    app = Limits(league, TokenBuckets(1, clock))
    assert status(app, token="guess", client=first) == 401
    assert status(app, token="guess", client=second) == 429
    assert status(app, token="guess", client="2001:db8:1:3::1") == 401


@pytest.fixture
def codes():
    """An application whose tokens can be guessed; `tried` has the guesses that it looked at."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        refuse_guesses(scope)
        app.tried.append(dict(scope["headers"])[b"authorization"])
        await asyncio.sleep(0)
        await league(scope, receive, send)

    app.tried = []
    return app


def test_what_can_be_guessed_is_not_tried_from_an_address_that_failed(clock, codes):
    app = Limits(codes, TokenBuckets(1, clock))
    assert [status(app, token="good") for _ in range(3)] == [200] * 3, "no failures"
    assert status(app, token="guess") == 401
    with pytest.raises(Refused) as refused:
        status(app, token="good")
    assert refused.value.code == "too-many-requests"
    assert refused.value.members["retry_after"] == 60


def test_guesses_are_counted_before_they_are_tried(clock, codes):
    """Otherwise all that come at once would be tried before the first one has failed."""

    async def at_once():
        app = Limits(codes, TokenBuckets(3, clock))
        transport = httpx.ASGITransport(app, client=("10.0.0.1", 5))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as asking:
            guesses = ({"authorization": f"Bearer guess{nth}"} for nth in range(10))
            return await asyncio.gather(
                *(asking.post("/", headers=each) for each in guesses), return_exceptions=True
            )

    answers = asyncio.run(at_once())
    assert len(codes.tried) == 3
    assert [each.status_code for each in answers if isinstance(each, httpx.Response)] == [401] * 3


def test_each_token_has_its_own_rate(clock):
    app = Limits(league, TokenBuckets(60, clock), TokenBuckets(2, clock))
    assert [status(app, token="good") for _ in range(3)] == [200, 200, 429]
    clock.now += 30
    assert [status(app, token="good") for _ in range(2)] == [200, 429]


SPELLED = ("Bearer good", "bearer good", "BEARER  good", "Bearer \t good ", "bEARER good\t")


def test_a_token_has_one_rate_however_it_is_spelled(clock):
    app = Limits(league, TokenBuckets(60, clock), TokenBuckets(len(SPELLED), clock))
    asked = [ask(app, "GET", "/v1/editions", headers={"authorization": it}) for it in SPELLED * 2]
    assert [answer.status_code for answer in asked] == [200] * 5 + [429] * 5


def test_what_is_no_token_does_not_push_out_those_that_are(clock, monkeypatch):
    """If the bucket of a valid token were forgotten, the token would get a full one again."""
    monkeypatch.setattr(rate_limits, "_REMEMBERED", 3)
    app = Limits(league, TokenBuckets(1_000, clock), TokenBuckets(1, clock))
    assert status(app, token="good") == 200
    assert {status(app, token=f"guess{nth}") for nth in range(100)} == {401}
    assert status(app, token="good") == 429


def test_without_a_rate_a_token_may_ask_for_ever(clock):
    app = Limits(league, TokenBuckets(1, clock))
    assert {status(app, token="good") for _ in range(50)} == {200}


def test_a_token_has_as_many_requests_a_minute_as_the_settings_give_it(sqlite_url):
    with serving(sqlite_url, rate_limit=20) as served:
        league = served.league(players=("ann", "bo"))
        match = league.match(players=["ann", "bo"])
        taps = [match.append(note()) for _ in range(25)]
        assert {answer.status_code for answer in taps} == {201, 429}
        refused = taps[-1]
        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
        assert 0 < int(refused.headers["retry-after"]) <= 60
        assert match.get().status_code == 429
        assert league.viewer.get(f"/matches/{match.slug}").status_code == 200
        assert len(league.owner.get(f"/matches/{match.slug}/events").json()["items"]) == 1 + sum(
            answer.status_code == 201 for answer in taps
        )


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("/v1/leagues", "192.0.2.1"),
        ("http://test//v1/leagues", "192.0.2.2"),
        ("/%2Fv1/leagues", "192.0.2.3"),
    ],
)
def test_guessing_ends_guessing_and_nothing_else(league, address, client):
    """Guessed tokens use up the limit of their address for guesses and for invitation codes.

    A valid token from the same address still works.
    """
    served = league.served
    made = league.owner.post("/invitations", {"role": "viewer"}).json()
    served.stay_at(client)

    def guess_until_refused():
        for nth in range(FAILURES_PER_MINUTE + 1):
            status = served.ask("GET", address, token=f"sk_home_{nth}").status_code
            if status == 429:
                return nth
            assert status == 401
        pytest.fail("nobody stops it")

    def come_in():
        asked = {"code": made["code"], "name": "x"}
        return served.ask("POST", "/v1/session", token=None, json=asked)

    assert guess_until_refused() == FAILURES_PER_MINUTE
    assert league.viewer.get().status_code == 200
    let_in = come_in()
    assert (let_in.status_code, let_in.json()["code"]) == (429, "too-many-requests")
    served.stay_at(None)
    let_in = come_in()
    assert let_in.status_code == 201
    assert let_in.headers["cache-control"] == "no-store"


def test_who_asks_for_much_at_once_waits_for_no_one_but_themselves(clock, monkeypatch):
    """Two answers are made for a token at a time, in order; other tokens are served at once."""
    monkeypatch.setattr(rate_limits, "MOST_AT_ONCE", 2)
    begun, over = asyncio.Queue(), {}

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        begun.put_nowait(path)
        await over.setdefault(path, asyncio.Event()).wait()
        await league(scope, receive, send)

    async def story():
        app = Limits(slow, TokenBuckets(60, clock))
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:

            def asking(path, token):
                headers = {"authorization": f"Bearer {token}"}
                return asyncio.create_task(client.get(path, headers=headers))

            mine = [asking(f"/{nth}", "good") for nth in range(4)]
            assert [await begun.get() for _ in range(2)] == ["/0", "/1"]
            theirs = asking("/theirs", "other")
            assert await begun.get() == "/theirs"
            over["/1"].set()
            assert await begun.get() == "/2"
            mine[3].cancel()
            for path in ("/0", "/2", "/theirs"):
                over[path].set()
            await asyncio.gather(*mine[:3], theirs)
            assert begun.empty()
            after = [asking(f"/{nth}", "good") for nth in (5, 6)]
            assert [await begun.get() for _ in after] == ["/5", "/6"]
            for path in ("/5", "/6"):
                over[path].set()
            await asyncio.gather(*after)

    asyncio.run(story())


def test_a_semaphore_forgets_whoever_is_through_or_has_left():
    async def story():
        semaphore = KeyedSemaphore(1)
        await semaphore.enter("ann")
        waiting = asyncio.create_task(semaphore.enter("ann"))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        assert semaphore
        semaphore.leave("ann")
        assert not semaphore

    asyncio.run(story())
