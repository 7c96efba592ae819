"""The titles that pages show for matches to which nobody gave a slug."""

import re
from html import unescape

import pytest

from tests.api.serving import tally
from tests.web.looked_at import shown

PLAYERS = ["ann", "bo", "cy", "di"]
LONG_AGO = "2026-11-20T19:00:00Z"
MADE = re.compile(r">[^<]*(?:match-[0-9a-f]{10}|past-2026|-s\d+-t\d+)[^<]*<")
EDITION_AND_DAY = {
    "en": "UNO, 2025 · Nov 20, 2026",
    "zh-TW": "UNO 經典版（2025 年） · 2026年11月20日",
}
TABLE = {"en": "聖誕盃 & more · Segment 1, table 1", "zh-TW": "聖誕盃 & more · 第 1 賽段，第 1 桌"}
SCRIPTS = re.compile("<script.*?</script>", re.DOTALL)


def text_of(league, path, language, **query):
    text = SCRIPTS.sub("", shown(league, path, query, language))
    assert not MADE.search(text), MADE.search(text)
    return unescape(text)


@pytest.fixture(scope="module")
def league(served):
    return served.league()


@pytest.fixture(scope="module")
def match(league):
    """A match without a chosen slug; it is won, and disputed."""
    opening = {"edition": "classic-2025", "players": PLAYERS, "at": LONG_AGO}
    made = league.scorekeeper.post("/matches", opening).json()["match"]
    claim = {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "no"}
    told = [tally("ann", bo=300, cy=200, di=30), claim]
    answer = league.scorekeeper.post(f"/matches/{made}/events", {"events": told})
    assert answer.status_code == 201
    return made


@pytest.fixture(scope="module")
def table(league):
    """The first table of a tournament with a name that is no slug, after one round."""
    cup = {"name": "聖誕盃 & more", "edition": "basic", "players": PLAYERS}
    opened = league.scorekeeper.post("/tournaments", cup).json()
    made = opened["segments"][0]["tables"][0]["match"]
    told = {"events": [tally("ann", bo=3, cy=2, di=3)]}
    assert league.scorekeeper.post(f"/matches/{made}/events", told).status_code == 201
    return made


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_match_is_called_by_its_edition_and_day(league, match, language):
    called = EDITION_AND_DAY[language]
    for page in ("", "/tv"):
        text = text_of(league, f"/m/{match}{page}", language)
        assert f"<title>{called}" in text
        assert f"<h1>{called}</h1>" in text
    assert called in text_of(league, f"/m/{match}/r/1", language)
    front = text_of(league, "", language)
    assert f'/m/{match}">{called}<' in front
    assert front.count(called) == 2
    assert f'/m/{match}">{called}</a>' in text_of(league, "/players/ann", language)
    season = text_of(league, "/table", language, **{"from": "2026-01-01", "to": "2026-12-31"})
    assert season.count(called) == 2


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_a_table_of_a_tournament_is_called_by_its_place(league, table, language):
    called = TABLE[language]
    assert f"<h1>{called}</h1>" in text_of(league, f"/m/{table}", language)
    assert f'/m/{table}">{called}</a>' in text_of(league, "", language)


def test_pads_have_it_for_their_scripts(league, table, match):
    for made, called in ((table, TABLE["en"]), (match, EDITION_AND_DAY["en"])):
        for pad in ("pad", "cards"):
            address = f"/l/{league.slug}/m/{made}/{pad}"
            answer = league.served.ask("GET", address, token=league.scorekeeper.token)
            assert f"<title>{called} · " in unescape(answer.text)


def test_no_two_pages_of_a_match_or_a_tournament_have_one_title(league, match, table):
    """Tabs are told apart by it, and by it a screen reader says that another page is there."""
    cup = f"/t/{table.rpartition('-s1-')[0]}"
    paths = [f"/m/{match}{page}" for page in ("", "/pad", "/cards", "/tv", "/r/1")]
    paths += [f"{cup}{page}" for page in ("", "/hall", "/print", "?matrix=partners")]
    addresses = [f"/l/{league.slug}{path}" for path in (*paths, f"{cup}?matrix=opponents")]
    token = league.scorekeeper.token
    texts = [league.served.ask("GET", address, token=token).text for address in addresses]
    titles = [re.search("<title>(.*?)</title>", text)[1] for text in texts]
    assert len(set(titles)) == len(titles), titles


def test_a_name_that_somebody_gave_stays(served):
    """Even a slug that looks like a tournament table's is shown, if there is no such table."""
    league = served.league()
    for given in ("friday-1", "match-1", "match-point", "friday-s1-t1"):
        league.match(match=given)
        assert f"<h1>{given}</h1>" in shown(league, f"/m/{given}", {})


def test_an_imported_table_of_a_day_has_no_name_either(league):
    rows = "date,edition,players,points\n2026-11-20,classic-2025,ann bo,- 20\n"
    answer = league.owner.post("/imports", {"file": "old.csv", "text": rows})
    assert answer.status_code == 200, answer.text
    assert answer.json()["matches"][0]["match"].startswith("past-")
    text_of(league, "", "en")


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_matches_of_one_edition_and_day_are_told_apart_by_a_number(served, language):
    league = served.league()
    opening = {"edition": "classic-2025", "players": PLAYERS, "at": LONG_AGO}
    first = league.scorekeeper.post("/matches", opening).json()["match"]
    league.match(match="friday", edition="classic-2025", at=LONG_AGO)
    # Another edition on the same day, and the same edition on the next day.
    others = [{"edition": "basic"}, {"at": "2026-11-21T00:00:00Z"}]
    for changed in others:
        assert league.scorekeeper.post("/matches", opening | changed).status_code == 201
    second = league.scorekeeper.post("/matches", opening | {"at": "2026-11-20T08:00:00Z"}).json()[
        "match"
    ]
    called = EDITION_AND_DAY[language]
    front = text_of(league, "", language)
    assert f'/m/{first}">{called}<' in front
    assert f'/m/{second}">{called} (2)<' in front
    assert front.count("(2)") == 1
    assert f"<h1>{called} (2)</h1>" in text_of(league, f"/m/{second}", language)
