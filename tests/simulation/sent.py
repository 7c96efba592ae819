"""Matches as clients send them: each event has an id, and object keys come in any order.

Rounds are told card by card or as a tally. Later the log is amended and disputed.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from scorekeeper.match.events.events import (
    DisputeOpened,
    DisputeRuled,
    RoundTallied,
    TableEvent,
    TalliedHand,
    ToldEvent,
)
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.simulation.played_match import PlayedMatch, tell_hands
from scorekeeper.simulation.played_round import PlayedRound
from scorekeeper.simulation.tellings import Telling
from tests.simulation.playing import told_round
from tests.simulation.scoring import scores_by_hand
from tests.simulation.test_amended_matches import any_amendment


class Sent(Struct, frozen=True):
    """One request that the book has accepted, and the state kept in memory after it."""

    events: tuple[ToldEvent, ...]
    state: State


class SentMatch:
    """A match that is told to the book and carried in memory from request to request."""

    def __init__(self, seed: int, played: PlayedMatch) -> None:
        self._rng = Random(seed)
        self._played = played
        self.opened: MatchOpened = self._as_sent(played.opened)
        self._state = initial(played.edition, self.opened)
        self._told: list[TableEvent] = []

    def requests(self) -> Iterator[Sent]:
        """Yield the requests that the book has accepted."""
        yield from self._tell(*self._played.before)
        for dealt in self._played.rounds:
            yield from self._round(dealt)
        for _ in range(4):
            yield from self._tell(any_amendment(self._rng, self._state, self._told))
            yield from self._tell(self._rng.choice(self._told))
        if self._state.round:
            by = self._state.seating[0]
            yield from self._tell(DisputeOpened(by=by, round=1, claim="no"))
            version = self._state.version
            yield from self._tell(DisputeRuled(dispute=version, ruling="upheld", reason="so"))

    def _round(self, dealt: PlayedRound) -> Iterator[Sent]:
        rng = self._rng
        before = self._state
        if rng.randrange(2):
            yield from self._tell(_sheet(rng, before, dealt))
        if self._state is before:
            cards = told_round(self._played, dealt, rng.choice(list(Telling)))
            at = rng.randrange(len(cards))
            yield from self._tell(*cards[:at])
            yield from self._tell(*cards[at:])
        for event in tell_hands(rng, self._state, dealt):
            yield from self._tell(event)

    def _tell(self, *events: ToldEvent) -> Iterator[Sent]:
        sent = tuple(self._as_sent(event) for event in events)
        outcome = record(self._state, sent)
        if sent and isinstance(outcome, Recorded):
            self._state = outcome.state
            self._told += [event for event in events if isinstance(event, TableEvent)]
            yield Sent(sent, self._state)

    def _as_sent(self, event: Any) -> Any:
        document = self._in_any_order(msgspec.to_builtins(event))
        if not isinstance(event, MatchOpened):
            document["id"] = str(UUID(int=self._rng.getrandbits(128), version=4))
        return msgspec.convert(document, type(event))

    def _in_any_order(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            names = self._rng.sample(list(value), len(value))
            return {name: self._in_any_order(value[name]) for name in names}
        if isinstance(value, list | tuple):
            return [self._in_any_order(each) for each in value]
        return value


def _sheet(rng: Random, state: State, dealt: PlayedRound) -> RoundTallied:
    """Return the round as a tally: by its scores, or by hands given as cards or as points.

    The book refuses some of these tallies, since not each form fits every round.
    """
    winners = tuple(player for player in state.seating if player in dealt.winners)
    if rng.randrange(3) == 0:
        return RoundTallied(winners=winners, scores=scores_by_hand(state, dealt))
    hands = {
        player: TalliedHand(cards=cards)
        if rng.randrange(2)
        else TalliedHand(points=state.box.worth(cards))
        for player, cards in dealt.hands.items()
        if player not in winners
    }
    return RoundTallied(winners=winners, hands=hands, charges=dealt.charges or None)
