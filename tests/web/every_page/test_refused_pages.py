"""Outages, bugs and refusals are shown as pages."""

import re

import pytest
from structlog.testing import capture_logs

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.reading.matches import Reading


def failing(caller, address, **headers):
    with capture_logs() as lines:
        answer = caller.served.unchecked("GET", address, token=caller.token, headers=headers)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return answer, lines


@pytest.mark.parametrize(
    ("language", "heading"),
    [("en", "The service can&#39;t answer at the moment"), ("zh-TW", "服務暫時無法回應")],
)
def test_in_an_outage_a_page_says_so_and_the_log_has_the_cause(
    league, monkeypatch, language, heading
):
    def away(*_):
        raise LedgerUnavailable("the disk is full")

    monkeypatch.setattr(Ledger, "read", away)
    address = f"/l/{league.slug}/table?all=1"
    answer, lines = failing(league.viewer, address, **{"accept-language": language})
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    assert f"<h1>{heading}</h1>" in answer.text
    assert f'href="{address}"' in answer.text
    (line,) = [each for each in lines if each["event"] == "unavailable"]
    assert (line["why"], line["request_id"]) == (
        "the disk is full",
        answer.headers["x-request-id"],
    )


def test_a_bug_is_in_the_log_and_not_on_the_page(league, monkeypatch):
    match = league.match()

    def broken(*_):
        raise ValueError("nobody foresaw this")

    monkeypatch.setattr(Reading, "folded_for", broken)
    answer, lines = failing(league.viewer, f"/l/{league.slug}/m/{match.slug}")
    assert answer.status_code == 500
    assert "<h1>The service failed</h1>" in answer.text
    assert "foresaw" not in answer.text
    (line,) = [each for each in lines if each["event"] == "failed"]
    assert isinstance(line["exc_info"], ValueError)


def test_who_invites_too_many_is_told_so(league, monkeypatch):
    monkeypatch.setattr("scorekeeper.service.identity.invitations.MOST_IN_FORCE", 3)
    for _ in range(3):
        assert league.owner.post("/invitations", {"role": "viewer"}).status_code == 201
    answer = league.served.ask(
        "POST",
        f"/l/{league.slug}/admin",
        token=league.owner.token,
        data={"role": "viewer"},
    )
    assert answer.status_code == 409
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "3 invitations are in force; end one first." in answer.text
    assert "<h1>Too many invitations are in force</h1>" in answer.text


BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
LOST = ("/league/home", "/l", "/t", "/L/HOME", "/v2", "/健康")
OF_THE_API = ("/v1", "/v1/nowhere", "/v1/leagues/nowhere", "/docs/nowhere", "/health/x")


@pytest.mark.parametrize("address", LOST)
def test_a_browser_that_is_lost_is_shown_the_way_home(served, address):
    answer = served.ask("GET", address, token=None, headers=BROWSER)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1>Nothing to see here</h1>" in answer.text
    assert '<a href="/">Home</a>' in answer.text
    head = served.ask("HEAD", address, token=None, headers=BROWSER)
    assert (head.status_code, head.content) == (404, b"")


@pytest.mark.parametrize(
    ("path", "ours"),
    [
        ("//elsewhere.example/l", "/elsewhere.example/l"),
        ("///elsewhere.example", "/elsewhere.example"),
        ("/%5Celsewhere.example", "/%5Celsewhere.example"),
        ("/%2F%5Celsewhere.example", "/%5Celsewhere.example"),
        ("/l/home%3Fstep=1%23here", "/l/home%3Fstep%3D1%23here"),
    ],
)
def test_no_link_of_a_page_leads_to_another_host(served, path, ours):
    """Browsers take what follows two slashes for a host, and a backslash for a slash."""
    answer = served.unchecked("GET", f"http://test{path}", token=None, headers=BROWSER)
    assert answer.status_code == 404
    languages = re.findall(r'href="([^"]*)\?lang=', answer.text)
    assert languages == [ours, ours]


@pytest.mark.parametrize(
    ("method", "address", "accept"),
    [
        *(("GET", address, {}) for address in LOST),
        *(("GET", address, {"accept": "application/json"}) for address in LOST),
        *(("POST", address, BROWSER) for address in LOST),
        *(("GET", address, BROWSER) for address in OF_THE_API),
    ],
)
def test_whoever_is_no_browser_and_whatever_is_the_apis_gets_a_problem(
    served, method, address, accept
):
    answer = served.ask(method, address, token=None, headers=accept)
    assert answer.status_code in {401, 404, 405}
    assert answer.headers["content-type"] == "application/problem+json"
