"""The booklet that a match is played by, as its pages need it."""

from typing import Any

import msgspec

from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.service.booklets import edition_view
from scorekeeper.texts.language import Language


def box_of(board: Scoreboard, language: Language) -> dict[str, Any]:
    """What a page needs of the edition: the cards, their points and names."""
    booklet = edition_view(board.edition, language, board.revision)
    return {
        "edition": booklet.edition,
        "deck": booklet.deck,
        "points": booklet.points,
        "names": msgspec.to_builtins(booklet.names),
    }
