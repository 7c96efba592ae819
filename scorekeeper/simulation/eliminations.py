"""Points counted at a catch, and the players whom they eliminate."""

from scorekeeper.rules.scoring import knocked_out
from scorekeeper.simulation.dealt_round import DealtRound


def charge(dealt: DealtRound, player: str, points: int) -> None:
    """Count a hand against a player, who may be out by it; so may others, where two remain."""
    dealt.charges[player] = dealt.charges.get(player, 0) + points
    totals = {one: dealt.given.totals[one] + dealt.charges.get(one, 0) for one in dealt.seats}
    for one in knocked_out(totals, dealt.given.target):
        _leave(dealt, one)
    if len(dealt.seats) < 2:
        dealt.over = True
        dealt.winners = tuple(dealt.seats)


def _leave(dealt: DealtRound, player: str) -> None:
    """The hand goes under the discard pile, and the seat is skipped from now on."""
    on = dealt.on
    on.discards[:0] = on.hands.pop(player)
    on.owed = [debt for debt in on.owed if debt.player != player]
    on.skipped = [one for one in on.skipped if one != player]
    after = dealt.after(player)
    dealt.seats.remove(player)
    if on.turn == player and after != player:
        dealt.give_turn(after)
