"""Examples: a match recorded card by card, friday-3."""

from collections.abc import Sequence
from typing import Any, Final

from scorekeeper.api.document.examples.example import Example

_FRIDAY_3: Final = {"match": "friday-3"}


def _appended(name: str, title: str, *events: dict[str, Any]) -> Example:
    return Example(
        operation="appendEvents",
        name=name,
        title=f"friday-3: {title}",
        at=_FRIDAY_3,
        body={"events": list(events)},
    )


CARD_BY_CARD: Final[Sequence[Example]] = (
    Example(
        operation="openMatch",
        name="options",
        title="friday-3: a card of our own in the box, and the dealer known",
        body={
            "match": "friday-3",
            "edition": "classic-2025",
            "players": ["ann", "bo", "mei"],
            "scoring": {"mode": "winner-collects", "target": 300},
            "options": {"extra_cards": {"swap-all": {"count": 1, "points": 40}}},
            "dealer": "ann",
        },
    ),
    _appended(
        "dealt",
        "dealt, and the first card turned up",
        {"type": "round_started", "round": 1},
        {"type": "first_card_turned", "card": "red-5"},
    ),
    _appended(
        "card-by-card",
        "plays, a draw and a pass",
        {"type": "card_played", "player": "bo", "card": "red-8"},
        {"type": "card_played", "player": "mei", "card": "wild", "color": "green"},
        {"type": "cards_drawn", "player": "ann"},
        {"type": "turn_passed", "player": "ann"},
    ),
    Example(
        operation="tryAmendment",
        name="forgotten",
        title="friday-3: what if Mei had drawn a card before entry 5",
        at=_FRIDAY_3,
        body={"from": 5, "insert": [{"type": "cards_drawn", "player": "mei"}]},
    ),
    _appended(
        "forgotten",
        "a draw that was forgotten is put before entry 5",
        {
            "type": "log_amended",
            "from": 5,
            "insert": [{"type": "cards_drawn", "player": "mei"}],
            "reason": "Nobody had told it.",
        },
    ),
    _appended(
        "withdrawal",
        "the amendment is withdrawn",
        {"type": "log_amended", "withdraws": [8], "reason": "It was Ann, after all."},
    ),
    _appended(
        "debt",
        "two cards to draw, which are inferred where nobody tells them",
        {"type": "card_played", "player": "bo", "card": "green-draw-two"},
        {"type": "cards_drawn", "player": "mei", "count": 2, "cards": ["blue-1", "green-9"]},
        {"type": "card_played", "player": "ann", "card": "green-3"},
    ),
    _appended(
        "challenge",
        "a bluff is challenged, and the table says that it was one",
        {"type": "card_played", "player": "bo", "card": "wild-draw-four", "color": "blue"},
        {"type": "wild_draw_four_challenged", "by": "mei", "guilty": True},
    ),
    _appended(
        "as-played",
        "it was played so, though the rules forbid it",
        {"type": "card_played", "player": "mei", "card": "red-1", "as_played": True},
    ),
    _appended(
        "hand-shown",
        "a hand for everybody to see",
        {
            "type": "hand_shown",
            "player": "mei",
            "cards": ["blue-1", "blue-8", "green-9", "red-2", "yellow-6", "yellow-7", "yellow-9"],
        },
    ),
    _appended(
        "voided",
        "the round does not count, and is dealt again",
        {"type": "round_voided", "reason": "The pile fell over.", "redealt": True},
    ),
)
