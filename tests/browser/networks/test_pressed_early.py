"""Forms sent by a script can't be sent before it has loaded, and nothing in them is lost."""

import re

import pytest
from playwright.sync_api import expect

CODE = "K7QF-2M9X"
MODULES = re.compile(r"/static/.*\.js$")


@pytest.fixture
def early(site, phones):
    """A function that opens a page whose modules never finish loading."""

    def opened(path, *tokens):
        page = phones.phone(site, *tokens)
        page.route(MODULES, lambda route: None)
        page.goto(path, wait_until="commit")
        return page

    return opened


@pytest.mark.parametrize("key", ["Enter", "click"])
@pytest.mark.parametrize("path", ["/", "/join"])
def test_a_code_stays_where_it_was_typed_and_out_of_the_address(early, site, path, key):
    page = early(path)
    asked = []
    page.on("request", lambda each: each.is_navigation_request() and asked.append(each.url))
    code = page.get_by_role("textbox", name="Code")
    code.fill(CODE)
    name = page.get_by_role("textbox", name="Whose phone is this?")
    if name.count():
        name.fill("Bo")
    join = page.get_by_role("button", name="Join")
    expect(join).to_be_disabled()
    if key == "Enter":
        code.press(key)
    else:
        join.click(force=True)
    expect(code).to_have_value(CODE)
    assert (page.url, asked) == (f"{site.url}{path}", [])


def test_a_code_can_be_sent_as_soon_as_the_script_has_loaded(site, phones):
    league = site.league()
    made = league.send("/invitations", {"role": "scorekeeper"})
    page = phones.phone(site)
    held = []

    def hold(route):
        held.append(route)

    page.route(MODULES, hold)
    page.goto("/join", wait_until="commit")
    page.get_by_role("textbox", name="Code").fill(made["code"])
    page.get_by_role("textbox", name="Whose phone is this?").fill("Bo")
    join = page.get_by_role("button", name="Join")
    expect(join).to_be_disabled()
    page.route(MODULES, lambda route: route.continue_())
    for route in held:
        route.continue_()
    join.click()
    page.wait_for_url(f"**/l/{league.slug}")


def test_names_that_were_typed_stay_where_they_are(early, site):
    league = site.league()
    page = early(f"/l/{league.slug}/players", league.owner)
    names = page.get_by_role("textbox", name="Names")
    names.fill("Cy\nDi")
    page.get_by_role("button", name="Add").click(force=True)
    expect(names).to_have_value("Cy\nDi")
    assert page.url == f"{site.url}/l/{league.slug}/players"


def test_without_scripts_a_code_is_not_sent_either(site, chromium):
    context = chromium.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/join")
    page.locator("[name=code]").fill(CODE)
    page.locator("[name=name]").fill("Bo")
    page.get_by_role("button", name="Join").click(force=True)
    expect(page.locator("[name=code]")).to_have_value(CODE)
    assert page.url == f"{site.url}/join"
    context.close()
