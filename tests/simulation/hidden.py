"""Rounds in which the book knows cards that the people at the table do not see."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

from scorekeeper.match.events.card_events import CardPlayed, Discard, FirstCardTurned, HandShown
from scorekeeper.match.events.events import DealerDrawn, Event, TableEvent, decode, encode
from scorekeeper.match.known_cards import known_in
from scorekeeper.match.readings.effective_log import fold
from scorekeeper.match.readings.viewer_fold import ViewerFold, watch
from scorekeeper.match.state import State
from scorekeeper.simulation.played_match import PlayedMatch
from scorekeeper.simulation.tellings import Telling
from tests.simulation.playing import begin, recorded, told_events


def watched(state: State, log: list[Event]) -> Iterator[tuple[ViewerFold, State]]:
    """What a viewer sees after each entry while the round goes on, and what the book holds."""
    seen = ViewerFold(state)
    for event in log:
        after = fold(state, [event])
        if state.running is not None and after.running is None:
            return
        seen = watch(seen, event, state, after)
        state = after
        yield seen, state


def unfinished(played: PlayedMatch) -> list[TableEvent]:
    """Return the events of the first round, with all cards, without the one that ends it."""
    told = told_events(played, Telling.EXACT)
    state = begin(played)
    for count, event in enumerate(told):
        after = recorded(state, [event]).state
        if state.running is not None and after.running is None:
            return told[:count]
        state = after
    return told


def seen_cards(told: list[TableEvent]) -> set[str]:
    """The cards that lay open at some moment, in the draw for the deal too."""
    seen: set[str] = set()
    for event in told:
        match event:
            case CardPlayed():
                laid = (e.cards for e in event.effects or () if isinstance(e, Discard))
                seen.update((event.card,), *laid)
            case DealerDrawn():
                seen.update(event.draws.values())
            case FirstCardTurned():
                seen.add(event.card)
            case HandShown():
                seen.update(event.cards)
            case _:
                pass
    return seen


def hidden_cards(played: PlayedMatch, told: list[TableEvent]) -> set[str]:
    """Return the cards that the book knows in a hand or the pile, and that nobody has seen."""
    state = recorded(begin(played), told).state
    if state.table is None or state.running is None:
        return set()
    lying = {card for hand in state.table.hands.values() for card in hand.known}
    lying.update(known_in(state.table.pile))
    # Extra cards are named in the match's options, and a card can be the choice of a house rule.
    named = {*(state.options.extra_cards or ()), *state.edition.house.chosen.values()}
    return lying - seen_cards(told) - named


def otherwise_dealt(played: PlayedMatch, told: list[TableEvent]) -> Iterator[list[TableEvent]]:
    """Yield the round again, each time with two cards exchanged that nobody has seen."""
    box = begin(played).box
    hidden = sorted(box.counts.keys() - seen_cards(told))
    pairs = [*combinations(hidden, 2)]
    Random(len(told)).shuffle(pairs)
    for one, other in pairs:
        # A hand counted at a catch shows its points, so only cards of equal points are exchanged.
        if (box.counts[one], box.points[one]) == (box.counts[other], box.points[other]):
            yield [_exchanged(event, one, other) for event in told]


def _exchanged(event: TableEvent, one: str, other: str) -> TableEvent:
    body = encode(event).replace(f'"{one}"'.encode(), b'"?"')
    body = body.replace(f'"{other}"'.encode(), f'"{one}"'.encode())
    exchanged = decode(body.replace(b'"?"', f'"{other}"'.encode()))
    assert isinstance(exchanged, TableEvent)
    return exchanged
