"""Examples: a match by house rules, sunday-1."""

from collections.abc import Sequence
from typing import Final

from scorekeeper.api.document.examples.example import Example

BY_HOUSE_RULES: Final[Sequence[Example]] = (
    Example(
        operation="openMatch",
        name="house-rules",
        title="sunday-1: penalties are stacked, and a 7 exchanges hands",
        body={
            "match": "sunday-1",
            "edition": "mario",
            "players": ["ann", "bo", "mei"],
            "dealer": "ann",
            "house_rules": {"stacking": "same", "jump_in": "colored", "seven": "swap"},
        },
    ),
    Example(
        operation="appendEvents",
        name="house-rules",
        title="sunday-1: an exchange of hands, a stack, and a jump-in",
        at={"match": "sunday-1"},
        body={
            "events": [
                {"type": "round_started"},
                {"type": "first_card_turned", "card": "red-5"},
                {"type": "card_played", "player": "bo", "card": "red-7", "swap_with": "ann"},
                {"type": "card_played", "player": "mei", "card": "red-draw-two"},
                {"type": "card_played", "player": "ann", "card": "blue-draw-two"},
                {"type": "card_played", "player": "mei", "card": "blue-draw-two", "jump_in": True},
            ]
        },
    ),
)
