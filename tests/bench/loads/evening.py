"""The events of every measurement: matches of four, tallied rounds, notes."""

from random import Random
from typing import Any, NamedTuple

import msgspec

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.simulation.dealt_round import Habits
from scorekeeper.simulation.leagues import open_table
from scorekeeper.simulation.played_match import play_match, tell_match
from scorekeeper.simulation.tellings import Telling

PLAYERS = ("ann", "bo", "cy", "di")
NOTE = (
    "Ann dealt, Bo cut the pile; the window was open and two cards were blown off the table. "
    "Everybody agreed on where they had lain, so that play went on as it was, and Di wrote it down."
)

_ENTRIES_EACH_ROUND = 110

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


class Evening(NamedTuple):
    """The opening of a match, and the events after it."""

    opening: Told
    told: list[Told]


def evening_of(entries: int) -> Evening:
    """Return rounds as `card_by_card` does, with about so many entries."""
    return card_by_card(max(1, entries // _ENTRIES_EACH_ROUND))


def card_by_card(rounds: int) -> Evening:
    """Return rounds of four as a table records them: plays, draws, passes, calls, hands shown."""
    rng = Random(4)
    opened = open_table(rng, EDITIONS["basic", 1], PLAYERS, mode="plus-minus", rounds=1_000)
    played = play_match(rng, EDITIONS["basic", 1], opened, Habits(), most_rounds=rounds)
    told = [event for part in tell_match(rng, played, Telling.SEEN) for event in part]
    # The simulated table stops after these rounds, but no client gets that far.
    return Evening(msgspec.to_builtins(opened), msgspec.to_builtins(told))
