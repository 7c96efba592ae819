"""The admin page: names, and evidence about the log that the browser checks itself."""

import io
import re
import tarfile
from datetime import datetime
from functools import partial
from hashlib import sha256

import httpx
import pytest
from playwright.sync_api import expect

from tests.api.live_client import PATIENCE
from tests.api.serving import tally
from tests.browser.evening import on_both
from tests.browser.holding import Fault


def row_of(page, name):
    table = page.get_by_role("table", name="Names")
    return table.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name, exact=True))


def name_in(league, player):
    return league.get(f"/players/{player}")["name"]


@on_both
def test_a_person_is_renamed_and_a_name_erased_by_keyboard(site, phones):
    league = site.league()
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    row_of(page, "Bo").get_by_role("button", name="Rename").press("Enter")
    field = page.get_by_role("dialog", name="Rename").get_by_role("textbox", name="Name")
    expect(field).to_have_value("Bo")
    field.fill("<b>Bo & Co")
    field.press("Enter")
    expect(page.get_by_text("Renamed: <b>Bo & Co")).to_be_visible()
    assert name_in(league, "bo") == "<b>Bo & Co"
    erase = row_of(page, "<b>Bo & Co").get_by_role("button", name="Erase name")
    erase.press("Enter")
    asked = page.get_by_role("dialog", name="Erase the name <b>Bo & Co?")
    expect(asked).to_contain_text("Backups and exports that were made before still have the name")
    expect(asked).to_contain_text("What stays: all results, under the short name bo.")
    expect(asked).to_have_accessible_description(re.compile("Nobody can bring it back.*What stays"))
    expect(asked.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(erase).to_be_focused()
    assert name_in(league, "bo") == "<b>Bo & Co"
    erase.press("Enter")
    asked.get_by_role("button", name="Erase", exact=True).press("Enter")
    expect(page.get_by_text("bo is what is left of it")).to_be_visible()
    assert name_in(league, "bo") is None
    expect(row_of(page, "bo").get_by_role("button", name="Rename")).to_be_focused()
    expect(erase).to_have_count(0)


@on_both
def test_the_browser_checks_an_export_against_its_signature(site, phones):
    league = site.league()
    match = league.match(dealer="ann")
    league.tell(match, tally("ann", **{"bo": 10, "oma-ida": 20, "mei": 30}))
    # More entries than one tile has, and one whose content was erased.
    notes = [{"type": "note_added", "text": f"茶 \u2028 {number}"} for number in range(256)]
    told = league.tell(match, *notes)
    gone = told["entries"][0]["position"]
    league.send("/erasures", {"positions": [gone], "reason": "somebody asked for it"})
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    checkpoint = page.get_by_role("table", name="Signed checkpoint")
    root = checkpoint.locator("code").text_content()
    size = checkpoint.locator("tr").nth(1).locator("td").text_content()
    verify = page.get_by_role("button", name="Verify")
    verify.click()
    result = page.locator("#verified")
    expect(result).to_have_text(f"✓ All of it holds: {size} entries, root {root}.")

    bundle = site.client(league.owner).get(f"/v1/leagues/{league.slug}/export").content
    for changed, where in (
        (altered(bundle, "entries/000.ndjson"), "entries/000.ndjson"),
        (altered(bundle, "entries/000.ndjson", mended=True), "1"),
        (altered(bundle, "seal"), "seal"),
        (bundle[:-512], "tar"),
    ):
        forged = Fault(page, "**/export", partial(fulfil, changed))
        verify.click()
        expect(result).to_have_text(
            f"✗ This is not what was signed; the first fault is in {where}."
        )
        forged.mend()
    page.route("**/export", lambda route: route.abort())
    verify.click()
    expect(result).to_contain_text("did not arrive as a whole")


def fulfil(body, route):
    route.fulfill(body=body)


def altered(bundle, name, *, mended=False):
    """Return the bundle with a letter of a member changed; `mended`: with a digest that matches."""
    with tarfile.open(fileobj=io.BytesIO(bundle)) as archive:
        found = archive.getmember(name)
    end = found.offset_data + found.size
    before = bundle[found.offset_data : end]
    after = before.replace(b"a", b"b", 1)
    whole = bundle[: found.offset_data] + after + bundle[end:]
    if mended:
        whole = whole.replace(*(sha256(each).hexdigest().encode() for each in (before, after)))
    return whole


def test_where_the_browser_cannot_check_the_command_is_shown(site, phones):
    league = site.league()
    page = phones.phone(site, league.owner)
    page.add_init_script("Object.defineProperty(crypto, 'subtle', {value: undefined})")
    page.goto(f"/l/{league.slug}/admin")
    expect(page.get_by_text(f"scorekeeper verify {league.slug}-")).to_be_visible()
    expect(page.get_by_role("button", name="Verify")).to_have_count(0)


def test_where_a_reload_sends_forms_again_the_page_with_an_invitation_is_fetched(site, phones):
    """WebKit sends the form again with each reload of what answered it."""
    league = site.league()
    page = phones.phone(site, league.owner)
    page.add_init_script("Object.defineProperty(navigator, 'vendor', {value: 'Apple, Inc.'})")
    methods = []
    page.on("request", lambda each: each.is_navigation_request() and methods.append(each.method))
    page.goto(f"/l/{league.slug}/admin")
    page.get_by_role("button", name="Invite", exact=True).click()
    made = page.get_by_role("region", name="Show this to whom you invite")
    code = made.locator(".code").inner_text()
    expect(page.locator("[data-invitation]")).to_have_count(0)
    assert methods == ["GET", "POST", "GET"]
    expect(made.locator(".code")).to_have_text(code)
    expect(made.get_by_role("heading")).to_be_focused()
    page.reload()
    expect(made.locator(".code")).to_have_text(code)
    assert page.evaluate("sessionStorage.length") == 0


def test_an_invitation_is_shown_again_in_its_tab_while_it_is_in_force(site, phones):
    league = site.league()
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    page.get_by_role("button", name="Invite", exact=True).click()
    made = page.get_by_role("region", name="Show this to whom you invite")
    code = made.locator(".code").inner_text()
    picture = made.locator("svg").inner_html()
    for uses_left in (6, 5):
        page.reload()
        expect(made.locator(".code")).to_have_text(code)
        assert made.locator("svg").inner_html() == picture
        expect(made.get_by_role("link")).to_have_attribute("href", f"{site.url}/join#{code}")
        expect(made).to_contain_text(f"lets in {uses_left} devices")
        assert len(league.get("/invitations")["items"]) == 1
        httpx.post(f"{site.url}/v1/session", json={"code": code, "name": "Bo"}, timeout=PATIENCE)
    assert page.evaluate("sessionStorage.length + localStorage.length") == 0

    other = page.context.new_page()
    other.goto(f"/l/{league.slug}/admin")
    expect(other.get_by_role("heading", name="Invitations in force")).to_be_visible()
    expect(other.locator("#invitation")).to_be_hidden()
    page.get_by_role("button", name="End", exact=True).click()
    expect(made).to_be_hidden()
    page.reload()
    expect(page.get_by_role("heading", name="Administration")).to_be_visible()
    expect(made).to_be_hidden()


# Stores pads, as the service worker does, and returns which are stored.
STORED = """async (pads) => {
    const pages = await caches.open("pages");
    for (const each of pads) await pages.put(each, new Response(""));
    return (await pages.keys()).map(({ url }) => new URL(url).pathname);
}"""


def test_the_own_device_is_revoked_after_a_question_only(site, phones):
    league = site.league()
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    page.evaluate(STORED, [f"/l/{league.slug}/m/friday/pad", f"/l/{league.slug}-2/m/friday/pad"])
    devices = page.get_by_role("table", name="Devices").get_by_role("row")
    own = devices.filter(has_text="this device")
    before = devices.count()
    revoke = own.get_by_role("button", name="Revoke")
    revoke.press("Enter")
    asked = page.get_by_role("dialog", name="Revoke this device?")
    expect(asked).to_have_accessible_description(re.compile("^It is the one that you hold"))
    expect(asked.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(asked).to_be_hidden()
    expect(revoke).to_be_focused()
    page.reload()
    expect(devices).to_have_count(before)
    revoke.click()
    asked.get_by_role("button", name="Revoke").click()
    page.wait_for_url("**/")
    expect(page.get_by_role("textbox", name="Code")).to_be_visible()
    assert page.goto(f"/l/{league.slug}").status == 404
    # Whoever holds the device next finds no pads of the league on it.
    assert page.evaluate(STORED, []) == [f"/l/{league.slug}-2/m/friday/pad"]


@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_when_a_device_last_told_something_takes_two_lines_on_a_phone(site, phones, language):
    league = site.league()
    match = league.match(dealer="ann")
    league.tell(match, tally("ann", **{"bo": 1, "oma-ida": 2, "mei": 3}))
    page = phones.phone(site, league.owner, language=language)
    # A time zone in which it was past ten in the evening, since such times are the widest.
    told = league.get(f"{match}/events")["items"][-1]["recorded_at"]
    east = (22 - datetime.fromisoformat(told).hour + 12) % 24 - 12
    page.context.new_cdp_session(page).send(
        "Emulation.setTimezoneOverride", {"timezoneId": f"Etc/GMT{-east:+d}"}
    )
    page.goto(f"/l/{league.slug}/admin")
    times = page.locator("time")
    expect(times.first).not_to_contain_text("UTC")
    expect(times.first).to_contain_text("10:")
    for time in times.all():
        assert time.evaluate("each => each.getClientRects().length") <= 2, time.inner_text()
        button = time.locator("xpath=ancestor::tr").get_by_role("button")
        assert button.evaluate("each => each.getBoundingClientRect().right <= innerWidth")
