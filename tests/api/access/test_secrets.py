"""Answers that show a secret may not be cached on their way."""

import pytest


def opened_league(league):
    return league.served.ask("POST", "/v1/leagues", json={"name": "New"})


def made_token(league):
    return league.owner.post("/tokens", {"role": "viewer", "name": "The wall"})


def made_invitation(league):
    return league.owner.post("/invitations", {"role": "viewer"})


def opened_session(league):
    code = made_invitation(league).json()["code"]
    return league.served.ask(
        "POST", "/v1/session", token=None, json={"code": code, "name": "My phone"}
    )


@pytest.mark.parametrize("made", [opened_league, made_token, made_invitation, opened_session])
def test_an_answer_that_shows_a_secret_is_stored_by_nobody(league, made):
    answer = made(league)
    assert answer.status_code in (200, 201), answer.text
    assert answer.headers["cache-control"] == "no-store"
