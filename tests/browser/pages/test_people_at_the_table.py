"""Open pages show substitutions and eliminations as soon as they are recorded."""

import re

import pytest
from playwright.sync_api import expect

from tests.api.serving import tally
from tests.browser.evening import NAMES, SLUGS, Evening
from tests.browser.padding import Pad

SEATED = {"bo": 1, "oma-ida": 2, "mei": 3}
NOBODY = {"ann": 1, "oma-ida": 2, "mei": 3}


@pytest.fixture
def opened(site, phones, league):
    """A function that opens several pages of a match, each on its own phone."""

    def held(match, *pages):
        at = f"/l/{league.slug}{match.replace('/matches/', '/m/')}"
        shown = [phones.phone(site, league.scorekeeper) for _ in pages]
        for page, kind in zip(shown, pages, strict=True):
            page.goto(f"{at}/{kind}")
            expect(page.get_by_role("table", name="Scores")).to_be_visible()
        return shown

    return held


def row(page, name):
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name))


def rename(site, league):
    owner = site.client(league.owner)
    for player, name in (("bo", "Robert"), ("oma-ida", None)):
        address = f"/v1/leagues/{league.slug}/players/{player}"
        assert owner.patch(address, json={"name": name}).status_code == 200


def test_a_substitute_who_was_unknown_when_the_page_was_opened(league, match, opened):
    league.tell(match, tally("bo", **NOBODY))
    shown = opened(match, "pad", "cards", "tv")
    league.send("/players", {"player": "p-1", "name": "Dora"})
    sits_in = {"type": "player_substituted", "player": "bo", "substitute": "p-1"}
    league.tell(match, sits_in, tally("bo", **NOBODY))
    for page in shown:
        expect(row(page, "Dora for Bo")).to_contain_text("12")
    pad, _, board = shown
    expect(board.get_by_text("Dora went out.")).to_be_visible()
    Pad(pad, league.slug, match).out("Ann")
    expect(pad.get_by_role("button", name="Bo's hand")).to_be_visible()


def test_names_that_were_changed_or_erased_since_the_page_was_opened(site, league, match, opened):
    shown = opened(match, "pad", "cards", "tv")
    rename(site, league)
    league.tell(match, tally("bo", **NOBODY))
    for page in shown:
        expect(row(page, "Robert")).to_contain_text("6")
        expect(row(page, "oma-ida")).to_be_visible()
        expect(page.get_by_text("Oma Ida")).to_have_count(0)


def test_a_substitute_in_a_league_whose_address_reads_like_that_of_its_matches(site, phones):
    league = Evening(site, "our-matches", NAMES, SLUGS)
    match = league.match(dealer="ann")
    wall = phones.phone(site, league.viewer)
    wall.goto(f"/l/{league.slug}/m/first/tv")
    league.send("/players", {"player": "p-1", "name": "Dora"})
    sits_in = {"type": "player_substituted", "player": "bo", "substitute": "p-1"}
    league.tell(match, sits_in)
    expect(row(wall, "Dora for Bo")).to_be_visible()


def test_which_round_is_played_and_who_won(league, opened):
    """A screen reader hears the sentence, since it stands where the board says what happened."""
    match = league.match(dealer="ann", scoring={"mode": "winner-collects", "target": 50})
    (board,) = opened(match, "tv")
    expect(board.get_by_role("heading", level=1)).to_contain_text("0 rounds")
    league.tell(match, {"type": "round_started"})
    expect(board.get_by_role("heading", level=1)).to_contain_text("Round 1")
    league.tell(match, tally("bo", **{"ann": 60, "oma-ida": 1, "mei": 2}))
    expect(board.locator("[aria-live]")).to_contain_text("★ Won by Bo")
    expect(board.get_by_role("heading", level=1)).to_contain_text("1 round")


def test_who_is_out(league, opened):
    match = league.match(dealer="ann", scoring={"mode": "elimination", "target": 100})
    shown = opened(match, "pad", "cards", "tv")
    league.tell(match, tally("ann", **{"bo": 150, "oma-ida": 1, "mei": 2}))
    for page in shown:
        expect(row(page, "Bo")).to_contain_text("out")
        expect(row(page, "Ann")).not_to_contain_text("out")


