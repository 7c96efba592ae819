"""Hostile and broken input on every route that takes a body gets a 4xx, and nothing is written."""

import json
from copy import deepcopy
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scorekeeper.editions.registry import EDITIONS
from tests.api.serving import PLAYERS, examples, note, tally
from tests.api.serving_kinds import on_both

ROUTES = {
    "league": ("POST", "/v1/leagues", {"league": "brand-new", "name": "New"}),
    "rename-league": ("PATCH", "/v1/leagues/{league}", {"name": "New"}),
    "player": ("POST", "/v1/leagues/{league}/players", {"player": "new", "name": "New"}),
    "rename-player": ("PATCH", "/v1/leagues/{league}/players/ann", {"name": "New"}),
    "token": ("POST", "/v1/leagues/{league}/tokens", {"role": "viewer", "name": "New"}),
    "match": (
        "POST",
        "/v1/leagues/{league}/matches",
        {"match": "brand-new", "edition": "basic", "players": ["ann", "bo"], "events": [note()]},
    ),
    "events": ("POST", "/v1/leagues/{league}/matches/m/events", {"events": [note()]}),
}
every_body = pytest.mark.parametrize("route", ROUTES)


def send(league, route, content, content_type="application/json"):
    method, path, _ = ROUTES[route]
    headers = {} if content_type is None else {"content-type": content_type}
    return league.served.ask(
        method, path.format(league=league.slug), content=content, headers=headers
    )


def valid(route):
    return json.dumps(ROUTES[route][2]).encode()


@pytest.fixture(scope="module")
def refusing(served):
    """A league with a match. It is read again after the last test, since names are not entries."""
    league = served.league()
    league.match(match="m")
    before = snapshot(league)
    yield league
    assert snapshot(league) == before


@pytest.fixture
def unwritten(refusing):
    """The league; a test that lets an entry be written fails."""
    before = refusing.sizes("brand-new")
    yield refusing
    assert refusing.sizes("brand-new") == before


def snapshot(league):
    paths = ("", "/players", "/tokens", "/matches", "/matches/m")
    return [league.owner.get(path).json() for path in paths]


MALFORMED = {
    "empty": b"",
    "not JSON": b"{",
    "trailing comma": b'{"name": "x",}',
    "two documents": b"{}{}",
    "null": b"null",
    "a number": b"7",
    "a string": b'"name"',
    "a list": b"[]",
    "true": b"true",
    "an empty object": b"{}",
    "not UTF-8": b'{"name": "\xff\xfe"}',
    "UTF-16": '{"name": "x"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"name": "x"}',
    "NaN": b'{"name": NaN}',
    "an infinity": b'{"name": -Infinity}',
    "deep lists": b'{"name": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": b'{"name": ' + b'{"a":' * 20_000 + b"1" + b"}" * 20_001,
    "unclosed": b"[" * 100_000,
    "wrong types": b'{"name": {"a": 1}, "league": 7, "players": "ann", "events": {}}',
}


@every_body
@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED)
def test_what_is_no_request_is_a_400(unwritten, route, content):
    answer = send(unwritten, route, content)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def spoilt(route, spoil):
    """A valid body with one more member at its end, spelled as it is given."""
    return valid(route)[:-1] + b", " + spoil + b"}"


SPOILT = {
    "an unknown field": b'"surprise": 1',
    "a key twice": None,
    "NUL": b'"surprise": "a\\u0000b"',
    "a NUL key": b'"a\\u0000b": 1',
    "a lone surrogate": b'"surprise": "\\ud800"',
    "a lone low surrogate": b'"surprise": "\\udc00x"',
    "a huge integer": b'"surprise": 1' + b"0" * 400,
    "beyond 2^53": b'"surprise": 9007199254740993',
    "beyond 2^63": b'"surprise": 9223372036854775808',
    "a huge float": b'"surprise": 1e400',
}


@every_body
@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_body_with_something_in_it_that_no_client_should_send_is_a_400(unwritten, route, spoil):
    if spoil is None:
        body = json.dumps(ROUTES[route][2])
        first = body[1:].partition(",")[0].rstrip("}") if "," in body else body[1:-1]
        spoil = first.encode()
        if route == "events":
            spoil = b'"events": [{"type": "note_added", "text": "again"}]'
    answer = send(unwritten, route, spoilt(route, spoil))
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


TEXTS = {
    "NUL": '"a\\u0000b"',
    "a raw NUL": '"a\0b"',
    "a lone surrogate": '"\\ud800"',
    "empty": '""',
    "a number": "7",
    "a list": "[]",
    "too long": f'"{"x" * 2001}"',
}


@every_body
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_that_can_not_be_kept_is_a_400(unwritten, route, text):
    body = json.dumps(ROUTES[route][2])
    for told in ("New", "we had tea"):
        body = body.replace(f'"{told}"', text)
    assert body != json.dumps(ROUTES[route][2])
    assert send(unwritten, route, body.encode()).status_code == 400


@on_both
def test_text_of_every_script_comes_back_as_it_was_sent(league):
    for name in ("媽媽 ❤️ 👩‍👩‍👧", "ﷺ", "\u202eabc", "\ufffe\uffff", "😀", "a\tb", "'; --", "\x7f"):
        answer = league.owner.patch("/players/ann", {"name": name})
        assert answer.json()["name"] == name
        assert league.owner.get("/players/ann").json()["name"] == name
        match = league.match(events=[note(name)])
        assert match.log()[1]["data"]["text"] == name


@every_body
@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "application/json; charset=utf-16",
        "application/x-msgpack",
    ],
)
def test_another_media_type_is_a_415(unwritten, route, content_type):
    answer = send(unwritten, route, valid(route), content_type)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported-media-type")


