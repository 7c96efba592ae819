"""The stored view behind the list of matches: a row for each, written with the append itself."""

from scorekeeper.ledger.append import Row
from scorekeeper.ledger.entry import Entry
from scorekeeper.match.events import MatchAbandoned, MatchWon
from scorekeeper.match.record import Recorded
from scorekeeper.match.state import State
from scorekeeper.store import matches

# The list shows how a match was opened and how it ended.
_ENDINGS = (MatchWon, MatchAbandoned)


def listed(league: str, match: str, state: State, opening: Entry) -> Row:
    """The row of a match that was just opened; `state` includes what was recorded with it."""
    return matches.added(
        league=league,
        match=match,
        opened=opening.position,
        edition=state.edition.id,
        status=state.status,
        players=state.seating,
        winners=state.winners,
        opened_at=opening.time,
    )


def listed_changes(league: str, match: str, recorded: Recorded) -> tuple[Row, ...]:
    """What an append changes in the row: nothing before the match ends."""
    state = recorded.state
    if not any(isinstance(made.event, _ENDINGS) for made in recorded.entries):
        return ()
    return (
        matches.changed(league=league, match=match, status=state.status, winners=state.winners),
    )
