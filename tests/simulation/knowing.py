"""What the book concludes about cards is true, however few of them it was told."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from msgspec.structs import replace

from scorekeeper.match.events.card_events import CardPlayed
from scorekeeper.match.events.events import Event, TableEvent
from scorekeeper.match.known_cards import known_in
from scorekeeper.match.readings.effective_log import fold
from scorekeeper.match.readings.hindsight import judge, with_hindsight
from scorekeeper.match.state import State
from scorekeeper.match.table import Table
from scorekeeper.simulation.played_match import tell_hands
from scorekeeper.simulation.played_round import PlayedRound
from scorekeeper.simulation.tellings import Telling
from tests.simulation.playing import (
    PlayedMatch,
    among,
    any_match,
    begin,
    recorded,
    recorded_singly,
    told_round,
)
from tests.simulation.telling_by_halves import halved


def what_is_concluded_is_so(seed: int) -> None:
    """The book names no card wrongly if events that the rules force are left out."""
    played = any_match(seed)
    watching = _at_first_deal(played)
    for dealt, truth in _rounds_as_they_were(played):
        seen, sparse = (told_round(played, dealt, one) for one in (Telling.SEEN, Telling.SPARSE))
        left = list(sparse)
        for (_, knowing), event in zip(truth, seen, strict=True):
            if left and _is_told(event, left[0]):
                watching = recorded(watching, [left.pop(0)]).state
                _known_rightly(knowing, watching)
        assert not left
        watching = recorded(watching, tell_hands(Random(seed), watching, dealt)).state


def what_is_known_in_hindsight_is_so(seed: int) -> None:
    """Whatever is shown later, the book never takes an earlier hand to have held other cards."""
    played = any_match(seed)
    watching = _at_first_deal(played)
    for dealt, truth in _rounds_as_they_were(played):
        stood: list[tuple[int, State, State]] = []
        tables, events = [watching.table], list[Event]()
        for (_, knowing), event in zip(truth, told_round(played, dealt, Telling.SEEN), strict=True):
            watching = _followed(watching, [event], tables, events)
            stood.append((len(events), knowing, watching))
        watching = _followed(watching, tell_hands(Random(seed), watching, dealt), tables, events)
        known = with_hindsight(watching.edition, tables, events, tables[1:])
        for at, then, now in stood:
            in_the_end = now.copy()
            in_the_end.table = known[at]
            _known_rightly(then, in_the_end)
            _drawn_rightly(then.table, known[at])


def _rounds_as_they_were(
    played: PlayedMatch,
) -> Iterator[tuple[PlayedRound, list[tuple[TableEvent, State]]]]:
    """Yield each round with the events told exactly, and the state after each of them."""
    told = iter(recorded_singly(played, Telling.EXACT)[len(played.before) :])
    for dealt in played.rounds:
        exact = told_round(played, dealt, Telling.EXACT)
        truth = [(event, outcome.state) for event, outcome in islice(told, len(exact))]
        assert tuple(event for event, _ in truth) == exact
        yield dealt, truth


def _at_first_deal(played: PlayedMatch) -> State:
    state = begin(played)
    return recorded(state, played.before).state if played.before else state


def _drawn_rightly(truth: Table | None, known: Table | None) -> None:
    if truth is None or known is None or truth.over:
        return
    assert among(known_in(known.pile), known_in(truth.pile))
    if known.drawn is not None and truth.drawn is not None:
        assert among(known.drawn.cards, truth.drawn.cards)


def _followed(
    state: State,
    told: Sequence[TableEvent],
    tables: list[Table | None],
    events: list[Event],
) -> State:
    """Record the events and return the state. Appends each table and event on the way."""
    for entry in recorded(state, told).entries:
        state = fold(state, [entry.event])
        tables.append(state.table)
        events.append(entry.event)
    return state


def _is_told(event: TableEvent, sparse: TableEvent) -> bool:
    """Whether these are the same event, but for a gift that may be left out."""
    if isinstance(event, CardPlayed) and isinstance(sparse, CardPlayed):
        return replace(event, effects=None) == replace(sparse, effects=None)
    return event == sparse


def cards_named_by_halves_are_taken_for_no_others(seed: int) -> None:
    played = any_match(seed)
    rng = Random(seed)
    before = watching = _at_first_deal(played)
    _, truth = next(_rounds_as_they_were(played))
    for true, knowing in truth:
        event = halved(rng, true)
        assert judge(watching, event).verdict in ("unknown", judge(before, true).verdict)
        watching = recorded(watching, [event]).state
        _known_rightly(knowing, watching)
        if knowing.running and watching.running and knowing.table and watching.table:
            assert among(known_in(watching.table.pile), known_in(knowing.table.pile))
        before = knowing


def _known_rightly(knowing: State, watching: State) -> None:
    truth, book = knowing.table, watching.table
    if truth is None or book is None or any(debt.kind == "give" for debt in book.debts):
        return
    for player, hand in book.hands.items():
        if player in truth.hands:
            assert among(hand.known, truth.hands[player].known)
