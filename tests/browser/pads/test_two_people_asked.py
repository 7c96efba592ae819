"""Behind "More", a form that asks for two people does not begin with the same one twice."""

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize(
    ("title", "first", "second"),
    [
        ("A card is given", "Who", "To whom"),
        ("Caught without UNO", "Who", "By whom"),
        ("Accusation", "By whom", "Who"),
    ],
)
def test_the_second_is_another_one(site, phones, league, match, title, first, second):
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("combobox", name="What happened?").select_option(title)
    for label, player in ((first, "ann"), (second, "bo")):
        expect(page.get_by_role("combobox", name=label, exact=True)).to_have_value(player)
