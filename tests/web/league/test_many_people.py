"""A league with more players and devices than are read from the database at a time."""

import re

import pytest

from tests.web.shown_tables import shown_tables

PEOPLE = tuple("abcdefgh")


@pytest.fixture
def large(served, monkeypatch):
    """A league whose players are read from the database in more than two parts."""
    monkeypatch.setattr("scorekeeper.service.lists.AT_ONCE", 3)
    return served.league(PEOPLE)


def shown(league, path):
    answer = league.served.ask("GET", f"/l/{league.slug}{path}", token=league.owner.token)
    assert answer.status_code == 200
    return answer.text


def test_the_page_of_the_players_has_everybody(large):
    linked = re.findall(rf'href="/l/{large.slug}/players/(\w)"', shown(large, "/players"))
    assert linked == list(PEOPLE)


@pytest.mark.parametrize("page", ["/players/a", "/table"])
def test_figures_can_be_asked_for_beside_whoever_comes_last(large, page):
    shown(large, f"{page}?with=h")


def test_whoever_comes_last_can_be_chosen_for_a_match(large):
    assert '"h":"h"' in shown(large, "/new")


def test_every_device_can_be_revoked_and_everybody_renamed(large):
    for name in "12345":
        large.owner.post("/tokens", {"role": "viewer", "name": name})
    tokens = [each["token_id"] for each in large.owner.get("/tokens").json()["items"]]
    text = shown(large, "/admin")
    assert len(tokens) > 6
    assert re.findall(r'data-revoke="([^"]+)"', text) == tokens
    assert [row[1] for row in shown_tables(text)["Names"][1:]] == list(PEOPLE)


@pytest.mark.parametrize("page", ["/players", "/new", "/t/new", "/table", "/admin"])
def test_people_are_listed_by_name_whatever_their_slugs(served, page):
    """Latin names go by the alphabet, Chinese ones by strokes; slugs of the latter say nothing."""
    names = (
        "anna",
        "Émile",
        "Zoë",
        "丁一",
        "王小明",
        "王美美",
        "陳先生",
        "欒先生",
        "דוד",
        "陈先生",
    )
    league = served.league(())
    for number, name in enumerate(reversed(names)):
        league.owner.post("/players", {"player": f"p-{number}", "name": name})
    text = shown(league, page)
    assert sorted(names, key=text.index) == list(names)
