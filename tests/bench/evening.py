"""What is told to the book in every measurement: matches of four, rounds by points, notes."""

from typing import Any

PLAYERS = ("ann", "bo", "cy", "di")
NOTE = (
    "Ann dealt, Bo cut the pile; the window was open and two cards were blown off the table. "
    "Everybody agreed on where they had lain, so that play went on as it was, and Di wrote it down."
)

Told = dict[str, Any]


def opening(match: str) -> Told:
    """A match that no number of rounds ends, so that any number of rounds can be appended."""
    scoring = {"mode": "winner-collects", "target": None, "rounds": None}
    return {"match": match, "edition": "basic", "players": PLAYERS, "scoring": scoring}


def tally() -> Told:
    return {
        "type": "round_tallied",
        "at": "2026-11-20T19:00:00Z",
        "winners": ["ann"],
        "hands": {"bo": {"points": 27}, "cy": {"points": 8}, "di": {"points": 61}},
    }


def note() -> Told:
    return {"type": "note_added", "at": "2026-11-20T19:00:00Z", "text": NOTE}
