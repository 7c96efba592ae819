"""The table after each step of a round, as what differs from the step before."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import UNSET

from scorekeeper.projections.hands import HandView
from scorekeeper.service.reading.replay_views import ReplayItem

Place: TypeAlias = int | tuple[int, int] | None
"""A version; or that of an amendment, and the index of what it inserted; None: freshly inferred."""

_TABLE: Final = ("turn", "direction", "top_card", "color", "draw_pile_count", "phase")


def place_of(item: ReplayItem) -> Place:
    """Where the entry of a step stands in the log."""
    if item.version is not UNSET:
        return item.version
    if item.amendment is not UNSET and item.index is not UNSET:
        return item.amendment, item.index
    return None


def steps_told(items: Sequence[ReplayItem]) -> list[dict[str, Any]]:
    """Each step as `{"at"?, "inferred"?, "table"?, "then"?, "since"?}`.

    `at`: its place, where that is not the version behind the place before. `table`: of the table
    what is another than a step before. `then`: by player the cards that were known and how many
    others there were, where that differs. `since`: likewise, which of those others are known by
    now, and how many are not. The first step says everything.
    """
    told: list[dict[str, Any]] = []
    last: Place = None
    before: dict[str, Mapping[str, Any]] = {"table": {}, "then": {}, "since": {}}
    for item in items:
        now: dict[str, Mapping[str, Any]] = {
            "table": {name: getattr(item.state, name) for name in _TABLE},
            "then": {p: (hand.known, hand.unknown) for p, hand in item.hands.then.items()},
            "since": {
                p: _found_out(hand, item.hands.now.get(p, hand))
                for p, hand in item.hands.then.items()
            },
        }
        place = place_of(item)
        step: dict[str, Any] = {} if place == _behind(last) else {"at": place}
        last = place
        if item.inferred:
            step["inferred"] = True
        for part, whole in now.items():
            known = before[part]
            differs = {k: v for k, v in whole.items() if k not in known or known[k] != v}
            if differs:
                step[part] = differs
        told.append(step)
        before = now
    return told


def _behind(place: Place) -> Place:
    return place + 1 if isinstance(place, int) else None


def _found_out(then: HandView, now: HandView) -> tuple[list[str], int | None]:
    """The cards of a hand that became known later, in their order there."""
    known = Counter(then.known)
    found: list[str] = []
    for card in now.known:
        if known[card]:
            known[card] -= 1
        else:
            found.append(card)
    return found, now.unknown
