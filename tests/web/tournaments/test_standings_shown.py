"""Standings on the pages of a tournament: the figures that their order rests on, and the end."""

import json
import re

import pytest

from tests.api.serving import tally
from tests.web.tournaments.test_tournament_pages import (
    EIGHT,
    opened,
    play,
    rows,
    standings,
    text_of,
)


def a_round(each):
    """The total for each round played, as it is rounded by hand."""
    return "" if not each["rounds"] else f"{each['total'] / each['rounds'] + 1e-9:.2f}"


@pytest.fixture(scope="module")
def uneven(served):
    """A tournament of five, of whom one rests in each segment; the first is played."""
    league = served.league(EIGHT[:5])
    play(league, opened(league, EIGHT[:5])[:1], points=11)
    return league


@pytest.mark.parametrize("page", ["/cup", "/cup/print"])
def test_where_some_have_played_more_the_figure_that_orders_stands_beside_them(uneven, page):
    """Else 600 in ten rounds stand above 508 in ten and 550 in twelve, and nobody sees why."""
    assert [line[1:3] for line in rows(text_of(uneven, page), "Standings")] == [
        [str(each["total"]), a_round(each)] for each in standings(uneven)["items"]
    ]
    assert "Total a round" in text_of(uneven, page)


def test_whoever_has_played_nothing_has_no_figure_for_each_round(uneven):
    (resting,) = [line for line in rows(text_of(uneven, "/cup"), "Standings") if line[3] == "0"]
    assert resting[2] == ""


def test_half_a_hundredth_is_rounded_up_as_the_script_of_the_hall_does(served):
    league = served.league(EIGHT[:5])
    (table,) = opened(league, EIGHT[:5], rounds_per_partner=8)[0]["tables"]
    (out, partner), others = table["teams"]
    hands = dict.fromkeys(others, 0)
    told = [tally(out, **{partner: points}, **hands) for points in (1, *[0] * 7)]
    league.scorekeeper.post(f"/matches/{table['match']}/events", {"events": told})
    shown = {line[0]: line[2] for line in rows(text_of(league, "/cup"), "Standings")}
    assert [shown[each] for each in shown if each.endswith(out)] == ["0.13"]


@pytest.mark.parametrize("page", ["/cup", "/cup/print"])
def test_where_all_have_played_as_many_rounds_the_totals_say_enough(served, page):
    league = served.league(EIGHT)
    play(league, opened(league, EIGHT)[:1])
    assert "Total a round" not in text_of(league, page)


def test_the_leaders_in_the_hall_have_the_figure_that_orders_them(uneven):
    text = text_of(uneven, "/cup/hall")
    assert [line[1:] for line in rows(text, "Leaders")] == [
        [str(each["total"]), a_round(each)] for each in standings(uneven)["items"]
    ]
    given = json.loads(re.search(r'id="given">(.*?)</script>', text, re.DOTALL)[1])
    assert given["standings"]["items"][0].keys() == {"player", "rank", "total", "rounds"}


def test_where_equal_totals_stand_one_behind_another_the_hall_says_what_decides(served):
    """Partners have the same total after their first rounds, and one of them won these."""
    said = "Where equal, rounds won decide first."
    league = served.league(EIGHT)
    segments = opened(league, EIGHT)
    assert said not in text_of(league, "/cup/hall")
    play(league, segments[:1])
    leaders = standings(league)["items"][:5]
    assert {(each["rank"], each["total"]) for each in leaders[1:3]} == {(1, 0), (3, 0)}
    assert said in text_of(league, "/cup/hall")
    shared = served.league(EIGHT)
    opened(shared, EIGHT)
    assert said not in text_of(shared, "/cup/hall")


def test_a_closed_tournament_says_at_which_table_it_goes_on(served):
    """Taking back its end there takes the champion away, and the list says that it is closed."""
    league = served.league(EIGHT[:5])
    segments = opened(league, EIGHT[:5])
    play(league, segments[:1])
    closed = {"type": "tournament_closed"}
    league.scorekeeper.post("/tournaments/cup/events", {"events": [closed]})
    said = "Closed, but rounds are left to play at tables that were opened again:"
    assert said not in text_of(league, "/cup")
    match = league.viewer.get("/matches/cup-s2-t1").json()
    answer = league.scorekeeper.post(
        "/matches/cup-s2-t1/undo", {}, headers={"If-Match": f'"{match["version"]}"'}
    )
    assert answer.status_code == 201, answer.text
    text = text_of(league, "/cup")
    assert "Champion" not in text
    notice = re.search(rf"<p[^>]*>({said}.*?)</p>", text, re.DOTALL)[1]
    assert re.findall(r'href="([^"]*)">([^<]*)<', notice) == [
        (f"/l/{league.slug}/m/cup-s2-t1", "Segment 2, table 1")
    ]
    play(league, segments[1:2])
    text = text_of(league, "/cup")
    assert said not in text
    assert "Champion" in text
