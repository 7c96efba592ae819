"""From entries to the state after them."""

from collections.abc import Iterable

from scorekeeper.match.events import Event
from scorekeeper.match.evolve import evolve, take_planned_seats
from scorekeeper.match.opening import (
    MatchOpened,
    box_in_force,
    mode_in_force,
    options_in_force,
    scoring_in_force,
)
from scorekeeper.match.state import State
from scorekeeper.rules.edition import Edition


def initial(edition: Edition, opened: MatchOpened) -> State:
    """The state at version 1; `edition` in the revision that the opening pins."""
    options = options_in_force(edition, opened)
    teams = opened.teams or ()
    sides = teams or tuple((player,) for player in opened.players)
    state = State(
        edition=edition,
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


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after more events, which were recorded one after the other; `state` stays."""
    own = state.copy()
    for event in events:
        if isinstance(event, MatchOpened):
            raise TypeError("a match is opened once, by its first entry")
        evolve(own, event)
    return own
