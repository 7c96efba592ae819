"""The league's table and the page of a player: all numbers equal the API's, for any filter."""

import html
import re
from urllib.parse import urlencode

import pytest

from scorekeeper.service.standings import rating as rating_module
from tests.api.closed_matches import played as play
from tests.api.serving import tally
from tests.web.looked_at import names_of, shown
from tests.web.shown_tables import shown_tables

CHOICES = (
    {},
    {"from": "2025-01-01", "to": "2025-12-31"},
    {"to": "2025-12-30"},
    {"edition": "hello-kitty"},
    {"seats": 2},
    {"with": "di"},
    {"from": "2026-01-01", "to": "2026-12-31", "edition": "basic", "seats": 3, "with": "cy"},
    {"edition": "mario"},
)
LABELS = {
    "Matches": "played",
    "Won": "won",
    "Rounds": "rounds",
    "Rounds won": "rounds_won",
    "Matches won in a row, up to the last one": "streak",
    "Longest row of matches won": "longest_streak",
    "Last match": "last_played",
}
POINTS = {"collected": "collected", "left in hand": "penalty", "plus and minus": "balance"}
COUNTS = ("played", "won", "rounds", "rounds_won")


@pytest.fixture(scope="module")
def played(served):
    league = served.league()
    league.owner.patch("/players/bo", {"name": "<i>Bo"})
    two = {"players": ("ann", "bo"), "at": "2025-11-20T20:00:00Z"}
    play(league, tally("ann", bo=10), tally("bo", ann=4), tally("ann", bo=1), **two)
    play(league, tally("bo", ann=7, cy=3), at="2026-11-20T20:00:00Z")
    pairs = {"players": ("ann", "bo", "cy", "di"), "teams": [["ann", "cy"], ["bo", "di"]]}
    lowest = {"edition": "hello-kitty", "scoring": {"mode": "lowest-total"}}
    play(league, tally("ann", bo=10, cy=20, di=7), **pairs, **lowest, at="2026-10-20T20:00:00Z")
    return league


@pytest.mark.parametrize("query", CHOICES, ids=urlencode)
def test_a_table_has_the_lines_of_the_api(played, query):
    names = names_of(played)
    rows = shown_tables(shown(played, "/table", query)).get("Standings of the league", [[]])[1:]
    figures = (*COUNTS, "streak", "longest_streak", "last_played")
    assert rows == [
        [
            f"{each['rank']}. {names[each['player']]}" + " few matches" * each["small_sample"],
            *(str(each[name]) for name in figures),
        ]
        for each in played.viewer.get("/standings", params=query).json()["items"]
    ]


@pytest.mark.parametrize("query", CHOICES, ids=urlencode)
def test_a_player_has_the_figures_of_the_api(played, query):
    names = names_of(played)
    tables = shown_tables(shown(played, "/players/ann", query))
    figures = played.viewer.get("/players/ann/statistics", params=query).json()
    own = figures["statistics"]
    expected = {LABELS[label]: value for label, value in tables.get("Results", [])}
    assert expected == ({name: str(own[name]) for name in LABELS.values()} if own["played"] else {})
    for caption, people in (("Opponents", "opponents"), ("Partners", "partners")):
        assert tables.get(caption, [[]])[1:] == [
            [
                names[each["player"]],
                *(str(each[name]) for name in COUNTS),
                " ".join(
                    f"{label} {points['own']} : {points['others']}"
                    for label, kind in POINTS.items()
                    if (points := each["points"][kind])
                ),
            ]
            for each in figures[people]
        ]
    for caption, part in (
        ("By seat, clockwise as the match was opened", "by_seat"),
        ("By players at the table", "by_players"),
    ):
        assert tables.get(caption, [[]])[1:] == [
            [key, *(str(each[name]) for name in COUNTS)] for key, each in figures[part].items()
        ]
    points = {row[0].partition(":")[0].lower(): row[1:] for row in tables.get("Points", [[""]])[1:]}
    assert points == {
        label: [
            str(found["rounds"]),
            *(
                text
                for name in ("own", "others")
                for text in (str(found[name]), f"{found[f'{name}_per_round']:.2f}")
            ),
        ]
        for label, kind in POINTS.items()
        if (found := own["points"][kind])
    }


