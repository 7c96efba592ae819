"""Devices that sign in with a code, and their cookies."""

import asyncio
import hashlib
import itertools
import re
from datetime import UTC, datetime

import pytest

from scorekeeper.ledger.clock import wall_clock
from scorekeeper.service.identity.access import token_digest
from scorekeeper.service.identity.invitations import new_setup_code
from scorekeeper.service.identity.tokens import renew_admin_token
from scorekeeper.store import tokens
from tests.api.database_search import every_value
from tests.api.serving import ADMIN, note, serving, tally
from tests.api.serving_kinds import on_both
from tests.databases import in_database, migrated

OURS = {"sec-fetch-site": "same-origin"}
_names = itertools.count(1)


def invite(league, **making):
    answer = league.owner.post("/invitations", {"role": "scorekeeper"} | making)
    assert answer.status_code == 201, answer.text
    return answer.json()


def enter(served, code, **headers):
    return served.ask(
        "POST",
        "/v1/session",
        token=None,
        json={"code": code, "name": f"phone {next(_names)}"},
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


def cookie_of(answer):
    return answer.headers["set-cookie"].partition(";")[0]


class Browser:
    """A browser that sends its cookies with all requests."""

    def __init__(self, served, *cookies):
        self.served = served
        self.cookies = cookies

    def ask(self, method, path, **request):
        headers = {"cookie": "; ".join(self.cookies)} | request.pop("headers", {})
        return self.served.ask(method, path, token=None, headers=headers, **request)

    def send(self, path, body, **headers):
        return self.ask("POST", path, json=body, headers=OURS | headers)


def joined(league, **making):
    answer = enter(league.served, invite(league, **making)["code"])
    assert answer.status_code == 201, answer.text
    return Browser(league.served, cookie_of(answer)), answer.json()


@on_both
def test_a_code_lets_a_device_in_with_a_token_of_its_own(league):
    browser, session = joined(league)
    assert sorted(session) == ["league", "name", "role", "token_id"]
    assert (session["league"], session["role"]) == (league.slug, "scorekeeper")
    match = league.match()
    told = browser.send(f"{match.root}/events", {"events": [note()]})
    assert told.status_code == 201
    assert told.json()["entries"][0]["recorded_by"] == session["token_id"]
    assert {
        "token_id": session["token_id"],
        "role": "scorekeeper",
        "name": session["name"],
    } in league.owner.get("/tokens").json()["items"]


@on_both
def test_the_answer_shows_code_and_link_once(league):
    request = {
        "json": {"role": "viewer", "name": "for the hall"},
        "headers": {"idempotency-key": "k"},
    }
    first = league.owner.ask("POST", "/invitations", **request)
    made = first.json()
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}", made["code"])
    assert made["url"] == f"http://test/join#{made['code']}"
    assert made["uses_left"] == 6
    assert first.headers["cache-control"] == "no-store"
    again = league.owner.ask("POST", "/invitations", **request)
    assert again.json() == {k: v for k, v in made.items() if k not in {"code", "url"}}
    listed = league.owner.get("/invitations").json()["items"]
    assert listed == [again.json() | {"name": "for the hall"}]
    letters = made["code"].replace("-", "").encode()
    values = [value for _, _, value in every_value(league.served)]
    assert not any(letters in value or made["code"].encode() in value for value in values)
    assert hashlib.sha256(letters).digest() not in values


@pytest.mark.parametrize(
    "typed", [str.lower, lambda code: code.replace("-", ""), lambda code: f" {code} "]
)
def test_a_code_is_read_as_people_type_it(league, typed):
    assert enter(league.served, typed(invite(league)["code"])).status_code == 201


def test_letters_that_look_like_digits_are_read_as_those(league):
    code = next(
        made["code"] for made in iter(lambda: invite(league), None) if set("01") & set(made["code"])
    )
    assert enter(league.served, code.replace("0", "o").replace("1", "I")).status_code == 201


