"""The rules of all events: each stands beside its mechanic, and is found here by its event."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.events.refusal import Violation
from scorekeeper.match.table.state import State
from scorekeeper.match.turns.calls import ACCUSATION_MADE, ADVICE_CALLED
from scorekeeper.match.turns.challenges import WILD_DRAW_FOUR_CHALLENGED
from scorekeeper.match.turns.closing import (
    MATCH_ABANDONED,
    MATCH_CLOSED,
    MATCH_WON,
    ROUND_ENDED,
    ROUND_VOIDED,
)
from scorekeeper.match.turns.dealing import DEALER_DRAWN, ROUND_STARTED
from scorekeeper.match.turns.disputes import DISPUTE_OPENED, DISPUTE_RULED, NOTE_ADDED
from scorekeeper.match.turns.draws import CARD_GIVEN, CARDS_DRAWN, TURN_PASSED
from scorekeeper.match.turns.event_rule import EventRule
from scorekeeper.match.turns.misplays import MISPLAY_CALLED
from scorekeeper.match.turns.plays import CARD_PLAYED
from scorekeeper.match.turns.reshuffles import PILE_RESHUFFLED
from scorekeeper.match.turns.seating import PLAYER_SUBSTITUTED, SEATS_CHANGED
from scorekeeper.match.turns.shown import HAND_COUNTED, HAND_SHOWN
from scorekeeper.match.turns.tally import ROUND_TALLIED
from scorekeeper.match.turns.turning import COLOR_NAMED, FIRST_CARD_TURNED
from scorekeeper.match.turns.uno import UNO_CALLED, UNO_CAUGHT

EVENT_RULES: Final[tuple[EventRule[Any], ...]] = (
    DEALER_DRAWN,
    SEATS_CHANGED,
    PLAYER_SUBSTITUTED,
    ROUND_STARTED,
    FIRST_CARD_TURNED,
    COLOR_NAMED,
    CARD_PLAYED,
    CARDS_DRAWN,
    CARD_GIVEN,
    TURN_PASSED,
    UNO_CALLED,
    UNO_CAUGHT,
    WILD_DRAW_FOUR_CHALLENGED,
    MISPLAY_CALLED,
    ADVICE_CALLED,
    ACCUSATION_MADE,
    PILE_RESHUFFLED,
    HAND_SHOWN,
    HAND_COUNTED,
    ROUND_TALLIED,
    ROUND_VOIDED,
    ROUND_ENDED,
    MATCH_CLOSED,
    MATCH_ABANDONED,
    MATCH_WON,
    NOTE_ADDED,
    DISPUTE_OPENED,
    DISPUTE_RULED,
)
"""One for each event that leads from one state to the next.

That is all but an opening, which the first state is made of, and an amendment, after which the log
is read anew.
"""


def _by_event(rules: Iterable[EventRule[Any]]) -> Mapping[type[object], EventRule[Any]]:
    return {rule.event: rule for rule in rules}


RULES: Final = _by_event(EVENT_RULES)


def breaches(state: State, event: TableEvent | DisputeEvent) -> tuple[Violation, ...]:
    """What forbids an event that can have happened in this state."""
    breach = RULES[type(event)].breach
    return () if breach is None else breach(state, event)


def flags(state: State, event: TableEvent | DisputeEvent) -> tuple[Violation, ...]:
    """The violations that are recorded with the event and never refused."""
    flag = RULES[type(event)].flag
    return () if flag is None else flag(state, event)
