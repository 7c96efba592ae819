"""Examples: matches recorded by tallies, friday-1, and with partners, friday-2."""

from collections.abc import Sequence
from typing import Any, Final

from scorekeeper.api.document.examples.example import Example


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