@pytest.mark.parametrize(
    "code", ["", "K7QF", "K7QF-2M9U", "K7QF-2M9X", "!" * 201, "ＫＦ\u200b", "K7QF" * 10_000]
)
def test_a_code_that_lets_nobody_in_is_one_problem(league, code):
    answer = enter(league.served, code)
    assert (answer.status_code, answer.json()["code"]) == (401, "invitation-unknown")
    assert "set-cookie" not in answer.headers


@on_both
def test_a_code_ends_with_its_uses_its_owner_and_its_deletion(league):
    once = invite(league, uses=1)
    assert enter(league.served, once["code"]).status_code == 201
    ended = invite(league)
    gone = league.owner.delete(f"/invitations/{ended['invitation']}")
    assert gone.status_code == 204
    assert league.owner.delete(f"/invitations/{ended['invitation']}").status_code == 404
    inviter, session = joined(league, role="owner")
    theirs = inviter.send(f"{league.root}/invitations", {"role": "viewer"}).json()
    assert league.owner.delete(f"/tokens/{session['token_id']}").status_code == 204
    for made in (once, ended, theirs):
        assert enter(league.served, made["code"]).json()["code"] == "invitation-unknown"


@on_both
def test_of_many_at_once_as_many_come_in_as_an_invitation_has_uses(league):
    code = invite(league, uses=3)["code"]
    answers = league.served.together(
        *(
            league.served.asking(
                "POST", "/v1/session", token=None, json={"code": code, "name": f"phone {n}"}
            )
            for n in range(8)
        )
    )
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [401] * 5


@pytest.mark.parametrize(
    "making",
    [
        {"role": "admin"},
        {"role": "viewer", "uses": 0},
        {"role": "viewer", "uses": 101},
        {"role": "viewer", "expires_in": 30 * 86_400 + 1},
        {"role": "viewer", "name": ""},
        {"role": "viewer", "code": "K7QF-2M9X"},
    ],
)
def test_an_invitation_out_of_bounds_is_refused(league, making):
    assert league.owner.post("/invitations", making).status_code == 400


def test_an_invitation_at_its_bounds_is_made_and_lasts_a_day_where_nothing_is_said(league):
    for bounds in ({"uses": 1, "expires_in": 1}, {"uses": 100, "expires_in": 30 * 86_400}):
        assert invite(league, **bounds)["uses_left"] == bounds["uses"]
    left = datetime.fromisoformat(invite(league)["expires_at"]) - datetime.now(UTC)
    assert round(left.total_seconds() / 3600) == 24


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "same-origin"}, 201),
        ({"sec-fetch-site": "same-site"}, 401),
        ({"sec-fetch-site": "cross-site"}, 401),
        ({"sec-fetch-site": "none"}, 401),
        ({"sec-fetch-site": "cross-site", "origin": "http://test"}, 401),
        ({"origin": "http://test"}, 201),
        ({"origin": "https://elsewhere.example"}, 401),
        ({"origin": "http://test.elsewhere.example"}, 401),
        ({"origin": "null"}, 401),
        ({"origin": "null", "host": ""}, 401),
        ({}, 401),
    ],
)
def test_a_cookie_counts_for_changes_where_our_own_page_asks(league, headers, status):
    browser, _ = joined(league)
    match = league.match()
    answer = browser.ask("POST", f"{match.root}/events", json={"events": [note()]}, headers=headers)
    assert answer.status_code == status
    assert len(match.log()) == (2 if status == 201 else 1)


def test_no_session_is_opened_for_another_site(league):
    code = invite(league)["code"]
    assert enter(league.served, code, origin="https://elsewhere.example").status_code == 401
    assert enter(league.served, code, sec_fetch_site="cross-site").status_code == 401
    assert enter(league.served, code, sec_fetch_site="same-origin").status_code == 201


