"""An Idempotency-Key of a device that comes in: the code stands where a token would."""

from uuid import uuid4

import pytest
from databases import in_database
from serving_kinds import on_both
from test_sessions import invite

from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.service.identity.sessions import Sessions
from scorekeeper.service.integrity.verifying import verify_league

PHONE = "Ann's phone"


@pytest.fixture
def key():
    return str(uuid4())


def enter(league, code, key, name=PHONE):
    body = {"code": code, "name": name}
    headers = {"idempotency-key": key}
    return league.served.ask("POST", "/v1/session", token=None, json=body, headers=headers)


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


def test_of_two_at_once_one_uses_the_code(league, key, monkeypatch):
    """Neither finds what the other came to before it took its use."""

    async def nothing(*_):
        return None

    monkeypatch.setattr(Sessions, "_known", nothing)
    code = invite(league, uses=3)["code"]
    first, again = enter(league, code, key), enter(league, code, key)
    assert (first.status_code, again.status_code) == (201, 200)
    assert (again.json(), "set-cookie" in again.headers) == (first.json(), False)
    assert enter(league, code, key, "Bo's phone").status_code == 409
    assert uses_left(league) == [2]


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
