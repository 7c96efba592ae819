"""All problems are written in the language that was asked for."""

import re

import pytest
from structlog.testing import capture_logs

from scorekeeper.api.problems import Code, send_error
from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.service.refused import Refused
from scorekeeper.texts.language import LANGUAGES
from scorekeeper.texts.message import problem_detail
from scorekeeper.texts.request_templates import REQUEST_MESSAGES
from scorekeeper.texts.templates import MESSAGES
from tests.api.edges import ask
from tests.api.serving import FOR_MACHINES, note, tally

CHINESE = re.compile("[\u4e00-\u9fff]")
ENGLISH_SENTENCE = re.compile(r"[A-Za-z]+ [a-z']+ [a-z']+")


def assert_in(language, text):
    assert bool(CHINESE.search(text)) == (language == "zh-TW"), text
    assert language == "en" or not ENGLISH_SENTENCE.search(text), text
    assert not FOR_MACHINES.search(text), text


def events(*told):
    return {"json": {"events": list(told)}}


LEAGUES = "/v1/leagues"
ID = "6f1c9a52-93e1-4f7e-8f43-0d3f0e6a7b10"

ASKED = {
    "malformed": [
        ("POST", "/matches/m/events", events({"type": "card_plaid"})),
        ("POST", "/matches/m/events", events({"type": "note_added", "text": 5})),
        ("POST", "/matches/m/events", events({"type": "note_added", "text": "x" * 2001})),
        ("POST", "/matches/m/events", events({"type": "note_added", "texts": "tea"})),
        ("POST", "/matches/m/events", events({"type": "note_added", "text": "a", "id": "1"})),
        ("POST", "/matches/m/events", events({"type": "note_added", "text": "a", "at": "now"})),
        ("POST", "/matches/m/events", events({"type": "round_tallied", "winners": ["-"]})),
        ("POST", "/matches/m/events", events(tally("ann", bo=10**9))),
        ("POST", "/matches/m/events", events()),
        ("POST", "/matches/m/events", {"json": [1]}),
        (
            "POST",
            "/matches/m/events",
            {"content": b"{", "headers": {"content-type": "application/json"}},
        ),
        ("POST", "/matches/m/events", events(note()) | {"headers": {"if-match": "5"}}),
        ("POST", "/matches/m/events", events(note()) | {"headers": {"idempotency-key": "x" * 999}}),
        ("POST", "/tokens", {"json": {"role": "boss", "name": "Boss"}}),
        ("GET", "/matches?limit=0", {}),
        ("GET", "/matches?limit=many", {}),
        ("GET", "/matches?cursor=x", {}),
        ("GET", "/matches?sort=name", {}),
        ("GET", "/log/proof/inclusion", {}),
    ],
    "event-ids-incomplete": [
        ("POST", "/matches/m/events", events(note() | {"id": ID}, note())),
    ],
    "event-id-twice": [
        ("POST", "/matches/m/events", events(note() | {"id": ID}, note() | {"id": ID})),
    ],
    "unauthorized": [("GET", "", {"token": None}), ("GET", "", {"token": "sk_wrong"})],
    "not-found": [
        ("GET", "/matches/none", {}),
        ("GET", "/matches/m?at=99", {}),
        ("GET", "/players/none", {}),
        ("GET", "/tournaments/none", {}),
        ("GET", "/matches/m/rounds/9", {}),
        ("GET", "/nowhere", {}),
        ("DELETE", "/tokens/none", {}),
        ("GET", "/log/tile/0/999", {}),
    ],
    "method-not-allowed": [("PUT", "", {})],
    "league-exists": [("POST", LEAGUES, {"json": {"league": "taken", "name": "Other"}})],
    "player-exists": [("POST", "/players", {"json": {"player": "ann", "name": "Other"}})],
    "match-exists": [
        (
            "POST",
            "/matches",
            {"json": {"match": "m", "edition": "mario", "players": ["ann", "bo"]}},
        ),
    ],
    "version-mismatch": [
        ("POST", "/matches/m/events", events(note()) | {"headers": {"if-match": '"99"'}}),
    ],
    "body-too-large": [("POST", "/matches/m/events", {"json": {"events": "x" * (1 << 20)}})],
    "unsupported-media-type": [
        (
            "POST",
            "/matches/m/events",
            {"content": b"<a/>", "headers": {"content-type": "text/xml"}},
        ),
    ],
    "impossible-event": [("POST", "/matches/m/events", events(tally("zoe", ann=1, bo=2)))],
    "edition-unknown": [("POST", "/matches", {"json": {"edition": "chess", "players": ["ann"]}})],
    "player-not-registered": [
        ("POST", "/matches", {"json": {"edition": "basic", "players": ["ann", "zoe"]}}),
    ],
    "position-unknown": [("POST", "/erasures", {"json": {"positions": [999], "reason": "why"}})],
    "not-erasable": [("POST", "/erasures", {"json": {"positions": [1], "reason": "why"}})],
    "proof-impossible": [("GET", "/log/proof/consistency?from=3&to=2", {})],
    "if-match-needed": [("POST", "/matches/m/undo", {"json": {}})],
}
REQUESTS = [(code, *asked) for code, requests in ASKED.items() for asked in requests]


@pytest.fixture(scope="module")
def home(served):
    served.ask("POST", LEAGUES, json={"league": "taken", "name": "First"})
    league = served.league()
    league.match(match="m")
    return league


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("code", "method", "path", "sent"), REQUESTS)
def test_a_problem_is_told_in_the_language_that_was_asked_for(
    home, code, method, path, sent, language
):
    sent = {"token": home.admin.token, "headers": {}} | sent
    address = path if path == LEAGUES else home.root + path
    by_query = f"{address}{'&' if '?' in path else '?'}lang={language}"
    for asked, accepted in ((address, language), (by_query, "fr")):
        headers = sent["headers"] | {"accept-language": accepted}
        answer = home.served.ask(method, asked, **sent | {"headers": headers})
        problem = answer.json()
        assert problem["code"] == code
        assert answer.headers["content-language"] == language
        for told in (problem["title"], problem["detail"]):
            assert_in(language, told)
        for error in problem.get("errors", ()):
            assert_in(language, error["detail"])


def test_every_kind_of_status_is_among_them():
    asked = {Code(code).status for code in ASKED}
    assert asked == {code.status for code in Code} - {403, 408, 429, 500, 503}


@pytest.mark.parametrize(
    "error",
    [*(Refused(code.value) for code in Code), LedgerUnavailable("lost"), ZeroDivisionError("bug")],
    ids=str,
)
def test_every_code_is_told_in_chinese_even_without_facts(error):
    async def app(scope, receive, send):
        await send_error(scope, send, error)

    with capture_logs():
        answer = ask(app, "GET", "/x?lang=zh-TW", headers={"accept-language": "en"})
    assert answer.headers["content-language"] == "zh-TW"
    assert_in("zh-TW", answer.json()["detail"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_wording_is_for_people(language):
    for wordings in (*MESSAGES.values(), *REQUEST_MESSAGES.values()):
        for wording in wordings:
            facts = {"why": "A match stands twice in this request."}
            assert_in(language, problem_detail(wording, facts, language))


def test_what_is_forbidden_names_both_roles_in_both_languages(league):
    told = {
        language: league.viewer.post(f"/tokens?lang={language}", {}).json()["detail"]
        for language in LANGUAGES
    }
    assert told == {
        "en": "A token of the role viewer may not do this; it takes the role owner.",
        "zh-TW": "「觀看者」的權杖不能這樣做，需要「擁有者」的身分。",
    }
