"""An append is answered in front of the framework, or the ordinary way: nobody can tell which."""

import json
from types import SimpleNamespace

import pytest
from edges import ask

from scorekeeper.api.append import Taps
from scorekeeper.api.limits import FAILURES_PER_MINUTE, Buckets, Limits
from scorekeeper.api.problems import send_problem
from scorekeeper.service.access import Caller

# The quick way takes no query and only an address as we spell it.
WAYS = {
    "quick": "/v1/leagues/{league}/matches/{match}/events",
    "query": "/v1/leagues/{league}/matches/{match}/events?lang=en",
    "spelled": "/v1/leagues/{league}/matches/{match}/%65vents",
}
NOTE = {"events": [{"type": "note_added", "text": "a dog barked"}]}


@pytest.fixture
def tap(league):
    """Append a note; what differs from one answer to the next is left out."""
    match = league.match().slug

    def ask_in(way, *, body=NOTE, token=league.scorekeeper.token, slug=match, **request):
        address = WAYS[way].format(league=league.slug, match=slug)
        answer = league.served.ask("POST", address, token=token, content=body, **request)
        told = answer.json()
        return answer.status_code, told.get("code"), told.get("reason"), sorted(told)

    return ask_in


JSON = {"content-type": "application/json"}


@pytest.mark.parametrize("way", sorted(set(WAYS) - {"quick"}))
@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"body": b"{"},
        {"body": b'{"events": []}'},
        {"body": b'{"events": [], "events": []}'},
        {"body": b" " * (1 << 20) + b" "},
        {"headers": JSON | {"content-encoding": "gzip"}},
        {"headers": {"content-type": "text/plain"}},
        {"headers": JSON | {"if-match": '"99"'}},
        {"headers": JSON | {"if-match": "99"}},
        {"headers": JSON | {"idempotency-key": ""}},
        {"token": None},
        {"token": "sk_home_guessed"},
        {"slug": "no-such-match"},
        {"slug": "NO-SLUG"},
    ],
)
def test_every_way_is_answered_alike(tap, way, request_):
    request_ = {"body": json.dumps(NOTE).encode(), "headers": JSON} | request_
    assert tap(way, **request_) == tap("quick", **request_)


def test_a_viewer_may_not_append_by_any_way(league, tap):
    body = json.dumps(NOTE).encode()
    answers = [tap(way, body=body, headers=JSON, token=league.viewer.token) for way in WAYS]
    assert {answer[:2] for answer in answers} == {(403, "forbidden")}


def test_guesses_are_counted_over_both_ways(league):
    app = league.served.app
    addresses = [WAYS[way].format(league=league.slug, match="any") for way in ("quick", "query")]

    async def guess(nth):
        sent = []

        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message):
            sent.append(message)

        path, _, query = addresses[nth % 2].partition("?")
        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "scheme": "http",
            "headers": [(b"authorization", b"Bearer sk_guess_%d" % nth)],
            "client": ("192.0.2.77", 5),
            "state": {},
        }
        await app(scope, receive, send)
        return sent[0]["status"]

    async def guess_on():
        return [await guess(nth) for nth in range(FAILURES_PER_MINUTE + 4)]

    assert set(league.served._run(guess_on())) == {401, 429}
    assert league.served._run(guess(0)) == league.served._run(guess(1)) == 429


class Known:
    async def caller(self, authorization):
        return Caller("t1", "owner", "home")


def taps(*, limits=None):
    services = SimpleNamespace(access=Known(), recording=None)
    litestar = SimpleNamespace(state=SimpleNamespace(services=services))
    return Taps(elsewhere, litestar, limits or Limits(elsewhere, Buckets(60)))


async def elsewhere(scope, receive, send):
    await send_problem(scope, send, "not-found", "The ordinary way.")


@pytest.mark.parametrize(
    "path",
    [
        "/v1/leagues/home/matches/first/events/",
        "/v1/leagues/home/matches/first/events?lang=en",
        "/v1/leagues/Home/matches/first/events",
        "/v1/leagues/home/matches/first%0A/events",
        "/v1/leagues/home/matches/-first/events",
        f"/v1/leagues/home/matches/{'a' * 64}/events",
    ],
)
def test_what_is_not_plainly_a_tap_goes_the_ordinary_way(path):
    answer = ask(taps(), "POST", path, headers=JSON, content=b"{}")
    assert answer.json()["detail"] == "The ordinary way."
