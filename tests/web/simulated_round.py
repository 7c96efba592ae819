"""A round that simulated people play."""

from random import Random
from typing import Any

import msgspec

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.opening import Opening
from scorekeeper.simulation.dealt_round import Habits
from scorekeeper.simulation.played_match import play_match, tell_match
from scorekeeper.simulation.tellings import Telling


def simulated(seed: str, players: tuple[str, ...], habits: Habits) -> list[dict[str, Any]]:
    """Return the events of a round as recorded by a table that knows only ann's cards."""
    opening = Opening(edition="basic", players=players)
    rng = Random(seed)
    played = play_match(rng, latest("basic"), opening, habits, most_rounds=1)
    parts = tell_match(rng, played, Telling.SEEN, known={"ann"})
    return [msgspec.to_builtins(event) for part in parts for event in part]