@pytest.mark.parametrize("content_type", ["application/json; charset=UTF-8", "Application/JSON"])
def test_json_may_be_spelled_out(league, content_type):
    assert send(league, "player", valid("player"), content_type).status_code == 201


@pytest.mark.parametrize("spelled", ["10", "10.0", "1e1"])
def test_an_integer_is_known_by_its_value(league, spelled):
    match = league.match(match="m", players=["ann", "bo"])
    told = b'{"events": [{"type": "round_tallied", "winners": ["ann"], "hands": {"bo": %b}}]}'
    answer = send(league, "events", told % (b'{"points": %b}' % spelled.encode()))
    assert answer.json()["state"]["totals"] == {"ann": 0, "bo": 10}
    assert match.log()[1]["data"]["hands"] == {"bo": {"points": 10}}


@every_body
def test_a_body_beyond_a_mebibyte_is_a_413(unwritten, route):
    body = spoilt(route, b'"surprise": "' + b"x" * (1 << 20) + b'"')
    answer = send(unwritten, route, body)
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")

    async def pieces():
        for start in range(0, len(body), 65_536):
            yield body[start : start + 65_536]

    answer = send(unwritten, route, pieces())
    assert (answer.status_code, answer.json()["code"]) == (413, "body-too-large")


@every_body
def test_a_compressed_body_is_refused(unwritten, route):
    method, path, _ = ROUTES[route]
    answer = unwritten.served.ask(
        method,
        path.format(league=unwritten.slug),
        content=valid(route),
        headers={"content-type": "application/json", "content-encoding": "gzip"},
    )
    assert answer.status_code == 415


