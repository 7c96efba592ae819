"""By keyboard: after each action the focus is on something from which people can go on."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.pages.test_replay_by_hand import ROUND

FOUR = {"players": ["ann", "bo", "oma-ida", "mei"]}
# The focused element, if something else covers its middle.
BEHIND = """() => {
    const held = document.activeElement;
    const {left, top, width, height} = held.getBoundingClientRect();
    const shown = document.elementFromPoint(left + width / 2, top + height / 2);
    return !shown || held.contains(shown) || shown.contains(held) ? [] : [held.outerHTML];
}"""


@pytest.fixture
def league(site):
    return site.league()


def test_a_seat_is_moved_step_by_step_to_either_end(site, phones, league):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/new")
    seats = page.get_by_role("region", name="Seats, clockwise").locator("li > span")
    earlier = page.get_by_role("button", name="Oma Ida one seat earlier")
    later = page.get_by_role("button", name="Oma Ida one seat later")
    start = seats.all_inner_texts()
    earlier.focus()
    for _ in range(start.index("Oma Ida") + 1):
        page.keyboard.press("Enter")
        expect(earlier).to_be_focused()
    expect(seats.first).to_have_text("Oma Ida")
    later.focus()
    for _ in start:
        page.keyboard.press("Enter")
        expect(later).to_be_focused()
    expect(seats.last).to_have_text("Oma Ida")


def test_a_seat_that_is_moved_is_said_and_stays_in_view(site, phones, league):
    page = phones.phone(site, league.scorekeeper, size=(390, 300))
    page.goto(f"/l/{league.slug}/new")
    seats = page.get_by_role("region", name="Seats, clockwise").locator("li > span")
    first, *others = seats.all_inner_texts()
    later = page.get_by_role("button", name=f"{first} one seat later")
    later.focus()
    for number in range(2, len(others) + 2):
        page.keyboard.press("Enter")
        said = f"{first}: seat {number} of {len(others) + 1}"
        expect(page.get_by_role("status").filter(has_text=said)).to_be_attached()
        expect(later).to_be_in_viewport(ratio=1)


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


def test_after_people_are_added_more_can_be(site, phones, league):
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/players")
    add = page.get_by_role("button", name="Add")
    for name in ("Cy", "Di"):
        page.get_by_role("textbox", name="Names").fill(name)
        add.press("Enter")
        expect(page.get_by_role("link", name=name)).to_be_visible()
        expect(add).to_be_focused()


def test_what_is_told_of_a_tournament_leads_to_its_top(site, phones, league):
    league.send("/tournaments", {"tournament": "cup", "name": "Cup", "edition": "basic"} | FOUR)
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/t/cup")
    page.get_by_text("Somebody sits in").press("Enter")
    page.get_by_role("textbox", name="Name of somebody new").fill("Zoe")
    page.get_by_role("button", name="Sit in").press("Enter")
    expect(page.get_by_text("Zoe sits in for Ann.")).to_be_visible()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_be_focused()
    page.reload()
    expect(heading).not_to_be_focused()


def test_who_ends_something_stays_at_its_table(site, phones, league):
    league.send("/invitations", {"role": "viewer"})
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    for table, button, told in (
        ("Devices", "Revoke", "Ended: Ann's phone"),
        ("Invitations", "End", "Ended: watch"),
    ):
        around = page.get_by_role("region", name=table)
        rows = around.locator("tbody tr")
        before = rows.count()
        name = told.removeprefix("Ended: ")
        row = rows.filter(has=page.get_by_role("rowheader", name=name, exact=True))
        row.get_by_role("button", name=button, exact=True).press("Enter")
        expect(page.get_by_text(told)).to_be_visible()
        expect(rows).to_have_count(before - 1)
        expect(around).to_be_focused()


def test_what_can_not_be_ended_keeps_its_button(site, phones, league):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    page.context.set_offline(True)
    others = page.get_by_role("row", name="Ann's phone")
    revoke = others.get_by_role("button", name="Revoke")
    revoke.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="No connection")).to_be_visible()
    expect(revoke).to_be_focused()
    expect(revoke).not_to_have_attribute("aria-disabled", "true")


def test_an_invitation_and_a_new_name_have_the_focus_after_them(site, phones, league):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    page.get_by_role("button", name="Invite").press("Enter")
    expect(page.get_by_role("heading", name="Show this to whom you invite")).to_be_focused()
    rename = page.get_by_role("button", name="Rename").first
    rename.press("Enter")
    page.get_by_role("textbox", name="Name", exact=True).fill("Anna")
    page.get_by_role("button", name="Save").press("Enter")
    expect(page.get_by_text("Renamed: Anna")).to_be_visible()
    expect(rename).to_be_focused()


def test_an_import_that_is_done_leads_back_to_looking_at_another(site, phones, league):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    rows = "date,edition,players,points\n2024-11-20,basic,ann bo,- 600\n"
    page.get_by_role("textbox", name="Or paste cells").fill(rows)
    preview = page.get_by_role("button", name="Preview")
    preview.press("Enter")
    page.get_by_role("button", name="Import", exact=True).press("Enter")
    expect(page.get_by_text("Imported: 1 match.")).to_be_visible()
    expect(preview).to_be_focused()


def test_a_choice_that_is_hidden_when_it_is_taken_back_hands_the_focus_on(site, phones, league):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    rows = "date,edition,players,points\n2124-11-20,basic,ann bo,- 600\n"
    page.get_by_role("textbox", name="Or paste cells").fill(rows)
    preview = page.get_by_role("button", name="Preview")
    preview.press("Enter")
    right = page.get_by_role("checkbox", name="Dates in the future are right")
    right.press("Space")
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_visible()
    page.get_by_role("textbox", name="Or paste cells").fill(rows.replace("2124", "2024"))
    preview.press("Enter")
    expect(page.get_by_role("button", name="Import", exact=True)).to_be_visible()
    right.press("Space")
    expect(right).to_be_hidden()
    expect(preview).to_be_focused()


def test_whoever_upholds_a_dispute_with_an_amendment_goes_on_in_the_form(site, phones, league):
    match = league.match(dealer="ann")
    league.tell(match, tally("bo", **{"ann": 1, "oma-ida": 2, "mei": 3}))
    told = {"type": "dispute_opened", "by": "ann", "round": 1, "claim": "No.", "entry": 2}
    league.tell(match, told)
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/m/first/r/1")
    page.get_by_role("button", name="Uphold with an amendment").press("Enter")
    expect(page.locator("#asking section")).to_be_focused()
    not_played = page.get_by_role("button", name="Not played")
    # The button appears once the entry has been read.
    expect(not_played).to_be_visible()
    page.keyboard.press("Tab")
    expect(not_played).to_be_focused()


@pytest.mark.parametrize("path", ["pad", "cards", "r/1"])
def test_what_has_the_focus_is_not_behind_what_stays_at_the_foot(site, phones, league, path):
    match = league.match(dealer="ann")
    told = tally("bo", **{"ann": ["red-1", "red-2"], "oma-ida": ["red-3"], "mei": ["red-4"]})
    league.tell(match, told)
    page = phones.phone(site, league.owner, size=(390, 500))
    page.goto(f"/l/{league.slug}/m/first/{path}")
    if path == "pad":
        page.get_by_role("group", name="Who went out?").get_by_role("button").first.click()
    page.get_by_role("link", name="League", exact=True).focus()
    behind = []
    for _ in range(60):
        page.keyboard.press("Tab")
        behind += page.evaluate(BEHIND)
    assert behind == []


def test_whoever_reads_a_step_reads_on_in_the_step_that_comes_in_its_place(site, phones, league):
    league.tell(league.match(dealer="ann"), *ROUND)
    page = phones.phone(site, league.viewer)
    page.goto(f"/l/{league.slug}/m/first/r/1?step=4")
    shown = page.locator(".steps > li:visible")
    shown.get_by_role("link", name="B-MATCH").focus()
    page.keyboard.press("ArrowRight")
    expect(shown.get_by_role("link", name="5", exact=True)).to_be_focused()
    page.get_by_text("Where 美美's 58 come from").press("Enter")
    page.get_by_role("link", name="step 6").first.press("Enter")
    expect(shown.get_by_role("link", name="6", exact=True)).to_be_focused()
