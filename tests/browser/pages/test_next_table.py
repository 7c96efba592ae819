"""In the hall, a table that is done early goes on where nobody at the next one still plays."""

import pytest
from playwright.sync_api import expect

from tests.browser.pages.test_hall import CUT_OFF, LEAST_TYPE, OUTSIDE, SMALL, WALLS, play

PEOPLE = tuple(f"p{number:02}" for number in range(16))


class Cup:
    """A tournament of sixteen, of whose first segment one table is still played."""

    def __init__(self, site):
        self.league = site.league([each.upper() for each in PEOPLE], PEOPLE)
        cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(PEOPLE)}
        first, second, *_ = self.league.send("/tournaments", cup)["segments"]
        *early, self.late = first["tables"]
        for table in early:
            play(self.league, table, 4)
        slow = seated(self.late)
        free, waiting = [], []
        for table in second["tables"]:
            (waiting if slow & seated(table) else free).append(table)
        self.free, self.waiting = free, waiting
        self.hall = f"/l/{self.league.slug}/t/cup/hall"


def seated(table):
    return {player for team in table["teams"] for player in team}


@pytest.fixture(scope="module")
def cup(site):
    return Cup(site)


def test_whoever_scores_finds_the_pad_of_the_own_next_table(site, phones):
    cup = Cup(site)
    phone = phones.phone(site, cup.league.scorekeeper)
    phone.goto(cup.hall)
    mine = phone.get_by_role("region", name="Where do I sit?")
    table = cup.free[0]
    phone.get_by_role("combobox", name="I am").select_option(min(seated(table)))
    pad = mine.get_by_role("link", name=f"Score segment 2, table {table['table']}")
    expect(pad).to_be_in_viewport(ratio=1)
    assert pad.bounding_box()["height"] >= 44
    waiting = cup.waiting[0]
    phone.get_by_role("combobox", name="I am").select_option(
        min(seated(waiting) - seated(cup.late))
    )
    expect(mine).to_contain_text(f"Next: table {waiting['table']}")
    expect(pad).to_have_count(0)
    expect(mine.get_by_role("link")).to_have_count(0)
    # Once the slow table is done, its people are free as well.
    play(cup.league, cup.late, 4)
    expect(phone.get_by_text("Segment 2 of 15")).to_be_visible()
    expect(mine).to_contain_text(f"You sit at table {waiting['table']}")


def test_what_is_next_leads_to_the_pads_of_tables_that_can_begin(site, phones, cup):
    phone = phones.phone(site, cup.league.scorekeeper)
    phone.goto(cup.hall)
    following = phone.get_by_role("region", name="Next: segment 2")
    expect(phone.locator("#root [role=status]")).to_be_attached()
    expect(following.get_by_role("link")).to_have_count(len(cup.free))
    for table in cup.free:
        link = following.get_by_role("link", name=f"Table {table['table']}:")
        expect(link).to_have_attribute("href", f"/l/{cup.league.slug}/m/{table['match']}/pad")
        assert link.bounding_box()["height"] >= 44
    following.get_by_role("link").first.click()
    phone.wait_for_url(f"**/{cup.free[0]['match']}/pad")
    looking = phones.phone(site, cup.league.viewer)
    looking.goto(cup.hall)
    expect(looking.locator("#root [role=status]")).to_be_attached()
    expect(looking.get_by_role("region", name="Next: segment 2").get_by_role("link")).to_have_count(
        0
    )


@pytest.mark.parametrize("size", WALLS, ids=str)
def test_a_wall_has_room_for_them(site, phones, cup, size):
    for language in ("en", "zh-TW"):
        wall = phones.phone(site, cup.league.scorekeeper, language=language, size=size)
        wall.goto(cup.hall)
        expect(wall.locator("#root [role=status]")).to_be_attached()
        expect(wall.locator(".beside li > a")).to_have_count(len(cup.free))
        assert wall.evaluate(OUTSIDE) == []
        assert wall.evaluate(CUT_OFF) == []
        assert wall.evaluate(SMALL, LEAST_TYPE) == []
