"""What a person tells anew, takes back or throws away is what counts, and nothing else."""

import pytest
from padding import Pad
from playwright.sync_api import expect

ANN = {"Bo": 10, "Oma_Ida": 20, "美美": 30}
BO = {"Ann": 1, "Oma_Ida": 2, "美美": 3}


@pytest.fixture
def league(site):
    return site.league()


@pytest.fixture
def match(league):
    return league.match(dealer="ann", edition="hello-kitty")


@pytest.fixture
def pads(site, phones, league, match):
    """Two people with a phone each."""

    def held():
        return Pad(phones.phone(site, league.scorekeeper), league.slug, match).open()

    return held


def totals(league, match):
    return league.get(match)["totals"]


def refused_round(pad):
    """A round that the service refuses and the person begins to tell anew."""
    pad.tell("Ann", Bo=10_000, Oma_Ida=2, 美美=3)
    pad.press("It is right")
    refused = pad.page.get_by_role("group", name="Round 1 was not accepted")
    expect(refused).to_be_visible()
    pad.press("Edit")
    return refused


@pytest.mark.parametrize("dropped", ["Throw away", "Take back"])
def test_what_is_told_anew_counts_though_the_refused_round_is_dropped(league, match, pads, dropped):
    pad = pads()
    refused = refused_round(pad)
    pad.press(dropped)
    expect(refused).to_be_hidden()
    pad.points(Bo=7)
    pad.save()
    expect(pad.page.get_by_role("table", name="Scores")).to_contain_text("12")
    pad.says("All saved")
    assert totals(league, match)["ann"] == 12
