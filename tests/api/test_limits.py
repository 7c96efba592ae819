import pytest
from edges import ask
from hypothesis import given
from hypothesis import strategies as st
from litestar.types import Receive, Scope, Send
from serving import note, serving

from scorekeeper.api import limits
from scorekeeper.api.limits import Buckets, Limits
from scorekeeper.api.problems import send_error
from scorekeeper.api.trace import trace_of
from scorekeeper.service.refused import Refused


class Clock:
    now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_a_bucket_holds_a_minute_and_is_refilled_evenly(clock):
    buckets = Buckets(60, clock)
    assert [buckets.take("ann") for _ in range(61)] == [0] * 60 + [1]
    clock.now += 0.5
    assert buckets.take("ann") == 1
    clock.now += 0.5
    assert buckets.take("ann") == 0
    assert buckets.take("ann") == 1


def test_a_slow_bucket_says_how_long(clock):
    buckets = Buckets(2, clock)
    assert [buckets.take("ann") for _ in range(3)] == [0, 0, 30]
    clock.now += 10
    assert buckets.wait("ann") == 20
    clock.now += 3_600
    assert [buckets.take("ann") for _ in range(3)] == [0, 0, 30]


def test_everybody_has_a_bucket(clock):
    buckets = Buckets(1, clock)
    assert buckets.take("ann") == buckets.take("bo") == 0
    assert buckets.take("ann") == buckets.take("bo") == 60


def test_no_more_buckets_are_kept_than_are_bounded(clock, monkeypatch):
    monkeypatch.setattr(limits, "_REMEMBERED", 3)
    buckets = Buckets(1, clock)
    for key in range(1_000):
        buckets.take(key)
    assert len(buckets._levels) == 3
    assert buckets.wait(999) == 60
    assert buckets.wait(0) == 0


@given(st.lists(st.tuples(st.floats(0, 100), st.booleans())), st.integers(1, 100))
def test_never_more_than_the_rate_and_one_bucket(steps, per_minute):
    clock = Clock()
    buckets = Buckets(per_minute, clock)
    taken = 0
    for seconds, again in steps:
        clock.now += seconds
        taken += buckets.take("ann") == 0
        taken += again and buckets.take("ann") == 0
    assert taken <= per_minute + (clock.now - Clock.now) * per_minute / 60 + 1e-6


async def league(scope: Scope, receive: Receive, send: Send) -> None:
    """Knows one token; the editions are for everybody."""
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
    app = Limits(league, Buckets(3, clock))
    assert [status(app, token=f"guess{n}") for n in range(4)] == [401, 401, 401, 429]
    assert status(app, token="good") == 429, "a guess that is right is not let in either"
    assert status(app) == 429
    assert status(app, token="guess", client="10.0.0.2") == 401
    clock.now += 20
    assert [status(app, token="guess") for _ in range(2)] == [401, 429]


def test_the_answer_says_when_to_come_back(clock):
    app = Limits(league, Buckets(3, clock))
    answers = [ask(app, "GET", "/v1/leagues") for _ in range(4)]
    assert answers[3].headers["retry-after"] == "20"
    assert answers[3].json()["code"] == "too-many-requests"


def test_a_stranger_does_not_shut_out_who_was_let_in(clock):
    app = Limits(league, Buckets(1, clock))
    assert status(app, token="good") == 200
    assert [status(app, token="guess") for _ in range(2)] == [401, 429]
    assert status(app, token="good") == 200
    assert status(app, "/health/live") == 401, "not guarded: the application answers"


def test_a_token_that_was_issued_here_is_no_guess(clock):
    async def maker(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "POST":
            trace_of(scope).issued = "good"
            await send({"type": "http.response.start", "status": 201, "headers": []})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        else:
            await league(scope, receive, send)

    app = Limits(maker, Buckets(1, clock))
    assert ask(app, "POST", "/v1/leagues/home/tokens").status_code == 201
    assert [status(app, token="guess") for _ in range(2)] == [401, 429]
    assert status(app, token="good") == 200


def test_a_public_answer_does_not_make_a_token_known(clock):
    app = Limits(league, Buckets(1, clock))
    assert status(app, "/v1/editions", token="guess") == 200
    assert [status(app, token="guess") for _ in range(2)] == [401, 429]


def test_a_token_that_was_revoked_is_a_stranger_again(clock):
    async def gate(scope: Scope, receive: Receive, send: Send) -> None:
        await (league if open_ else shut)(scope, receive, send)

    async def shut(scope: Scope, receive: Receive, send: Send) -> None:
        await send_error(scope, send, Refused("unauthorized"))

    open_ = True
    app = Limits(gate, Buckets(1, clock))
    assert status(app, token="good") == 200
    open_ = False
    assert [status(app, token="good") for _ in range(2)] == [401, 429]


def test_each_token_has_its_own_rate(clock):
    app = Limits(league, Buckets(60, clock), Buckets(2, clock))
    assert [status(app, token="good") for _ in range(4)] == [200, 200, 200, 429]
    clock.now += 30
    assert [status(app, token="good") for _ in range(2)] == [200, 429]


def test_without_a_rate_a_token_may_ask_for_ever(clock):
    app = Limits(league, Buckets(1, clock))
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
