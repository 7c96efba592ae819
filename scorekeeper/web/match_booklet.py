"""The booklet that a match is played by, as its pages need it."""

from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from scorekeeper.match.table import Direction
from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.service.booklets import edition_view
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import words_of


def box_of(board: Scoreboard, language: Language) -> dict[str, Any]:
    """What a page needs of the edition: the cards, their points and names."""
    booklet = edition_view(board.edition, language, board.revision)
    return {
        "edition": booklet.edition,
        "deck": booklet.deck,
        "points": booklet.points,
        "names": msgspec.to_builtins(booklet.names),
    }


def directions_of(board: Scoreboard, language: Language) -> Mapping[Direction, str]:
    """What the booklet calls the two directions of play, as explanations do."""
    words = words_of(board.edition)
    return {direction: words.term(direction, language) for direction in get_args(Direction)}
