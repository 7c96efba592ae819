"""What orders the leaders in a hall stands below them, also on a wall with ten tables."""

from itertools import chain

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.pages.test_hall import CUT_OFF, LEAST_TYPE, OUTSIDE, SMALL, WALLS

PEOPLE = tuple(f"p{number:02}" for number in range(41))
COVERED = """() => {
    const last = document.querySelector(".leaders").lastElementChild.getBoundingClientRect();
    return [...document.querySelectorAll(".tables .card, .beside > section")].some((each) => {
        const {left, right, top, bottom} = each.getBoundingClientRect();
        return left < last.right && last.left < right && top < last.bottom && last.top < bottom;
    });
}"""


@pytest.fixture(scope="module")
def crowd(site):
    """Partners are equal but for the rounds that one of them won; some have played a round more."""
    league = site.league([f"Catharina {each}." for each in PEOPLE], PEOPLE)
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(PEOPLE)}
    first, second, *_ = league.send("/tournaments", cup)["segments"]
    for at, table in enumerate(first["tables"], 1):
        winner, *others = table["rounds"][0]["players"]
        told = tally(winner, **dict.fromkeys(others, at))
        league.tell(f"/matches/{table['match']}", *[told] * 4)
    leading = first["tables"][0]["rounds"][0]["players"]
    best = next(player for player in leading if player not in second["byes"])
    table = next(each for each in second["tables"] if best in chain(*each["teams"]))
    others = [player for team in table["teams"] for player in team if player != best]
    league.tell(f"/matches/{table['match']}", tally(best, **dict.fromkeys(others, 1)))
    return league


@pytest.mark.parametrize("size", WALLS, ids=str)
@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_both_reasons_of_an_order_have_room_on_a_wall(site, phones, crowd, size, language):
    wall = phones.phone(site, crowd.viewer, language=language, size=size)
    wall.goto(f"/l/{crowd.slug}/t/cup/hall")
    expect(wall.locator("#root [role=status]")).to_be_attached()
    expect(wall.locator(".leaders .hint")).to_have_count(2)
    assert wall.evaluate(OUTSIDE) == []
    assert wall.evaluate(CUT_OFF) == []
    assert wall.evaluate(SMALL, LEAST_TYPE) == []
    assert not wall.evaluate(COVERED)
