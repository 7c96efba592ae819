"""Whether the players whom an event names take part."""

from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import Table


def table_of(state: State) -> Table:
    """The table of a round that is followed card by card."""
    if state.table is None:
        raise ValueError("no cards lie on the table: the entries are not the book's")
    return state.table


def not_in_play(state: State, player: str, field: str = "player") -> Refusal | None:
    """Whether a player, whom the event names in that field, is a stranger or out of the match."""
    if player in table_of(state).seats:
        return None
    if player not in state.totals:
        return impossible("player-not-in-match", player=player, field=field)
    return impossible("player-eliminated", player=player, field=field)
