"""A league has a bounded number of invitations in force, however they are asked for."""

import asyncio

from sqlalchemy import make_url, text

from scorekeeper.ledger.writing.statements import hold_head
from scorekeeper.postgres import postgres_engine
from scorekeeper.service.identity import invitations
from scorekeeper.store.invitations import KnownInvitation, added
from tests.api.access.test_sessions import invite
from tests.api.serving import serving
from tests.api.serving_kinds import on_both


def test_a_league_has_a_hundred_invitations_at_most(league, monkeypatch):
    assert invitations.MOST_IN_FORCE == 100
    monkeypatch.setattr("scorekeeper.service.identity.invitations.MOST_IN_FORCE", 2)
    for _ in range(2):
        invite(league)
    answer = league.owner.post("/invitations", {"role": "viewer"})
    assert (answer.status_code, answer.json()["code"]) == (409, "too-many-invitations")


@on_both
def test_no_more_than_a_hundred_are_made_by_requests_at_once(league, monkeypatch):
    monkeypatch.setattr("scorekeeper.service.identity.invitations.MOST_IN_FORCE", 2)
    making = [
        league.owner.asking("POST", "/invitations", json={"role": "viewer"}) for _ in range(4)
    ]
    answers = league.served.together(*making)
    assert sorted(answer.status_code for answer in answers) == [201, 201, 409, 409]
    assert len(league.owner.get("/invitations").json()["items"]) == 2


WAITING = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'"
)
LAST = KnownInvitation("i-last", "viewer", None, "2999-01-01T00:00:00.000000Z", 1)


def test_no_more_than_a_hundred_are_made_by_two_processes_at_once(postgresql_url, monkeypatch):
    """The second one waits for what the first has not committed yet, and counts it."""
    monkeypatch.setattr("scorekeeper.service.identity.invitations.MOST_IN_FORCE", 1)

    async def story(league):
        engine = postgres_engine(make_url(postgresql_url))
        async with engine.connect() as first, engine.connect() as looking:
            await first.execute(hold_head, {"of_league": league.slug})
            await first.execute(*added(league.slug, LAST, b"digest", "t-1", now="2000", most=1))
            asked = league.owner.asking("POST", "/invitations", json={"role": "viewer"})
            second = asyncio.create_task(asked)
            while not second.done() and not (await looking.execute(WAITING)).scalar_one():
                await looking.rollback()
            await first.commit()
            answer = await second
        await engine.dispose()
        return answer.status_code, answer.json()["code"]

    with serving(postgresql_url) as served:
        (told,) = served.together(story(served.league()))
    assert told == (409, "too-many-invitations")


def test_the_last_invitation_asked_for_again_is_answered_as_then(league, monkeypatch):
    monkeypatch.setattr("scorekeeper.service.identity.invitations.MOST_IN_FORCE", 1)
    asked = {"json": {"role": "viewer"}, "headers": {"idempotency-key": "the-last-of-all"}}
    first, again = (league.owner.ask("POST", "/invitations", **asked) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["invitation"] == first.json()["invitation"]
