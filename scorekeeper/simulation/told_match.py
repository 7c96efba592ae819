"""The events by which somebody records a simulated match while reading its scoreboard."""

from collections.abc import Collection, Iterator, Mapping
from random import Random

from scorekeeper.match.events.card_events import HandCounted, HandShown
from scorekeeper.match.events.events import RoundTallied, TableEvent, TalliedHand
from scorekeeper.match.readings.fold import initial
from scorekeeper.match.table.state import State
from scorekeeper.match.turns.shown import awaited
from scorekeeper.rules.box import Box
from scorekeeper.rules.cards import Card
from scorekeeper.simulation.habits import happens
from scorekeeper.simulation.played_match import PlayedMatch, accepted
from scorekeeper.simulation.played_round import PlayedRound
from scorekeeper.simulation.tellings import Telling, told

COUNTED = 300
TALLIED = 100
"""Of 1,000 hands, and rounds, at the end: how many are only counted, or told as a whole."""


def tell_match(
    rng: Random, played: PlayedMatch, telling: Telling, *, known: Collection[str] = ()
) -> Iterator[tuple[TableEvent, ...]]:
    """Part after part, each a round or less; TellingRefused where the book does not take one."""
    state = initial(played.edition, played.opened)
    if played.before:
        yield played.before
        state = accepted(state, played.before)
    for one in played.rounds:
        events = told(played.edition, one.happened, telling, known=known)
        state = accepted(state, events)
        closing = tuple(tell_hands(rng, state, one))
        state = accepted(state, closing)
        yield (*events, *closing)
    if played.after:
        yield played.after


def tell_hands(rng: Random, state: State, played: PlayedRound) -> Iterator[TableEvent]:
    """What a round that is out still waits for, in any order; nothing where all is known."""
    tallied = happens(rng, TALLIED)
    while state.phase == "showing_hands":
        waiting = _waiting(state)
        if tallied:
            hands = {p: _tallied(rng, state.box, played.hands[p]) for p in waiting}
            winners = tuple(p for p in state.seating if p in played.winners)
            event: TableEvent = RoundTallied(
                winners=winners, hands=_completed(played, hands), dealer=None
            )
        else:
            player = rng.choice(waiting)
            event = _hand(rng, state.box, player, played.hands[player])
        yield event
        state = accepted(state, (event,))


def _waiting(state: State) -> list[str]:
    """Whose hands are asked for, and who still has to draw for the last card."""
    debtors = [debt.player for debt in (state.table.debts if state.table else ())]
    return list(dict.fromkeys([*debtors, *awaited(state)]))


def _hand(rng: Random, box: Box, player: str, cards: tuple[Card, ...]) -> TableEvent:
    if not happens(rng, COUNTED):
        return HandShown(player=player, cards=cards)
    left = len(cards) if rng.randrange(2) else None
    return HandCounted(player=player, points=_worth(box, cards), cards_left=left)


def _tallied(rng: Random, box: Box, cards: tuple[Card, ...]) -> TalliedHand:
    if not happens(rng, COUNTED):
        return TalliedHand(cards=cards)
    return TalliedHand(points=_worth(box, cards))


def _completed(played: PlayedRound, hands: Mapping[str, TalliedHand]) -> Mapping[str, TalliedHand]:
    """All that may count: a tally names every hand that does, also those that are known."""
    losers = {p: TalliedHand(cards=cards) for p, cards in played.hands.items() if cards}
    return {**losers, **hands}


def _worth(box: Box, cards: tuple[Card, ...]) -> int:
    return sum(box.points[card] for card in cards)
