"""In the hall, whoever scores finds the pad of a next table whose players wait for nobody."""

import re

from tests.web.tournaments.test_tournament_pages import EIGHT, opened, play, text_of

SIXTEEN = tuple(f"p{number:02}" for number in range(16))


def next_tables(league, role="scorekeeper"):
    """The tables of the next segment by the people at them, with the pads that they lead to."""
    text = text_of(league, "/cup/hall", role)
    listed = text[text.index('aria-label="Next: segment 2"') :]
    return {
        frozenset(re.findall("<bdi>([^<]*)</bdi>", item)): re.findall('href="([^"]*)"', item)
        for item in re.findall("<li>(.*?)</li>", listed, re.DOTALL)
    }


def seated(table):
    return frozenset(player for team in table["teams"] for player in team)


def test_the_pad_of_a_next_table_is_there_once_all_who_sit_at_it_are_free(served):
    league = served.league(SIXTEEN)
    first, second, *_ = opened(league, SIXTEEN)
    assert set(map(len, next_tables(league).values())) == {0}
    *early, late = first["tables"]
    play(league, [{"tables": early}])
    pads = {
        seated(table): [f"/l/{league.slug}/m/{table['match']}/pad"]
        for table in second["tables"]
        if not seated(table) & seated(late)
    }
    waiting = {seated(table): [] for table in second["tables"] if seated(table) & seated(late)}
    assert next_tables(league) == pads | waiting
    assert len(pads) == len(waiting) == 2
    assert set(map(len, next_tables(league, "viewer").values())) == {0}


def test_where_everybody_waits_for_the_other_table_there_is_no_way_past_it(served):
    league = served.league(EIGHT)
    first, *_ = opened(league, EIGHT)
    play(league, [{"tables": first["tables"][:1]}])
    assert set(map(len, next_tables(league).values())) == {0}
