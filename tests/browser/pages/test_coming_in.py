"""Signing in by a code, and what people see who have not signed in."""

from playwright.sync_api import expect

from tests.browser.evening import each_on_sqlite_one_on_postgresql, on_both
from tests.browser.holding import Fault


@on_both
def test_a_code_from_a_link_lets_a_phone_in(site, phones):
    league = site.league()
    made = league.send("/invitations", {"role": "scorekeeper"})
    phone = phones.phone(site)
    phone.goto(made["url"])
    expect(phone.get_by_role("textbox", name="Code")).to_have_value(made["code"])
    assert "#" not in phone.url
    phone.get_by_role("textbox", name="Whose phone is this?").fill("Bo")
    phone.get_by_role("button", name="Join").click()
    phone.wait_for_url(f"**/l/{league.slug}")
    assert "Bo" in {token["name"] for token in league.get("/tokens")["items"]}


def test_a_code_from_a_link_outlives_a_reload_in_its_tab_until_it_is_used(site, phones):
    league = site.league()
    made = league.send("/invitations", {"role": "scorekeeper"})
    phone = phones.phone(site)
    phone.goto(made["url"])
    code = phone.get_by_role("textbox", name="Code")
    name = phone.get_by_role("textbox", name="Whose phone is this?")
    for _ in range(2):
        phone.reload()
        expect(code).to_have_value(made["code"])
        expect(name).to_be_focused()
        assert "#" not in phone.url
    assert phone.evaluate("sessionStorage.length + localStorage.length") == 0
    other = phone.context.new_page()
    other.goto("/join")
    expect(other.get_by_role("button", name="Join")).to_be_visible()
    expect(other.get_by_role("textbox", name="Code")).to_have_value("")
    other.close()

    cut = Fault(phone, "**/v1/session", lambda route: route.abort())
    name.fill("Bo")
    name.press("Enter")
    expect(phone.get_by_role("alert")).to_contain_text("No connection")
    cut.mend()
    phone.reload()
    expect(code).to_have_value(made["code"])
    name.fill("Bo")
    name.press("Enter")
    phone.wait_for_url(f"**/l/{league.slug}")
    phone.go_back()
    expect(name).to_be_visible()
    expect(code).to_have_value("")


def test_a_code_that_was_refused_is_kept_no_longer(site, phones):
    phone = phones.phone(site)
    phone.goto("/join#K7QF-2M9X")
    phone.get_by_role("textbox", name="Whose phone is this?").fill("Bo")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_role("alert")).to_contain_text("code")
    code = phone.get_by_role("textbox", name="Code")
    expect(code).to_have_value("K7QF-2M9X")
    phone.reload()
    expect(phone.get_by_role("button", name="Join")).to_be_visible()
    expect(code).to_have_value("")


def test_a_wrong_code_is_said_and_can_be_put_right(site, phones):
    phone = phones.phone(site)
    phone.goto("/join#K7QF-2M9X")
    phone.get_by_role("textbox", name="Whose phone is this?").fill("Bo")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_role("alert")).to_contain_text("code")
    expect(phone.get_by_role("button", name="Join")).to_be_enabled()


def test_a_stranger_is_shown_the_way_in(site, phones):
    league = site.league()
    phone = phones.phone(site)
    answer = phone.goto(f"/l/{league.slug}")
    assert answer.status == 404
    expect(phone.get_by_role("link", name="Join with a code")).to_be_visible()


@each_on_sqlite_one_on_postgresql(
    "page, role", [("tv", "viewer"), ("pad", "scorekeeper"), ("cards", "scorekeeper")]
)
def test_a_device_that_is_sent_home_is_told_so_at_once(site, phones, page, role):
    league = site.league()
    league.match(dealer="ann")
    phone = phones.phone(site, getattr(league, role))
    with phone.expect_response("**/live"):
        phone.goto(f"/l/{league.slug}/m/first/{page}")
    own = next(each for each in league.get("/tokens")["items"] if each["role"] == role)
    league.delete(f"/tokens/{own['token_id']}")
    expect(phone.get_by_text("ask for a new code")).to_be_visible()


def test_another_language_keeps_the_code_and_sends_it_to_nobody(site, phones):
    phone = phones.phone(site)
    asked = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto("/join#K7QF-2M9X")
    phone.get_by_role("link", name="中文").click()
    expect(phone.get_by_role("heading")).to_have_text("加入聯盟")
    expect(phone.locator("[name=code]")).to_have_value("K7QF-2M9X")
    assert "#" not in phone.url
    assert not any("K7QF" in url.partition("#")[0] for url in asked)


def test_a_link_that_is_no_code_leaves_the_form_as_it_is(site, phones):
    phone = phones.phone(site)
    phone.goto("/join#100%")
    expect(phone.get_by_role("textbox", name="Code")).to_have_value("100%")
    phone.get_by_role("textbox", name="Whose phone is this?").fill("Bo")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_role("alert")).to_contain_text("code")
