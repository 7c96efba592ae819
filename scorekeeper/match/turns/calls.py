"""Calls of what somebody does against the rules.

A card that was laid against the rules is taken back. Advice and accusations cost cards if the
booklet says so.
"""

from collections import Counter
from typing import Final

from scorekeeper.match.events.card_events import AccusationMade, AdviceCalled, MisplayCalled
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.known_cards import hand_with, hand_without
from scorekeeper.match.state import State, not_in_play, table_of
from scorekeeper.match.table import Debt, Table, give_turn, next_seat, owe_draw, set_hand
from scorekeeper.match.turns.event_rule import PLAYING, EventRule
from scorekeeper.rules.clauses import Cited


def refused_misplay(state: State, event: MisplayCalled) -> Refusal | None:
    """Refuse a call that comes after the next player has acted, or if the last card was legal.

    A card counts as illegal here if it may have been, for all that the book knows.
    """
    refused = not_in_play(state, event.by, "by")
    if refused is None and table_of(state).misplayed is None:
        return impossible("no-misplay-open", by=event.by)
    return refused


def take_back(state: State, _event: MisplayCalled) -> None:
    """Restore the table from before the card. The card returns to the hand as a known one."""
    now = table_of(state)
    misplayed = now.misplayed
    if misplayed is None:
        raise ValueError("no misplay is open: the entries are not the book's")
    before, player = misplayed.before, misplayed.player
    table = before.copy()
    cards = (misplayed.card,) * misplayed.count
    own = hand_without(table.hands[player], cards) or table.hands[player]
    # Nobody has laid a card since. So a hand has changed only if it was shown, or drew cards.
    if misplayed.alone:
        own = now.hands[player]
    if not misplayed.moved:
        table.hands = now.hands
        since = now.called - {player}
        table.called |= since
        table.owing = {p: flagged for p, flagged in before.owing.items() if p not in since}
    set_hand(table, player, hand_with(own, cards))
    table.debts = (*before.debts, *_since(state, before, now))
    table.suspect = table.misplayed = None
    table.laid = False
    cited = state.edition.misplay
    if cited.value.loses_turn and table.blow is not None and table.blow.victim == player:
        # A player who loses the turn can't answer a penalty any more.
        table.blow = None
    if before.turn == player and cited.value.loses_turn:
        give_turn(table, next_seat(table, player))
    if cited.value.draws:
        owe_draw(table, player, cited.value.draws, cited.clause)
    state.lay_out(table)


def _since(state: State, before: Table, now: Table) -> tuple[Debt, ...]:
    """Debts that came up since the play and have nothing to do with it."""
    earlier = Counter(before.debts)
    return tuple((Counter(d for d in now.debts if is_for_a_call(state, d)) - earlier).elements())


def is_for_a_call(state: State, debt: Debt) -> bool:
    """Return whether a debt is for advice or an accusation, and not for a card that was laid."""
    calls = (state.edition.advice_draws, state.edition.accusation_draws)
    return any(cited is not None and cited.clause == debt.clause for cited in calls)


MISPLAY_CALLED: Final = EventRule(
    event=MisplayCalled,
    names=("by",),
    phases=PLAYING,
    refuse=refused_misplay,
    evolve=take_back,
)


def refused_advice(state: State, event: AdviceCalled) -> Refusal | None:
    """Refuse advice if the booklet has no rule about it."""
    if state.edition.advice_draws is None:
        return _not_in_edition(state, "advice_called")
    return not_in_play(state, event.player) or not_in_play(state, event.by, "by")


def refused_accusation(state: State, event: AccusationMade) -> Refusal | None:
    """Refuse an accusation if the booklet has no rule about it."""
    if state.edition.accusation_draws is None:
        return _not_in_edition(state, "accusation_made")
    return not_in_play(state, event.by, "by") or not_in_play(state, event.player)


def _not_in_edition(state: State, event: str) -> Refusal:
    return Refusal(code="not-in-edition", facts={"edition": state.edition.id, "type": event})


def advise(state: State, event: AdviceCalled) -> None:
    """Let the adviser draw (B-ADVICE)."""
    _draws(state, event.player, state.edition.advice_draws)


def accuse(state: State, event: AccusationMade) -> None:
    """Let the accuser draw, whether or not the accusation is true (H-ACCUSE)."""
    _draws(state, event.by, state.edition.accusation_draws)


def _draws(state: State, player: str, cited: Cited[int] | None) -> None:
    table = table_of(state).copy()
    if cited is not None:
        owe_draw(table, player, cited.value, cited.clause)
    state.lay_out(table)


ADVICE_CALLED: Final = EventRule(
    event=AdviceCalled,
    names=("player", "by"),
    phases=PLAYING,
    refuse=refused_advice,
    evolve=advise,
)

ACCUSATION_MADE: Final = EventRule(
    event=AccusationMade,
    names=("by", "player"),
    phases=PLAYING,
    refuse=refused_accusation,
    evolve=accuse,
)
