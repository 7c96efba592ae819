"""From entries to the state after them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from types import NoneType
from typing import cast

from scorekeeper.match.decider.evolve import evolve
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import Event, LogAmended, ServerEvent, TableEvent, as_written
from scorekeeper.match.events.opening import (
    MatchOpened,
    box_in_force,
    mode_in_force,
    options_in_force,
    scoring_in_force,
)
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.amended_fold import AmendedFold, amended_fold
from scorekeeper.match.table.state import State
from scorekeeper.match.turns.dealing import take_planned_seats
from scorekeeper.rules.edition import Edition


def initial(edition: Edition, opened: MatchOpened) -> State:
    """The state at version 1; `edition` in the revision that the opening pins."""
    opened = as_written(opened)
    options = options_in_force(edition, opened)
    teams = opened.teams or ()
    sides = teams or tuple((player,) for player in opened.players)
    state = State(
        edition=edition,
        opened=opened,
        box=box_in_force(edition, options),
        mode=mode_in_force(edition, opened),
        scoring=scoring_in_force(edition, opened),
        options=options,
        teams=teams,
        sides=sides,
        plan=opened.seating or (),
        version=1,
        seating=opened.players,
        dealer=opened.dealer,
        substitutes={},
        hands={},
        totals=dict.fromkeys(opened.players, 0),
        rounds_won=dict.fromkeys(opened.players, 0),
        sides_won=dict.fromkeys((side[0] for side in sides), 0),
    )
    take_planned_seats(state)
    if opened.dealer is not None:
        state.dealer = opened.dealer
    return state


def fold(
    state: State, events: Iterable[Event | None], inferred: Iterable[bool] | None = None
) -> State:
    """The state after more entries, which were recorded one after the other; `state` stays.

    None stands for an entry whose content was erased. `inferred` flags what nobody told; without
    it, that is what only the service writes. An amendment has the log before it read anew, and an
    erased entry all of it.
    """
    own = state.copy()
    recorded = list(events)
    flags = [isinstance(each, ServerEvent) for each in recorded] if inferred is None else inferred
    entries = zip(recorded, flags, strict=True)
    anew = _read_anew(recorded, erased=own.erased)
    if anew:
        for event, flag in islice(entries, anew):
            own.log = (event, flag, own.log)
        again = fold_amended(own)
        assert isinstance(again, AmendedFold)
        own = again.state
    log = own.log
    for event, flag in cast(
        "Iterator[tuple[TableEvent | DisputeEvent | ServerEvent, bool]]", entries
    ):
        evolve(own, event)
        log = (event, flag, log)
    own.log = log
    return own


def _read_anew(recorded: Sequence[Event | None], *, erased: bool) -> int:
    """How many of the entries can't just be taken in, one upon the other."""
    kinds = set(map(type, recorded))
    if MatchOpened in kinds:
        raise TypeError("a match is opened once, by its first entry")
    if erased or NoneType in kinds:
        return len(recorded)
    if LogAmended not in kinds:
        return 0
    return 1 + max(at for at, each in enumerate(recorded) if isinstance(each, LogAmended))


def fold_amended(
    state: State, *, newest: int | None = None, known: AmendedFold | None = None
) -> AmendedFold | Refusal:
    """The log of `state` as it is amended; `newest` and `known` as `reread` takes them."""
    start = initial(state.edition, state.opened)
    return amended_fold(start, state.log, newest=newest, known=known)
