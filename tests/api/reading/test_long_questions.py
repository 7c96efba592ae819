"""Which questions are answered beside the event loop: those that take more than a moment."""

import pytest

from scorekeeper.service import readers
from scorekeeper.service.question_pool import Pool
from scorekeeper.service.questions import (
    MatchCheck,
    PlayerFigures,
    ResultsPage,
    RoundReplay,
    SeasonFigures,
    TablePage,
    TournamentFigures,
    WhatIfQuestion,
)
from tests.api.serving import PLAYERS, note, tally

AMENDMENT = {"json": {"from": 2, "remove": 0, "insert": [note()]}}
OF_A_MATCH = [
    ("GET", "/matches/long/rounds/1/replay", {}, RoundReplay),
    ("GET", "/matches/long/rounds/1/replay?view=recorded", {}, RoundReplay),
    ("GET", "/matches/long/audit", {}, MatchCheck),
    ("POST", "/matches/long/what-if", AMENDMENT, WhatIfQuestion),
]
OF_A_LEAGUE = [
    ("GET", "/standings?edition=basic", {}, TablePage),
    ("GET", "/results", {}, ResultsPage),
    ("GET", "/players/ann/statistics", {}, PlayerFigures),
]


class Elsewhere:
    """Worker processes that answer here, and note what they were asked."""

    def __init__(self, others):
        self._others = others
        self.asked = []

    async def answer(self, asked):
        self.asked.append(type(asked))
        return await self._others.answer(asked)


@pytest.fixture
def elsewhere(league, monkeypatch):
    services = league.served.services
    processes = Elsewhere(services.readers)
    monkeypatch.setattr(services, "answering", Pool(services.readers, processes))
    return processes


@pytest.mark.parametrize(("method", "path", "sent", "question"), OF_A_MATCH)
def test_a_long_match_is_read_elsewhere(league, elsewhere, method, path, sent, question):
    """One entry more makes it long."""
    told = [tally("ann", bo=1, cy=2, di=3), *[note()] * (readers.SHORT_MATCH - 3)]
    match = league.match(match="long", events=told)
    assert match.board()["version"] == readers.SHORT_MATCH
    assert league.scorekeeper.ask(method, path, **sent).status_code == 200
    assert elsewhere.asked == []
    match.tell(note())
    assert league.scorekeeper.ask(method, path, **sent).status_code == 200
    assert elsewhere.asked == [question]


def test_a_table_is_made_elsewhere_in_a_large_league(league, elsewhere):
    match = league.match(events=[tally("ann", bo=500, cy=2, di=3)])
    asked = [("GET", "/standings", {}, None), *OF_A_LEAGUE]

    def ask():
        for method, path, sent, _ in asked:
            assert league.scorekeeper.ask(method, path, **sent).status_code == 200
        return elsewhere.asked

    assert ask() == []
    for part in (1_000, readers.SMALL_LEAGUE - 1_000):
        match.tell(*[note()] * part)
    assert ask() == [kind for *_, kind in OF_A_LEAGUE]


def test_a_season_is_made_elsewhere_in_a_league_that_is_not_quite_small(league, elsewhere):
    """Its matches are folded."""
    match = league.match(events=[tally("ann", bo=500, cy=2, di=3)])
    year = league.viewer.get("/results").json()["items"][0]["held_at"][:4]
    address = f"/l/{league.slug}/table?from={year}-01-01&to={year}-12-31"
    for beyond, asked in ((0, False), (readers.SHORT_MATCH, True)):
        match.tell(*[note()] * beyond or [note()])
        assert league.served.ask("GET", address, token=league.viewer.token).status_code == 200
        assert (SeasonFigures in elsewhere.asked) is asked


@pytest.mark.parametrize("most", [0, 1])
def test_a_long_tournament_is_counted_elsewhere(league, elsewhere, monkeypatch, most):
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": PLAYERS[:4]}
    assert league.scorekeeper.post("/tournaments", cup).status_code == 201
    segments = league.viewer.get("/tournaments/cup/schedule").json()["segments"]
    rounds = sum(len(table["rounds"]) for each in segments for table in each["tables"])
    monkeypatch.setattr(readers, "SHORT_TOURNAMENT", rounds - 1 + most)
    elsewhere.asked.clear()
    assert league.viewer.get("/tournaments/cup/standings").status_code == 200
    assert elsewhere.asked == [TournamentFigures][most:]
