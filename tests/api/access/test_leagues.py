"""Leagues are opened by the admin, renamed by owners, and visible to their own callers only."""

import pytest

from tests.api.serving import note
from tests.api.serving_kinds import on_both


@on_both
def test_opening_answers_with_the_owners_token(league):
    body = {"league": f"{league.slug}-2", "name": "Others"}
    answer = league.served.ask("POST", "/v1/leagues", json=body)
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/leagues/{league.slug}-2"
    token = answer.json()["token"]
    assert answer.json() == body | {"token": token}
    assert token.startswith(f"sk_{league.slug}-2_")
    assert league.served.ask("GET", answer.headers["location"], token=token).json() == body
    (owner,) = league.served.ask("GET", f"{answer.headers['location']}/tokens", token=token).json()[
        "items"
    ]
    assert owner["role"] == "owner"


@on_both
def test_the_same_opening_again_is_answered_as_then_but_without_the_token(league):
    body = {"league": f"{league.slug}-2", "name": "Others"}
    league.served.ask("POST", "/v1/leagues", json=body)
    again = league.served.ask("POST", "/v1/leagues", json=body)
    assert again.status_code == 200
    assert again.headers["idempotency-replayed"] == "true"
    assert again.headers["location"] == f"/v1/leagues/{league.slug}-2"
    assert again.json() == body
    other = league.served.ask("POST", "/v1/leagues", json=body | {"name": "Another"})
    assert (other.status_code, other.json()["code"]) == (409, "league-exists")
    assert league.served.ask("GET", f"/v1/leagues/{league.slug}-2").json() == body


@on_both
def test_renaming(league):
    answer = league.owner.patch("", {"name": "中 & Söhne"})
    assert (answer.status_code, answer.json()) == (
        200,
        {"league": league.slug, "name": "中 & Söhne"},
    )
    assert league.viewer.get().json()["name"] == "中 & Söhne"
    assert league.served.ask("PATCH", "/v1/leagues/nowhere", json={"name": "x"}).status_code == 404


@on_both
def test_a_token_lists_its_own_league_and_the_admin_lists_all(league):
    other = league.served.league(players=())
    for caller in league.callers.values():
        (own,) = league.served.ask("GET", "/v1/leagues", token=caller.token).json()["items"]
        assert own == {"league": league.slug, "name": "Our league"}
    listed = league.served.ask("GET", "/v1/leagues", params={"limit": 1000}).json()["items"]
    slugs = [item["league"] for item in listed]
    assert {league.slug, other.slug} <= set(slugs)
    assert slugs == sorted(slugs)


@on_both
@pytest.mark.parametrize(
    "path",
    ["", "/players", "/tokens", "/matches", "/players/ann", "/matches/m", "/matches/m/events"],
)
def test_an_unknown_league_is_a_404_even_for_the_admin(league, path):
    assert league.served.ask("GET", f"/v1/leagues/nowhere{path}").status_code == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/players", {"player": "ann", "name": "Ann"}),
        ("/tokens", {"role": "viewer", "name": "tv"}),
        ("/invitations", {"role": "owner"}),
        ("/tournaments", {"name": "cup", "edition": "basic", "players": ["a", "b", "c", "d"]}),
        ("/erasures", {"positions": [1], "reason": "asked"}),
        ("/rebuild", {}),
        ("/matches", {"edition": "basic", "players": ["ann", "bo"]}),
        ("/matches/m/events", {"events": [note()]}),
    ],
)
def test_nothing_can_be_written_into_an_unknown_league(league, path, body):
    answer = league.served.ask("POST", f"/v1/leagues/nowhere{path}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
