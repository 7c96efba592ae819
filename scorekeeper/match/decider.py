"""The decider of a match: whether an event is recorded, what it changes, and what follows from it.

The rule of each event is in the file of its mechanic in `turns`. Here it is found by the type of
its event. An event that names a substitute is read `by_column`. `decide` answers whether an event
can be recorded, and `evolve` changes the state to the one after it. `presupposed` and `inferred`
return the entries that nobody has to tell: what must have happened before an event, and what the
rules force after it.

A told event is taken in between two generators. `entries_before` yields the entries that must
precede it, `entries_after` those that follow from it. The caller takes in the event itself, and has
a policy for an event that is impossible: recording refuses it (`match/record`), reading a log again
voids it (`readings/reader`), and verifying compares inferred entries with those of the log
(`projections/consistency`). `now` returns the current state. The caller has to take in each yielded
entry before it asks for the next one, which is derived from the state then.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.card_events import Swap, ToldEffect
from scorekeeper.match.events.events import (
    DisputeEvent,
    Event,
    MatchWon,
    RoundEnded,
    RoundTallied,
    ServerEvent,
    TableEvent,
    TalliedHand,
    event_type,
)
from scorekeeper.match.events.refusal import Refusal, Violation, impossible
from scorekeeper.match.known_cards import worth
from scorekeeper.match.state import State, table_of
from scorekeeper.match.turns.calls import ACCUSATION_MADE, ADVICE_CALLED, MISPLAY_CALLED
from scorekeeper.match.turns.challenges import WILD_DRAW_FOUR_CHALLENGED
from scorekeeper.match.turns.closing import (
    MATCH_ABANDONED,
    MATCH_CLOSED,
    MATCH_WON,
    ROUND_ENDED,
    ROUND_VOIDED,
    left_after,
    sides_of,
)
from scorekeeper.match.turns.dealing import (
    DEALER_DRAWN,
    PLAYER_SUBSTITUTED,
    ROUND_STARTED,
    SEATS_CHANGED,
)
from scorekeeper.match.turns.disputes import DISPUTE_OPENED, DISPUTE_RULED, NOTE_ADDED
from scorekeeper.match.turns.draws import CARD_GIVEN, CARDS_DRAWN, TURN_PASSED
from scorekeeper.match.turns.effects import NAMING
from scorekeeper.match.turns.event_rule import EventRule
from scorekeeper.match.turns.late import is_late, refused_late, tell_late
from scorekeeper.match.turns.payments import PAYMENTS, PILE_RESHUFFLED, first_paid, payment
from scorekeeper.match.turns.plays import CARD_PLAYED
from scorekeeper.match.turns.shown import HAND_COUNTED, HAND_SHOWN, awaited_players
from scorekeeper.match.turns.tally import ROUND_TALLIED
from scorekeeper.match.turns.turning import COLOR_NAMED, FIRST_CARD_TURNED
from scorekeeper.match.turns.uno import UNO_CALLED, UNO_CAUGHT
from scorekeeper.rules.cards import Box
from scorekeeper.rules.scoring import best, reaches

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
"""One rule for each event that leads from one state to the next.

