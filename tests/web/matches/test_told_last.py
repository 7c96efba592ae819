"""The page of a match that is over says what taking back would take back."""

import re

import pytest

from scorekeeper.simulation.dealt_round import Habits
from tests.api.serving import PLAYERS, tally
from tests.web.league.test_people_on_pages import shown
from tests.web.simulated_round import simulated

ROUND = tally("ann", bo=10, cy=20, di=30)
DISPUTE = {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "not so"}
TO_FIFTY = {"mode": "winner-collects", "target": 50}
LATE = {"type": "match_abandoned", "reason": "late"}
CLOSED = {"type": "match_closed"}


def told_last(match, league, language="en"):
    form = shown(league, match, "", language).partition('id="reopen"')[2].partition("</form>")[0]
    (hint,) = re.findall(r'<p class="hint">(.*?)</p>', form, re.DOTALL)
    return " ".join(hint.split())


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("Match closed", "Match abandoned", "round 1. ann went out.")),
        ("zh-TW", ("結束比賽", "中止比賽", "第 1 輪：ann 出完牌。")),
    ],
)
def test_it_is_the_end_that_somebody_told_or_the_round_that_brought_it(league, language, said):
    for slug, telling, what in zip(
        ("closed", "abandoned", "won"), ([ROUND, CLOSED], [ROUND, LATE], [ROUND]), said, strict=True
    ):
        match = league.match(match=slug, dealer="ann", scoring=TO_FIFTY if slug == "won" else None)
        match.tell(*telling)
        assert what in told_last(match, league, language)


def test_it_is_the_substitute_who_went_out(league):
    league.owner.post("/players", {"player": "p-1", "name": "Dora"})
    match = league.match(dealer="ann", scoring=TO_FIFTY)
    match.tell({"type": "player_substituted", "player": "ann", "substitute": "p-1"}, ROUND)
    assert "round 1. Dora went out." in told_last(match, league)


def test_it_is_the_correction_that_came_after_the_end_and_not_the_end(league):
    """Taking it back leaves the match ended, and changes what it was about."""
    match = league.match(dealer="ann")
    match.tell(ROUND, CLOSED)
    changed = {"type": "log_amended", "from": 2, "remove": 1, "reason": "recounted"}
    match.tell(changed | {"insert": [tally("bo", ann=10, cy=20, di=30)]})
    assert "a correction (recounted)" in told_last(match, league)
    # An undo is no correction that somebody told: what it left is the last again.
    version = match.board()["version"]
    undone = match.post("/undo", {}, headers={"If-Match": f'"{version}"'})
    assert undone.status_code == 201, undone.text
    assert "Match closed" in told_last(match, league)


def test_of_a_round_that_was_followed_card_by_card_it_is_one_step(league):
    one_round = {"mode": "lowest-total", "rounds": 1}
    match = league.match(edition="basic", players=list(PLAYERS), scoring=one_round)
    told = simulated("short/1", PLAYERS, Habits())
    match.tell(*(each for each in told if each["type"] != "match_abandoned"))
    assert match.board()["status"] == "won"
    assert "Told last: a step of round 1" in told_last(match, league)


@pytest.mark.parametrize("said", [DISPUTE, {"type": "note_added", "text": "tea"}])
def test_a_note_or_a_dispute_is_said_to_stay(league, said):
    match = league.match(dealer="ann")
    match.tell(ROUND, CLOSED, said)
    assert "A note or a dispute was told last, and these stay." in told_last(match, league)
