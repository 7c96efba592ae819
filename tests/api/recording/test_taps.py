"""Appends are answered before the framework or within it, and clients can't tell which."""

import json
import re
from types import SimpleNamespace

import msgspec
import pytest

from scorekeeper.api.append import FastAppend
from scorekeeper.api.layers.input_validation import BODY_LIMIT
from scorekeeper.api.layers.rate_limits import FAILURES_PER_MINUTE, Limits, TokenBuckets
from scorekeeper.api.layers.request_log import Metrics, RequestLog
from scorekeeper.service.identity import access
from scorekeeper.service.identity.access import Caller, token_digest
from tests.api.serving import note

# The fast path takes no query, and only addresses in canonical spelling.
WAYS = {
    "quick": "/v1/leagues/{league}/matches/{match}/events",
    "query": "/v1/leagues/{league}/matches/{match}/events?lang=en",
    "spelled": "/v1/leagues/{league}/matches/{match}/%65vents",
}
NOTE = {"events": [{"type": "note_added", "text": "a dog barked"}]}
JSON = {"content-type": "application/json"}


@pytest.fixture
def quick(monkeypatch):
    """The addresses that took the fast path; used tokens are remembered through the whole test."""
    monkeypatch.setattr(access, "REMEMBERED_SECONDS", 3_600)
    went = []
    answer = FastAppend._answer

    async def noted(self, scope, tap, receive):
        went.append(tap.path)
        return await answer(self, scope, tap, receive)

    monkeypatch.setattr(FastAppend, "_answer", noted)
    return went


@pytest.fixture
def known(league, quick):
    """Tokens by role that were issued and used within this test."""

    def issued(role):
        made = league.owner.post("/tokens", {"role": role, "name": role}).json()["token"]
        assert league.served.ask("GET", league.root, token=made).status_code == 200
        return made

    return {role: issued(role) for role in ("viewer", "scorekeeper")}


@pytest.fixture
def tap(league, known):
    """A function that appends a note, and returns the parts of the answer that do not vary."""
    match = league.match().slug

    def ask_in(way, *, body=NOTE, token=known["scorekeeper"], slug=match, **request):
        address = WAYS[way].format(league=league.slug, match=slug)
        answer = league.served.ask("POST", address, token=token, content=body, **request)
        told = answer.json()
        headers = sorted(set(answer.headers) - {"content-length"})
        return answer.status_code, told.get("code"), told.get("reason"), sorted(told), headers

    return ask_in


@pytest.mark.parametrize("way", sorted(set(WAYS) - {"quick"}))
@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"body": b"{"},
        {"body": b'{"events": []}'},
        {"body": b'{"events": [], "events": []}'},
        {"body": b'{"events": [{"type": "cards_drawn", "player": "ann", "count": 1.0}]}'},
        {"body": b'{"events": [{"type": "cards_drawn", "player": "ann", "count": 1.5}]}'},
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


def test_a_viewer_may_not_append_by_any_way(known, quick, tap):
    body = json.dumps(NOTE).encode()
    answers = [tap(way, body=body, headers=JSON, token=known["viewer"]) for way in WAYS]
    assert {answer[:2] for answer in answers} == {(403, "forbidden")}
    assert len(quick) == 1


def test_a_plain_tap_goes_the_quick_way(quick, tap):
    body = json.dumps(NOTE).encode()
    assert [tap(way, body=body, headers=JSON)[0] for way in WAYS] == [201, 201, 201]
    assert len(quick) == 1


def test_a_retry_is_answered_alike_by_every_way(league, known, quick):
    match = league.match()
    told = {"events": [note() | {"id": "0198f3a0-0000-7000-8000-00000000a1b2"}]}
    answers = [
        league.served.ask(
            "POST",
            WAYS[way].format(league=league.slug, match=match.slug),
            token=known["scorekeeper"],
            json=told,
        )
        for way in ("quick", "query", "quick")
    ]
    assert [answer.status_code for answer in answers] == [201, 200, 200]
    assert [answer.headers.get("idempotency-replayed") for answer in answers] == [
        None,
        "true",
        "true",
    ]
    assert len({answer.content for answer in answers}) == 1
    assert len({answer.headers["etag"] for answer in answers}) == 1
    assert len(quick) == 2


def test_what_the_client_calls_its_request_is_echoed(league, known, quick):
    match = league.match()
    answer = league.served.ask(
        "POST",
        WAYS["quick"].format(league=league.slug, match=match.slug),
        token=known["scorekeeper"],
        json=NOTE,
        headers={"x-request-id": "evening-1.A_b"},
    )
    assert answer.headers["x-request-id"] == "evening-1.A_b"
    assert len(quick) == 1


