"""axe-core finds nothing on any page and in any state, in both languages, light and dark."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scorekeeper.api.problems import refusal_and_status
from scorekeeper.web.application import pages_application
from tests.api.serving import tally
from tests.browser.evening import SLUGS
from tests.browser.every_page import PAGES, with_everything
from tests.browser.padding import Pad
from tests.browser.pages.test_replay_by_hand import ROUND
from tests.docs.test_page_pictures import FILES

AXE = Path(__file__).resolve().parents[3] / ".ci/pages/node_modules/axe-core/axe.min.js"
# Passed checks are left out: the list is long, and nobody reads it.
VIOLATIONS = """axe.run(document, {resultTypes: ["violations"]})
    .then(({violations}) => violations)"""
WIDTH = 390
BROKEN = """() => [...document.querySelectorAll(
    "td.number, td button, .words thead th:not(:has(*)), .words td:not(:has(*)), th.words, td.words"
)].filter((cell) => {
    if (!cell.matches(".number") && /\\s/.test(cell.textContent.trim())) return false;
    const words = document.createRange();
    words.selectNodeContents(cell);
    const lines = new Set([...words.getClientRects()].map((line) => line.top));
    return !cell.querySelector("br") && lines.size > 1;
}).map((cell) => cell.textContent)"""


@pytest.fixture(scope="module")
def played(site):
    return with_everything(site)


def _readers(site, phones, played):
    readers = [
        phones.phone(site, played.owner, language=language, dark=dark)
        for language, dark in (("en", False), ("zh-TW", True))
    ]
    for page in readers:
        page.add_init_script(path=AXE)
    return readers


@pytest.fixture
def readers(site, phones, played):
    """One phone for each language; the Chinese one is dark."""
    return _readers(site, phones, played)


def finds_nothing(page):
    """Check the page with axe-core, evaluated from outside, which the page's CSP allows."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    # During a transition the colours are neither the old nor the new ones.
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
    found = page.evaluate(VIOLATIONS)
    told = [{each["id"]: [node["target"] for node in each["nodes"]]} for each in found]
    assert told == [], json.dumps(told, indent=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    assert page.evaluate(BROKEN) == []


@pytest.fixture(scope="module")
def lookers(site, lasting, played):
    """As `readers`, for tests that only look."""
    return _readers(site, lasting, played)


def test_no_page_is_left_out(site, played):
    asked = {path.format(played.slug).partition("?")[0] for path in PAGES}
    served = {route.path for route in pages_application(refusal_and_status).routes}
    # The address for standings shows the page of their tournament.
    pages = {path for path in served if not path.startswith(FILES) and "/standings" not in path}
    addresses = {path: re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path)) for path in pages}
    left_out = [path for path, at in addresses.items() if not any(map(at.fullmatch, asked))]
    assert left_out == [], "every_page.py has none of these"


@pytest.mark.parametrize("path", PAGES)
def test_on_every_page(lookers, played, path):
    for page in lookers:
        page.goto(path.format(played.slug))
        finds_nothing(page)


def test_on_a_pad_that_is_being_told(readers, played):
    for page in readers:
        page.goto(f"/l/{played.slug}/m/first/pad")
        page.locator(".who button").first.click()
        expect(page.locator(".colors").first).to_be_visible()
        finds_nothing(page)
        page.get_by_role("switch").last.check()
        expect(page.get_by_role("spinbutton").first).to_be_visible()
        finds_nothing(page)


def test_on_a_pad_that_has_to_be_settled(site, phones):
    league = site.league()
    match = league.match(dealer="ann", edition="hello-kitty")
    pad = Pad(phones.phone(site, league.scorekeeper), league.slug, match).open()
    pad.out("Ann")
    pad.points(Bo=10, Oma_Ida=20, 美美=30)
    league.tell(match, tally("bo", **{"ann": 1, "oma-ida": 2, "mei": 3}))
    pad.save()
    asked = pad.page.get_by_role("group", name="Two accounts of round 1")
    expect(asked).to_be_visible()
    finds_nothing(pad.page)
    pad.press("Replace by mine")
    finds_nothing(pad.page)
    page = pad.page
    page.goto(f"{pad.address}?lang=zh-TW")
    group = page.get_by_role("group", name="第 1 輪有兩份紀錄")
    expect(group).to_be_visible()
    finds_nothing(page)
    group.get_by_role("button").nth(1).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    finds_nothing(page)


def test_on_a_round_that_is_told_card_by_card(readers, played):
    for page in readers:
        page.goto(f"/l/{played.slug}/m/second/cards")
        page.locator(".colors .c-blue").click()
        page.locator(".cards button").first.click()
        expect(page.get_by_role("alert")).to_contain_text("M-MATCH")
        finds_nothing(page)
        page.get_by_role("alert").get_by_role("button").last.click()
        page.locator(".colors .c-wild").click()
        page.locator(".cards button").last.click()
        done = page.locator("section.card")
        expect(done).to_be_visible()
        for kind in ("discard", "swap"):
            done.get_by_role("combobox").first.select_option(kind)
            finds_nothing(page)
        page.locator("details:not(.house) summary").last.click()
        told = page.locator("details form")
        for kind in ("cards_drawn", "wild_draw_four_challenged", "round_voided"):
            told.get_by_role("combobox").first.select_option(kind)
            finds_nothing(page)


