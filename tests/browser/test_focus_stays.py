"""By keyboard: whatever is pressed, the focus stays where somebody can go on."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.parametrize("site", ["sqlite"], indirect=True, scope="session")


@pytest.fixture
def league(site):
    return site.league()


def test_too_few_seats_are_told_beside_the_people(site, phones, league):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/new")
    people = page.get_by_role("group", name="Who plays?").get_by_role("checkbox")
    expect(page.get_by_text("Choose 2 to 10 people.")).to_have_count(0)
    for each in people.all()[1:]:
        each.press("Space")
        expect(each).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="Choose 2 to 10 people.")).to_be_visible()
    expect(page.get_by_role("button", name="Start match")).to_be_disabled()