def test_the_rating_and_its_band_are_those_of_the_api(played):
    text = shown(played, "/players/ann", {})
    now = played.viewer.get("/players/ann").json()["rating"]
    history = played.viewer.get("/players/ann/ratings").json()["items"]
    assert f"{now['mu']:.2f} ± {now['sigma']:.2f}" in text
    assert f"as of entry {now['as_of']} of the log" in text
    assert shown_tables(text)["Strength by match"][1:] == [
        [
            f"{number}. {each['match']}",
            *(f"{each[name]:.2f}" for name in ("mu", "sigma", "ordinal")),
        ]
        for number, each in enumerate(history, 1)
    ]
    # Heights in the plot are linear in the ratings, so two of them determine the others.
    band = re.search(r'class="band" d="M([^"]*)z"', text)[1].split()
    heights = [float(y) for y in band[1::2]]
    line = re.search(r'class="line" d="M([^"]*)"', text)[1].split()
    drawn = [*heights, *(float(y) for y in line[1::2])]
    upper = [2 * each["mu"] - each["ordinal"] for each in history]
    told = [*upper, *(each["ordinal"] for each in reversed(history))]
    told += [each["mu"] for each in history]
    scale = (drawn[0] - drawn[-1]) / (told[0] - told[-1])
    assert scale < 0
    assert drawn == pytest.approx([drawn[0] + scale * (each - told[0]) for each in told], abs=0.2)


def test_a_rating_that_is_behind_is_said_so(played, served, monkeypatch):
    league = served.league()
    play(league, tally("ann", bo=10, cy=20))
    assert "behind" not in shown(league, "/players/ann", {})
    monkeypatch.setattr(rating_module.Ratings, "catch_up", lambda *_: _nothing())
    play(league, tally("ann", bo=10, cy=20))
    assert "does not have the latest matches yet" in shown(league, "/players/ann", {})
    assert "is being worked out" not in shown(played, "/players/ann", {})


async def _nothing():
    return None


def test_seasons_are_the_years_in_which_matches_were_held(played, served):
    text = shown(played, "/table", {"edition": "basic"})
    links = {
        label: html.unescape(a) for a, label in re.findall(r'href="([^"]*)"><span>(\d{4})<', text)
    }
    root = f"/l/{played.slug}/table"
    assert links == {
        year: f"{root}?from={year}-01-01&to={year}-12-31&edition=basic" for year in ("2025", "2026")
    }
    season = played.served.ask("GET", links["2025"], token=played.viewer.token).text
    assert "Season 2025" in season
    # A change of the language keeps the filter.
    assert "?lang=zh-TW&amp;edition=basic&amp;from=2025-01-01&amp;to=2025-12-31" in season
    assert "<nav class=" in shown(served.league(), "/table", {})
    for query, current in (({}, ["All"]), (CHOICES[1], ["2025"]), ({"from": "2025-03-01"}, [])):
        text = shown(played, "/table", query)
        assert re.findall(r'aria-current="true"><span><span[^>]*>✓ </span>(\w+)<', text) == current


@pytest.mark.parametrize("page", ["/table", "/players/ann"])
@pytest.mark.parametrize(
    ("since", "until", "said"),
    [
        ("2025-03-01", "2026-02-28", "from 2025-03-01 to 2026-02-28"),
        ("2025-03-01", "", "from 2025-03-01"),
        ("", "2026-02-28", "to 2026-02-28"),
    ],
)
def test_the_days_that_were_chosen_stand_above_what_they_choose(played, page, since, until, said):
    """The form that has them stays off paper, so that these words are all that a sheet says."""
    text = shown(played, page, {"from": since, "to": until, "edition": "basic"})
    assert f"{said} · UNO, the basic game" in " ".join(re.sub("<[^>]*>", "", text).split())


@pytest.mark.parametrize(
    "query",
    [{"from": "soon"}, {"seats": "1"}, {"seats": "x"}, {"edition": "chess"}, {"with": "nobody"}],
)
def test_a_choice_that_cannot_be_is_not_there(played, query):
    answer = played.served.ask(
        "GET", f"/l/{played.slug}/table", token=played.viewer.token, params=query
    )
    assert answer.status_code == 404


def test_who_has_no_name_any_more_still_has_a_page(served):
    league = served.league()
    play(league, tally("ann", bo=10, cy=20))
    league.owner.patch("/players/ann", {"name": None})
    text = shown(league, "/players/ann", {})
    assert "The name of this person was erased." in text
    assert shown_tables(text)["Results"][0] == ["Matches", "1"]


def test_few_matches_are_explained_where_somebody_has_few(served):
    league = served.league()
    explained = "Few matches: fewer than five"
    play(league, tally("ann", bo=1), players=("ann", "bo"))
    assert explained in shown(league, "/table", {})
    for _ in range(4):
        play(league, tally("ann", bo=1), players=("ann", "bo"))
    assert explained not in shown(league, "/table", {})
