"""What is opened together with much holds nobody up."""

import pytest

from scorekeeper.ledger.writing import long_decisions
from tests.api.serving import note
from tests.api.serving_kinds import on_both

FEW_TABLES, MANY_TABLES = 4, 21


@pytest.fixture
def decided_aside(monkeypatch: pytest.MonkeyPatch):
    """The requests that are decided on the thread for long decisions."""
    made, decided = [], long_decisions._decided

    def noting(request, seen):
        made.append(request)
        return decided(request, seen)

    monkeypatch.setattr(long_decisions, "_decided", noting)
    return made


@on_both
def test_many_events_of_a_new_match_are_decided_aside(league, decided_aside):
    league.match(events=[note()] * 100)
    assert not decided_aside
    opened = league.match(events=[note()] * 101)
    assert len(opened.log()) == 102
    (request,) = decided_aside
    assert request.is_large


@on_both
@pytest.mark.parametrize(("count", "aside"), [(FEW_TABLES, 0), (MANY_TABLES, 1)])
def test_a_tournament_of_many_tables_is_opened_aside(served, decided_aside, count, aside):
    players = [f"player-{number}" for number in range(count)]
    league = served.league(players)
    plan = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": players}
    assert league.owner.post("/tournaments", plan).status_code == 201
    assert [request.is_large for request in decided_aside] == [True] * aside
