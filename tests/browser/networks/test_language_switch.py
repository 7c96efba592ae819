"""Switching the language loads the page anew; what was chosen and typed stays, and only there."""

import re

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import SLUGS
from tests.browser.holding import Fault

TYPED = "Grün\n小美"


def switched(page):
    page.get_by_role("link", name="中文").click()
    # The address says so too, but a replay soon replaces it by that of its step.
    expect(page.locator("html")).to_have_attribute("lang", "zh-TW")
    page.wait_for_load_state()
    return page


def opened(site, phones, token, path):
    page = phones.phone(site, token)
    page.goto(path)
    return page


def round_replayed(site, phones, league, token):
    match = league.match(dealer="ann")
    league.tell(match, tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30}))
    return opened(site, phones, token, f"/l/{league.slug}/m/first/r/1")


def without_scripts(route):
    """Answer with the page as it is before its modules have been loaded."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace('type="module"', 'type="later"'))


def seats(page):
    return page.locator(".seats li span")


def test_a_new_match_keeps_its_choices_and_a_fresh_visit_begins_with_the_last_match(
    site, phones, league
):
    league.match(dealer="ann")
    address = f"/l/{league.slug}/new"
    page = opened(site, phones, league.scorekeeper, address)
    page.get_by_role("combobox", name="Edition").select_option("mario")
    page.get_by_role("textbox", name="What the question block does").fill("everybody sings")
    page.get_by_role("combobox", name="Scoring").select_option("plus-minus")
    page.get_by_role("spinbutton", name="Rounds").fill("7")
    page.get_by_role("checkbox", name="Bo", exact=True).uncheck()
    page.get_by_role("button", name="Ann one seat later").click()
    page.get_by_text("House rules", exact=True).click()
    page.get_by_role("combobox", name="Stacking").select_option("any")

    switched(page)
    expect(page.get_by_role("combobox", name="版本")).to_have_value("mario")
    expect(page.locator("input[maxlength='500']")).to_have_value("everybody sings")
    expect(page.get_by_role("combobox", name="計分方式")).to_have_value("plus-minus")
    expect(page.locator("#root input[type=number]")).to_have_value("7")
    expect(page.get_by_role("checkbox", name="Bo", exact=True)).not_to_be_checked()
    expect(seats(page)).to_have_text(["Oma Ida", "Ann", "美美"])
    expect(page.locator("#house-rules")).to_have_attribute("open", "")
    expect(page.locator("[name='house.stacking']")).to_have_value("any")

    page.goto(address)
    expect(seats(page)).to_have_text(["Ann", "Bo", "Oma Ida", "美美"])
    expect(page.locator("[name='house.stacking']")).to_have_value("")


def test_whoever_switches_back_before_the_page_can_be_used_finds_what_was_typed(
    site, phones, league
):
    page = opened(site, phones, league.scorekeeper, f"/l/{league.slug}/players")
    page.get_by_role("textbox", name="Names").fill(TYPED)
    page.route("**/players?lang=zh-TW", without_scripts)
    switched(page)
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("textbox", name="Names")).to_have_value(TYPED)


def test_a_switch_that_came_to_nothing_is_forgotten_at_the_next_visit(site, phones, league):
    address = f"/l/{league.slug}/new"
    page = opened(site, phones, league.scorekeeper, address)
    page.get_by_role("checkbox", name="Bo", exact=True).uncheck()
    # The other page never comes.
    gone = Fault(page, "**/new?lang=zh-TW", lambda route: route.fulfill(status=204))
    with page.expect_response("**/new?lang=zh-TW"):
        page.get_by_role("link", name="中文").click()
    gone.mend()
    for visit in (address, f"{address}?lang=zh-TW"):
        page.goto(visit)
        expect(page.get_by_role("checkbox", name="Bo", exact=True)).to_be_checked()


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/players", {"textarea": TYPED}),
        ("/table", {"[name=from]": "2026-11-01", "[name=seats]": "4"}),
        ("/players/ann", {"[name=to]": "2026-11-30", "[name=with]": "bo"}),
        ("/m/first/r/1", {"[name=reason]": TYPED.replace("\n", " ")}),
        ("/admin", {"[name=role]": "viewer", "[name=rows]": TYPED}),
        ("/t/new", {"[name=name]": "Pokal", "[name=added]": TYPED, "[name=rounds]": "8"}),
        (
            "/t/cup",
            {
                "#substitute [name=substitute]": "",
                "#substitute [name=name]": "Zoe",
                "#close [name=reason]": "spät",
            },
        ),
    ],
)
def test_what_was_typed_into_a_form_is_there_in_the_other_language(
    site, phones, league, path, fields
):
    cup = {"tournament": "cup", "name": "The cup", "edition": "basic", "players": list(SLUGS)}
    league.send("/tournaments", cup)
    match = league.match(dealer="ann")
    disputed = {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "It was eleven."}
    league.tell(match, tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30}), disputed)
    page = opened(site, phones, league.owner, f"/l/{league.slug}{path}")
    for summary in page.locator("main details:has(form) > summary").all():
        summary.click()
    for field, value in fields.items():
        shown = page.locator(field)
        if shown.evaluate("(shown) => shown.matches('select')"):
            shown.select_option(value)
        else:
            shown.fill(value)
    switched(page)
    for field, value in fields.items():
        expect(page.locator(field)).to_have_value(value)
        expect(page.locator(field)).to_be_visible()


def test_a_booklet_shows_what_was_searched_for(site, phones, league):
    page = opened(site, phones, league.viewer, "/e/basic")
    page.get_by_role("searchbox", name="Search").fill("B-DRAW-TWO")
    found = page.locator(".clauses > li").filter(visible=True)
    expect(found).to_have_count(1)
    switched(page)
    expect(page.get_by_role("searchbox")).to_have_value("B-DRAW-TWO")
    expect(found).to_have_count(1)


def test_a_new_tournament_counts_who_was_ticked_and_typed_before(site, phones, league):
    page = opened(site, phones, league.scorekeeper, f"/l/{league.slug}/t/new")
    for name in ("Ann", "Bo", "美美"):
        page.get_by_role("checkbox", name=name, exact=True).check()
    page.locator("[name=added]").fill("Zoe")
    switched(page)
    expect(page.get_by_role("checkbox", name="Oma Ida", exact=True)).not_to_be_checked()
    expect(page.locator("#open")).to_be_enabled()


@pytest.mark.parametrize("path", ["/", "/join"])
def test_who_comes_in_types_the_code_and_the_name_once(site, phones, path):
    page = phones.phone(site)
    page.goto(path)
    fields = page.locator("form input")
    expect(fields).to_have_count(1 if path == "/" else 2)
    for field in fields.all():
        field.fill("K7QF-2M9X")
    switched(page)
    for field in fields.all():
        expect(field).to_have_value("K7QF-2M9X")


def test_a_dispute_that_is_half_written_is_gone_on_with(site, phones, league):
    page = round_replayed(site, phones, league, league.scorekeeper)
    page.get_by_role("button", name="Dispute", exact=True).click()
    page.get_by_role("combobox", name="By whom").select_option("bo")
    page.get_by_role("textbox", name="What is disputed?").fill("It was eleven.")
    switched(page)
    expect(page.locator("[name=claim]")).to_have_value("It was eleven.")
    expect(page.locator("[name=by]")).to_have_value("bo")
    page.goto(page.url)
    expect(page.locator("#asking button").first).to_have_attribute("aria-expanded", "false")


def test_what_is_tried_otherwise_is_gone_on_with(site, phones, league):
    page = round_replayed(site, phones, league, league.owner)
    page.get_by_role("button", name="What if", exact=True).click()
    page.get_by_role("button", name="Not played", exact=True).click()
    page.get_by_role("textbox", name="Why").fill("It was another evening.")
    page.get_by_role("combobox", name="Proposed by").select_option("bo")
    switched(page)
    expect(page.locator("[name=reason]")).to_have_value("It was another evening.")
    expect(page.locator("[name=by]")).to_have_value("bo")
    expect(page.locator("#asking [aria-pressed=true]")).to_have_count(1)
    page.goto(page.url)
    expect(page.locator("#asking button").last).to_have_attribute("aria-expanded", "false")


def test_a_reason_that_nobody_wrote_comes_in_the_other_language(site, phones, league):
    page = round_replayed(site, phones, league, league.owner)
    page.get_by_role("button", name="What if", exact=True).click()
    page.get_by_role("button", name="Other points", exact=True).click()
    page.get_by_role("spinbutton", name="Points of Bo").fill("12")
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.get_by_role("textbox", name="Why")).to_have_value(
        re.compile("Bo: 12 in place of 10")
    )
    switched(page)
    reason = page.locator("[name=reason]")
    expect(reason).to_have_value(re.compile("Bo.*12"))
    expect(reason).not_to_have_value(re.compile("in place of|Step"))


def test_a_dispute_that_was_closed_again_stays_closed(site, phones, league):
    page = round_replayed(site, phones, league, league.scorekeeper)
    page.get_by_role("button", name="Dispute", exact=True).click()
    page.get_by_role("textbox", name="What is disputed?").fill("It was eleven.")
    page.get_by_role("button", name="Dispute", exact=True).click()
    switched(page)
    expect(page.locator("#asking button").first).to_have_attribute("aria-expanded", "false")
    expect(page.locator("[name=claim]")).to_have_count(0)
