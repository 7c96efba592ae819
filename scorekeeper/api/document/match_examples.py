"""Examples: matches by tallies, with partners, card by card and by house rules.

They are `friday-1`, `friday-2`, `friday-3` and `sunday-1`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct


class Example(Struct, frozen=True, kw_only=True):
    """A request body that is accepted if all examples before it in the story were sent.

    `operation` is the operation's id. A `name` is unique in its operation. `at`: the parameters of
    the address other than the league. `seen`: the version for If-Match, if the operation needs one.
    """

    operation: str
    name: str
    title: str
    body: Mapping[str, Any]
    at: Mapping[str, str] = {}
    seen: int | None = None


def _appended(match: str, name: str, title: str, *events: dict[str, Any]) -> Example:
    return Example(
        operation="appendEvents",
        name=name,
        title=f"{match}: {title}",
        at={"match": match},
        body={"events": list(events)},
    )


WHOLE_ROUNDS: Final[Sequence[Example]] = (
    Example(
        operation="openMatch",
        name="plain",
        title="friday-1: four players",
        body={"match": "friday-1", "edition": "hello-kitty", "players": ["ann", "bo", "mei", "di"]},
    ),
    _appended(
        "friday-1",
        "by-points",
        "a round by the points of the hands",
        {
            "type": "round_tallied",
            "round": 1,
            "winners": ["mei"],
            "hands": {"ann": {"points": 33}, "bo": {"points": 16}, "di": {"points": 7}},
        },
    ),
    _appended(
        "friday-1",
        "by-cards",
        "a round by the cards of the hands, safe to send again",
        {
            "type": "round_tallied",
            "id": "0b4f3a52-6d0e-4c57-9a41-2f6d5e8c7b01",
            "at": "2026-11-20T20:15:00+08:00",
            "winners": ["ann"],
            "hands": {
                "bo": {"cards": ["red-7", "wild"]},
                "mei": {"cards": ["green-skip"]},
                "di": {"cards": ["blue-0", "blue-4"]},
            },
        },
    ),
    _appended(
        "friday-1",
        "by-scores",
        "a round of an old sheet, by the scores alone",
        {
            "type": "round_tallied",
            "winners": ["di"],
            "scores": {"ann": 0, "bo": 0, "mei": 0, "di": 41},
        },
    ),
    _appended(
        "friday-1", "note", "a note", {"type": "note_added", "text": "Cake at half past eight."}
    ),
    _appended(
        "friday-1",
        "substitute",
        "Eve sits in for Di, and a round with her",
        {"type": "player_substituted", "player": "di", "substitute": "eve"},
        {
            "type": "round_tallied",
            "winners": ["eve"],
            "hands": {"ann": {"points": 12}, "bo": {"points": 21}, "mei": {"points": 30}},
        },
    ),
    _appended(
        "friday-1",
        "dispute",
        "Bo disputes the first round",
        {"type": "dispute_opened", "by": "bo", "round": 1, "claim": "I held 6 points, not 16."},
    ),
    _appended(
        "friday-1",
        "ruling",
        "an owner's ruling",
        {"type": "dispute_ruled", "dispute": 12, "ruling": "upheld", "reason": "Mei saw it, too."},
    ),
    Example(
        operation="tryAmendment",
        name="instead",
        title="friday-1: what if Bo had held 6 points in the first round",
        at={"match": "friday-1"},
        body={
            "from": 2,
            "remove": 1,
            "insert": [
                {
                    "type": "round_tallied",
                    "winners": ["mei"],
                    "hands": {"ann": {"points": 33}, "bo": {"points": 6}, "di": {"points": 7}},
                }
            ],
        },
    ),
    _appended(
        "friday-1",
        "amendment",
        "the amendment that follows from the ruling",
        {
            "type": "log_amended",
            "from": 2,
            "remove": 1,
            "insert": [
                {
                    "type": "round_tallied",
                    "winners": ["mei"],
                    "hands": {"ann": {"points": 33}, "bo": {"points": 6}, "di": {"points": 7}},
                }
            ],
            "dispute": 12,
            "reason": "As it was ruled.",
        },
    ),
    _appended(
        "friday-1",
        "close",
        "bedtime: the best so far wins",
        {"type": "match_closed", "reason": "Bedtime."},
    ),
    Example(
        operation="openMatch",
        name="partners",
        title="friday-2: partners, and when it ends",
        body={
            "match": "friday-2",
            "edition": "basic",
            "players": ["ann", "bo", "mei", "di"],
            "teams": [["ann", "mei"], ["bo", "di"]],
            "scoring": {"mode": "lowest-total", "target": 200, "team_scoring": "own-hands"},
            "dealer": "ann",
            "at": "2026-11-20T19:00:00+08:00",
        },
    ),
    _appended(
        "friday-2",
        "partners",
        "a round with partners",
        {
            "type": "round_tallied",
            "winners": ["ann"],
            "hands": {"bo": {"points": 10}, "mei": {"points": 20}, "di": {"points": 7}},
        },
    ),
    Example(
        operation="undoLastTap",
        name="reason",
        title="friday-2: the last round was told too early",
        at={"match": "friday-2"},
        seen=3,
        body={"reason": "Mei had not shown her hand."},
    ),
    _appended(
        "friday-2",
        "with-an-id",
        "the same round by the cards, with an id to name it by",
        {
            "type": "round_tallied",
            "id": "0b4f3a52-6d0e-4c57-9a41-2f6d5e8c7b02",
            "winners": ["ann"],
            "hands": {
                "bo": {"cards": ["red-3", "blue-7"]},
                "mei": {"cards": ["wild", "yellow-2"]},
                "di": {"cards": ["green-7"]},
            },
        },
    ),
    Example(
        operation="undoLastTap",
        name="named",
        title="friday-2: the event with this id",
        at={"match": "friday-2"},
        seen=6,
        body={"of": "0b4f3a52-6d0e-4c57-9a41-2f6d5e8c7b02"},
    ),
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
        "friday-3",
        "dealt",
        "dealt, and the first card turned up",
        {"type": "round_started", "round": 1},
        {"type": "first_card_turned", "card": "red-5"},
    ),
    _appended(
        "friday-3",
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
        at={"match": "friday-3"},
        body={"from": 5, "insert": [{"type": "cards_drawn", "player": "mei"}]},
    ),
    _appended(
        "friday-3",
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
        "friday-3",
        "withdrawal",
        "the amendment is withdrawn",
        {"type": "log_amended", "withdraws": [8], "reason": "It was Ann, after all."},
    ),
    _appended(
        "friday-3",
        "debt",
        "two cards to draw, which are inferred where nobody tells them",
        {"type": "card_played", "player": "bo", "card": "green-draw-two"},
        {"type": "cards_drawn", "player": "mei", "count": 2, "cards": ["blue-1", "green-9"]},
        {"type": "card_played", "player": "ann", "card": "green-3"},
    ),
    _appended(
        "friday-3",
        "challenge",
        "a bluff is challenged, and the table says that it was one",
        {"type": "card_played", "player": "bo", "card": "wild-draw-four", "color": "blue"},
        {"type": "wild_draw_four_challenged", "by": "mei", "guilty": True},
    ),
    _appended(
        "friday-3",
        "as-played",
        "it was played so, though the rules forbid it",
        {"type": "card_played", "player": "mei", "card": "red-1", "as_played": True},
    ),
    _appended(
        "friday-3",
        "hand-shown",
        "a hand for everybody to see",
        {
            "type": "hand_shown",
            "player": "mei",
            "cards": ["blue-1", "blue-8", "green-9", "red-2", "yellow-6", "yellow-7", "yellow-9"],
        },
    ),
    _appended(
        "friday-3",
        "voided",
        "the round does not count, and is dealt again",
        {"type": "round_voided", "reason": "The pile fell over.", "redealt": True},
    ),
)


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