def test_on_a_replay_that_is_disputed_and_tried_otherwise(site, phones):
    league = site.league()
    match = league.match(dealer="ann")
    league.tell(match, *ROUND)
    tally = len(ROUND) + 1
    disputed = {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "No.", "entry": tally}
    amended = {"type": "log_amended", "from": 3, "remove": 1, "reason": "No."}
    league.tell(match, disputed, amended | {"insert": [{**ROUND[1], "card": "red-9"}]})
    for language, dark in (("en", False), ("zh-TW", True)):
        page = phones.phone(site, league.owner, language=language, dark=dark)
        page.goto(f"/l/{league.slug}/m/first/r/1?step=6")
        doors = page.locator("#asking > p button")
        for door in doors.all():
            door.click()
            expect(door).to_have_attribute("aria-expanded", "true")
            expect(page.locator("#asking section button").first).to_be_visible()
            finds_nothing(page)
        tried = page.locator("#asking section [role=group] button")
        tried.first.click()
        expect(page.locator("#asking tr[data-at]").first).to_be_visible()
        page.locator("#asking details summary").click()
        finds_nothing(page)
        tried.nth(1).click()
        page.locator("#more button").first.click()
        expect(page.locator(".accounts")).to_be_visible()
        for summary in page.locator("main > details summary").all():
            summary.click()
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        finds_nothing(page)


def test_on_the_forms_of_a_tournament(readers, played):
    running = {"tournament": "running", "name": "It runs", "edition": "basic"}
    played.send("/tournaments", running | {"players": list(SLUGS)})
    for page in readers:
        page.goto(f"/l/{played.slug}/t/running")
        for summary in page.locator("summary").all():
            summary.click()
        finds_nothing(page)
        page.goto(f"/l/{played.slug}/t/running/hall")
        page.get_by_role("combobox").select_option("ann")
        finds_nothing(page)


@pytest.mark.parametrize("path", ["m/second/tv", "t/cup/hall"])
def test_on_a_board_that_hears_nothing(readers, played, path):
    for page in readers:
        page.clock.install()
        page.context.route("**/live", lambda route: route.abort())
        with page.expect_event("requestfailed"):
            page.goto(f"/l/{played.slug}/{path}")
        expect(page.get_by_role("status")).to_be_empty()
        page.clock.fast_forward(41_000)
        expect(page.get_by_role("status")).not_to_be_empty()
        finds_nothing(page)


def test_on_an_invitation_that_was_just_made(readers, played):
    for page in readers:
        page.goto(f"/l/{played.slug}/admin")
        page.locator("form button").first.click()
        expect(page.locator(".code")).to_be_visible()
        finds_nothing(page)


def test_on_what_would_come_of_a_spreadsheet(readers, played):
    rows = (
        "date,edition,players,points\n2024-11-20,basic,ann Zoe,- 5\n2024-13-20,basic,ann bo,- 5\n"
    )
    for page in readers:
        page.goto(f"/l/{played.slug}/admin")
        page.locator("textarea").fill(rows)
        page.locator("#import button").first.click()
        expect(page.locator("#import-found table")).to_have_count(2)
        finds_nothing(page)


def test_on_what_is_asked_before_a_name_is_changed_or_erased(readers, played):
    for page in readers:
        page.goto(f"/l/{played.slug}/admin")
        for kind in ("rename", "erase"):
            page.locator(f"button[data-{kind}]").first.click()
            expect(page.get_by_role("dialog")).to_be_visible()
            finds_nothing(page)
            page.keyboard.press("Escape")
        page.locator("#verify").click()
        expect(page.locator("#verified")).to_contain_text("✓")
        finds_nothing(page)


def test_where_a_league_has_house_rules(readers, site):
    league = site.league()
    house = {"stacking": "any", "jump_in": "any", "seven": "swap", "drawing": "until-playable"}
    match = league.match(dealer="ann", house_rules=house)
    laid = {"type": "card_played", "player": "bo", "card": "red-draw-two"}
    league.tell(match, ROUND[0], ROUND[1], laid)
    for page in readers:
        page.context.add_cookies([site.cookie(league.owner)])
        for path in ("new", "t/new"):
            page.goto(f"/l/{league.slug}/{path}")
            page.locator("#house-rules summary").click()
            finds_nothing(page)
        page.goto(f"/l/{league.slug}/m/first/cards")
        page.locator("details.house summary").click()
        page.locator("button", has_text=re.compile("^(Jump in|搶出)$")).click()
        expect(page.locator(".asked .cards button.face").first).to_be_visible()
        finds_nothing(page)
        page.locator(".asked .face:has([data-sign='7'])").first.click()
        expect(page.locator("section.card .who button")).to_have_count(3)
        finds_nothing(page)
