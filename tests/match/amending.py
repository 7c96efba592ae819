"""Builders of amendments and of matches to amend, and what is compared before and after."""

from typing import Any

from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.readings.effective_log import corrected_steps
from scorekeeper.projections.scoreboard import rounds
from tests.match.story import Story, given, tally
from tests.match.table import play, start, told


def amends(
    first_: int | None = None, remove: int = 0, *insert: TableEvent, **fields: Any
) -> TableEvent:
    """Build an amendment: `amends(5, 1, draw("cy"))` reads a draw by cy in place of entry 5."""
    if first_ is not None:
        fields |= {"from": first_, "remove": remove, "insert": insert}
    return told("log_amended", **{"reason": "as it was", **fields})


def note(text: str = "x") -> TableEvent:
    return told("note_added", text=text)


def evening() -> Story:
    """Entry 4 is bo's draw, inferred before cy's play, which is entry 5."""
    return start("basic", turned="red-draw-two").when(play("cy", "red-5"))


def three_rounds() -> Story:
    """Return a match of three tallies (entries 2, 4, 6) that bring bo to 30, 60 and 90 points.

    After each tally the book writes the end of the round.
    """
    match = given("basic", 2, dealer="ann", target=500)
    for _ in range(3):
        match = match.when(tally("ann", bo=30))
    return match.then_totals(ann=0, bo=90)


def addresses(match: Story) -> list[object]:
    return [step.address for step in corrected_steps(match.state)]


def voids(match: Story) -> list[tuple[object, str, str | None]]:
    return [
        (step.address, step.voided.code, step.voided.reason)
        for step in match.voided or ()
        if step.voided
    ]


def numbers(match: Story) -> tuple[object, ...]:
    """Return what a reader sees of the match, without the fields that count or number entries."""
    board = match.board
    shown = {name: getattr(board, name) for name in board.__struct_fields__}
    counted = {"version", "position", "amendments"}
    told_rounds = [
        {name: getattr(one, name) for name in one.__struct_fields__ if "version" not in name}
        for one in rounds(match.state)
    ]
    return {name: value for name, value in shown.items() if name not in counted}, told_rounds
