"""The clauses that say who deals."""

from typing import Final

from scorekeeper.match.decider import inferred
from scorekeeper.match.events.events import MatchWon
from scorekeeper.match.state import State
from scorekeeper.projections.narration.narration import Clauses, where_listed
from scorekeeper.rules.parameters import NextDealer

_NEXT_DEALER: Final = "X-NEXT-DEALER"
_SCHEDULE: Final = "X-ROTATE"


def who_deals(state: State) -> Clauses:
    """Yield the clause that says who deals the next round, in a state between rounds."""
    edition = state.edition
    if state.opened.tournament is not None and state.rounds_counted < len(state.plan):
        yield from where_listed(edition, _SCHEDULE)
    elif state.finished is None:
        yield edition.dealer_draw.clause
    elif edition.next_dealer.value is NextDealer.WINNER and not state.finished[0].winners:
        yield from where_listed(edition, _NEXT_DEALER)
    else:
        yield edition.next_dealer.clause


def who_deals_on(state: State) -> Clauses:
    """Yield what `who_deals` yields, or nothing if the last round has decided the match."""
    if not isinstance(inferred(state), MatchWon):
        yield from who_deals(state)
