"""Whole games of programs that nobody here wrote, retold to the book.

Each folds to the program's own hands and points, and is flagged where it departs from the
booklet, and nowhere else.
"""

from pathlib import Path

import pytest
from driving import wire
from retelling import ForeignGame
from rlcard_games import rlcard_game
from uno_engine_games import recorded_game

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.opening import MatchOpened, Opening, Scoring, open_match
from scorekeeper.match.readings.fold import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.projections.hands import hands
from scorekeeper.projections.rounds import rounds

RECORDED = sorted((Path(__file__).parents[2] / "golden" / "engines").glob("*.json"))
EDITIONS = {"B": "basic", "C": "classic-2025"}
by_recorded_game = pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)


def retell(game: ForeignGame, letter: str) -> None:
    edition = latest(EDITIONS[letter])
    scoring = Scoring(mode="winner-collects")
    opening = Opening(edition=edition.id, players=game.players, scoring=scoring)
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
