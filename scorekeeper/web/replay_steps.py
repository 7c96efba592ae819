"""The steps of a round for the page of its replay: the table after each step, disputes, marks.

Each step has only what differs from the table at the step before. Marks lead to the steps that
people are likely to argue about.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import UNSET, Struct

from scorekeeper.match.events.events import DisputeRuled, LogAmended, Ruling
from scorekeeper.match.events.fields import Address, Inserted
from scorekeeper.match.readings.reader import (
    amendments_in,
    amendments_in_force,
    entries_in,
    removed_versions,
)
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import HandView
from scorekeeper.service.reading.matches import View
from scorekeeper.service.reading.replay_views import ReplayItem

Place: TypeAlias = int | tuple[int, int] | None
"""Where a step's entry stands in the log: its version, or an amendment's version and an index.

The index, from 0, is that of the inserted event. None: the step was freshly inferred.
"""

_CHALLENGED: Final = "wild_draw_four_challenged"
_TABLE: Final = ("turn", "direction", "top_card", "color", "draw_pile_count", "phase")

StepMark: TypeAlias = Literal["violation", "amendment", "dispute"]


def place_of(item: ReplayItem) -> Place:
    """Return where the entry of a step stands in the log."""
    if item.version is not UNSET:
        return item.version
    if item.amendment is not UNSET and item.index is not UNSET:
        return item.amendment, item.index
    return None


def step_differences(items: Sequence[ReplayItem]) -> list[dict[str, Any]]:
    """Return each step as `{"at"?, "inferred"?, "guilty"?, "table"?, "then"?, "since"?}`.

    `at`: the step's place, unless it is the version after the place of the step before.
    `inferred`: true, or absent. `guilty`: the verdict of a challenge. `table`: what differs from
    the table a step before. `then`: by player, the cards known at that step and the number of other
    cards in the hand, if they differ from the step before. `since`: likewise, which of these others
    are known by now, and how many are not. The first step says everything.
    """
    steps: list[dict[str, Any]] = []
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
        step: dict[str, Any] = {} if place == _place_after(last) else {"at": place}
        last = place
        if item.inferred:
            step["inferred"] = True
        guilty = _guilt(item)
        if guilty is not None:
            step["guilty"] = guilty
        for part, whole in now.items():
            known = before[part]
            differs = {k: v for k, v in whole.items() if k not in known or known[k] != v}
            if differs:
                step[part] = differs
        steps.append(step)
        before = now
    return steps


def _guilt(item: ReplayItem) -> bool | None:
    """Return whether a challenge found its player guilty; None if the step is no valid challenge.

    If the player was innocent, the challenger owes cards by a clause that the step cites.
    """
    event = item.event
    if event is None or event["type"] != _CHALLENGED or item.voided is not UNSET:
        return None
    cited = {clause.id for clause in item.clauses}
    owed = [debt.player for debt in item.state.pending if debt.clause in cited]
    return event["by"] not in owed


def _place_after(place: Place) -> Place:
    return place + 1 if isinstance(place, int) else None


def _found_out(then: HandView, now: HandView) -> tuple[list[str], int | None]:
    """Return the cards of a hand that became known later, and how many are still unknown.

    The cards are in the order of `now`.
    """
    known = Counter(then.known)
    found: list[str] = []
    for card in now.known:
        if known[card]:
            known[card] -= 1
        else:
            found.append(card)
    return found, now.unknown


class Disputed(Struct, frozen=True):
    """A dispute about a round.

    `by`: the person who disputes, perhaps a substitute. `step`: the disputed step, from 1; None if
    the dispute is about the round as a whole. `reason`: the reason of the ruling; None while there
    is no ruling.
    """

    dispute: int
    by: str
    claim: str
    step: int | None
    ruling: Ruling | None
    reason: str | None


def disputes_of(state: State, round_: int, items: Sequence[ReplayItem]) -> list[Disputed]:
    """Return the disputes about a round, the oldest first; `items` are the steps of the round."""
    log = entries_in(state.log)
    rulings = {
        entry.event.dispute: entry.event.reason
        for entry in log
        if isinstance(entry.event, DisputeRuled)
    }
    recorded = amendments_in(log)
    return [
        Disputed(
            dispute=version,
            by=dispute.disputant,
            claim=dispute.opened.claim,
            step=_step(dispute.opened.entry, items, recorded),
            ruling=dispute.ruling,
            reason=rulings.get(version),
        )
        for version, dispute in state.disputes.items()
        if dispute.opened.round == round_
    ]


def _step(
    disputed: Address | None, items: Sequence[ReplayItem], recorded: Mapping[int, LogAmended]
) -> int | None:
    entry = disputed
    if isinstance(disputed, Inserted):
        place = disputed.amendment, disputed.index
        for number, item in enumerate(items, 1):
            if place_of(item) == place:
                return number
        withdrawn = recorded.get(disputed.amendment)
        entry = None if withdrawn is None else withdrawn.first
    return step_in_place_of(entry, items, recorded) if isinstance(entry, int) else None


def step_in_place_of(
    entry: int, items: Sequence[ReplayItem], recorded: Mapping[int, LogAmended]
) -> int:
    """Return the number of an entry's step, from 1.

    If the entry is no longer read, return the first step that an amendment put in its place. If
    there is none, return the next step after the entry, or else the last step.
    """
    steps = {place_of(item): number for number, item in enumerate(items, 1)}
    if entry in steps:
        return steps[entry]
    for version, one in amendments_in_force(recorded).items():
        if entry in removed_versions(one) and (version, 0) in steps:
            return steps[version, 0]
    return step_of_entry(items, entry) or len(items)


def step_of_entry(items: Sequence[ReplayItem], entry: int) -> int | None:
    """Return the number of an entry's step, or of the first step after it, from 1.

    Return None if the round has no such step.
    """
    for number, item in enumerate(items, 1):
        place = place_of(item)
        if isinstance(place, int) and place >= entry:
            return number
    return None


def amended_entries(state: State, view: View) -> list[int]:
    """Return the entries at which amendments in force begin.

    In the corrected view, the events that an amendment inserts are steps of their own. So only the
    amendments that insert nothing are returned.
    """
    standing = amendments_in_force(amendments_in(entries_in(state.log)))
    return [
        one.first
        for one in standing.values()
        if one.first is not None and (view == "recorded" or not one.insert)
    ]


def marks_of(
    items: Sequence[ReplayItem], disputes: Iterable[Disputed], amended: Iterable[int]
) -> list[tuple[int, StepMark]]:
    """Return all marks, each with the number of its step from 1, in the order of the steps.

    `amended`: the entries at which amendments begin.
    """
    found: set[tuple[int, StepMark]] = set()
    first = min((place for item in items if isinstance(place := place_of(item), int)), default=0)
    for number, item in enumerate(items, 1):
        if item.violations:
            found.add((number, "violation"))
        if isinstance(place_of(item), tuple):
            found.add((number, "amendment"))
    for entry in amended:
        number_there = step_of_entry(items, entry)
        if entry >= first and number_there is not None:
            found.add((number_there, "amendment"))
    found.update((each.step, "dispute") for each in disputes if each.step is not None)
    return sorted(found)
