"""What an event breaks although a table can do it. Told as played, it is recorded and flagged."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from scorekeeper.match.events.card_events import (
    CardPlayed,
    CardsDrawn,
    HandCounted,
    HandShown,
    PileReshuffled,
    TurnPassed,
    UnoCaught,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import Event, RoundStarted, RoundTallied, TableEvent
from scorekeeper.match.events.refusal import Violation
from scorekeeper.match.table.state import State
from scorekeeper.match.turns.challenges import breaches_of_challenge, flags_of_challenge
from scorekeeper.match.turns.draws import breaches_of_draw, breaches_of_pass, flags_of_draw
from scorekeeper.match.turns.eliminations import points_contradict
from scorekeeper.match.turns.legality import breaches_of_play, flags_of_play
from scorekeeper.match.turns.reshuffles import breaches_of_reshuffle
from scorekeeper.match.turns.shown import COUNT, breaches_of_count, breaches_of_show
from scorekeeper.match.turns.uno import flags_of_catch


def breaches(state: State, event: TableEvent | DisputeEvent) -> tuple[Violation, ...]:
    """What forbids an event that can have happened in this state."""
    found = BREACHES.get(type(event))
    return found(state, event) if found is not None else ()


def flags(state: State, event: TableEvent | DisputeEvent) -> tuple[Violation, ...]:
    """The violations that are recorded with the event and never refused."""
    found = FLAGS.get(type(event))
    return found(state, event) if found is not None else ()


def _of_deal(state: State, event: RoundStarted) -> tuple[Violation, ...]:
    dealt = state.edition.hand_size
    return tuple(
        Violation(
            clause=dealt.clause,
            reason="cards-dealt",
            facts={"player": player, "cards": len(cards), "hand_size": dealt.value},
        )
        for player, cards in (event.hands or {}).items()
        if len(cards) > dealt.value
    )


def _of_tally(state: State, event: RoundTallied) -> tuple[Violation, ...]:
    found: list[Violation] = []
    joint = state.edition.joint_winner_cards
    if len(event.winners) > 1 and not (
        joint.value & state.box.counts.keys() or state.options.extra_cards
    ):
        found.append(
            Violation(clause=joint.clause, reason="joint-winners", facts={"winners": event.winners})
        )
    if state.running is None:
        return tuple(found)
    for player, hand in (event.hands or {}).items():
        known = state.hands.get(player)
        if known is None:
            continue
        if hand.cards and known.count not in (None, len(hand.cards)):
            facts = {"player": player, "cards": len(hand.cards), "book": known.count}
            found.append(Violation(clause=COUNT, reason="cards-left", facts=facts))
        if player not in event.winners:
            found.extend(points_contradict(state, player, known, hand.points))
    return tuple(found)


def _of_catch(state: State, event: UnoCaught) -> tuple[Violation, ...]:
    table = state.table
    if table is None or event.player not in table.owing or not state.options.caught_counts:
        return ()
    return points_contradict(state, event.player, table.hands[event.player], event.points)


BREACHES: Final[Mapping[type[Event], Callable[[State, Any], tuple[Violation, ...]]]] = {
    RoundStarted: _of_deal,
    RoundTallied: _of_tally,
    CardPlayed: breaches_of_play,
    CardsDrawn: breaches_of_draw,
    TurnPassed: breaches_of_pass,
    UnoCaught: _of_catch,
    WildDrawFourChallenged: breaches_of_challenge,
    PileReshuffled: breaches_of_reshuffle,
    HandShown: breaches_of_show,
    HandCounted: breaches_of_count,
}
"""What is refused unless it is told as played; events that are not here break no clause."""

FLAGS: Final[Mapping[type[Event], Callable[[State, Any], tuple[Violation, ...]]]] = {
    CardPlayed: flags_of_play,
    CardsDrawn: flags_of_draw,
    UnoCaught: flags_of_catch,
    WildDrawFourChallenged: flags_of_challenge,
}
"""What is always recorded, since a table plays on with it."""
