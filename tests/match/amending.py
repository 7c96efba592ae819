"""Amendments to tell, matches to amend, and what is to be seen of either."""

from typing import Any

from story import Story, given, tally
from table import play, start, told

from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.readings.effective_log import corrected
from scorekeeper.projections.scoreboard import rounds


def amends(
    first_: int | None = None, remove: int = 0, *insert: TableEvent, **fields: Any
) -> TableEvent:
    """`amends(5, 1, draw("cy"))`: read a draw of cy's instead of entry 5."""
    if first_ is not None:
        fields |= {"from": first_, "remove": remove, "insert": insert}
    return told("log_amended", **{"reason": "as it was", **fields})


def note(text: str = "x") -> TableEvent:
    return told("note_added", text=text)


def evening() -> Story:
    """Entry 4 is bo's draw, inferred before cy's play, which is entry 5."""
    return start("basic", turned="red-draw-two").when(play("cy", "red-5"))


def three_rounds() -> Story:
    """Entries 2, 4 and 6 are told, each followed by the end of its round: 30, 60 and 90 for bo."""
    match = given("basic", 2, dealer="ann", target=500)
    for _ in range(3):
        match = match.when(tally("ann", bo=30))
    return match.then_totals(ann=0, bo=90)


def addresses(match: Story) -> list[object]:
    return [step.address for step in corrected(match.state)]


def voids(match: Story) -> list[tuple[object, str, str | None]]:
    return [
        (step.address, step.voided.code, step.voided.reason)
        for step in match.voided or ()
        if step.voided
    ]


def numbers(match: Story) -> tuple[object, ...]:
    """All that a reader sees, but for what counts entries."""
    board = match.board
    shown = {name: getattr(board, name) for name in board.__struct_fields__}
    counted = {"version", "position", "amendments"}
    told_rounds = [
        {name: getattr(one, name) for name in one.__struct_fields__ if "version" not in name}
        for one in rounds(match.state)
    ]
    return {name: value for name, value in shown.items() if name not in counted}, told_rounds
