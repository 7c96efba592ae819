"""The forms of tournaments: the one for a new one as it begins, and what an organiser tells."""

import re

import pytest

from tests.web.tournaments.test_tournament_pages import opened, play, text_of


def chosen_edition(league, **query):
    token = league.scorekeeper.token
    answer = league.served.ask("GET", f"/l/{league.slug}/t/new", token=token, params=query)
    (chosen,) = re.findall(r'<option value="([\w-]+)" selected>UNO', answer.text) or [None]
    return chosen


@pytest.mark.parametrize("edition", ["basic", "classic-2025"])
def test_it_begins_with_the_edition_that_was_played_last(league, edition):
    assert chosen_edition(league) is None
    league.match(edition="mickey")
    league.match(edition=edition)
    assert chosen_edition(league) == edition
    assert chosen_edition(league, name="cup", edition="mario") == "mario"
    assert chosen_edition(league, edition="mario") == "mario"


def test_it_begins_with_four_rounds_beside_each_partner_and_one_cycle(league):
    token = league.scorekeeper.token
    text = league.served.ask("GET", f"/l/{league.slug}/t/new", token=token).text
    fields = re.findall(r'<select name="(rounds|cycles)"[^>]*>(.*?)</select>', text)
    offered = {name: re.findall(r"<option( selected)?>(\d+)", options) for name, options in fields}
    assert [offered[name][0] for name in ("rounds", "cycles")] == [
        (" selected", "4"),
        (" selected", "1"),
    ]


def test_whoever_has_played_all_is_asked_for_in_no_form(served):
    """Who goes home then withdraws from nothing, and would stand behind all who stay."""
    five = ("ann", "bo", "cy", "di", "ed")
    league = served.league(five)
    first, *later = opened(league, five)
    (rested,) = first["byes"]
    text = text_of(league, "/cup", "scorekeeper")
    assert text.count(f'<option value="{rested}">') == 2
    play(league, later)
    text = text_of(league, "/cup", "scorekeeper")
    assert f'<option value="{rested}">' not in text
    (table,) = first["tables"]
    for player in (player for team in table["teams"] for player in team):
        assert text.count(f'<option value="{player}">') == 2
