"""The booklet that a match is played by, as its pages need it."""

from collections.abc import Mapping
from typing import Any, get_args

from scorekeeper.match.table import Direction
from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.service.booklets import edition_view
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import words_of


def box_of(board: Scoreboard, language: Language) -> dict[str, Any]:
    """Return what a page needs of the edition: its cards, and the names of its colours.

    `cards`: by card, its count, points and name. Each card is there only once, since every byte of
    a pad counts.
    """
    booklet = edition_view(board.edition, language, board.revision)
    names = booklet.names
    return {
        "cards": {
            card: {"count": count, "points": booklet.points[card], "name": names.cards[card]}
            for card, count in booklet.deck.items()
        },
        "colors": names.colors,
    }


def directions_of(board: Scoreboard, language: Language) -> Mapping[Direction, str]:
    """Return the booklet's words for the two directions of play, which explanations use, too."""
    words = words_of(board.edition)
    return {direction: words.term(direction, language) for direction in get_args(Direction)}
