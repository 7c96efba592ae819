"""Opening a tournament, and the matches at its tables."""

import pytest

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.tournament.events import TournamentOpened, decode, encode
from scorekeeper.tournament.tournament import tables_opened
from tests.tournament.cup import EIGHT, cup, opening, tables


@pytest.mark.breach("X-ROTATE")
@pytest.mark.parametrize(
    ("fields", "code", "facts"),
    [
        ({"players": EIGHT[:3]}, "players-not-schedulable", {"count": 3, "nearest": (4,)}),
        (
            {"players": [f"p{n}" for n in range(14)]},
            "players-not-schedulable",
            {"count": 14, "nearest": (13, 16)},
        ),
        ({"players": ["ann", "bo", "ann", "cy"]}, "players-invalid", {"twice": ("ann",)}),
        (
            {"rounds_per_partner": 6},
            "rounds-per-partner-invalid",
            {"rounds_per_partner": 6, "multiple_of": 4},
        ),
        (
            {"scoring": {"target": 500}},
            "scoring-invalid",
            {"mode": "lowest-total", "target": 500, "rounds_per_partner": 4},
        ),
        (
            {"scoring": {"rounds": 5}, "rounds_per_partner": 8},
            "scoring-invalid",
            {"mode": "lowest-total", "rounds": 5, "rounds_per_partner": 8},
        ),
        ({"scoring": {"mode": "plus-minus"}}, "teams-not-in-mode", {"mode": "plus-minus"}),
        ({"scoring": {"mode": "elimination"}}, "teams-not-in-mode", {"mode": "elimination"}),
        (
            {"options": {"question_block": "draw"}},
            "option-not-in-edition",
            {"option": "question_block", "edition": "basic"},
        ),
    ],
)
def test_what_can_not_be_played_is_refused(fields, code, facts):
    refused = opening(**fields)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.facts) == (code, facts)


@pytest.mark.clause("B-TEAM", "X-TEAM")
@pytest.mark.parametrize(
    ("edition", "scoring", "mode", "team_scoring"),
    [
        ("basic", None, "lowest-total", "own-hands"),
        ("mario", None, "lowest-total", "own-hands"),
        ("basic", {"mode": "winner-collects"}, "winner-collects", "opponents-hands"),
        ("basic", {"rounds": 4, "target": None}, "lowest-total", "own-hands"),
        ("classic-2025", {"mode": "first-out"}, "first-out", None),
    ],
)
def test_tables_play_a_fixed_number_of_rounds_in_teams(edition, scoring, mode, team_scoring):
    tournament = cup(edition=edition, scoring=scoring)
    for _, opened in tables_opened(latest(edition), tournament.opened):
        state = initial(latest(edition), opened)
        in_force = state.scoring
        assert (in_force.mode, in_force.target, in_force.rounds) == (mode, None, 4)
        assert in_force.team_scoring == team_scoring


@pytest.mark.clause("X-ROTATE")
def test_matches_at_the_tables_know_seats_and_dealers_beforehand():
    tournament = cup(players=EIGHT, rounds_per_partner=8)
    opened = dict(tables_opened(latest("basic"), tournament.opened))
    assert list(opened) == [table.match for table in tables(tournament)]
    for table in tables(tournament):
        match = opened[table.match]
        assert match.teams == table.teams
        assert match.players == table.rounds[0].players
        assert [(each.players, each.dealer) for each in match.seating] == [
            (each.players, each.dealer) for each in table.rounds
        ]
        state = initial(latest("basic"), match)
        assert (state.seating, state.dealer) == (table.rounds[0].players, table.rounds[0].dealer)


def test_the_opening_comes_back_from_its_body():
    opened = opening(scoring={"mode": "lowest-total"}, at="2026-11-20T20:00:00+01:00", cycles=2)
    assert isinstance(opened, TournamentOpened)
    assert decode(encode(opened)) == opened
    assert b'"at":"2026-11-20T19:00:00Z"' in encode(opened)
