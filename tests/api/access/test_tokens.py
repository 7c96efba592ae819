"""Tokens: made, listed, revoked, and kept as hashes only."""

import hashlib

import msgspec
import pytest

from scorekeeper.service.identity.access import Caller as AccessCaller
from scorekeeper.service.identity.invitations import InvitationMaking
from scorekeeper.service.refused import Refused
from scorekeeper.service.views import TokenMaking
from tests.api.database_search import every_value
from tests.api.serving import ADMIN, Caller, note
from tests.api.serving_kinds import on_both


def secret_of(league, token):
    """Return the secret part of a token; it may contain underscores itself."""
    return token.removeprefix(f"sk_{league.slug}_")


@on_both
@pytest.mark.parametrize("role", ["owner", "scorekeeper", "viewer"])
def test_a_token_names_its_league_and_is_shown_once(league, role):
    answer = league.owner.post("/tokens", {"role": role, "name": "tablet"})
    assert answer.status_code == 201
    made = answer.json()
    assert sorted(made) == ["name", "role", "token", "token_id"]
    assert (made["role"], made["name"]) == (role, "tablet")
    assert made["token"].startswith(f"sk_{league.slug}_")
    assert len(made["token"].removeprefix(f"sk_{league.slug}_")) >= 43
    listed = league.owner.get("/tokens")
    assert {"token_id": made["token_id"], "role": role, "name": "tablet"} in listed.json()["items"]
    assert made["token"] not in listed.text
    assert league.served.ask("GET", league.root, token=made["token"]).status_code == 200


