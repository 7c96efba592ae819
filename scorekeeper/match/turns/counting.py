"""What counts at the end of a round: whose hands, for which sides, and after which catches."""

from collections.abc import Collection, Mapping

from scorekeeper.match.events.events import RoundTallied, TalliedHand
from scorekeeper.match.table.state import State
from scorekeeper.rules.box import Box
from scorekeeper.rules.scoring import Sides, has_won, knocked_out


def left_after_charges(state: State, tally: RoundTallied) -> tuple[str, ...]:
    """Who is still in when the hands are counted, in seating order."""
    return left_after(state, charges_with(state, tally))


def charges_with(state: State, tally: RoundTallied) -> dict[str, int]:
    """The points counted at catches in the round, a tally's own prevailing.

    Scores contain them already.
    """
    if tally.scores is not None:
        return {}
    told = tally.charges or {}
    if state.table is None or state.running is None:
        return {**told}
    return {**state.table.charges, **told}


def left_after(state: State, charges: Mapping[str, int]) -> tuple[str, ...]:
    """Who is still in once these points are counted, in seating order."""
    if not charges:
        return state.staying
    totals = {player: state.totals[player] + charges.get(player, 0) for player in state.staying}
    out = knocked_out(totals, state.scoring.target)
    return tuple(player for player in totals if player not in out)


def sides_of(state: State, players: Collection[str]) -> Sides:
    """The sides that have somebody among the players, who are of the match, each named once."""
    if len(players) == len(state.totals):
        return state.sides
    return tuple(side for side in state.sides if has_won(side, players))


def value(box: Box, hand: TalliedHand) -> int:
    """The points of a hand that was told in either way."""
    if hand.cards is not None:
        return sum(box.points[card] for card in hand.cards)
    return hand.points or 0
