"""A league has a bounded number of invitations in force, however they are asked for."""

from scorekeeper.service.identity import invitations
from tests.api.access.test_sessions import invite
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


def test_the_last_invitation_asked_for_again_is_answered_as_then(league, monkeypatch):
    monkeypatch.setattr("scorekeeper.service.identity.invitations.MOST_IN_FORCE", 1)
    asked = {"json": {"role": "viewer"}, "headers": {"idempotency-key": "the-last-of-all"}}
    first, again = (league.owner.ask("POST", "/invitations", **asked) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["invitation"] == first.json()["invitation"]
