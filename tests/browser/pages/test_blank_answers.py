"""Blanks are no answer: the browser points at the field, and nothing is sent."""

import pytest
from playwright.sync_api import expect

from tests.api.serving import ADMIN, tally


def refused(page, field, button):
    """Fill in blanks, press the button, and check that the field is shown and nothing was sent."""
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.post_data else None)
    field.fill("  ")
    button.click()
    expect(field).to_be_focused()
    assert field.evaluate("(field) => field.validity.valueMissing")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert sent == []


def test_a_phone_says_whose_it_is(site, phones):
    made = site.league().send("/invitations", {"role": "viewer"})
    page = phones.phone(site)
    page.goto(made["url"])
    name = page.get_by_role("textbox", name="Whose phone is this?")
    refused(page, name, page.get_by_role("button", name="Join"))


def test_a_league_has_a_name(site, phones):
    page = phones.phone(site)
    page.context.set_extra_http_headers({"authorization": f"Bearer {ADMIN}"})
    page.goto("/")
    name = page.get_by_role("textbox", name="League name")
    refused(page, name, page.get_by_role("button", name="Create league"))


@pytest.mark.parametrize(
    ("path", "field", "button"),
    [("/players", "Names", "Add"), ("/t/new", "Name of the tournament", "Open tournament")],
)
def test_people_and_tournaments_have_names(site, phones, league, path, field, button):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}{path}")
    for name in page.get_by_role("checkbox").all():
        name.check()
    name = page.get_by_role("textbox", name=field)
    refused(page, name, page.get_by_role("button", name=button, exact=True))


def test_a_person_is_renamed_to_something(site, phones, league):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    row = page.get_by_role("table", name="Names").get_by_role("row", name="Bo")
    row.get_by_role("button", name="Rename").click()
    dialog = page.get_by_role("dialog")
    name = dialog.get_by_role("textbox", name="Name")
    refused(page, name, dialog.get_by_role("button", name="Save"))
    name.fill("Bob")
    name.press("Enter")
    expect(page.get_by_text("Renamed: Bob")).to_be_visible()


@pytest.fixture
def replay(site, phones, league):
    match = league.match(dealer="ann")
    claim = {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "It was eleven."}
    league.tell(match, tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30}), claim)
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/m/first/r/1")
    return page


def test_a_dispute_claims_something(replay, league):
    replay.get_by_role("button", name="Dispute", exact=True).click()
    claim = replay.get_by_role("textbox", name="What is disputed?")
    refused(replay, claim, replay.get_by_role("button", name="Open the dispute"))
    claim.fill("It was twelve.")
    replay.get_by_role("button", name="Open the dispute").click()
    expect(replay.get_by_role("status").get_by_text("The dispute is open.")).to_be_visible()
    expect(claim).to_have_count(0)


def test_a_ruling_has_a_reason(replay):
    reason = replay.get_by_role("textbox", name="Reason of the ruling")
    refused(replay, reason, replay.get_by_role("button", name="Uphold", exact=True))


def test_an_amendment_has_a_reason(replay):
    replay.get_by_role("button", name="What if", exact=True).click()
    replay.get_by_role("button", name="Not played", exact=True).click()
    why = replay.get_by_role("textbox", name="Why")
    refused(replay, why, replay.get_by_role("button", name="Amend", exact=True))


def test_a_note_says_something(site, phones, league):
    league.match(dealer="ann")
    page = phones.phone(site, league.scorekeeper)
    page.goto(f"/l/{league.slug}/m/first/cards")
    page.get_by_text("More", exact=True).click()
    text = page.get_by_role("textbox", name="Text")
    expect(text).to_be_visible()
    refused(page, text, page.get_by_role("button", name="Tell", exact=True))
