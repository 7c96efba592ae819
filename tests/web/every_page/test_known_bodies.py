"""Rendered pages are cached, and nobody gets a page that was rendered for another role."""

import json
import re

import pytest

from scorekeeper.web import page
from scorekeeper.web.known_bodies import KnownBodies
from tests.api.serving import tally

PEOPLE = ("ann", "bo", "cy", "di")
YEAR = "from=2026-01-01&to=2026-12-31"
READ_BY_MANY = (
    "/e/basic",
    "/l/{}/m/evening",
    "/l/{}/m/evening/tv",
    "/l/{}/m/evening/r/2",
    f"/l/{{}}/table?{YEAR}",
    "/l/{}/t/cup",
    "/l/{}/t/cup?matrix=partners",
    "/l/{}/t/cup/hall",
    "/l/{}/t/cup/print",
)
WRITTEN_ON = ("/l/{}/m/evening/pad", "/l/{}/m/evening/cards")
HIDDEN = [
    {"type": "round_started", "hands": {"bo": ["blue-9", "red-1"]}, "dealer": "ann"},
    {"type": "first_card_turned", "card": "red-9"},
]


@pytest.fixture(scope="module")
def league(served):
    """A league with a match of the season, one with hidden cards in round 2, and a tournament."""
    found = served.league()
    held = found.match(at="2026-03-20T20:00:00Z", players=PEOPLE)
    held.tell(tally("ann", bo=10, cy=20, di=30))
    held.tell({"type": "match_closed"})
    found.match(match="evening").tell(tally("ann", bo=10, cy=20, di=30), *HIDDEN)
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": PEOPLE}
    assert found.scorekeeper.post("/tournaments", cup).status_code == 201
    return found


@pytest.fixture
def written(monkeypatch):
    """The templates that are rendered, starting with an empty cache."""
    monkeypatch.setattr(page, "_known", KnownBodies())
    seen = []
    write = page._written

    def noted(of):
        seen.append(of.template)
        return write(of)

    monkeypatch.setattr(page, "_written", noted)
    return seen


def shown(league, path, role="viewer", language="en"):
    token = league.callers[role].token
    headers = {"accept-language": language}
    return league.served.ask("GET", path.format(league.slug), token=token, headers=headers)


def text_of(league, path, role="viewer", language="en"):
    answer = shown(league, path, role, language)
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("path", [*READ_BY_MANY, *WRITTEN_ON])
def test_a_page_is_written_once_for_all_who_see_the_same(league, path, written):
    role = "scorekeeper" if path in WRITTEN_ON else "viewer"
    texts = {text_of(league, path, role) for _ in range(3)}
    assert (len(texts), len(written)) == (1, 1)


@pytest.mark.parametrize("path", READ_BY_MANY)
def test_nobody_sees_what_was_kept_for_others(league, path, written, monkeypatch):
    asked = [
        (role, language)
        for role in ("owner", "scorekeeper", "viewer")
        for language in ("en", "zh-TW")
    ]
    after_others = [text_of(league, path, *who) for who in asked]
    for who, text in zip(asked, after_others, strict=True):
        monkeypatch.setattr(page, "_known", KnownBodies())
        assert text_of(league, path, *who) == text, who


def test_a_hand_that_is_hidden_stays_hidden_after_its_scorekeeper_looked(league, written):
    for role, told in (("scorekeeper", True), ("viewer", False), ("scorekeeper", True)):
        data = re.search(r'id="given">(.*?)</script>', text_of(league, "/l/{}/m/evening/r/2", role))
        assert ("blue-9" in json.dumps(json.loads(data[1])["steps"])) is told


def test_a_page_of_one_league_is_not_that_of_another(served, league, written):
    other = served.league()
    other.match(match="evening").tell(tally("bo", ann=1, cy=2, di=3))
    assert text_of(league, "/l/{}/m/evening") != text_of(other, "/l/{}/m/evening")
    assert shown(other, f"/l/{league.slug}/m/evening").status_code == 404


@pytest.mark.parametrize("path", ["/l/{}/m/evening", "/l/{}/m/evening/tv"])
def test_what_was_told_and_what_somebody_is_called_now_is_on_the_next_page(served, path, written):
    other = served.league()
    match = other.match(match="evening")
    text_of(other, path)
    match.tell(tally("bo", ann=123, cy=2, di=3))
    assert "123" in text_of(other, path)
    # Names are stored beside the ledger, whose size does not change with them.
    other.owner.patch("/players/ann", {"name": "Annabel"})
    assert "Annabel" in text_of(other, path)
    other.owner.patch("/players/ann", {"name": None})
    assert "Annabel" not in text_of(other, path)
    # Without a name the page is the one from before, which is still cached.
    assert len(written) == 3


def test_a_language_is_chosen_on_a_page_that_is_known(league, written):
    chosen = [shown(league, "/e/basic?lang=zh-TW") for _ in range(2)]
    assert ["lang=zh-TW" in each.headers["set-cookie"] for each in chosen] == [True, True]
    assert "set-cookie" not in shown(league, "/e/basic").headers


def test_what_stands_in_an_address_stays_with_it(league, written):
    assert "&amp;from=theirs" in text_of(league, "/e/basic?from=theirs")
    assert "theirs" not in text_of(league, "/e/basic")


def test_a_code_that_lets_somebody_in_is_not_kept(league, monkeypatch):
    kept = []
    monkeypatch.setattr(KnownBodies, "body", lambda *_: kept.append(1) or b"")
    path = f"/l/{league.slug}/admin"
    token = league.owner.token
    answer = league.served.ask("POST", path, token=token, data={"role": "viewer"})
    assert 'class="code"' in answer.text
    assert not kept


def test_many_bodies_stay_within_their_bound_and_a_large_one_is_not_kept():
    known, made = KnownBodies(most_bytes=1_000, most_bytes_each=300), []

    def body(number, length):
        def make():
            made.append(number)
            return b"x" * length

        return known.body({"n": number}, make)

    for number in range(10):
        body(number, 300)
    for number in (9, 8, 7):
        body(number, 300)
    assert made == list(range(10))
    body(6, 300)
    assert made.pop() == 6
    for _ in range(2):
        assert len(body(10, 301)) == 301
    assert made[10:] == [10, 10]


def test_a_body_is_forgotten_after_a_minute():
    now = [0.0]
    known, made = KnownBodies(lambda: now[0]), []
    for now[0] in (0.0, 59.0, 61.0):
        known.body("the page", lambda: made.append(now[0]) or b"x")
    assert made == [0.0, 61.0]


def test_only_what_is_made_from_data_is_kept():
    with pytest.raises(TypeError):
        KnownBodies().body({"name": str.title}, bytes)
