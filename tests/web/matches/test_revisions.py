"""A match keeps the revision of its booklet, even if later ones are published."""

import json
import re

import pytest
from msgspec.structs import replace

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.rules.clauses import Cited
from scorekeeper.service.booklets import edition_view
from scorekeeper.service.refused import Refused
from tests.api.serving import tally

FIRST = EDITIONS["basic", 1]
SECOND = replace(
    FIRST,
    revision=2,
    deck=Cited({**FIRST.deck.value, "swap-hands": 4}, FIRST.deck.clause),
    points=Cited({**FIRST.points.value, "wild": 7, "swap-hands": 7}, FIRST.points.clause),
)


@pytest.fixture
def second_revision(monkeypatch):
    for holder in ("scorekeeper.editions.registry", "scorekeeper.service.booklets"):
        monkeypatch.setattr(f"{holder}.EDITIONS", {**EDITIONS, ("basic", 2): SECOND})


@pytest.fixture
def opened_before(league, request):
    """A league with a match that began before the second revision was published."""
    league.match(match="evening", dealer="ann").tell(tally("ann", bo=10, cy=20, di=30))
    request.getfixturevalue("second_revision")
    return league


def given(league, page):
    address = f"/l/{league.slug}/m/evening/{page}"
    text = league.served.ask("GET", address, token=league.owner.token).text
    return json.loads(re.search(r'id="given">(.*?)</script>', text, re.DOTALL)[1])


@pytest.mark.parametrize("page", ["pad", "cards", "r/1"])
def test_pages_of_a_match_have_the_cards_of_its_revision(opened_before, page):
    assert set(given(opened_before, page)["edition"]["cards"]) == set(FIRST.deck.value)


def test_a_pad_adds_up_by_the_counts_and_points_of_its_revision(opened_before):
    box = given(opened_before, "pad")["edition"]
    cards = {card: (each["count"], each["points"]) for card, each in box["cards"].items()}
    points = FIRST.points.value
    assert cards == {card: (count, points[card]) for card, count in FIRST.deck.value.items()}


def test_the_scoreboard_names_the_cards_of_its_revision(opened_before):
    assert set(given(opened_before, "tv")["cards"]) == set(FIRST.deck.value)


@pytest.mark.usefixtures("second_revision")
def test_a_booklet_is_shown_in_its_latest_revision_unless_another_is_asked_for():
    assert edition_view("basic", "en").deck == SECOND.deck.value
    assert edition_view("basic", "en", revision=1).deck == FIRST.deck.value
    with pytest.raises(Refused, match="not-found"):
        edition_view("basic", "en", revision=3)
