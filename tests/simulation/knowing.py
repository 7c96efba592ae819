"""What the book concludes about cards is true, however few of them it was told."""

from collections import Counter
from collections.abc import Sequence
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
from scorekeeper.simulation.tellings import Telling
from tests.simulation.playing import PlayedMatch, any_match, begin, recorded, told_round
from tests.simulation.telling_by_halves import halved


def what_is_concluded_is_so(seed: int) -> None:
    """The book names no card wrongly if events that the rules force are left out."""
    played = any_match(seed)
    knowing = watching = _at_first_deal(played)
    for dealt in played.rounds:
        exact, seen, sparse = (told_round(played, dealt, one) for one in Telling)
        left = list(sparse)
        for true, event in zip(exact, seen, strict=True):
            knowing = recorded(knowing, [true]).state
            if left and _is_told(event, left[0]):
                watching = recorded(watching, [left.pop(0)]).state
                _known_rightly(knowing, watching)
        assert not left
        watching = recorded(watching, tell_hands(Random(seed), watching, dealt)).state


def what_is_known_in_hindsight_is_so(seed: int) -> None:
    """Whatever is shown later, the book never takes an earlier hand to have held other cards."""
    played = any_match(seed)
    knowing = watching = _at_first_deal(played)
    for dealt in played.rounds:
        truth: list[tuple[int, State, State]] = []
        tables, events = [watching.table], list[Event]()
        exact, seen = (told_round(played, dealt, one) for one in (Telling.EXACT, Telling.SEEN))
        for true, event in zip(exact, seen, strict=True):
            knowing = recorded(knowing, [true]).state
            watching = _followed(watching, [event], tables, events)
            truth.append((len(events), knowing, watching))
        watching = _followed(watching, tell_hands(Random(seed), watching, dealt), tables, events)
        known = with_hindsight(watching.edition, tables, events)
        for at, then, now in truth:
            in_the_end = now.copy()
            in_the_end.table = known[at]
            _known_rightly(then, in_the_end)
            _drawn_rightly(then.table, known[at])


def _at_first_deal(played: PlayedMatch) -> State:
    state = begin(played)
    return recorded(state, played.before).state if played.before else state


def _drawn_rightly(truth: Table | None, known: Table | None) -> None:
    if truth is None or known is None or truth.over:
        return
    assert Counter(known_in(known.pile)) <= Counter(known_in(truth.pile))
    if known.drawn is not None and truth.drawn is not None:
        assert Counter(known.drawn.cards) <= Counter(truth.drawn.cards)


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
    knowing = watching = _at_first_deal(played)
    for true in told_round(played, played.rounds[0], Telling.EXACT):
        event = halved(rng, true)
        assert judge(watching, event).verdict in ("unknown", judge(knowing, true).verdict)
        knowing, watching = recorded(knowing, [true]).state, recorded(watching, [event]).state
        _known_rightly(knowing, watching)
        if knowing.running and watching.running and knowing.table and watching.table:
            pile = Counter(known_in(watching.table.pile))
            assert pile <= Counter(known_in(knowing.table.pile))


def _known_rightly(knowing: State, watching: State) -> None:
    truth, book = knowing.table, watching.table
    if truth is None or book is None or any(debt.kind == "give" for debt in book.debts):
        return
    for player, hand in book.hands.items():
        if player in truth.hands:
            assert Counter(hand.known) <= Counter(truth.hands[player].known)
