"""Lists longer than a page: each page links to the next, and together they are complete."""

import re
from html import unescape

import pytest

from tests.api.serving import ADMIN

FOUR = ["ann", "bo", "cy", "di"]


def walked(served, address, token, link, told):
    """Return all matches of the pattern `link` in the pages of a list, and the number of pages."""
    found, pages = [], 0
    while address:
        answer = served.ask("GET", address, token=token)
        assert answer.status_code == 200
        found += re.findall(link, answer.text)
        more = re.search(rf'<a class="button plain" href="([^"]+)">{told}</a>', answer.text)
        address = more and unescape(more[1])
        pages += 1
    return found, pages


def test_an_admin_walks_through_all_leagues(served, monkeypatch):
    monkeypatch.setattr("scorekeeper.web.pages.league._MOST_LEAGUES", 2)
    for _ in range(5):
        served.league([])
    known = served.ask("GET", "/v1/leagues", token=ADMIN, params={"limit": 1000}).json()["items"]
    found, pages = walked(served, "/", ADMIN, r'href="/l/([^"/]+)"', "More leagues")
    assert found == [each["league"] for each in known]
    assert pages == -(-len(known) // 2)


def test_the_tournaments_of_a_league_go_back_to_its_first(served, monkeypatch):
    monkeypatch.setattr("scorekeeper.web.pages.tournament._MOST_TOURNAMENTS", 2)
    league = served.league(FOUR)
    for number in range(5):
        cup = {"tournament": f"cup-{number}", "name": "Cup", "edition": "basic", "players": FOUR}
        assert league.owner.post("/tournaments", cup).status_code == 201
    address = f"/l/{league.slug}/t"
    found, pages = walked(
        served, address, league.viewer.token, r'/t/(cup-\d)"', "Older tournaments"
    )
    assert found == [f"cup-{number}" for number in range(4, -1, -1)]
    assert pages == 3


@pytest.mark.parametrize("place", ["", "No Slug", "'", "9" * 30, "9" * 5_000, "²", "-1"])
def test_what_is_no_place_in_a_list_is_its_beginning(served, place):
    league = served.league(FOUR)
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": FOUR}
    assert league.owner.post("/tournaments", cup).status_code == 201
    first = served.ask("GET", "/", token=ADMIN).text
    links = re.compile(r'href="/l/[^"]+"')
    root = f"/l/{league.slug}/t"
    for address in (
        "/?after=",
        f"{root}?before=",
        f"{root}/cup?from=",
        f"{root}/cup/print?segment=",
    ):
        answer = served.ask("GET", address + place, token=ADMIN)
        assert answer.status_code == 200
        if address == "/?after=" and not place.isdecimal():
            assert links.findall(answer.text) == links.findall(first)