def test_every_way_is_logged_and_counted_alike(monkeypatch, league, quick, tap):
    lines = []
    monkeypatch.setattr(
        "scorekeeper.api.layers.request_log.LINES", SimpleNamespace(add=lines.append)
    )
    before = counted(league)
    body = json.dumps(NOTE).encode()
    for way in WAYS:
        tap(way, body=body, headers=JSON)
        tap(way, body=b"{}", headers=JSON)
    after = counted(league)
    assert {status: after[status] - before[status] for status in after} == {"201": 3, "400": 3}
    told = [msgspec.to_builtins(line) for line in lines if line.method == "POST"]
    assert [line["status"] for line in told] == [201, 400] * 3
    for name in ("token_id", "path", "event", "level"):
        assert len({line[name] for line in told}) == 1
    assert len({line["request_id"] for line in told}) == 6
    assert len({tuple(line) for line in told}) == 1
    assert len(quick) == 2


def counted(league):
    """Return how many appends the metrics show, by status."""
    figures = league.served.ask("GET", "/metrics").text
    route = WAYS["quick"].replace("{", r"\{").replace("}", r"\}")
    found = re.findall(
        rf'requests_total\{{method="POST",route="{route}",status="(201|400)"\}} (\d+)', figures
    )
    return {"201": 0, "400": 0} | {status: int(count) for status, count in found}


@pytest.mark.parametrize(
    "place", ["recording.normalise", "deciding.appended", "recording._command"]
)
def test_a_bug_is_a_problem_by_every_way(monkeypatch, league, known, quick, place):
    def broken(*_told):
        raise ZeroDivisionError

    match = league.match()
    monkeypatch.setattr(f"scorekeeper.service.matches.{place}", broken)
    told = [
        league.served._run(
            league.served._client.post(
                WAYS[way].format(league=league.slug, match=match.slug),
                json=NOTE,
                headers={"authorization": f"Bearer {known['scorekeeper']}"},
            )
        )
        for way in WAYS
    ]
    assert {(answer.status_code, answer.json()["code"]) for answer in told} == {(500, "internal")}
    assert len(quick) == 1


def test_guesses_are_counted_whatever_their_address(league):
    asked = [WAYS[way].format(league=league.slug, match="any") for way in ("quick", "query")]
    wire = league.served._transport

    async def guess(nth):
        wire.ask_from("192.0.2.77")
        answer = await league.served._client.post(
            asked[nth % 2], json=NOTE, headers={"authorization": f"Bearer sk_guess_{nth}"}
        )
        return answer.status_code

    async def guess_on():
        return [await guess(nth) for nth in range(FAILURES_PER_MINUTE + 4)]

    assert set(league.served._run(guess_on())) == {401, 429}
    assert league.served._run(guess(0)) == league.served._run(guess(1)) == 429


class Known:
    """Knows one token, and its holder."""

    def __init__(self):
        self.holder = Caller("t1", "owner", "home")

    def remembered(self, digest):
        return self.holder if digest == token_digest("known") else None


async def nowhere(scope, receive, send):
    raise AssertionError("only the taps are asked")


def knowing(tokens=None):
    return FastAppend(nowhere, Limits(nowhere, TokenBuckets(60), tokens), RequestLog(Metrics()))


def taken(url, headers, taps=None):
    path, _, query = url.partition("?")
    scope = {
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name, text.encode()) for name, text in headers.items()],
        "state": {"services": SimpleNamespace(access=Known())},
    }
    return (taps or knowing())._taken(scope)


PLAIN = {
    b"host": "test",
    b"authorization": "Bearer known",
    b"content-type": "application/json",
    b"content-length": "2",
}
FIRST = "/v1/leagues/home/matches/first/events"


def test_a_tap_has_its_league_and_its_match():
    tap = taken(FIRST, PLAIN)
    assert (tap.league, tap.match, tap.path, tap.caller.token_id) == ("home", "first", FIRST, "t1")


@pytest.mark.parametrize(
    "url",
    [
        f"{FIRST}/",
        f"{FIRST}?lang=en",
        "/v1/leagues/Home/matches/first/events",
        "/v1/leagues/home/matches/first%0A/events",
        "/v1/leagues/home/matches/-first/events",
        f"/v1/leagues/home/matches/{'a' * 64}/events",
        "/v1/leagues/home/matches/first",
    ],
)
def test_an_address_spelled_in_another_way_goes_the_ordinary_way(url):
    assert taken(url, PLAIN) is None


@pytest.mark.parametrize(
    "unusual",
    [
        {b"authorization": "Bearer unknown"},
        {b"content-type": "application/json; charset=utf-8"},
        {b"content-length": "two"},
        {b"content-length": str(BODY_LIMIT + 1)},
        {b"content-length": "9" * 5_000},
        {b"content-encoding": "gzip"},
        {b"if-match": "99"},
        {b"transfer-encoding": "chunked"},
        {b"expect": "100-continue"},
    ],
)
def test_what_is_not_plain_goes_the_ordinary_way(unusual):
    assert taken(FIRST, PLAIN | unusual) is None


def test_a_token_that_asks_too_often_goes_the_ordinary_way():
    taps = knowing(TokenBuckets(2))
    answers = [taken(FIRST, PLAIN, taps) for _ in range(3)]
    assert [answer is None for answer in answers] == [False, False, True]


def test_what_goes_the_ordinary_way_is_not_counted_here():
    taps = knowing(TokenBuckets(1))
    assert taken(FIRST, PLAIN | {b"if-match": "99"}, taps) is None
    assert taken(FIRST, PLAIN, taps) is not None
