"""Who went down to one card, whether UNO was called, and what a catch costs."""

from collections.abc import Collection, Iterable
from typing import Final

from msgspec.structs import replace

from scorekeeper.match.events.card_events import CardPlayed, UnoCalled, UnoCaught
from scorekeeper.match.events.refusal import Refusal, Violation
from scorekeeper.match.known_cards import Hands, card_count
from scorekeeper.match.state import State, not_in_play, table_of
from scorekeeper.match.table import Table, owe_draw, owe_no_call
from scorekeeper.match.turns.closing import (
    charge,
    points_contradict,
    points_needed,
    points_seen,
)
from scorekeeper.match.turns.event_rule import PLAYING, EventRule
from scorekeeper.rules.parameters import UnoWindow

# Bound once: to look a member up in its enum costs a play two calls each time.
_NEXT_TURN_BEGUN: Final = UnoWindow.NEXT_TURN_BEGUN


def settle(
    table: Table,
    before: Hands,
    moved: Iterable[str],
    played: CardPlayed | None = None,
    *,
    exchanged: Collection[str] = (),
    waiting: str | None = None,
) -> None:
    """Record which players owe a call once hands have changed.

    `before`: the hands before the change. `moved`: the players whose hands may have changed, and
    no others may. `played`: the card that changed them. `exchanged`: the players who took over
    another hand. With one card they have to call, whatever they called or owed before. `waiting`: a
    player who still has to give a card, so that the hand will change again.
    """
    hands = table.hands
    if exchanged:
        table.called -= frozenset(exchanged)
    if (
        played is not None
        and played.uno
        and card_count(hands[played.player]) <= (2 if waiting else 1)
    ):
        table.called |= {played.player}
    for player in moved:
        now, then = card_count(hands[player]), card_count(before[player])
        taken_over = player in exchanged
        if now > then and not taken_over and player in table.called:
            table.called -= {player}
        falls = now == 1 and (then != 1 or taken_over)
        if falls and player != waiting and player not in table.called:
            silent = played is not None and player == played.player and played.uno is False
            table.owing = {**table.owing, player: silent}


def turn_begun(state: State, table: Table, player: str) -> None:
    """End the time to catch the others, if the edition ends it when the next turn begins (C-UNO).

    It is called when a player draws a card in the own turn.
    """
    if table.owing and state.edition.uno.value.window is _NEXT_TURN_BEGUN:
        table.owing = {p: flagged for p, flagged in table.owing.items() if p == player}


def refused_call(state: State, event: UnoCalled) -> Refusal | None:
    """Refuse a call only by somebody who is not in play.

    A player may call at any time, but a call only has an effect with one or two cards in the hand.
    """
    return not_in_play(state, event.player)


def call(state: State, event: UnoCalled) -> None:
    """Take in a call, which is owed already or will be when the second-to-last card is laid."""
    table = table_of(state).copy()
    owe_no_call(table, event.player)
    if card_count(table.hands[event.player]) <= 2:
        table.called |= {event.player}
    state.lay_out(table)


def refused_catch(state: State, event: UnoCaught) -> Refusal | None:
    """Refuse a valid catch without the value of the hand, if catches count in this match."""
    refused = not_in_play(state, event.player) or not_in_play(state, event.by, "by")
    if refused is not None or not _hits(state, event):
        return refused
    hand = table_of(state).hands[event.player]
    return points_needed(state, event.player, hand, event.points)


def _hits(state: State, event: UnoCaught) -> bool:
    return event.player in table_of(state).owing and event.by != event.player


def breaches_of_catch(state: State, event: UnoCaught) -> tuple[Violation, ...]:
    """Return a violation if catches count and the points differ from those that the book knows."""
    table = table_of(state)
    if event.player not in table.owing or not state.options.caught_counts:
        return ()
    return points_contradict(state, event.player, table.hands[event.player], event.points)


def flags_of_catch(state: State, event: UnoCaught) -> tuple[Violation, ...]:
    """Return the violation of a forgotten call that a valid catch shows, unless recorded before."""
    if not _hits(state, event) or table_of(state).owing[event.player]:
        return ()
    return (not_called(state, event.player),)


def not_called(state: State, player: str) -> Violation:
    """Return the violation of a player who went down to one card without a call."""
    return Violation(
        clause=state.edition.uno.clause, reason="uno-not-called", facts={"player": player}
    )


def catch(state: State, event: UnoCaught) -> None:
    """Carry out a catch. If it is too late, or the player has called, it costs nothing."""
    table = table_of(state).copy()
    if _hits(state, event):
        owe_no_call(table, event.player)
        hand = table.hands[event.player]
        caught = state.edition.caught_draws
        if not charge(state, table, event.player, hand, event.points) and caught.value:
            owe_draw(table, event.player, caught.value, caught.clause)
    state.lay_out(table)


def _with_points(state: State, event: UnoCaught, left: UnoCaught) -> UnoCaught:
    """Return the catch for viewers, with the points that were counted and that everybody heard."""
    hand = table_of(state).hands.get(event.player)
    return replace(left, points=points_seen(state, hand, event.points))


UNO_CALLED: Final = EventRule(
    event=UnoCalled,
    names=("player",),
    phases=PLAYING,
    refuse=refused_call,
    evolve=call,
)

UNO_CAUGHT: Final = EventRule(
    event=UnoCaught,
    names=("player", "by"),
    phases=PLAYING,
    refuse=refused_catch,
    breach=breaches_of_catch,
    flag=flags_of_catch,
    evolve=catch,
    flags_earlier=True,
    reveals=_with_points,
)
