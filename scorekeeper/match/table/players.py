"""Whether the players whom an event names take part."""

from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import Table


def table_of(state: State) -> Table:
    """The table of a round that is followed card by card."""
    if state.table is None:
        raise ValueError("no cards lie on the table: the entries are not the book's")
    return state.table


def not_in_match(state: State, player: str, field: str = "player") -> Refusal | None:
    """Whether a player, whom the event names in that field, is a stranger."""
    if player in state.totals:
        return None
    return impossible("player-not-in-match", player=player, field=field)


def not_staying(state: State, player: str, field: str = "player") -> Refusal | None:
    """Whether one is a stranger, or had been eliminated before the round."""
    if player in state.eliminated:
        return impossible("player-eliminated", player=player, field=field)
    return not_in_match(state, player, field)


def not_in_play(state: State, player: str, field: str = "player") -> Refusal | None:
    """Whether one is a stranger, or out of the match by now."""
    if player in table_of(state).seats:
        return None
    return not_in_match(state, player, field) or impossible(
        "player-eliminated", player=player, field=field
    )
