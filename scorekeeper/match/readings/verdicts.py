"""Whether what the table told was legal, on what is known of the hands."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider.evolve import evolve
from scorekeeper.match.decider.rules import RULES, breaches, flags
from scorekeeper.match.events.card_events import CardPlayed
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import (
    LogAmended,
    MatchWon,
    RoundEnded,
    ServerEvent,
    TableEvent,
)
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.events.refusal import Violation
from scorekeeper.match.readings.hindsight import with_hindsight
from scorekeeper.match.readings.reader import Step
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import Table
from scorekeeper.match.turns.late import is_late
from scorekeeper.rules.cards import WILD_DRAW_FOUR

Verdict: TypeAlias = Literal["legal", "illegal", "unknown"]
JudgedEvent: TypeAlias = TableEvent | DisputeEvent | ServerEvent


class Judgement(Struct, frozen=True):
    """`violations` may also be those of an earlier play, which a challenge or a catch shows."""

    verdict: Verdict
    violations: tuple[Violation, ...] = ()


LEGAL = Judgement("legal")


def judge(state: State, event: JudgedEvent) -> Judgement:
    """The verdict on an event that was recorded in this state, by what is known in it."""
    if isinstance(event, RoundEnded | MatchWon) or is_late(state, event):
        return LEGAL
    rule = RULES[type(event)]
    against = breaches(state, event)
    shown = flags(state, event)
    found = (*against, *shown)
    if against or (shown and not rule.flags_earlier):
        return Judgement("illegal", found)
    in_doubt = rule.doubt is not None and rule.doubt(state, event)
    return Judgement("unknown" if in_doubt else "legal", found)


class StepTaken(NamedTuple):
    """A step that took effect, its place among the others, and what took effect."""

    place: int
    step: Step
    event: JudgedEvent


def taken_in(steps: Iterable[Step]) -> list[StepTaken]:
    """The steps that took effect, but for the opening and amendments."""
    return [
        StepTaken(place, step, step.taken)
        for place, step in enumerate(steps)
        if step.taken is not None and not isinstance(step.taken, MatchOpened | LogAmended)
    ]


def known_around(taken: Sequence[StepTaken]) -> list[Table | None]:
    """The tables around the steps as they are known in the end, one more than there are steps."""
    if not taken:
        return []
    states = [each.step.before for each in taken] + [taken[-1].step.after]
    return known_tables(states, [each.event for each in taken])


def verdicts(start: State, events: Sequence[JudgedEvent]) -> tuple[Judgement, ...]:
    """One verdict for each event, with all that the events together tell.

    `start` is the state before the first of them, at the best that of the opening, and stays as it
    is.
    """
    states = [start]
    for event in events:
        after = states[-1].copy()
        evolve(after, event)
        states.append(after)
    return judged(states, events, known_tables(states, events))


def known_tables(states: Sequence[State], events: Sequence[JudgedEvent]) -> list[Table | None]:
    """The tables of the states around the events, as they are known in the end."""
    return with_hindsight(states[0].edition, [state.table for state in states], events)


def judged(
    states: Sequence[State], events: Sequence[JudgedEvent], known: Sequence[Table | None]
) -> tuple[Judgement, ...]:
    """One verdict for each event, which was taken in between two of the states.

    `known`: what `known_tables` gives for them.
    """
    found: list[Judgement] = []
    bluffed = False
    for state, event, table in zip(states, events, known, strict=False):
        if table is not None and table.suspect is not None and bluffed:
            table.suspect = replace(table.suspect, flagged=True)
        judgement = judge(replace(state, table=table), event)
        if isinstance(event, CardPlayed) and event.card == WILD_DRAW_FOUR:
            clause = state.edition.wild_draw_four_legal.clause
            bluffed = any(violation.clause == clause for violation in judgement.violations)
        found.append(judgement)
    return tuple(found)
