"""Two tournaments of eight: one is over and has its champion, one is being played."""

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from scorekeeper.cli.demonstration.asking import LeagueClient, tally
from scorekeeper.cli.demonstration.people import SLUGS

OVER: Final = "spring-cup"
RUNNING: Final = "autumn-cup"

_PLAYED: Final = 3
"""Segments of the running one that are over."""


def cups(league: LeagueClient) -> Iterator[str]:
    """Tells all tables one after the other; each of their names once it is told."""
    segments = _opened(league, OVER, "Spring cup")
    for segment in segments:
        for table in segment["tables"]:
            yield _told(league, table, 4)
    segments = _opened(league, RUNNING, "Autumn cup")
    for segment in segments[:_PLAYED]:
        for table in segment["tables"]:
            yield _told(league, table, 4)
    first, second = segments[_PLAYED]["tables"]
    yield _told(league, first, 2)
    yield _told(league, second, 1)


TABLES: Final = 14 + 2 * _PLAYED + 2
"""That are told, whole or in part."""


def _opened(league: LeagueClient, slug: str, name: str) -> list[dict[str, Any]]:
    asked = {"tournament": slug, "name": name, "edition": "basic", "players": SLUGS}
    segments: list[dict[str, Any]] = league.send("/tournaments", asked)["segments"]
    return segments


def _told(league: LeagueClient, table: dict[str, Any], rounds: int) -> str:
    match: str = table["match"]
    rng = Random(match)  # noqa: S311 nothing is kept secret by it
    events: list[object] = []
    for planned in table["rounds"][:rounds]:
        winner, *others = rng.sample(planned["players"], 4)
        events.append(tally(winner, {player: rng.randint(1, 90) for player in others}))
    league.tell(match, *events)
    return match
