"""Scores as recorded, of rounds that an amendment reopened, renumbered or charged differently."""

import pytest

from scorekeeper.match.events.events import ToldEvent
from scorekeeper.match.readings.effective_log import both_readings
from scorekeeper.projections.replay import Replay, replay_as_recorded
from scorekeeper.projections.scores import RoundUnfolded
from tests.match.amending import amends
from tests.match.story import Story, tally
from tests.match.table import draw, passes, play, shows, start, told

BLUES = ["blue-1", "blue-2", "blue-3", "blue-4", "blue-6", "blue-7", "blue-8"]
REDS = ["red-1", "red-2", "red-3", "red-4", "red-6", "red-7", "red-8"]
BROKEN_OFF = told("round_voided", reason="a slip", redealt=False)


def as_recorded(match: Story, round_: int) -> tuple[Replay, RoundUnfolded]:
    recorded, now = both_readings(match.state)
    found = replay_as_recorded(recorded, round_, now)
    assert found is not None
    assert found.score is not None
    assert {p: one.total for p, one in found.score.scores.items()} == match.board.totals
    return found, found.score


def taken_back(match: Story, event: ToldEvent) -> Story:
    return match.when(event).when(amends(match.state.version + 1, 1))


def two() -> Story:
    return start("basic", 2, {"ann": BLUES}).when(draw("bo"), passes("bo"))


def out(match: Story) -> Story:
    for card in BLUES:
        match = match.when(play("ann", card, as_played=True))
    return match.when(shows("bo", *REDS, "green-1"))


def ways(match: Story, card: str) -> list[str]:
    """By which entries of round 1 a card came into bo's hand."""
    found, score = as_recorded(match, 1)
    (one,) = [each for each in score.hands["bo"].cards if each.card == card]
    return [f"{found.steps[each.step].step.address} {each.how}" for each in one.arrivals]


def test_a_round_that_was_broken_off_by_mistake_ends_after_all():
    match = out(taken_back(two(), BROKEN_OFF)).then_totals(ann=0, bo=32)
    assert ways(match, "green-1") == ["2 dealt", "4 drawn"]


@pytest.mark.parametrize("first", [tally("ann", bo=1), tally("ann", bo=["red-1", *REDS])])
def test_the_end_that_was_told_last_counts(first: ToldEvent):
    match = out(taken_back(two(), first)).then_totals(ann=0, bo=32)
    assert ways(match, "green-1") == ["2 dealt", "4 drawn"]


def test_a_round_that_is_numbered_anew_while_it_is_played():
    """A round that was forgotten is put in before it."""
    match = out(two().when(amends(2, 0, tally("ann", bo=9)))).then_totals(ann=0, bo=41)
    _, score = as_recorded(match, 2)
    assert score.hands["bo"].points == 32


@pytest.mark.clause("X-MISPLAY-WHEN", "B-ADVICE")
def test_a_card_goes_back_in_a_round_that_was_numbered_anew_since_it_was_laid():
    match = start("basic", 3, {"ann": BLUES}).when(play("bo", "green-1", as_played=True))
    match = match.when(amends(2, 0, tally("ann", bo=9, cy=1)))
    match = match.when(told("advice_called", player="ann", by="cy"), draw("ann", 4))
    match = match.when(told("misplay_called", by="cy"), draw("bo"))
    match = match.when(tally("ann", bo=["green-1", *REDS], cy=20))
    _, score = as_recorded(match, 2)
    assert score.hands["bo"].points == 32


def test_a_catch_that_was_put_in():
    match = start("basic", 3, {"ann": BLUES}, mode="elimination", target=500)
    match = match.when(draw("bo"), passes("bo"), draw("cy"), passes("cy"))
    for card in BLUES[:6]:
        match = match.when(play("ann", card, as_played=True))
    caught = told("uno_caught", player="ann", by="bo", points=8)
    place = match.state.version + 1
    match = match.when(amends(place, 0, caught)).when(draw("ann", cards=["red-1", "red-2"]))
    for card in ("red-1", "red-2", "blue-8"):
        match = match.when(play("ann", card, as_played=True, uno=True))
    for player in ("bo", "cy"):
        match = match.when(told("hand_counted", player=player, points=20))
    found, score = as_recorded(match.then_totals(ann=8, bo=20, cy=20), 1)
    (charge,) = score.scores["ann"].parts
    assert (charge.kind, charge.points) == ("charge", 8)
    assert charge.told is not None
    assert found.steps[charge.told.step].step.address == place