def test_a_header_wins_over_a_cookie(league):
    browser, _ = joined(league)
    answer = browser.ask("GET", league.root, headers={"authorization": "Bearer nobody"})
    assert answer.status_code == 401
    header = {"authorization": f"Bearer {league.viewer.token}"}
    (known,) = browser.ask("GET", "/v1/me", headers=header).json()["leagues"]
    assert known["role"] == "viewer"


def test_readings_differ_by_cookie_and_no_shared_cache_keeps_them(league):
    """A cache must not keep what an Authorization header let through, and knows no cookies."""
    browser, _ = joined(league, role="viewer")
    for address in (league.root, f"{league.root}/matches", "/v1/me"):
        answer = browser.ask("GET", address)
        assert answer.status_code == 200
        assert "Cookie" in answer.headers["vary"].split(", ")
        assert answer.headers["cache-control"] == "private, no-cache"
        known = {"if-none-match": answer.headers["etag"]}
        again = browser.ask("GET", address, headers=known)
        assert (again.status_code, again.headers["cache-control"]) == (304, "private, no-cache")


@on_both
def test_a_browser_may_be_in_several_leagues(league):
    other = league.served.league()
    one, first = joined(league, role="viewer")
    two, second = joined(other)
    both = Browser(league.served, *one.cookies, *two.cookies)
    me = both.ask("GET", "/v1/me").json()
    assert me == {
        "admin": False,
        "leagues": sorted(
            (
                {
                    "league": session["league"],
                    "name": "Our league",
                    "role": session["role"],
                    "token_id": session["token_id"],
                    "token_name": session["name"],
                }
                for session in (first, second)
            ),
            key=lambda each: each["league"],
        ),
    }
    assert both.ask("GET", league.root).status_code == 200
    assert both.ask("GET", other.root).status_code == 200
    assert one.ask("GET", other.root).status_code == 404


def test_me_without_anything_is_nobody(league):
    answer = league.served.ask("GET", "/v1/me", token=None)
    assert (answer.status_code, answer.json()) == (200, {"admin": False, "leagues": []})


def test_me_for_tokens(league):
    me = league.served.ask("GET", "/v1/me", token=league.viewer.token).json()
    assert [(each["league"], each["role"]) for each in me["leagues"]] == [(league.slug, "viewer")]
    assert league.served.ask("GET", "/v1/me", token=ADMIN).json() == {"admin": True, "leagues": []}
    assert league.served.ask("GET", "/v1/me", token="sk_nobody_x").status_code == 401


@on_both
def test_a_revoked_cookie_is_as_none(league):
    other = league.served.league()
    browser, session = joined(league)
    beside, _ = joined(other)
    both = Browser(league.served, *browser.cookies, *beside.cookies)
    assert league.owner.delete(f"/tokens/{session['token_id']}").status_code == 204
    assert browser.ask("GET", league.root).status_code == 401
    assert both.ask("GET", league.root).status_code == 404
    assert both.ask("GET", other.root).status_code == 200


@on_both
def test_a_device_goes_home_by_itself(league):
    browser, session = joined(league, role="viewer")
    path = f"/v1/session?league={league.slug}"
    assert browser.ask("DELETE", path).status_code == 401
    gone = browser.ask("DELETE", path, headers=OURS)
    assert gone.status_code == 204
    assert "Max-Age=0" in gone.headers["set-cookie"]
    assert browser.ask("GET", league.root).status_code == 401
    assert session["token_id"] not in league.owner.get("/tokens").text


@pytest.fixture
def empty(request, tmp_path):
    with migrated("sqlite", request, tmp_path) as url:
        yield url


def test_a_code_ends_with_its_time(empty, monkeypatch):
    passed = 0
    now = wall_clock()
    monkeypatch.setattr("scorekeeper.service.services.wall_clock", lambda: now + passed * 1_000_000)
    with serving(empty) as served:
        league = served.league()
        made = invite(league, expires_in=60)
        passed = 59
        assert enter(served, made["code"]).status_code == 201
        passed = 60
        assert enter(served, made["code"]).json()["code"] == "invitation-unknown"
        assert league.owner.get("/invitations").json()["items"] == []


