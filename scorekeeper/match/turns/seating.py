"""Who sits where, and who sits in for whom."""

from typing import Final

from scorekeeper.match.events.events import PlayerSubstituted, SeatsChanged
from scorekeeper.match.events.opening import partners_face_each_other
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.table.players import not_in_match, not_staying
from scorekeeper.match.table.state import State
from scorekeeper.match.turns.event_rule import BETWEEN_ROUNDS, EventRule


def refused_seats(state: State, event: SeatsChanged) -> Refusal | None:
    """The same players sit down again, partners face to face."""
    for player in event.players:
        refused = not_in_match(state, player, "players")
        if refused is not None:
            return refused
    if sorted(event.players) != sorted(state.seating):
        return impossible("seats-invalid", players=event.players)
    if not partners_face_each_other(state.teams, event.players):
        facts = {"teams": state.teams, "players": event.players}
        return Refusal(code="teams-not-opposite", facts=facts)
    return None


def change_seats(state: State, event: SeatsChanged) -> None:
    """From the next round on."""
    state.seating = event.players


def refused_substitute(state: State, event: PlayerSubstituted) -> Refusal | None:
    """Nobody sits in two columns."""
    player, substitute = event.player, event.substitute
    refused = not_staying(state, player)
    if refused is not None:
        return refused
    sitting = {state.substitutes.get(column, column) for column in state.seating}
    if substitute in sitting or (substitute in state.totals and substitute != player):
        return impossible("substitute-in-match", player=player, substitute=substitute)
    return None


def substitute(state: State, event: PlayerSubstituted) -> None:
    """Whoever sits in for oneself is back."""
    if event.substitute == event.player:
        del state.substitutes[event.player]
    else:
        state.substitutes[event.player] = event.substitute


SEATS_CHANGED: Final = EventRule(
    event=SeatsChanged,
    names=("players",),
    settles_debts=True,
    phases=BETWEEN_ROUNDS,
    refuse=refused_seats,
    evolve=change_seats,
)

PLAYER_SUBSTITUTED: Final = EventRule(
    event=PlayerSubstituted,
    # The substitute is a person.
    names=("player",),
    settles_debts=True,
    phases=BETWEEN_ROUNDS,
    refuse=refused_substitute,
    evolve=substitute,
)
