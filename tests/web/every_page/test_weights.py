"""The bytes that are transferred when a page is opened for the first time."""

import re

import pytest

from scorekeeper.editions.house_rules.registry import HOUSE_RULES, REVISION
from scorekeeper.editions.registry import EDITIONS
from scorekeeper.service.booklets import edition_view
from scorekeeper.simulation.dealt_round import Habits
from scorekeeper.web.static_files import STATIC
from tests.api.serving import PLAYERS, tally
from tests.web.simulated_round import simulated

LANGUAGES = ("en", "zh-TW")
BOOKLETS = tuple(dict.fromkeys(f"/e/{edition}" for edition, _ in EDITIONS))
ONLY_SHOWING = ("", "/players", "/players/ann", "/table", "/t", "/m/evening", "/m/house", "/m/over")
FIRST = ("anne", "bart", "cath", "didi", "erik", "fred", "gert")
SECOND = ("lise", "ina", "mund", "wig", "olf", "rud")
_LOADED = re.compile(r'<(?:link|script)[^>]*(?:href|src)="([^"]+)"')
_KILOBYTE = 1_000


@pytest.fixture(scope="module")
def played(served):
    league = served.league()
    match = league.match(match="evening", dealer="ann", edition="hello-kitty")
    match.tell(*[tally("ann", bo=10, cy=20, di=30)] * 5)
    league.match(match="over").tell(tally("ann", bo=10, cy=20, di=30), {"type": "match_closed"})
    # All rules that exclude no other, so that no page has more text.
    rules = [rule for rule in HOUSE_RULES[REVISION] if not rule.excludes]
    chosen = {r.name: list(r.choices)[-1] if r.choices else r.numbers[-1] for r in rules}
    league.match(match="house", edition="hello-kitty", players=["ann", "bo"], house_rules=chosen)
    return league


def weight(league, path, language, role="owner"):
    """Return the bytes of a page and of all files that it loads, compressed."""

    def sent(address):
        headers = {"accept-encoding": "gzip", "accept-language": language}
        answer = league.served.ask(
            "GET", address, token=league.callers[role].token, headers=headers
        )
        assert answer.status_code == 200
        return answer, int(answer.headers["content-length"])

    page, weighs = sent(path)
    loaded = set(_LOADED.findall(page.text))
    assert loaded > {STATIC.address("sheet.css")}
    return weighs + sum(sent(address)[1] for address in loaded)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pad_is_opened_with_thirty_kilobytes(played, language):
    assert weight(played, f"/l/{played.slug}/m/evening/pad", language) <= 30 * _KILOBYTE


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_is_followed_card_by_card_with_thirty_six(played, language):
    """The match has as many house rules as can be combined."""
    assert weight(played, f"/l/{played.slug}/m/house/cards", language) <= 36 * _KILOBYTE


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_replay_of_three_hundred_steps_is_opened_with_forty(served, language):
    league = served.league()
    match = league.match(match="evening", edition="basic", players=list(PLAYERS))
    match.tell(*simulated("long/252", PLAYERS, Habits()))
    assert len(match.get("/rounds/1/replay").json()["items"]) >= 300
    assert weight(league, f"/l/{league.slug}/m/evening/r/1", language) <= 40 * _KILOBYTE


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", [*ONLY_SHOWING, *BOOKLETS])
def test_a_page_that_only_shows_is_opened_with_twelve(played, path, language):
    address = path if path in BOOKLETS else f"/l/{played.slug}{path}"
    assert weight(played, address, language) <= 12 * _KILOBYTE


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_weighs_no_more_where_its_language_is_chosen(played, language):
    for path in BOOKLETS:
        assert weight(played, f"{path}?lang={language}", language) <= 12 * _KILOBYTE


@pytest.fixture(scope="module")
def tournaments(served):
    """Tournaments of 8, 13 and 41 people with names of usual length, all played, by their size."""
    names = [f"{first}{second}" for first in FIRST for second in SECOND][:41]
    league = served.league(names)
    for count in (8, 13, 41):
        players, slug = names[:count], f"cup-{count}"
        asked = {"tournament": slug, "name": slug, "edition": "basic", "players": players}
        opened = league.scorekeeper.post("/tournaments", asked).json()
        tables = [table for segment in opened["segments"] for table in segment["tables"]]
        for number, table in enumerate(tables):
            first, *others = table["rounds"][0]["players"]
            hands = {other: (7 * number + 31 * at) % 120 for at, other in enumerate(others)}
            told = {"events": [tally(first, **hands)] * 4}
            league.scorekeeper.post(f"/matches/{table['match']}/events", told)
    return league


@pytest.mark.parametrize(
    ("count", "path"),
    [
        *((8, path) for path in ("", "/print")),
        *((13, path) for path in ("", "/print?segment=1")),
        *((41, path) for path in ("", "?from=31", "?matrix=opponents", "/print?segment=1")),
    ],
)
def test_a_tournament_is_looked_at_with_twelve_whatever_its_size(tournaments, count, path):
    address = f"/l/{tournaments.slug}/t/cup-{count}{path}"
    for language in LANGUAGES:
        assert weight(tournaments, address, language, "viewer") <= 12 * _KILOBYTE


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_season_is_looked_at_with_twelve_however_much_was_played(tournaments, language):
    year = tournaments.viewer.get("/results").json()["items"][0]["held_at"][:4]
    address = f"/l/{tournaments.slug}/table?from={year}-01-01&to={year}-12-31"
    assert weight(tournaments, address, language, "viewer") <= 12 * _KILOBYTE


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hall_is_followed_with_thirty_kilobytes(tournaments, language):
    address = f"/l/{tournaments.slug}/t/cup-41/hall"
    assert weight(tournaments, address, language) <= 30 * _KILOBYTE


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", BOOKLETS)
def test_a_booklet_is_complete_without_a_script(played, path, language):
    page = played.served.ask("GET", path, token=None, headers={"accept-language": language})
    shown = re.findall(r'<li id="([^"]+)"><a[^>]*>[^<]*</a> (.*?)</li>', page.text, re.DOTALL)
    clauses = edition_view(path.removeprefix("/e/"), language).clauses
    assert [name for name, _ in shown] == [clause.id for clause in clauses]
    assert all(len(text) > len(name) for name, text in shown)
