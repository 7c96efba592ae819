"""Places at the table. A seating is clockwise: the next name sits on the left of the one before."""

from collections.abc import Collection, Sequence
from typing import Final

from scorekeeper.rules.parameters import NextDealer

WINNER_DEALS: Final = NextDealer.WINNER


def partners_face_each_other(teams: Sequence[Sequence[str]], seating: Sequence[str]) -> bool:
    """Whether the two of each team sit half a table apart."""
    half, odd = divmod(len(seating), 2)
    return not (teams and odd) and all(
        abs(seating.index(one) - seating.index(other)) == half for one, other in teams
    )


def from_left_of(player: str | None, seating: Sequence[str]) -> tuple[str, ...]:
    """The seating, beginning on a player's left and ending with that player; None: as it is."""
    if player is None:
        return tuple(seating)
    seat = seating.index(player) + 1
    return (*seating[seat:], *seating[:seat])


def next_dealer(
    dealer: str | None,
    winners: Collection[str],
    seating: Sequence[str],
    staying: Collection[str],
    by: NextDealer,
) -> str | None:
    """Who deals after a round; `winners` is empty after a void one. None: nobody knows."""
    if by is WINNER_DEALS and winners:
        return next(player for player in from_left_of(dealer, seating) if player in winners)
    if dealer is None:
        return None
    for player in from_left_of(dealer, seating):
        if player in staying:
            return player
    return None
