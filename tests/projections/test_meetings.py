"""Meetings that follow from the results of a match, and those that have to be kept."""

import msgspec
import pytest

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.projections.contribution import contributions, decode_meetings, encode_meetings

PLAYERS = ("ann", "bo", "cy", "di")
TEAMS = (("ann", "cy"), ("bo", "di"))
ROUND = {
    "type": "round_tallied",
    "winners": ["ann"],
    "hands": {"bo": {"points": 10}, "cy": {"points": 20}, "di": {"points": 7}},
}
SITS_IN = {"type": "player_substituted", "player": "ann", "substitute": "ed"}
CLOSED = {"type": "match_closed"}


def played(*events, teams=None):
    opened = MatchOpened(edition="basic", revision=1, players=PLAYERS, teams=teams)
    told = [msgspec.convert(each, TableEvent) for each in (*events, CLOSED)]
    recorded = record(initial(latest("basic"), opened), told)
    assert isinstance(recorded, Recorded), recorded
    return contributions(recorded.state)


@pytest.mark.parametrize("teams", [None, TEAMS])
def test_where_all_played_all_rounds_nothing_is_kept(teams):
    match = played(ROUND, ROUND, teams=teams)
    assert [encode_meetings(match, person) for person in match] == [None] * 4


@pytest.mark.parametrize("teams", [None, TEAMS])
def test_where_a_seat_changed_hands_the_meetings_are_kept_as_they_were(teams):
    match = played(ROUND, SITS_IN, ROUND, teams=teams)
    assert sorted(match) == ["ann", "bo", "cy", "di", "ed"]
    for person, each in match.items():
        met = decode_meetings(encode_meetings(match, person))
        assert (met.partners, met.opponents) == (each.partners, each.opponents)
    assert "ed" not in match["ann"].opponents
