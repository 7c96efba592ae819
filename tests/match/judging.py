"""Verdicts on told events, by all that they tell together."""

from collections.abc import Iterable

from scorekeeper.match.decider import evolve
from scorekeeper.match.events.events import Event
from scorekeeper.match.readings.hindsight import Judgement, judged, known_around
from scorekeeper.match.readings.reader import Step, StepTaken
from scorekeeper.match.state import State


def verdicts(start: State, events: Iterable[Event]) -> list[Judgement]:
    """Return one verdict for each event. `start`: the state after the opening."""
    taken: list[StepTaken] = []
    before = start
    for place, event in enumerate(events):
        after = before.copy()
        evolve(after, event)
        step = Step(address=None, event=event, before=before, after=after, taken=event)
        taken.append(StepTaken(place, step, event))
        before = after
    return judged(taken, known_around(taken))
