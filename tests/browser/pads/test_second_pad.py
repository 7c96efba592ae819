"""Simulated rounds, recorded card by card with the controls that the page offers."""

from random import Random

import msgspec
import pytest
from playwright.sync_api import expect

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.opening import ExtraCards, Opening, Options, Scoring
from scorekeeper.simulation.dealt_round import FREQUENT
from scorekeeper.simulation.played_match import play_match, tell_match
from scorekeeper.simulation.tellings import Telling
from tests.browser.card_tapping import CardPad
from tests.browser.looks.test_in_sight import UNSEEN

# The least height and width of what a finger presses, in pixels.
FINGER = 44
THREE = ("ann", "bo", "cy")
BLANKS = Options(extra_cards={"blank": ExtraCards(count=4, points=40)})
TABLES = {
    "mario": (4290, {"players": THREE, "options": Options(question_block="as we like")}),
    "basic": (3810, {"players": THREE}),
    "mickey": (10200, {"players": THREE}),
    "hello-kitty": (3060, {"players": ("ann", "bo")}),
    "classic-2025": (
        1204,
        {"players": THREE, "options": BLANKS, "scoring": Scoring(mode="winner-collects")},
    ),
}
HOLDS = {
    "mario": {"super-star", "question-block", "give", "wild_draw_four_challenged"},
    "basic": {"wild-draw-four", "misplay_called", "uno_caught", "hand_shown"},
    "mickey": {"wild-friendship", "discard", "dealer_drawn", "wild_draw_four_challenged"},
    "hello-kitty": {"red-ribbon", "swap-hands", "discard", "give", "hand_counted"},
    "classic-2025": {"blank", "reverse", "skip", "swap", "turn_passed"},
}
"""The cards, effects and events that each edition's round must contain."""


def told_round(edition):
    """Return a short round's opening, and its events by a table that knows only ann's cards."""
    seed, table = TABLES[edition]
    opening = Opening(edition=edition, **table)
    rng = Random(f"{edition}/{seed}")
    played = play_match(rng, latest(edition), opening, FREQUENT, most_rounds=1)
    parts = tell_match(rng, played, Telling.SEEN, known={"ann"})
    events = [msgspec.to_builtins(event) for part in parts for event in part]
    cards = {event.get("card") for event in events}
    effects = {effect["type"] for event in events for effect in event.get("effects", ())}
    assert cards | effects | {event["type"] for event in events} >= HOLDS[edition]
    return msgspec.to_builtins(opening), events


@pytest.mark.parametrize(
    ("site", "edition"),
    [*(("sqlite", edition) for edition in TABLES), ("postgresql", "hello-kitty")],
    indirect=["site"],
    scope="session",
)
def test_a_whole_round_is_tapped_and_ends_in_the_score_of_the_api(site, phones, edition):
    opening, events = told_round(edition)
    names = dict(zip(opening["players"], ("Ann", "Bo", "Cy"), strict=False))
    league = site.league(tuple(names.values()), tuple(names))
    tapped, told = (league.match(match, **opening) for match in ("tapped", "told"))
    league.tell(told, *events)

    pad = CardPad(phones.phone(site, league.scorekeeper), league.slug, tapped, names)
    pad.open(league.get(tapped))
    for event in events:
        pad.tell(event)

    ended = league.get(f"{tapped}/rounds/1")
    for each in ("status", "dealer", "winners", "scores", "hand_points", "hands"):
        assert ended[each] == league.get(f"{told}/rounds/1")[each]
    board, expected = league.get(tapped), league.get(told)
    for each in ("status", "phase", "totals", "rounds_won", "winners", "violations"):
        assert board[each] == expected[each]
    assert pad.totals() == board["totals"]
    assert bool(pad.clauses) == any(event.get("as_played") for event in events)


@pytest.mark.parametrize("edition", TABLES)
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (640, 360)])
@pytest.mark.parametrize("language", ["en", "zh-TW"])
def test_on_a_phone_all_that_a_turn_may_be_is_seen_without_scrolling(
    site, phones, edition, size, language
):
    """These are the cards of a colour, and the buttons for those who play none."""
    league = site.league()
    match = league.match(edition=edition, dealer="ann")
    league.tell(match, {"type": "round_started"}, {"type": "first_card_turned", "card": "red-5"})
    page = phones.phone(site, league.scorekeeper, size=size, language=language)
    page.goto(f"/l/{league.slug}{match.replace('/matches/', '/m/')}/cards")
    asked = page.locator(".asked")
    expect(asked.locator(".cards button")).to_have_count(13)
    assert page.evaluate("scrollY") == 0
    # The buttons stand above the one to take back, or beside it.
    assert page.locator(".asked button").evaluate_all(UNSEEN) == []
    ends = [each.bounding_box() for each in asked.get_by_role("button").all()]
    assert max(each["y"] + each["height"] for each in ends) <= size[1]
    assert min(min(each["width"], each["height"]) for each in ends) >= FINGER
