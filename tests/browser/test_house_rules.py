"""House rules on the pages: looked up, chosen and remembered, and tapped card by card."""

import pytest
from playwright.sync_api import expect

# What a page does by itself is the same on every database.
on_one = pytest.mark.parametrize("site", ["sqlite"], indirect=True, scope="session")


@on_one
def test_a_house_rule_is_found_by_the_search_of_a_booklet(site, phones):
    phone = phones.phone(site)
    phone.goto("/e/mario#V-SEVEN")
    heading = phone.get_by_role("heading", name="House rules")
    expect(phone.locator("#V-SEVEN")).to_be_in_viewport()
    search = phone.get_by_role("searchbox", name="Search")
    search.fill("exchanges the whole hand")
    expect(phone.get_by_role("status")).to_have_text("1 clause")
    expect(heading).to_be_visible()
    expect(phone.get_by_role("link", name="V-SEVEN")).to_be_visible()
    search.fill("M-STAR")
    expect(phone.get_by_role("listitem").first).to_be_visible()
    expect(heading).to_be_hidden()