def test_a_replay_names_who_sat_in_beside_the_hands_as_in_its_sentences(league, match, opened):
    league.send("/players", {"player": "dora", "name": "Dora"})
    sits_in = {"type": "player_substituted", "player": "bo", "substitute": "dora"}
    back = {"type": "player_substituted", "player": "bo", "substitute": "bo"}
    first = {"type": "first_card_turned", "card": "red-5"}
    drawn = {"type": "cards_drawn", "player": "bo", "count": 1}
    league.tell(match, tally("ann", **dict.fromkeys(("bo", "oma-ida", "mei"), 1)), sits_in)
    league.tell(match, {"type": "round_started"}, first, drawn, tally("ann", **SEATED), back)
    page = opened(match, "r/2?step=3")[0]
    expect(page.get_by_role("table", name="Hands")).to_contain_text("Dora for Bo")
    expect(page.get_by_role("status")).to_contain_text("Dora")


def test_a_player_and_a_card_may_be_called_as_what_every_object_has(site, phones):
    slugs = ["constructor", "bo", "cy", "di", "eve"]
    league = site.league(("Con", "Bo", "Cy", "Di", "Eve"), slugs)
    extra = {"options": {"extra_cards": {"constructor": {"count": 1, "points": 40}}}}
    opening = {"players": slugs[:4], "dealer": "bo", "scoring": {"mode": "lowest-total"}}
    match = league.match(edition="classic-2025", **opening, **extra)
    pad = Pad(phones.phone(site, league.scorekeeper), league.slug, match).open()
    pad.out("Bo")
    pad.hand("Con", ("wild", "constructor"))
    for name in ("Cy", "Di"):
        pad.hand(name, ("red", "red 9"))
    pad.save()
    pad.settled()
    sits_in = {"type": "player_substituted", "player": "bo", "substitute": "eve"}
    laid = {"type": "card_played", "player": "di", "card": "constructor", "color": "red"}
    first = {"type": "first_card_turned", "card": "red-5"}
    league.tell(match, sits_in, {"type": "round_started", "dealer": "cy"}, first, laid)
    for page in ("pad", "cards", "tv", "r/2"):
        pad.page.goto(f"/l/{league.slug}/m/first/{page}")
        expect(row(pad.page, "Eve for Bo")).to_be_visible()
        expect(row(pad.page, re.compile("^Con"))).to_be_visible()
    pad.page.goto(f"/l/{league.slug}/m/first/cards")
    expect(pad.page.locator(".middle")).to_contain_text("constructor")
    pad.open().out("Con")
    pad.points(Bo=1, Cy=2, Di=3)
    expect(pad.page.locator("#brings")).to_have_text("Round 2: Bo +1Cy +2Di +3 ")
    pad.save()
    pad.settled()
    assert league.totals(match) == {"constructor": 40, "bo": 1, "cy": 11, "di": 12}


def test_a_board_counts_the_rounds_where_points_do_not_count(site, phones, league):
    scoring = {"mode": "first-out", "rounds": 5}
    pairs = [["ann", "oma-ida"], ["bo", "mei"]]
    match = league.match(edition="mickey", dealer="ann", scoring=scoring, teams=pairs)
    wall = phones.phone(site, league.viewer, size=(1920, 1080))
    wall.goto(f"/l/{league.slug}{match.replace('/matches', '/m')}/tv")
    said = wall.get_by_text("Points do not count here: whoever goes out wins the round.")
    expect(said).to_be_visible()
    counted = wall.get_by_role("paragraph").filter(has_text="Rounds won")
    expect(counted).to_have_text("Rounds won Ann + Oma Ida 0Bo + 美美 0")
    league.tell(match, tally("ann"), tally("ann", "oma-ida"))
    expect(counted).to_have_text("Rounds won Ann + Oma Ida 2Bo + 美美 0")


@pytest.mark.parametrize("page", ["pad", "cards", "tv"])
def test_names_that_were_changed_or_erased_are_shown_so_within_a_minute(
    site, phones, league, match, page
):
    phone = phones.phone(site, league.scorekeeper)
    phone.clock.install()
    phone.goto(f"/l/{league.slug}/m/first/{page}")
    expect(row(phone, "Bo")).to_be_visible()
    rename(site, league)
    phone.clock.fast_forward(60_000)
    expect(row(phone, "Robert")).to_be_visible()
    expect(row(phone, "oma-ida")).to_be_visible()
    expect(phone.get_by_text("Oma Ida")).to_have_count(0)


def test_names_that_were_changed_or_erased_are_shown_so_to_who_looks_again(
    site, league, match, opened
):
    shown = opened(match, "pad", "cards", "tv")
    rename(site, league)
    for page in shown:
        Pad(page, league.slug, match).seen()
        expect(row(page, "Robert")).to_be_visible()
        expect(row(page, "oma-ida")).to_be_visible()
