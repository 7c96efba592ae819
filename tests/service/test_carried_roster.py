"""Who is in a league is folded from its stream once, not again for every request that asks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.ledger.writing.append import NothingToWrite, Request, Tail
from scorekeeper.service.streams import LEAGUE_STREAM, Roster, tail_roster
from tests.api.serving import PLAYERS, Caller, League, serving
from tests.databases import KINDS, migrated

SUBSTITUTED = {"type": "player_substituted", "player": "ann", "substitute": "ed"}
OPENING = {"edition": "basic", "players": PLAYERS[:4], "teams": [["ann", "cy"], ["bo", "di"]]}
TOURNAMENT = {"name": "Cup", "edition": "basic", "players": PLAYERS[:4]}
AMENDED = {"type": "log_amended", "from": 2, "insert": [SUBSTITUTED], "reason": "forgotten"}
ASKING = {
    "opening": ("/matches", OPENING),
    "opening with events": ("/matches", OPENING | {"events": [SUBSTITUTED]}),
    "substitution": ("/matches/evening/events", {"events": [SUBSTITUTED]}),
    "amendment": ("/matches/evening/events", {"events": [AMENDED]}),
    "tournament": ("/tournaments", TOURNAMENT),
    "tournament's substitution": ("/tournaments/rotation/events", {"events": [SUBSTITUTED]}),
}


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with migrated(request.param, request, tmp_path) as url:
        yield url


def tail(owner: Caller, league: str) -> Tail:
    """Return the end of the league's own stream, as the next decision sees it."""
    append = owner.served.services.ledger.append
    asked = Request(
        league=league,
        actor="t",
        streams=(LEAGUE_STREAM,),
        decide=lambda seen: NothingToWrite(seen.tails[LEAGUE_STREAM]),
    )
    (seen,) = owner.served.together(append(asked))
    return seen.value


def filled(url: str) -> League:
    """Return a league with a match and a tournament, in a service that was stopped since."""
    with serving(url) as served:
        league = served.league()
        league.match(match="evening")
        opened = league.owner.post("/tournaments", TOURNAMENT | {"tournament": "rotation"})
        assert opened.status_code == 201, opened.text
    return league


def test_every_request_that_asks_leaves_the_roster_to_the_next_one(url: str) -> None:
    league = filled(url)
    for path, body in ASKING.values():
        with serving(url) as again:
            owner = Caller(again, league.owner.token, league.root)
            cold = tail(owner, league.slug)
            assert (cold.carried, len(cold.entries)) == (None, cold.version)
            assert owner.post(path, body).status_code == 201
            warm = tail(owner, league.slug)
            assert (warm.version, warm.entries) == (cold.version, ())
            assert tail_roster(warm) == tail_roster(cold)


def test_a_roster_that_has_not_changed_is_the_same_value() -> None:
    carried = Roster(players=frozenset(PLAYERS))
    assert tail_roster(Tail(9, carried, ())) is carried
