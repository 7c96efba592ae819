"""The short standings on a league's page show what orders them."""

import pytest

from tests.api.serving import tally
from tests.web.looked_at import shown
from tests.web.shown_tables import shown_tables

TO_TWO = {"mode": "first-out", "rounds": 2}
TO_FIFTY = {"mode": "winner-collects", "target": 50}


def standings(league, language="en"):
    # The scores of a match have a caption; the short standings have none.
    return shown_tables(shown(league, "", {}, language))[""]


@pytest.fixture
def two_won(league):
    """Ann and Bo have won a match each."""
    for match, player, other in (("one", "ann", "bo"), ("two", "bo", "ann")):
        held = league.match(match=match, players=["ann", "bo"], scoring=TO_TWO)
        held.tell(*[tally(player, **{other: 1})] * 2)
    return league


def test_whoever_is_ahead_by_rounds_alone_is_seen_to_be(two_won):
    """Else 1. and 2. stand beside the same figures."""
    held = two_won.match(match="three", players=["ann", "bo", "cy"], scoring=TO_FIFTY)
    held.tell(tally("bo", ann=10, cy=10), tally("cy", ann=30, bo=30))
    assert standings(two_won) == [
        ["Player", "Matches", "Won", "Rounds won"],
        ["1. bo", "3", "1", "3"],
        ["2. ann", "3", "1", "2"],
        ["3. cy", "1", "1", "1"],
    ]
    assert standings(two_won, "zh-TW")[0][-1] == "贏的輪數"


def test_where_matches_won_explain_the_order_nothing_more_is_shown(two_won):
    assert standings(two_won) == [
        ["Player", "Matches", "Won"],
        ["1. ann", "2", "1"],
        ["1. bo", "2", "1"],
    ]