SLUGS = ["", "-a", "A", "a_b", "a b", "a\n", "\na", "é", "a" * 64, "a/b", "%00", "a\u0000", "ａ", 7]


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/leagues", {"name": "x"}, "league"),
        ("/v1/leagues/{league}/players", {"name": "x"}, "player"),
        ("/v1/leagues/{league}/matches", {"edition": "basic", "players": ["ann", "bo"]}, "match"),
        ("/v1/leagues/{league}/matches", {"players": ["ann", "bo"]}, "edition"),
        ("/v1/leagues/{league}/matches", {"edition": "basic", "players": ["ann", "bo"]}, "dealer"),
    ],
)
def test_what_is_no_slug_is_a_400(unwritten, path, body, field, slug):
    answer = unwritten.served.ask(
        "POST", path.format(league=unwritten.slug), json=body | {field: slug}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize("slug", ["a", "0", "a-", "a" * 63, "1-2-3", "x--y"])
def test_what_is_a_slug_is_taken(served, slug):
    league = served.league(players=("bo",))
    assert league.owner.post("/players", {"player": slug, "name": "x"}).status_code == 201
    match = league.match(match=slug, players=[slug, "bo"])
    assert match.board()["players"] == [slug, "bo"]


TIMES = {
    "2026-11-20T19:00:00Z": "2026-11-20T19:00:00Z",
    "2026-11-20T20:00:00+01:00": "2026-11-20T19:00:00Z",
    "2026-11-20t19:00:00z": "2026-11-20T19:00:00Z",
    "2026-11-20T19:00:00.5Z": "2026-11-20T19:00:00.500000Z",
    "0001-01-01T00:00:00Z": "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z": "9999-12-31T23:59:59Z",
}
NO_TIMES = [
    "2026-11-20T19:00:00",
    "2026-11-20",
    "19:00:00Z",
    "2026-02-30T19:00:00Z",
    "2026-11-20T25:00:00Z",
    "2026-11-20T19:00:00+25:00",
    "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-00:01",
    "10000-01-01T00:00:00Z",
    "yesterday",
    "",
    1_795_000_000,
    "2026-11-20T19:00:00Z\n",
]


@pytest.mark.parametrize(("told", "kept"), TIMES.items())
def test_times_are_kept_in_utc(league, told, kept):
    match = league.match(at=told, events=[note() | {"at": told}])
    match.tell(note() | {"at": told})
    assert {entry["at"] for entry in match.log()} == {kept}


@pytest.mark.parametrize("told", NO_TIMES)
def test_what_is_no_time_is_a_400(unwritten, told):
    asked = {"events": [note(), note() | {"at": told}]}
    assert unwritten.owner.post("/matches/m/events", asked).status_code == 400
    for opened in ({"at": told}, {"events": [note() | {"at": told}]}):
        opening = unwritten.opening(**opened)
        assert unwritten.owner.post("/matches", opening).status_code == 400


ROUND = tally("ann", bo=20, cy=["red-7"], di=7)
BROKEN_EVENTS = [
    {},
    None,
    7,
    "note_added",
    [],
    {"type": None},
    {"type": "note_added"},
    {"type": "note_added", "text": None},
    note() | {"surprise": 1},
    note() | {"as_played": "yes"},
    note() | {"as_played": None},
    ROUND | {"winners": "ann"},
    ROUND | {"winners": [7]},
    ROUND | {"winners": ["Ann"]},
    ROUND | {"hands": []},
    ROUND | {"hands": {"bo": 20}},
    ROUND | {"hands": {"bo": {}}},
    ROUND | {"hands": {"bo": {"points": 2, "cards": ["red-7"]}}},
    ROUND | {"hands": {"bo": {"cards": ["red-7"], "cards_left": 1}}},
    ROUND | {"hands": {"bo": {"points": 2.5}}},
    ROUND | {"hands": {"bo": {"points": "2"}}},
    ROUND | {"hands": {"bo": {"points": True}}},
    ROUND | {"hands": {"bo": {"points": 2, "surprise": 1}}},
    ROUND | {"hands": {"bo": {"points": 10**15}}},
    ROUND | {"hands": {"Bo": {"points": 2}}},
    ROUND | {"hands": {"bo": {"cards": [["red-7"]]}}},
    ROUND | {"hands": {"bo": {"cards": ["red-7"] * 121}}},
    ROUND | {"dealer": ["ann"]},
    {"type": "round_voided", "reason": "x"},
    {"type": "match_abandoned"},
    {"type": "seats_changed", "players": {"ann": 1}},
]


@pytest.mark.parametrize("event", BROKEN_EVENTS)
def test_an_event_that_does_not_fit_its_description_is_a_400(unwritten, event):
    told = [note(), event]
    answer = unwritten.owner.post("/matches/m/events", {"events": told})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["errors"][0]["at"].startswith("$.events[1]")
    opened = unwritten.owner.post("/matches", unwritten.opening(events=told))
    assert (opened.status_code, opened.json()["code"]) == (400, "malformed")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(data=st.data())
@examples(120)
def test_a_valid_request_with_anything_put_anywhere_is_never_a_500(league, data):
    """`ask` itself fails on a 5xx, and on an error that is not a problem document."""
    route = data.draw(st.sampled_from(sorted(ROUTES)))
    body = json.loads(valid(route))
    if route in {"match", "events"}:
        body["events"] = [deepcopy(ROUND) | {"id": None, "at": None, "dealer": None}]
    if route == "match":
        body |= {"players": ["ann", "bo", "cy", "di"], "scoring": {"mode": None}, "options": {}}
    place = body
    while True:
        key = data.draw(st.sampled_from(sorted(place)) if isinstance(place, dict) else st.just(0))
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            break
        place = inner
    place[key] = data.draw(JSON)
    content = json.dumps(body).encode()
    for query in ("", "?lang=en"):
        method, path, _ = ROUTES[route]
        league.served.ask(
            method,
            path.format(league=league.slug) + query,
            content=content,
            headers={"content-type": "application/json"},
        )


@given(content=st.binary(max_size=64))
@examples(60)
def test_any_bytes_are_answered(league, content):
    for route in ("events", "player"):
        assert 400 <= send(league, route, content).status_code < 500


@on_both
@given(slug=st.text(min_size=1, max_size=20), number=st.integers())
@example(slug="Dict", number=1)  # a type's name in Python, which a client may send as a slug
@examples(60)
def test_any_address_is_answered(league, slug, number):
    escaped = quote(slug, safe="")
    is_league = slug.replace("-", "0").isalnum() and slug in league.sizes(slug)
    if is_league or slug in {".", "..", *PLAYERS, *dict(EDITIONS.keys())} or "/" in slug:
        return  # another route, or something that exists: words of our code are drawn, too
    for path in (
        f"/v1/leagues/{escaped}",
        f"/v1/leagues/{league.slug}/players/{escaped}",
        f"/v1/leagues/{league.slug}/matches/{escaped}/rounds/{number}",
        f"/v1/editions/{escaped}",
    ):
        assert league.served.ask("GET", path).status_code in {400, 404}
    query = f"/v1/leagues/{league.slug}/matches?player={escaped}&cursor={escaped}"
    assert league.served.ask("GET", query).status_code in {200, 400}
    body = {"events": [note()]}
    path = f"/v1/leagues/{league.slug}/matches/{escaped}/events"
    assert league.served.ask("POST", path, json=body).status_code in {400, 404}
