"""The Idempotency-Key of a device that signs in: the code identifies it instead of a token."""

from uuid import uuid4

import pytest

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.identity.sessions import SessionOpening
from scorekeeper.service.integrity.verifying import verify_league
from tests.api.access.test_sessions import enter as come_in
from tests.api.access.test_sessions import invite, joined
from tests.api.serving_kinds import on_both
from tests.databases import in_database

PHONE = "Ann's phone"


@pytest.fixture
def key():
    return str(uuid4())


def entering(league, code, key, name=PHONE):
    body = {"code": code, "name": name}
    headers = {"idempotency-key": key}
    return league.served.asking("POST", "/v1/session", token=None, json=body, headers=headers)


def enter(*request):
    league = request[0]
    (answer,) = league.served.together(entering(*request))
    return answer


def uses_left(league):
    return [each["uses_left"] for each in league.owner.get("/invitations").json()["items"]]


@on_both
@pytest.mark.parametrize("uses", [1, 3])
def test_the_same_device_again_is_answered_as_then_without_its_cookie(league, key, uses):
    code = invite(league, uses=uses)["code"]
    first = enter(league, code, key)
    assert (first.status_code, "set-cookie" in first.headers) == (201, True)
    left = uses_left(league)
    again = enter(league, code, key)
    assert (again.status_code, again.json()) == (200, first.json())
    assert again.headers["idempotency-replayed"] == "true"
    assert "set-cookie" not in again.headers
    assert again.headers["cache-control"] == "no-store"
    assert uses_left(league) == left
    names = [each["name"] for each in league.owner.get("/tokens").json()["items"]]
    assert names.count(PHONE) == 1
    said = in_database(league.served.url, lambda c: [*verify_league(c, league.slug, print)])
    assert [each for each in said if isinstance(each, Flaw)] == []


@on_both
def test_the_key_again_for_another_device_is_refused_and_uses_nothing_up(league, key):
    code = invite(league, uses=2)["code"]
    assert enter(league, code, key).status_code == 201
    other = enter(league, code, key, "Bo's phone")
    assert (other.status_code, other.json()["code"]) == (409, "idempotency-key-reused")
    assert uses_left(league) == [1]
    assert enter(league, code, str(uuid4()), "Bo's phone").status_code == 201


@on_both
def test_of_the_same_device_twice_at_once_one_uses_the_code(league, key):
    code = invite(league, uses=1)["code"]
    answers = league.served.together(*(entering(league, code, key) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert len({answer.content for answer in answers}) == 1
    assert sum("set-cookie" in answer.headers for answer in answers) == 1


@on_both
def test_a_database_that_goes_away_meanwhile_uses_nothing_up(league, monkeypatch):
    asked = SessionOpening(invite(league, uses=1)["code"], PHONE)

    def gone(*_):
        raise LedgerUnavailable("the server closed the connection")

    def goes(*_):
        lost.setattr(Ledger, "transact", gone)
        gone()

    with monkeypatch.context() as lost:
        lost.setattr(Ledger, "append", goes)
        with pytest.raises(LedgerUnavailable):
            league.served.together(league.served.services.sessions.open(asked, None))
    assert uses_left(league) == [1]


@on_both
@pytest.mark.parametrize("ended", ["the inviter's token", "the invitation"])
def test_nobody_comes_in_behind_what_ended_the_invitation(league, monkeypatch, ended):
    """An owner who revokes a lost phone and then lists the devices sees all that it invited."""
    inviter, session = joined(league, role="owner")
    made = inviter.send(f"{league.root}/invitations", {"role": "owner"}).json()
    address = {
        "the inviter's token": f"/tokens/{session['token_id']}",
        "the invitation": f"/invitations/{made['invitation']}",
    }[ended]
    append = Ledger.append

    async def ended_before(ledger, request):
        monkeypatch.setattr(Ledger, "append", append)
        assert (await league.owner.asking("DELETE", address)).status_code == 204
        return await ledger.append(request)

    monkeypatch.setattr(Ledger, "append", ended_before)
    answer = come_in(league.served, made["code"])
    assert (answer.status_code, answer.json()["code"]) == (401, "invitation-unknown")


def test_a_key_is_that_of_one_code(league, key):
    one, other = invite(league)["code"], invite(league)["code"]
    ids = {enter(league, code, key).json()["token_id"] for code in (one, other)}
    assert len(ids) == 2


def test_what_was_refused_is_not_kept(league, key):
    assert enter(league, "K7QF-2M9X", key).status_code == 401
    assert enter(league, invite(league)["code"], key).status_code == 201


def test_an_invitation_that_was_ended_answers_no_retry(league, key):
    made = invite(league)
    assert enter(league, made["code"], key).status_code == 201
    assert league.owner.delete(f"/invitations/{made['invitation']}").status_code == 204
    assert enter(league, made["code"], key).status_code == 401


def test_a_key_that_is_none_is_refused(league):
    answer = enter(league, invite(league)["code"], "")
    assert (answer.status_code, answer.json()["reason"]) == (400, "idempotency-key")