def test_over_https_the_cookie_is_bound_to_the_host(empty):
    with serving(empty, public_url="https://uno.example.org") as served:
        league = served.league()
        made = invite(league)
        assert made["url"].startswith("https://uno.example.org/join#")
        assert enter(served, made["code"], origin="http://test").status_code == 201
        answer = enter(served, made["code"], origin="https://uno.example.org")
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith(f"__Host-sk-{league.slug}=")
        assert cookie.endswith("; Secure")
        assert Browser(served, cookie_of(answer)).ask("GET", league.root).status_code == 200
        planted = cookie_of(answer).removeprefix("__Host-")
        assert Browser(served, planted).ask("GET", league.root).status_code == 401


def test_a_first_start_lets_one_browser_in_as_the_admin(empty):
    old = asyncio.run(new_setup_code(empty))
    code = asyncio.run(new_setup_code(empty))
    in_database(empty, lambda c: tokens.add_admin_session(c, token_digest("sks_beside")))
    with serving(empty) as served:
        assert enter(served, old).json()["code"] == "invitation-unknown"
        answer = enter(served, code.lower())
        assert answer.json() | {"name": None} == {
            "league": None,
            "token_id": "admin",
            "role": "admin",
            "name": None,
        }
        assert enter(served, code).json()["code"] == "invitation-unknown"
        browser = Browser(served, cookie_of(answer))
        opened = browser.send("/v1/leagues", {"league": "home", "name": "Ours"})
        assert opened.status_code == 201
        assert browser.ask("GET", "/v1/me").json()["admin"] is True
        assert served.ask("GET", "/v1/leagues", token="sks_nobody").status_code == 401
        made = browser.send("/v1/leagues/home/invitations", {"role": "viewer"}).json()
        device = cookie_of(enter(served, made["code"]))
        me = Browser(served, device, *browser.cookies).ask("GET", "/v1/me").json()
        assert (me["admin"], [each["role"] for each in me["leagues"]]) == (True, ["viewer"])
        gone = browser.ask("DELETE", "/v1/session", headers=OURS)
        assert gone.status_code == 204
        assert browser.ask("GET", "/v1/leagues/home").status_code == 401
        assert served.ask("GET", "/v1/leagues/home", token="sks_beside").status_code == 200
    assert asyncio.run(new_setup_code(empty)) is None


def test_a_setup_code_ends_with_the_first_league(empty):
    code = asyncio.run(new_setup_code(empty))
    with serving(empty) as served:
        served.league(players=())
        assert enter(served, code).json()["code"] == "invitation-unknown"


def test_invitations_of_the_admin_end_with_the_admin_token(empty):
    with serving(empty) as served:
        league = served.league()
        made = served.ask("POST", f"{league.root}/invitations", token=ADMIN, json={"role": "owner"})
        of_owner = invite(league)
    asyncio.run(renew_admin_token(empty))
    with serving(empty) as served:
        assert enter(served, made.json()["code"]).json()["code"] == "invitation-unknown"
        assert enter(served, of_owner["code"]).status_code == 201


@on_both
def test_what_a_device_told_stays_when_it_is_sent_home(league):
    browser, session = joined(league)
    match = league.match()
    told = browser.send(f"{match.root}/events", {"events": [tally("ann", bo=1, cy=2, di=3)]})
    assert told.status_code == 201
    league.owner.delete(f"/tokens/{session['token_id']}")
    left = league.owner.get("/tokens").json()["items"]
    assert {each["role"] for each in left} == {"owner", "scorekeeper", "viewer"}
    assert len(league.owner.get("/invitations").json()["items"]) == 1
    assert [entry["recorded_by"] for entry in match.log()][1] == session["token_id"]
