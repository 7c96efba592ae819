"""A page that is loaded again by a pull or by a phone that dropped it keeps what was filled in."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import ADMIN, tally
from tests.browser.evening import SLUGS

NAMES = "Zoe\n小美"
# What browsers tell a page when its tab is chosen. A page that loads itself again answers nothing.
LOOKED_AT = "() => void document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))"

AT_THE_END = """(selector) => addEventListener("pagehide", () => {
    const field = document.querySelector(selector);
    sessionStorage.setItem("left", field.type === "checkbox" ? field.checked : field.value !== "");
})"""


def opened(site, phones, league, path):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}{path}")
    return page


def test_the_first_league_and_its_people_are_typed_once(site, phones):
    page = phones.phone(site)
    page.context.set_extra_http_headers({"authorization": f"Bearer {ADMIN}"})
    page.goto("/")
    page.get_by_role("textbox", name="League name").fill("Fridays")
    page.get_by_role("textbox", name="Players").fill(NAMES)
    page.reload()
    expect(page.get_by_role("textbox", name="League name")).to_have_value("Fridays")
    expect(page.get_by_role("textbox", name="Players")).to_have_value(NAMES)


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/players", {"[name=players]": NAMES}),
        ("/admin", {"[name=rows]": "date,edition\n2024-11-20,basic"}),
        ("/t/new", {"[name=name]": "Pokal", "[name=added]": NAMES}),
    ],
)
def test_what_was_typed_into_a_form_is_there_again(site, phones, league, path, fields):
    page = opened(site, phones, league, path)
    for field, value in fields.items():
        page.locator(field).fill(value)
    page.reload()
    for field, value in fields.items():
        expect(page.locator(field)).to_have_value(value)


def test_who_plays_a_tournament_stays_ticked(site, phones, league):
    page = opened(site, phones, league, "/t/new")
    for name in ("Ann", "Bo", "Oma Ida", "美美"):
        page.get_by_role("checkbox", name=name, exact=True).check()
    page.reload()
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(4)
    expect(page.get_by_role("button", name="Open tournament")).to_be_enabled()


def test_a_dispute_that_is_half_written_is_gone_on_with(site, phones, league):
    match = league.match(dealer="ann")
    league.tell(match, tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30}))
    page = opened(site, phones, league, "/m/first/r/1")
    page.get_by_role("button", name="Dispute", exact=True).click()
    claim = page.get_by_role("textbox", name="What is disputed?")
    claim.fill("It was eleven.")
    page.reload()
    expect(claim).to_have_value("It was eleven.")


def test_what_was_sent_is_not_there_again(site, phones, league):
    page = opened(site, phones, league, "/players")
    names = page.get_by_role("textbox", name="Names")
    names.fill("Zoe")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("link", name="Zoe")).to_be_visible()
    expect(names).to_have_value("")
    page.reload()
    expect(names).to_have_value("")


def left_when_reloaded(page, field, button):
    """Press the button, and return whether the field was filled in when the page was left."""
    page.evaluate(AT_THE_END, field)
    with page.expect_event("load"):
        page.locator(button).click()
    return page.evaluate("sessionStorage.getItem('left')") == "true"


def test_names_have_left_their_field_before_the_page_is_loaded_again(site, phones, league):
    """Firefox fills in again what a page held when it was reloaded."""
    page = opened(site, phones, league, "/players")
    page.get_by_role("textbox", name="Names").fill("Zoe")
    assert not left_when_reloaded(page, "#add [name=players]", "#add button")


def test_what_can_t_be_taken_back_is_ticked_each_time(site, phones, league):
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(SLUGS)}
    league.send("/tournaments", cup)
    page = opened(site, phones, league, "/t/cup")
    page.get_by_text("Somebody withdraws").click()
    page.locator("#withdraw [type=checkbox]").check()
    assert not left_when_reloaded(page, "#withdraw [type=checkbox]", "#withdraw button")


def test_another_visit_begins_with_empty_fields(site, phones, league):
    page = opened(site, phones, league, "/players")
    names = page.get_by_role("textbox", name="Names")
    names.fill("Zoe")
    page.goto(f"/l/{league.slug}")
    page.get_by_role("link", name="Players", exact=True).click()
    expect(names).to_have_value("")


@pytest.mark.parametrize("page", ["pad", "cards", "tv"])
def test_a_tab_of_a_device_that_was_let_in_again_elsewhere_follows_its_match(
    site, phones, league, match, page
):
    phone = opened(site, phones, league, f"/m/first/{page}")
    phone.context.add_cookies([league.cookie(league.scorekeeper)])
    phone.reload()
    own = next(each for each in league.get("/tokens")["items"] if each["role"] == "scorekeeper")
    league.delete(f"/tokens/{own['token_id']}")
    ask = phone.get_by_text("ask for a new code")
    expect(ask).to_be_visible()
    # Answered later, it could be let in by the new token, and load the page while it is looked at.
    with phone.expect_response(lambda answer: answer.url.endswith(f"/m/first/{page}")):
        phone.evaluate(LOOKED_AT)
    another = league.send("/tokens", {"role": "scorekeeper", "name": "Ann's phone"})["token"]
    phone.context.add_cookies([league.cookie(another)])
    expect(ask).to_be_visible()
    phone.evaluate(LOOKED_AT)
    expect(ask).to_have_count(0)
    league.tell(match, tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 33}))
    expect(phone.get_by_role("table", name="Scores")).to_contain_text("63")
