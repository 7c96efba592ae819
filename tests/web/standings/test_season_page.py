"""A season's page, for the screen and for print: its numbers equal the API's."""

import html
import re

import pytest

from tests.api.closed_matches import played as play
from tests.api.serving import tally
from tests.web.looked_at import names_of, shown
from tests.web.shown_tables import shown_tables

SEASON = {"from": "2026-01-01", "to": "2026-12-31"}
PEOPLE = ("ann", "bo", "cy", "di")
MANY = 45


@pytest.fixture(scope="module")
def league(served):
    """Two seasons; in the second, partners, a lowest total, and a match of two."""
    found = served.league()
    found.owner.patch("/players/bo", {"name": "<i>Bo"})
    play(found, tally("di", ann=1, bo=2, cy=300), players=PEOPLE, at="2025-11-20T20:00:00Z")
    for month, winner in enumerate(("ann", "bo", "ann", "cy"), 1):
        hands = {each: 10 * month + at for at, each in enumerate(PEOPLE) if each != winner}
        told = [tally(winner, **hands), tally("di", ann=5, bo=6, cy=7)]
        play(found, *told, players=PEOPLE, at=f"2026-0{5 - month}-20T20:00:00Z")
    pairs = {"players": PEOPLE, "teams": [["ann", "cy"], ["bo", "di"]]}
    play(found, tally("ann", bo=40, cy=0, di=30), **pairs, at="2026-06-20T20:00:00Z")
    lowest = {"edition": "hello-kitty", "scoring": {"mode": "lowest-total"}}
    play(found, tally("bo", ann=499), players=("ann", "bo"), **lowest, at="2026-07-20T20:00:00Z")
    return found


def table_of(league, query):
    return league.viewer.get("/standings", params=query).json()["items"]


def test_it_names_whoever_stands_first(league, served):
    lines = table_of(league, SEASON)
    first = [names_of(league)[each["player"]] for each in lines if each["rank"] == 1]
    assert f"★ First of the season: {html.escape(', '.join(first))}</p>" in shown(
        league, "/table", SEASON
    )
    assert "★" not in shown(league, "/table", {})
    even = served.league()
    play(even, tally("ann", bo=5), players=("ann", "bo"), at="2026-01-02T20:00:00Z")
    play(even, tally("bo", ann=5), players=("ann", "bo"), at="2026-01-03T20:00:00Z")
    assert "★ First of the season: ann, bo</p>" in shown(even, "/table", SEASON)
    assert "★ 本季第一名：ann、bo</p>" in shown(even, "/table", SEASON, "zh-TW")


def test_the_plot_has_what_everybody_had_won_after_each_match_as_it_was_held(league):
    text = shown(league, "/table", SEASON)
    heading, *rows = shown_tables(text)["Wins by match"]
    lines = table_of(league, SEASON)
    names = names_of(league)
    assert heading == ["Match", *(names[each["player"]] for each in lines)]
    matches = {each["match"]: each for each in league.viewer.get("/matches").json()["items"]}
    results = league.viewer.get("/results", params=SEASON | {"limit": 1000}).json()["items"]
    held = {each["match"]: each["held_at"] for each in results}
    ordered = sorted(held, key=held.__getitem__)
    assert [row[0] for row in rows] == [f"{n}. {match}" for n, match in enumerate(ordered, 1)]
    assert [list(map(int, row[1:])) for row in rows] == [
        [
            sum(each["player"] in matches[match]["winners"] for match in ordered[:number])
            for each in lines
        ]
        for number in range(1, len(ordered) + 1)
    ]
    assert rows[-1][1:] == [str(each["won"]) for each in lines]
    assert text.count('class="line"') == len(lines)


@pytest.mark.parametrize("query", [SEASON, SEASON | {"edition": "basic"}], ids=str)
def test_head_to_heads_are_those_of_the_people(league, query):
    heading, *rows = shown_tables(shown(league, "/table", query))["Head-to-heads"]
    people = [each["player"] for each in table_of(league, query)]
    names = names_of(league)
    assert heading == ["Player", *(names[player] for player in people)]
    for player, row in zip(people, rows, strict=True):
        figures = league.viewer.get(f"/players/{player}/statistics", params=query).json()
        met = {
            each["player"]: f"{each['won']} of {each['played']}" for each in figures["opponents"]
        }
        met[player] = "–"
        assert row == [names[player], *(met.get(other, "") for other in people)]


def test_the_best_rounds_left_most_points_in_the_hands_of_the_others(league):
    rows = shown_tables(shown(league, "/table", SEASON))["Best rounds"][1:]
    names = names_of(league)
    results = league.viewer.get("/results", params=SEASON | {"limit": 1000}).json()["items"]
    held = {each["match"]: each["held_at"] for each in results}
    found = [
        (sum(each["hand_points"].values()), match, each)
        for match in sorted(held, key=held.__getitem__)
        for each in league.viewer.get(f"/matches/{match}/rounds").json()["items"]
    ]
    assert rows == [
        [
            f"Round {each['round']} of {match}",
            ", ".join(names[winner] for winner in each["winners"]),
            str(points),
        ]
        for points, match, each in sorted(found, key=lambda one: -one[0])[:5]
    ]
    assert rows[0][1:] == ["<i>Bo", "499"]


def test_of_many_matches_the_plot_has_some_up_to_the_last(served):
    league = served.league()
    for number in range(MANY):
        winner, other = ("ann", "bo") if number % 3 else ("bo", "ann")
        at = f"2026-03-{number // 2 + 1:02}T{number % 2 + 10}:00:00Z"
        play(league, tally(winner, **{other: 5}), players=("ann", "bo"), at=at)
    rows = shown_tables(shown(league, "/table", SEASON))["Wins by match"][1:]
    numbers = [int(row[0].partition(".")[0]) for row in rows]
    assert numbers == list(range(1, MANY + 1, 2))
    lines = {each["player"]: str(each["won"]) for each in table_of(league, SEASON)}
    assert rows[-1][1:] == [lines["ann"], lines["bo"]]
    labels = re.findall(r'class="round"[^>]*>(\d+)<', shown(league, "/table", SEASON))
    assert set(map(int, labels)) <= set(numbers)
