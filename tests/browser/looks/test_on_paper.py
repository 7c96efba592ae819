"""What pages are printed as: nothing to press, nothing cut off or torn apart, readable in black."""

import re

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import SLUGS
from tests.browser.every_page import with_everything

PRINTED = (
    "/l/{}",
    "/l/{}/players",
    "/l/{}/players/ann",
    "/l/{}/table",
    "/l/{}/t",
    "/l/{}/t/cup",
    "/l/{}/t/cup?matrix=partners",
    "/l/{}/t/cup/hall",
    "/l/{}/t/cup/print",
    "/l/{}/admin",
    "/l/{}/m/first",
    "/e/hello-kitty",
)
A4 = (688, 1017)
"""A sheet without its margins, in CSS pixels."""
TORN = """() => [...document.querySelectorAll("main :is(h2, h3, caption, thead, tr, li, figure)")]
  .filter((each) => each.checkVisibility())
  .filter((each) => {
    const { breakAfter, breakInside } = getComputedStyle(each);
    return (each.matches("tr, li, figure") ? breakInside : breakAfter) !== "avoid";
  })
  .map((each) => each.outerHTML.slice(0, 80))"""
WIDER = """() => [...document.querySelectorAll("main table")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth)
  .map((each) => each.caption?.textContent ?? "")"""
CUT_OFF = """() => [...document.querySelectorAll(".scroll")]
  .filter((each) => getComputedStyle(each).overflowX !== "visible")
  .map((each) => each.ariaLabel)"""
LONG = 20
"""A table with so many rows may go on on the next sheet."""
FACES = """() => [...document.querySelectorAll("span.face")].map((each) => {
  const { color, backgroundColor, borderTopWidth } = getComputedStyle(each);
  return [color, backgroundColor, borderTopWidth];
})"""
BREAKS = """(each) => {
  const { breakBefore, breakInside, breakAfter } = getComputedStyle(each);
  return [breakBefore, breakInside, breakAfter];
}"""
BLACK, NOTHING = "rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"


@pytest.fixture(scope="module")
def everything(site):
    return with_everything(site)


@pytest.fixture(scope="module")
def paper(site, lasting, everything):
    page = lasting.phone(site, everything.owner, size=A4)
    page.emulate_media(media="print")
    return page


@pytest.mark.parametrize("path", PRINTED)
def test_nothing_can_be_pressed_is_cut_off_or_torn_apart(paper, everything, path):
    paper.goto(path.format(everything.slug))
    expect(paper.locator("main")).to_be_visible()
    pressed = paper.locator("form, button, input, select, textarea, nav")
    expect(pressed.filter(visible=True)).to_have_count(0)
    assert paper.evaluate(TORN) == []
    assert paper.evaluate(CUT_OFF) == []
    assert paper.evaluate(WIDER) == []


def test_a_short_table_stays_on_one_sheet_and_a_long_one_begins_where_it_stands(site, phones):
    """WebKit leaves the heading of a table alone at the foot of a sheet, whatever it is told."""
    players = [f"player-{at}" for at in range(LONG)]
    league = site.league(players, players)
    first, *others = players
    for other in others:
        match = league.match(other, players=[first, other], dealer=first)
        league.tell(match, tally(first, **{other: 10}), {"type": "match_closed"})
    page = phones.phone(site, league.viewer, size=A4)
    page.goto(f"/l/{league.slug}/table")
    page.get_by_role("link", name=re.compile(r"^\d{4}$")).click()
    page.emulate_media(media="print")
    for name, inside in {"Table": "auto", "Head-to-heads": "avoid", "Best rounds": "avoid"}.items():
        expect(page.get_by_role("region", name=name)).to_have_css("break-inside", inside)


def test_a_matrix_of_thirteen_long_names_is_as_wide_as_a_sheet(site, phones):
    names = [f"Bartholomew {letter}" for letter in "ABCDEFGHIJKLM"]
    league = site.league(names, [f"player-{at}" for at in range(13)])
    players = [f"player-{at}" for at in range(13)]
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": players}
    league.send("/tournaments", cup)
    page = phones.phone(site, league.viewer, size=A4)
    page.emulate_media(media="print")
    for path in ("/t/cup", "/t/cup?matrix=opponents"):
        page.goto(f"/l/{league.slug}{path}")
        assert page.locator("table.matrix").count() > 0
        assert page.evaluate(WIDER) == []


def test_what_was_played_at_tables_shares_a_sheet_and_what_is_left_begins_one(site, phones):
    league = site.league()
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": list(SLUGS)}
    for segment in league.send("/tournaments", cup)["segments"][:2]:
        first, *others = segment["tables"][0]["rounds"][0]["players"]
        told = [tally(first, **dict.fromkeys(others, 10))] * 4
        league.tell(f"/matches/{segment['tables'][0]['match']}", *told)
    page = phones.phone(site, league.viewer, size=A4)
    page.emulate_media(media="print")
    page.goto(f"/l/{league.slug}/t/cup/print")
    played, left = page.locator(".sheet[data-over]"), page.locator(".sheet:has(.lines)")
    assert [each.evaluate(BREAKS) for each in played.all()] == [["auto", "avoid", "auto"]] * 2
    assert [each.evaluate(BREAKS) for each in left.all()] == [["page", "auto", "page"]]


def test_the_hands_of_a_replay_are_read_without_their_colours(site, phones, league):
    """Browsers leave out backgrounds in print, and white signs could not be seen."""
    match = league.match("evening", dealer="ann")
    hand = ["red-9", "yellow-skip", "green-draw-two", "blue-reverse", "wild"]
    league.tell(match, {"type": "round_started", "hands": {"ann": hand}})
    page = phones.phone(site, league.scorekeeper, dark=True)
    page.emulate_media(media="print")
    page.goto(f"/l/{league.slug}/m/evening/r/1")
    expect(page.locator("span.face")).to_have_count(len(hand))
    assert page.evaluate(FACES) == [[BLACK, NOTHING, "1px"]] * len(hand)
    expect(page.locator("button, summary").filter(visible=True)).to_have_count(0)


def test_an_invitation_is_printed_alone(site, phones, league):
    page = phones.phone(site, league.owner)
    page.goto(f"/l/{league.slug}/admin")
    page.get_by_role("button", name="Invite", exact=True).click()
    shown = page.get_by_text(re.compile(r"^[0-9A-Z]{4}-[0-9A-Z]{4}$"))
    expect(shown).to_be_visible()
    page.emulate_media(media="print")
    expect(shown).to_be_visible()
    expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    expect(page.locator("main > :visible")).to_have_count(1)


def test_a_match_is_printed_without_its_ways_to_the_replays(paper, everything):
    paper.goto(f"/l/{everything.slug}/m/first")
    expect(paper.get_by_role("heading", name="Round 1")).to_be_visible()
    expect(paper.get_by_text("Replay round 1")).to_be_hidden()


def test_what_was_unfolded_is_printed(paper, everything):
    paper.goto(f"/l/{everything.slug}/m/first")
    table = paper.get_by_role("region", name="Totals by round")
    expect(table).to_be_hidden()
    paper.emulate_media(media="screen")
    paper.get_by_text("Totals by round", exact=True).click()
    paper.emulate_media(media="print")
    expect(table).to_be_visible()
