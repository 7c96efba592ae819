"""Whole games that independent programs played are retold to the book.

After each game the book has the program's own hands and points. It has flagged the events that
depart from the booklet, and no others.
"""

from pathlib import Path

import pytest

from scorekeeper.editions.registry import opened_now
from scorekeeper.match.events.opening import MatchOpened, Opening, Scoring, open_match
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.projections.scoreboard import hands, rounds
from tests.match.scenes.driving import wire
from tests.match.scenes.retelling import ForeignGame
from tests.match.scenes.rlcard_games import rlcard_game
from tests.match.scenes.uno_engine_games import recorded_game

RECORDED = sorted((Path(__file__).parents[2] / "golden" / "engines").glob("*.json"))
EDITIONS = {"B": "basic", "C": "classic-2025"}
by_recorded_game = pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)


def retell(game: ForeignGame, letter: str, house_rules: dict[str, str] | None = None) -> None:
    edition = opened_now(EDITIONS[letter], house_rules)
    opening = Opening(
        edition=edition.id,
        players=game.players,
        scoring=Scoring(mode="winner-collects"),
        house_rules=house_rules,
    )
    opened = open_match(edition, opening)
    assert isinstance(opened, MatchOpened)
    state = initial(edition, opened)
    for number, (event, breaks) in enumerate(game.tellings, start=2):
        answer = record(state, [wire(event)])
        assert isinstance(answer, Recorded), (number, event, answer)
        flagged = sorted(found.clause for found in answer.violations)
        assert flagged == sorted(breaks), (number, event, answer.violations)
        state = answer.state
    held = {player: sorted(hand.known) for player, hand in hands(state).items()}
    assert held == {player: sorted(cards) for player, cards in game.hands.items()}
    assert all(hand.unknown == 0 for hand in hands(state).values())
    (ended,) = rounds(state)
    assert ended.status == "ended"
    assert ended.winners == (game.winner,)
    if game.score is not None:
        assert ended.scores[game.winner] == game.score


@by_recorded_game
def test_a_game_of_uno_engine_by_the_booklet_of_2025(path):
    retell(recorded_game(path, "C"), "C")


@by_recorded_game
def test_a_game_of_uno_engine_by_the_basic_booklet(path):
    game = recorded_game(path, "B")
    if sum(told.event["type"] == "first_card_turned" for told in game.tellings) > 1:
        pytest.skip("it turned up cards that the basic booklet would not have ignored")
    retell(game, "B")


@by_recorded_game
@pytest.mark.clause("V-FREE-WILD4", "V-NO-BLUFF", "V-FORCE-DRAWN", "V-FORCE-HAND")
@pytest.mark.parametrize(
    "house_rules",
    [
        {"wild_draw_four": "free", "forced_play": "drawn"},
        {"wild_draw_four": "no-bluff", "forced_play": "hand"},
    ],
    ids=lambda chosen: " ".join(chosen.values()),
)
def test_a_game_of_uno_engine_by_house_rules(path, house_rules):
    """uno-engine allows every wild-draw-four, and its players sometimes keep a card that fits."""
    retell(recorded_game(path, "C", house_rules), "C", house_rules)


@pytest.mark.parametrize("letter", EDITIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", [*range(6), 17])
def test_a_game_of_rlcard(seed, seats, letter):
    game = rlcard_game(seed, seats, letter)
    if game is None:
        pytest.skip("it began with a card that the booklet ignores")
    retell(game, letter)


def test_the_recorded_games_meet_what_they_are_there_for():
    breaks = {
        clause
        for path in RECORDED
        for telling in recorded_game(path, "C").tellings
        for clause in telling.breaks
    }
    assert breaks == {"C-KEEP", "C-WILD4-LEGAL", "C-UNO", "C-RESHUFFLE", "X-COUNT"}


def test_the_recorded_games_break_each_house_rule_that_they_are_held_against():
    chosen = {"wild_draw_four": "no-bluff", "forced_play": "hand"}
    told = (telling for path in RECORDED for telling in recorded_game(path, "C", chosen).tellings)
    breaks = {clause for telling in told for clause in telling.breaks}
    assert breaks >= {"V-NO-BLUFF", "V-FORCE-HAND", "V-FORCE-DRAWN"}
