"""Advice and accusations, where a booklet makes them cost cards."""

from typing import Final

from scorekeeper.match.events.card_events import AccusationMade, AdviceCalled
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.table.players import not_in_play, table_of
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import owe_draw
from scorekeeper.match.turns.event_rule import PLAYING, EventRule
from scorekeeper.rules.cited import Cited


def refused_advice(state: State, event: AdviceCalled) -> Refusal | None:
    """Not every booklet speaks of advice."""
    if state.edition.advice_draws is None:
        return _not_in_edition(state, "advice_called")
    return not_in_play(state, event.player) or not_in_play(state, event.by, "by")


def refused_accusation(state: State, event: AccusationMade) -> Refusal | None:
    """Not every booklet speaks of accusations."""
    if state.edition.accusation_draws is None:
        return _not_in_edition(state, "accusation_made")
    return not_in_play(state, event.by, "by") or not_in_play(state, event.player)


def _not_in_edition(state: State, event: str) -> Refusal:
    return Refusal(code="not-in-edition", facts={"edition": state.edition.id, "type": event})


def advise(state: State, event: AdviceCalled) -> None:
    """The adviser draws."""
    _draws(state, event.player, state.edition.advice_draws)


def accuse(state: State, event: AccusationMade) -> None:
    """The accuser draws, whether it is true or not."""
    _draws(state, event.by, state.edition.accusation_draws)


def _draws(state: State, player: str, cited: Cited[int] | None) -> None:
    table = table_of(state).copy()
    if cited is not None:
        owe_draw(table, player, cited.value, cited.clause)
    state.lay_out(table)


ADVICE_CALLED: Final = EventRule(
    event=AdviceCalled,
    names=("player", "by"),
    phases=PLAYING,
    refuse=refused_advice,
    evolve=advise,
)

ACCUSATION_MADE: Final = EventRule(
    event=AccusationMade,
    names=("by", "player"),
    phases=PLAYING,
    refuse=refused_accusation,
    evolve=accuse,
)
