"""Players: registered, renamed, and their names erased."""

import pytest

from tests.api.database_search import every_value
from tests.api.serving_kinds import on_both


@on_both
def test_registering(league):
    answer = league.scorekeeper.post("/players", {"player": "flo", "name": "Flo 弗洛"})
    assert answer.status_code == 201
    assert answer.json() == {"player": "flo", "name": "Flo 弗洛"}
    assert answer.headers["location"] == f"{league.root}/players/flo"
    assert league.viewer.get("/players/flo").json().items() >= answer.json().items()
    assert "flo" in [item["player"] for item in league.viewer.get("/players").json()["items"]]


@on_both
def test_the_same_registration_again_is_answered_as_then(league):
    body = {"player": "flo", "name": "Flo"}
    first = league.owner.post("/players", body)
    again = league.scorekeeper.post("/players", body)
    assert (again.status_code, again.content) == (200, first.content)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.headers["location"] == first.headers["location"]
    other = league.owner.post("/players", body | {"name": "Florence"})
    assert (other.status_code, other.json()["code"]) == (409, "player-exists")


@on_both
def test_renaming(league):
    answer = league.scorekeeper.patch("/players/ann", {"name": "Anna"})
    assert (answer.status_code, answer.json()) == (200, {"player": "ann", "name": "Anna"})
    assert league.viewer.get("/players/ann").json()["name"] == "Anna"
    assert league.owner.patch("/players/nobody", {"name": "x"}).status_code == 404
    assert league.owner.patch("/players/nobody", {"name": None}).status_code == 404


@on_both
def test_an_erased_name_is_gone_from_every_answer_and_every_table(league):
    secret = "Annabel Quisling-Vane"
    body = {"player": "flo", "name": secret}
    headers = {"idempotency-key": "register"}
    league.owner.post("/players", body, headers=headers)
    match = league.match(players=["flo", "bo"])
    answer = league.owner.patch("/players/flo", {"name": None})
    assert (answer.status_code, answer.json()) == (200, {"player": "flo", "name": None})

    answers = [
        league.owner.get("/players/flo"),
        league.owner.get("/players", params={"limit": 1000}),
        # No stored answer to the registration still contains the name.
        league.owner.post("/players", body, headers=headers),
        league.owner.post("/players", body),
        match.get(),
        match.get("/events"),
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 409, 409, 200, 200]
    for answer in answers:
        assert secret not in answer.text
    for table, column, value in every_value(league.served):
        assert secret.encode() not in value, (table, column)
    # The slug remains as a pseudonym.
    assert match.board()["players"] == ["flo", "bo"]
    assert league.owner.get("/players/flo").json()["name"] is None


@on_both
def test_a_registration_that_comes_again_does_not_bring_an_erased_name_back(league):
    """Nobody gave a slug, so that another one would be made."""
    body, headers = {"name": "Annabel"}, {"idempotency-key": "register"}
    registered = league.owner.post("/players", body, headers=headers).json()
    league.owner.patch(f"/players/{registered['player']}", {"name": None})
    again = league.owner.post("/players", body, headers=headers)
    assert (again.status_code, again.json()["code"]) == (409, "event-erased")
    listed = league.viewer.get("/players").json()["items"]
    assert {"player": registered["player"], "name": None} in listed
    assert "Annabel" not in [each["name"] for each in listed]


@on_both
def test_a_name_that_is_erased_twice_at_once_is_told_of_once(league):
    before = league.sizes()[league.slug]
    asking = (league.owner.asking("PATCH", "/players/ann", json={"name": None}) for _ in range(3))
    for answer in league.served.together(*asking):
        assert (answer.status_code, answer.json()) == (200, {"player": "ann", "name": None})
    assert league.sizes()[league.slug] == before + 1


def test_only_an_owner_erases(league):
    answer = league.scorekeeper.patch("/players/ann", {"name": None})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert league.viewer.get("/players/ann").json()["name"] == "ann"


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": "x" * 121}, {"name": "x", "player": "y"}]
)
def test_a_change_has_a_name_and_nothing_else(league, body):
    assert league.owner.patch("/players/ann", body).status_code == 400
    assert league.owner.patch("/players/ann", {"name": "x" * 120}).status_code == 200


@on_both
def test_names_never_stand_in_the_ledger(league):
    league.owner.post("/players", {"player": "flo", "name": "Zebedee Fotherington"})
    league.owner.post("/tokens", {"role": "viewer", "name": "Fotherington's tablet"})
    for table, column, value in every_value(league.served):
        if table == "events":
            assert b"Fotherington" not in value, column
