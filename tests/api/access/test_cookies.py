"""Several cookies in one request: the service's own for several leagues, and foreign ones."""

import pytest
from structlog.testing import capture_logs

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.service.identity.access import Access
from tests.api.access.test_sessions import Browser, enter, invite, joined


def test_a_cookie_is_for_the_server_only(league):
    cookie = enter(league.served, invite(league)["code"]).headers["set-cookie"]
    parts = cookie.split("; ")
    assert parts[0].startswith(f"sk-{league.slug}=sk_")
    assert set(parts[1:]) == {"Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=34560000"}


@pytest.mark.parametrize(
    "cookie", ["sk-", "sk-home=", 'sk-x="; y=1', "=", "sk-home=sk_home_" * 400]
)
def test_a_strange_cookie_is_as_none(league, cookie):
    answer = league.served.ask("GET", league.root, token=None, headers={"cookie": cookie})
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "other",
    ['prefs={"a":1}', "x[y]=1", "utm=a b c", "flag", "n=é", 'q="open', "expires=Thu, 01", "=x", ""],
)
def test_cookies_of_other_programs_on_the_host_sign_nobody_out(league, other):
    """A browser sends a host's cookies to all its ports, so other programs' cookies arrive too."""
    browser, _ = joined(league)
    for cookies in ([other, *browser.cookies], [*browser.cookies, other]):
        header = "; ".join(cookies).encode("latin-1")
        asked = league.served.ask("GET", league.root, token=None, headers={b"cookie": header})
        assert asked.status_code == 200


def test_a_browser_in_several_leagues_is_listed_all_of_them(league):
    other = league.served.league()
    cookies = [*joined(league)[0].cookies, *joined(other)[0].cookies]
    slugs = sorted([league.slug, other.slug])
    for held in (cookies, cookies[::-1]):
        browser = Browser(league.served, *held)
        assert listed(browser) == slugs
        assert listed(browser, "?limit=1") == slugs[:1]
    first = browser.ask("GET", "/v1/leagues?limit=1").json()
    assert listed(browser, f"?cursor={first['next']}") == slugs[1:]


def listed(browser, query=""):
    return [each["league"] for each in browser.ask("GET", f"/v1/leagues{query}").json()["items"]]


def test_cookies_of_nobody_cost_a_bounded_number_of_questions(league, monkeypatch):
    looked_up = []
    look_up = Access._look_up

    def counted(access, token, digest):
        looked_up.append(token)
        return look_up(access, token, digest)

    monkeypatch.setattr(Access, "_look_up", counted)
    strangers = [f"sk-other-{n}=sk_other-{n}_secret" for n in range(100)]
    assert Browser(league.served, *strangers).ask("GET", "/v1/me").json()["leagues"] == []
    assert len(looked_up) == 8
    browser, _ = joined(league)
    assert Browser(league.served, *strangers, *browser.cookies).ask("GET", league.root).is_success


def test_in_an_outage_a_cookie_is_told_to_come_back_like_a_header(league, monkeypatch):
    browser, _ = joined(league)
    owner = league.owner.token

    async def away(*_):
        raise LedgerUnavailable("the disk is full")

    monkeypatch.setattr(Access, "caller", away)
    for headers in ({"cookie": browser.cookies[0]}, {"authorization": f"Bearer {owner}"}):
        with capture_logs() as lines:
            answer = league.served.unchecked("GET", league.root, token=None, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert [each["event"] for each in lines if each["log_level"] != "info"] == ["unavailable"]