These are all events except an opening, from which the first state is made, and an amendment, after
which the log is read again.
"""

T = TypeVar("T", bound=TableEvent | DisputeEvent)

S = TypeVar("S", bound=Struct)

Forced: TypeAlias = TableEvent | ServerEvent
"""An event that the rules force, so that nobody has to tell it."""

Now: TypeAlias = Callable[[], State]


def _by_event(rules: Iterable[EventRule[Any]]) -> Mapping[type[object], EventRule[Any]]:
    return {rule.event: rule for rule in rules}


RULES: Final = _by_event(EVENT_RULES)


def breaches(state: State, event: TableEvent | DisputeEvent) -> tuple[Violation, ...]:
    """Return the violations of an event that is possible in this state.

    The event is refused for them, unless it is told as played.
    """
    breach = RULES[type(event)].breach
    return () if breach is None else breach(state, event)


def flags(state: State, event: TableEvent | DisputeEvent) -> tuple[Violation, ...]:
    """Return the violations that are recorded with the event and never refused."""
    flag = RULES[type(event)].flag
    return () if flag is None else flag(state, event)


def by_column(state: State, event: T) -> T:
    """Return the event with players (columns) in place of their substitutes.

    A mapping with both a player and that player's substitute among its keys is left as it is, since
    it can't be meant.
    """
    if not state.substitutes:
        return event
    columns = {person: column for column, person in state.substitutes.items()}
    return _renamed(event, RULES[type(event)].names, columns)


def _renamed(told: S, fields: tuple[str, ...], columns: Mapping[str, str]) -> S:
    changed: dict[str, object] = {}
    for field in fields:
        named = getattr(told, field)
        meant = _in_columns(named, columns, values=isinstance(told, Swap))
        if meant != named:
            changed[field] = meant
    return replace(told, **changed) if changed else told


def _in_columns(named: Any, columns: Mapping[str, str], *, values: bool) -> object:  # noqa: ANN401 any field
    """Return the value of a field with columns in place of people.

    `values`: whether the values of a mapping are people as well as its keys.
    """
    if isinstance(named, str):
        return columns.get(named, named)
    if isinstance(named, tuple):
        each = cast("tuple[object, ...]", named)
        return tuple(_in_columns(one, columns, values=False) for one in each)
    if isinstance(named, Mapping):
        by_person = cast("Mapping[str, object]", named)
        renamed = {
            columns.get(name, name): _in_columns(one, columns, values=False) if values else one
            for name, one in by_person.items()
        }
        # The mapping is in the order of its names, and the names have changed.
        return dict(sorted(renamed.items())) if len(renamed) == len(by_person) else by_person
    if isinstance(named, ToldEffect):
        return _renamed(named, NAMING.get(type(named), ()), columns)
    return named


def decide(state: State, event: TableEvent | DisputeEvent) -> tuple[Violation, ...] | Refusal:
    """Return the violations to be recorded with the event, or why the event is not recorded."""
    table, rule = state.table, RULES[type(event)]
    if table is not None and table.over and is_late(state, event):
        return refused_late(state, event) or ()
    if state.phase not in rule.phases:
        if state.phase == "turning" and "playing" in rule.phases:
            return impossible("card-needed", type=event_type(event))
        return impossible("wrong-phase", phase=state.phase, type=event_type(event))
    refused = None if rule.refuse is None else rule.refuse(state, event)
    if refused is not None:
        return refused
    violations = () if rule.breach is None else rule.breach(state, event)
    if violations and not event.as_played:
        return Refusal(code="rule-violation", violations=violations)
    return violations if rule.flag is None else violations + rule.flag(state, event)


def evolve(state: State, event: TableEvent | DisputeEvent | ServerEvent) -> None:
    """Change the state to the one after the event, which was decided in this state."""
    state.version += 1
    table, rule = state.table, RULES[type(event)]
    if table is not None and table.over and is_late(state, event):
        tell_late(state, event)
        return
    if event.as_played and rule.breach is not None:
        state.violations += len(rule.breach(state, event))
    if rule.flag is not None and (flagged := rule.flag(state, event)):
        state.violations += len(flagged)
    if rule.evolve is not None:
        rule.evolve(state, event)


def presupposed(state: State, event: TableEvent | DisputeEvent) -> TableEvent | None:
    """Return the next entry that has to precede the event, None if there is none.

    Call it again once that entry is taken in.
    """
    table = state.table
    if table is None or state.phase not in ("playing", "showing_hands"):
        return None
    rule = RULES[type(event)]
    if rule.settles_debts:
        return first_paid(table, table.debts)
    return None if rule.presupposes is None else rule.presupposes(state, event)


def inferred(state: State) -> ServerEvent | TableEvent | None:
    """Return the next entry that follows from the state without being told, None if there is none.

    Call it again once that entry is taken in.
    """
    if state.phase == "showing_hands" and state.running is not None:
        tally = state.running.tally
        return _played_round_ended(state) if tally is None else _told_round_ended(state, tally)
    if state.phase == "ready" and _is_decided(state):
        return _match_won(state)
    return None


def _told_round_ended(state: State, tally: RoundTallied) -> RoundEnded:
    points = {player: _points_told(state.box, hand) for player, hand in (tally.hands or {}).items()}
    return _round_ended(state, tally.winners, points, tally.scores)


def _points_told(box: Box, hand: TalliedHand) -> int:
    """Return the points of a tallied hand, which has either cards or points."""
    if hand.cards is not None:
        return box.worth(hand.cards)
    return hand.points or 0


def _played_round_ended(state: State) -> ServerEvent | TableEvent | None:
    """Return the end of a round that was followed card by card, once nothing is open any more.

    In a mode that counts no hands, return first the draws that the last card forces.
    """
    table = table_of(state)
    if table.debts:
        # If hands do not count, nobody is asked which cards are drawn for the last card.
        return payment(table, table.debts[0]) if state.mode.rounds_decide else None
    if awaited_players(state):
        return None
    points: dict[str, int] = {}
    for player in table.seats:
        known = worth(state.box, table.hands[player])
        if known is not None:
            points[player] = known
    return _round_ended(state, table.winners, points, None)


def _round_ended(
    state: State,
    winners: tuple[str, ...],
    hands: Mapping[str, int],
    told: Mapping[str, int] | None,
) -> RoundEnded:
    """Return the end of a round.

    `hands`: the points of the known hands. `told`: the scores, if a tally has them.
    """
    charges = state.charges
    left = left_after(state, charges)
    points = {**hands}
    for player in winners:
        points[player] = 0
    award = state.mode.award(sides_of(state, left), winners, points) if told is None else told
    scores: dict[str, int] = {}
    hand_points: dict[str, int | None] = {}
    for player in sorted(state.seating):  # as its body will have them
        scores[player] = award.get(player, 0) + charges.get(player, 0)
        hand_points[player] = points.get(player)
    return RoundEnded(
        round=state.round,
        winners=_in_seating_order(state, winners),
        scores=scores,
        hand_points=hand_points,
    )


def _in_seating_order(state: State, winners: tuple[str, ...]) -> tuple[str, ...]:
    if len(winners) == 1:
        return winners
    return tuple(player for player in state.seating if player in winners)


def _is_decided(state: State) -> bool:
    scoring = state.scoring
    return (
        state.closed
        or (scoring.rounds is not None and state.rounds_counted >= scoring.rounds)
        or (state.mode.target_ends and reaches(state.totals.values(), scoring.target))
        or (state.mode.knocks_out and len(state.staying) < 2)
    )


def _match_won(state: State) -> MatchWon:
    contenders = state.staying
    if not contenders and state.finished is not None:
        # All were eliminated together. The best of those who began the last round wins.
        contenders = tuple(state.finished[0].hands)
    standings = state.sides_won if state.mode.rounds_decide else state.totals
    sides = sides_of(state, contenders)
    firsts = best(state.mode, {side[0]: standings[side[0]] for side in sides})
    won = {player for side in sides if side[0] in firsts for player in side}
    return MatchWon(
        winners=tuple(player for player in state.seating if player in won),
        totals=dict(sorted(state.totals.items())),
    )


def entries_before(now: Now, event: TableEvent | DisputeEvent) -> Iterator[Forced]:
    """Yield the entries that have to precede an event that is told next."""
    while (earlier := presupposed(now(), event)) is not None:
        yield earlier
        if RULES[type(event)].settles_debts:
            yield from entries_after(now, event)


def entries_after(
    now: Now, following: Event | None, kept: Callable[[Forced], bool] | None = None
) -> Iterator[Forced]:
    """Yield the entries that the rules force after an event was taken in.

    If the next event, `following`, tells a draw or a reshuffle, forced draws and reshuffles are
    left to the table. `kept`: returns whether a forced entry was recorded in its time. If so, the
    entry is yielded nevertheless, because the table told its draw too late.
    """
    while (forced := inferred(now())) is not None:
        told_next = isinstance(forced, PAYMENTS) and isinstance(following, PAYMENTS)
        if told_next and (kept is None or not kept(forced)):
            return
        yield forced
