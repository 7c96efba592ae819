"""The steps of a round that a quarrel is likely to be about."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from scorekeeper.service.reading.replay_views import ReplayItem
from scorekeeper.web.replay.disputes import Disputed, step_of_entry
from scorekeeper.web.replay.steps import place_of

Mark: TypeAlias = Literal["violation", "amendment", "dispute"]


def marks_of(
    items: Sequence[ReplayItem], disputes: Iterable[Disputed], amended: Iterable[int]
) -> list[tuple[int, Mark]]:
    """Each with its step, from 1, in their order. `amended`: entries where amendments begin."""
    found: set[tuple[int, Mark]] = set()
    first = min((place for item in items if isinstance(place := place_of(item), int)), default=0)
    for number, item in enumerate(items, 1):
        if item.violations or item.verdict == "illegal":
            found.add((number, "violation"))
        if isinstance(place_of(item), tuple):
            found.add((number, "amendment"))
    for entry in amended:
        number_there = step_of_entry(items, entry)
        if entry >= first and number_there is not None:
            found.add((number_there, "amendment"))
    found.update((each.step, "dispute") for each in disputes if each.step is not None)
    return sorted(found)