@on_both
def test_a_revoked_token_ends_at_once(league):
    made = league.owner.post("/tokens", {"role": "scorekeeper", "name": "tablet"}).json()
    holder = Caller(league.served, made["token"], league.root)
    match = league.match()
    assert holder.get().status_code == 200
    assert holder.post(f"/matches/{match.slug}/events", {"events": [note()]}).status_code == 201
    answer = league.owner.delete(f"/tokens/{made['token_id']}")
    assert (answer.status_code, answer.content) == (204, b"")
    for refused in (
        holder.get(),
        holder.post(f"/matches/{match.slug}/events", {"events": [note()]}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized")
        assert refused.headers["www-authenticate"].startswith("Bearer")
    assert made["token_id"] not in league.owner.get("/tokens").text
    assert league.owner.delete(f"/tokens/{made['token_id']}").status_code == 404


SLOW = {
    "a tap": ("POST", "/matches/slow/events", {"events": [note()]}),
    "an append": ("POST", "/matches/slow/events?lang=en", {"events": [note()]}),
    "a token": ("POST", "/tokens", {"role": "owner", "name": "mine for ever"}),
    "an invitation": ("POST", "/invitations", {"role": "owner"}),
    "a name": ("PATCH", "", {"name": "Mine"}),
}


@pytest.mark.parametrize(("method", "path", "body"), SLOW.values(), ids=SLOW.keys())
def test_a_token_that_is_revoked_while_a_body_comes_in_has_no_say(league, method, path, body):
    made = league.owner.post("/tokens", {"role": "owner", "name": "a phone"}).json()
    holder = Caller(league.served, made["token"], league.root)
    holder.post("/matches", league.opening(match="slow"))
    sent = msgspec.json.encode(body)

    async def slowly():
        yield sent[:-1]
        gone = await league.owner.asking("DELETE", f"/tokens/{made['token_id']}")
        assert gone.status_code == 204
        yield sent[-1:]

    headers = {"content-type": "application/json", "content-length": str(len(sent))}
    answer = holder.ask(method, path, content=slowly(), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")


@on_both
def test_who_was_revoked_in_another_process_lets_nobody_in_any_more(league):
    """Another process may accept the token a moment longer, but the ledger refuses what it asks."""
    made = league.owner.post("/tokens", {"role": "owner", "name": "a phone"}).json()
    holder = AccessCaller(made["token_id"], "owner", league.slug)
    assert league.owner.delete(f"/tokens/{made['token_id']}").status_code == 204
    services, asked = league.served.services, TokenMaking(role="owner", name="mine for ever")
    invitation = InvitationMaking(role="owner")
    for late in (
        services.tokens.make(holder, league.slug, asked, None),
        services.invitations.make(holder, league.slug, invitation, "http://test", None),
    ):
        with pytest.raises(Refused, match="unauthorized"):
            league.served.together(late)


def test_a_revocation_is_not_undone_by_a_request_on_its_way(league):
    made = league.owner.post("/tokens", {"role": "viewer", "name": "tablet"}).json()
    holder = Caller(league.served, made["token"], league.root)
    league.served.together(
        *(holder.asking("GET") for _ in range(8)),
        league.owner.asking("DELETE", f"/tokens/{made['token_id']}"),
        *(holder.asking("GET") for _ in range(8)),
    )
    assert holder.get().status_code == 401


def test_a_token_of_another_league_or_none_can_not_be_revoked(league):
    other = league.served.league(players=())
    theirs = other.owner.get("/tokens").json()["items"][0]["token_id"]
    for token_id in (theirs, "admin", "t-000000000000", "%0A"):
        assert league.owner.delete(f"/tokens/{token_id}").status_code == 404
    assert other.owner.get().status_code == 200


@on_both
def test_the_log_names_the_token_that_recorded(league):
    match = league.match()
    for caller in (league.owner, league.scorekeeper):
        caller.post(f"/matches/{match.slug}/events", {"events": [note()]})
    ids = {t["role"]: t["token_id"] for t in league.owner.get("/tokens").json()["items"]}
    assert [entry["recorded_by"] for entry in match.log()] == [
        ids["scorekeeper"],
        ids["owner"],
        ids["scorekeeper"],
    ]


@on_both
def test_no_table_holds_a_token(league):
    made = league.owner.post(
        "/tokens", {"role": "viewer", "name": "tv"}, headers={"idempotency-key": "k"}
    ).json()["token"]
    tokens = [made, ADMIN, *(caller.token for caller in league.callers.values())]
    league.match().append(note(), idempotency_key="k-2")
    secrets = [secret_of(league, token).encode() for token in tokens]
    digests = {hashlib.sha256(token.encode()).digest() for token in tokens}
    kept = set()
    for table, column, value in every_value(league.served):
        assert not any(secret in value for secret in secrets), (table, column)
        kept.add(value)
    # Proof that the search works: it finds the digests of the league's own tokens.
    assert len(digests & kept) == len(tokens) - 1


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Basic YWRtaW46YWRtaW4=",
        "Bearer wrong",
        "Bearer sk_",
        "Bearer sk__",
        "Bearer sk_home-1",
        "Bearer sk_home-1_",
        "Bearer sk_home-1_wrong",
        "Bearer sk_'; drop table tokens; --_x",
        "Bearer " + "x" * 5000,
        "Bearer \xe9\xff",
    ],
)
def test_whoever_has_no_valid_token_is_a_401(league, authorization):
    headers = {} if authorization is None else {"authorization": authorization.encode("latin-1")}
    for path in ("/v1/leagues", league.root, f"{league.root}/matches/m"):
        answer = league.served.ask("GET", path, token=None, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
    answer = league.served.ask(
        "POST",
        f"{league.root}/matches/m/events",
        token=None,
        headers=headers,
        json={"events": [note()]},
    )
    assert answer.status_code == 401


@pytest.mark.parametrize("authorization", [None, "Bearer ", "Basic YWRtaW46YWRtaW4="])
def test_whoever_sends_no_token_is_told_to_send_one(league, authorization):
    headers = {} if authorization is None else {"authorization": authorization}
    for path in ("/v1/leagues", league.root):
        answer = league.served.ask("GET", path, token=None, headers=headers).json()
        assert (answer["reason"], answer["detail"]) == (
            "token-missing",
            "Send a token: Authorization: Bearer TOKEN.",
        )
    wrong = league.served.ask("GET", league.root, token="sk_wrong").json()
    assert wrong["reason"] == "token-unknown"


def test_a_token_of_one_league_with_the_name_of_another_opens_neither(league):
    other = league.served.league(players=())
    forged = league.owner.token.replace(f"_{league.slug}_", f"_{other.slug}_")
    for root in (league.root, other.root):
        assert league.served.ask("GET", root, token=forged).status_code == 401


@pytest.mark.parametrize(
    "body",
    [{"role": "admin", "name": "x"}, {"role": "viewer"}, {"name": "x"}, {"role": 3, "name": "x"}],
)
def test_a_token_has_one_of_three_roles_and_a_name(league, body):
    assert league.owner.post("/tokens", body).status_code == 400


def test_the_scheme_is_read_in_any_case(league):
    headers = {"authorization": f"bearer {league.owner.token}"}
    assert league.served.ask("GET", league.root, token=None, headers=headers).status_code == 200


def test_a_token_under_another_scheme_opens_nothing(league):
    for scheme in ("Basic", "Token", "Bearer2", ""):
        headers = {"authorization": f"{scheme} {league.owner.token}"}
        assert league.served.ask("GET", league.root, token=None, headers=headers).status_code == 401


def test_tokens_and_bodies_do_not_stand_in_the_log_of_requests(league, capfd, caplog):
    caplog.set_level(0)
    match = league.match()
    made = league.owner.post("/tokens", {"role": "viewer", "name": "Kilimanjaro"}).json()
    match.append(note("Kilimanjaro"), idempotency_key="Kilimanjaro")
    match.append({"type": "note_added", "text": "Kilimanjaro", "more": "Kilimanjaro"})
    league.owner.get("?Kilimanjaro=1")
    league.served.ask("GET", league.root, token="sk_Kilimanjaro_x")
    printed = capfd.readouterr()
    written = printed.out + printed.err
    # The logs of the HTTP client, and of the server for requests, which has no handler in `serve`.
    others = ("httpx", "uvicorn.access")
    ours = [record for record in caplog.records if not record.name.startswith(others)]
    written += "".join(record.getMessage() for record in ours)
    taps = [line for line in written.splitlines() if f"/matches/{match.slug}/events" in line]
    scorekeeper = league.owner.get("/tokens").json()["items"]
    (token_id,) = [token["token_id"] for token in scorekeeper if token["role"] == "scorekeeper"]
    assert len(taps) == 2
    assert all(token_id in line for line in taps)
    for secret in (
        "Kilimanjaro",
        secret_of(league, made["token"]),
        *(secret_of(league, caller.token) for caller in league.callers.values()),
        ADMIN,
    ):
        assert secret not in written
