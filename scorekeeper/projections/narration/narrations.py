"""How every event is narrated: which clauses bear on a step, and what is said of it."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from scorekeeper.match.events.events import Event, LogAmended
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.events.refusal import Violation
from scorekeeper.match.turns.late import is_late
from scorekeeper.match.turns.shown import COUNT
from scorekeeper.projections.narration.calls import (
    ACCUSATION_MADE,
    ADVICE_CALLED,
    MISPLAY_CALLED,
    UNO_CALLED,
    UNO_CAUGHT,
    WILD_DRAW_FOUR_CHALLENGED,
)
from scorekeeper.projections.narration.closing import (
    HAND_COUNTED,
    HAND_SHOWN,
    MATCH_ABANDONED,
    MATCH_CLOSED,
    MATCH_WON,
    ROUND_ENDED,
    ROUND_TALLIED,
    ROUND_VOIDED,
)
from scorekeeper.projections.narration.dealing import (
    COLOR_NAMED,
    DEALER_DRAWN,
    FIRST_CARD_TURNED,
    PLAYER_SUBSTITUTED,
    ROUND_STARTED,
    SEATS_CHANGED,
)
from scorekeeper.projections.narration.disputes import (
    DISPUTE_OPENED,
    DISPUTE_RULED,
    LOG_AMENDED,
    NOTE_ADDED,
)
from scorekeeper.projections.narration.draws import CARDS_DRAWN, PILE_RESHUFFLED, TURN_PASSED
from scorekeeper.projections.narration.narration import (
    Moment,
    Narration,
    Sentence,
    in_person,
    sentence,
    where_listed,
)
from scorekeeper.projections.narration.plays import CARD_GIVEN, CARD_PLAYED

NARRATIONS: Final[tuple[Narration[Any], ...]] = (
    DEALER_DRAWN,
    SEATS_CHANGED,
    PLAYER_SUBSTITUTED,
    ROUND_STARTED,
    FIRST_CARD_TURNED,
    COLOR_NAMED,
    CARD_PLAYED,
    CARD_GIVEN,
    CARDS_DRAWN,
    TURN_PASSED,
    PILE_RESHUFFLED,
    UNO_CALLED,
    UNO_CAUGHT,
    WILD_DRAW_FOUR_CHALLENGED,
    MISPLAY_CALLED,
    ADVICE_CALLED,
    ACCUSATION_MADE,
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
    LOG_AMENDED,
)
"""One narration for each event but the opening, which is in no replay of a round."""


def _by_event(narrations: Iterable[Narration[Any]]) -> Mapping[type[Event], Narration[Any]]:
    return {narration.event: narration for narration in narrations}


_BY_EVENT: Final = _by_event(NARRATIONS)


def applied(moment: Moment[Event], violations: Iterable[Violation] = ()) -> tuple[str, ...]:
    """Return the ids of the clauses that bear on a step, the weightiest first.

    There are none if no booklet speaks of such an event. The ids are read from the edition's
    values, each of which cites its clause.
    """
    edition = moment.edition
    if _told_late(moment):
        return tuple(where_listed(edition, COUNT))
    cites = _BY_EVENT[type(moment.event)].cites
    found = [] if cites is None else list(cites(moment))
    for violation in violations:
        found.append(violation.clause)
        if violation.reason == "wild-draw-four-bluff" and not edition.house.bluff:
            found.append(edition.shared.bluff_stands)
    return tuple(dict.fromkeys(found))


def explained(moment: Moment[Event]) -> tuple[Sentence, ...]:
    """Return what is said of a step: at least one sentence, about the people at the table."""
    said = _said(moment)
    before, after = moment.before.substitutes, moment.after.substitutes
    # A player who comes back to the seat is called by the column's name at once. A substitute who
    # hands the seat over to another one is still called by the own name.
    sitting = {column: person for column, person in before.items() if column in after}
    return tuple(in_person(one, sitting) for one in said) if sitting else said


def _said(moment: Moment[Event]) -> tuple[Sentence, ...]:
    if _told_late(moment):
        return (sentence("told-late"),)
    return tuple(_BY_EVENT[type(moment.event)].says(moment))


def _told_late(moment: Moment[Event]) -> bool:
    event = moment.event
    return not isinstance(event, MatchOpened | LogAmended) and is_late(moment.before, event)
