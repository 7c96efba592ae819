"""Whole simulated matches: rounds until somebody has won, or the table stops."""

from random import Random

from msgspec import Struct

from scorekeeper.editions.house_rules.registry import REVISION, played_by
from scorekeeper.match.events.events import DealerDrawn, MatchAbandoned, MatchClosed, TableEvent
from scorekeeper.match.events.opening import MatchOpened, Opening, open_match
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.fold import initial
from scorekeeper.match.record import record
from scorekeeper.match.table.state import State
from scorekeeper.rules.cards import Card, face
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import DealerDraw
from scorekeeper.simulation.dealt_round import Circumstances
from scorekeeper.simulation.habits import Habits
from scorekeeper.simulation.played_round import PlayedRound, play_round
from scorekeeper.simulation.tellings import Telling, told


class TellingRefused(Exception):
    """The book did not take what the players did: one of the two misreads the booklet."""

    def __init__(self, refusal: Refusal, events: tuple[TableEvent, ...]) -> None:
        super().__init__(f"{refusal}")
        self.refusal = refusal
        self.events = events


class PlayedMatch(Struct, frozen=True, kw_only=True):
    """`before`: the draw for the deal. `after`: how the table stopped, if nobody had won.

    `edition`: as it is played, house rules included. `winners`: of the match; nobody, if it was
    abandoned.
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
    """Dealers, totals and ends follow the book's own state of the exact telling.

    `edition` is the booklet's own, which the opening's house rules may change. After `most_rounds`
    the table closes or abandons the match.
    """
    if opening.house_rules is not None:
        edition = played_by(edition, opening.house_rules, REVISION)
    opened = open_match(edition, opening)
    if isinstance(opened, Refusal):
        raise TellingRefused(opened, ())
    state = initial(edition, opened)
    before = _draw_for_the_deal(rng, state)
    state = accepted(state, before)
    rounds: list[PlayedRound] = []
    while state.status == "open" and len(rounds) < most_rounds:
        played = play_round(rng, _circumstances(rng, state, habits))
        state = accepted(state, told(edition, played.happened, Telling.EXACT))
        rounds.append(played)
    after = _stop(rng, state)
    return PlayedMatch(
        edition=edition,
        opened=opened,
        before=before,
        rounds=tuple(rounds),
        after=after,
        winners=accepted(state, after).winners,
    )


def accepted(state: State, events: tuple[TableEvent, ...]) -> State:
    """The state after the events; TellingRefused where the book does not take them."""
    recorded = record(state, events)
    if isinstance(recorded, Refusal):
        raise TellingRefused(recorded, events)
    return recorded.state


def _draw_for_the_deal(rng: Random, state: State) -> tuple[TableEvent, ...]:
    """All draw, then those who tied, until one has the highest number."""
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
        totals=state.totals.copy(),
        target=state.scoring.target,
    )


def _stop(rng: Random, state: State) -> tuple[TableEvent, ...]:
    if state.status != "open":
        return ()
    if state.rounds_counted and rng.randrange(2):
        return (MatchClosed(reason="It got late."),)
    return (MatchAbandoned(reason="It got late."),)
