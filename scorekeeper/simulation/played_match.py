"""Whole simulated matches: rounds until somebody has won, or the table stops.

`tell_match` yields the events of a match as somebody records them who follows its scoreboard.
"""

from collections.abc import Collection, Iterator, Mapping
from random import Random

from msgspec import Struct

from scorekeeper.editions.house_rules.registry import REVISION, played_by
from scorekeeper.match.events.card_events import HandCounted, HandShown
from scorekeeper.match.events.events import (
    DealerDrawn,
    MatchAbandoned,
    MatchClosed,
    RoundTallied,
    TableEvent,
    TalliedHand,
)
from scorekeeper.match.events.opening import MatchOpened, Opening, open_match
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import record
from scorekeeper.match.state import State
from scorekeeper.match.turns.shown import awaited_players
from scorekeeper.rules.cards import Box, Card, face
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import DealerDraw
from scorekeeper.simulation.dealt_round import Circumstances, Habits, happens
from scorekeeper.simulation.played_round import PlayedRound, play_round
from scorekeeper.simulation.tellings import Telling, tell_round

COUNTED = 300
TALLIED = 100
"""How the ends of rounds are told.

COUNTED of 1,000 hands are only counted. TALLIED of 1,000 rounds that wait for hands get a tally.
"""


class TellingRefused(Exception):
    """The book refused what the simulated players did: one of the two misreads the booklet."""

    def __init__(self, refusal: Refusal, events: tuple[TableEvent, ...]) -> None:
        super().__init__(f"{refusal}")
        self.refusal = refusal
        self.events = events


class PlayedMatch(Struct, frozen=True, kw_only=True):
    """A match as it was played.

    `before`: the draws for the first dealer. `after`: how the table stopped, if nobody had won.
    `edition`: the edition as played, house rules included. `winners`: those of the match, nobody if
    it was abandoned.
    """

    edition: Edition
    opened: MatchOpened
    before: tuple[TableEvent, ...]
    rounds: tuple[PlayedRound, ...]
    after: tuple[TableEvent, ...]
    winners: tuple[str, ...]


def play_match(
    rng: Random, edition: Edition, opening: Opening, habits: Habits, *, most_rounds: int
) -> PlayedMatch:
    """Play a match. The dealers, the totals and its end come from the book's state of all events.

    `edition` is the booklet's own, which the opening's house rules may change. After `most_rounds`
    the table closes or abandons the match. Raises TellingRefused if the book refuses an event.
    """
    if opening.house_rules is not None:
        edition = played_by(edition, opening.house_rules, REVISION)
    opened = open_match(edition, opening)
    if isinstance(opened, Refusal):
        raise TellingRefused(opened, ())
    state = initial(edition, opened)
    before = _draw_for_the_deal(rng, state)
    state = state_after(state, before)
    rounds: list[PlayedRound] = []
    while state.status == "open" and len(rounds) < most_rounds:
        played = play_round(rng, _circumstances(rng, state, habits))
        state = state_after(state, tell_round(edition, played.happened, Telling.EXACT))
        rounds.append(played)
    after = _stop(rng, state)
    return PlayedMatch(
        edition=edition,
        opened=opened,
        before=before,
        rounds=tuple(rounds),
        after=after,
        winners=state_after(state, after).winners,
    )


def state_after(state: State, events: tuple[TableEvent, ...]) -> State:
    """Return the state after the events. Raises TellingRefused if the book refuses them."""
    recorded = record(state, events)
    if isinstance(recorded, Refusal):
        raise TellingRefused(recorded, events)
    return recorded.state


def _draw_for_the_deal(rng: Random, state: State) -> tuple[TableEvent, ...]:
    """Let all draw, then those who tied, until one of them has the highest number."""
    if state.dealer is not None or state.edition.dealer_draw.value is DealerDraw.CHOSEN_FREELY:
        return ()
    events: list[TableEvent] = []
    drawing: list[str] = list(state.seating)
    cards = [card for card, count in state.box.counts.items() for _ in range(count)]
    while len(drawing) > 1:
        draws: dict[str, Card] = dict(zip(drawing, rng.sample(cards, len(drawing)), strict=True))
        events.append(DealerDrawn(draws=draws))
        values = {player: _value(state.edition, card) for player, card in draws.items()}
        highest = max(values.values())
        if highest >= 0:
            drawing = [player for player in drawing if values[player] == highest]
    return tuple(events)


def _value(edition: Edition, card: Card) -> int:
    printed = face(card)
    if printed.is_number:
        return int(printed.symbol)
    return -1 if edition.dealer_draw.value is DealerDraw.LETTERED_CANNOT_DEAL else 0


def _circumstances(rng: Random, state: State, habits: Habits) -> Circumstances:
    extra = state.options.extra_cards or {}
    agreed = frozenset(extra)
    if state.options.question_block is not None:
        agreed |= {"question-block"}
    return Circumstances(
        edition=state.edition,
        box=state.box,
        habits=habits,
        seats=state.staying,
        dealer=state.dealer or rng.choice(state.staying),
        agreed=agreed,
        ends_at_once=state.mode.rounds_decide,
        caught_counts=bool(state.options.caught_counts),
        totals=dict(state.totals),
        target=state.scoring.target,
    )


def _stop(rng: Random, state: State) -> tuple[TableEvent, ...]:
    if state.status != "open":
        return ()
    if state.rounds_counted and rng.randrange(2):
        return (MatchClosed(reason="It got late."),)
    return (MatchAbandoned(reason="It got late."),)


def tell_match(
    rng: Random, played: PlayedMatch, telling: Telling, *, known: Collection[str] = ()
) -> Iterator[tuple[TableEvent, ...]]:
    """Yield the events of a match part by part, each a round or less.

    `known`: the players whose cards are told in any case. Raises TellingRefused if the book refuses
    a part.
    """
    state = initial(played.edition, played.opened)
    if played.before:
        yield played.before
        state = state_after(state, played.before)
    for one in played.rounds:
        events = tell_round(played.edition, one.happened, telling, known=known)
        state = state_after(state, events)
        closing = tuple(tell_hands(rng, state, one))
        state = state_after(state, closing)
        yield (*events, *closing)
    if played.after:
        yield played.after


def tell_hands(rng: Random, state: State, played: PlayedRound) -> Iterator[TableEvent]:
    """Yield the hands that an ended round still waits for, in any order.

    There are none if all are known.
    """
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
        state = state_after(state, (event,))


def _waiting(state: State) -> list[str]:
    """Return the players who still have to draw for the last card, and those to show a hand."""
    debtors = [debt.player for debt in (state.table.debts if state.table else ())]
    return list(dict.fromkeys([*debtors, *awaited_players(state)]))


def _hand(rng: Random, box: Box, player: str, cards: tuple[Card, ...]) -> TableEvent:
    if not happens(rng, COUNTED):
        return HandShown(player=player, cards=cards)
    left = len(cards) if rng.randrange(2) else None
    return HandCounted(player=player, points=box.worth(cards), cards_left=left)


def _tallied(rng: Random, box: Box, cards: tuple[Card, ...]) -> TalliedHand:
    if not happens(rng, COUNTED):
        return TalliedHand(cards=cards)
    return TalliedHand(points=box.worth(cards))


def _completed(played: PlayedRound, hands: Mapping[str, TalliedHand]) -> Mapping[str, TalliedHand]:
    """Return all hands that may count: a tally also names those that are known already."""
    losers = {p: TalliedHand(cards=cards) for p, cards in played.hands.items() if cards}
    return {**losers, **hands}
