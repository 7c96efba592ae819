"""The hands of the running round, or of the one that ended last."""

from collections.abc import Mapping

from msgspec import Struct

from scorekeeper.match.table.state import State


class HandView(Struct, frozen=True, kw_only=True):
    """Cards that are known, and how many more there are; None where nobody knows."""

    known: tuple[str, ...]
    unknown: int | None


def hands(state: State) -> Mapping[str, HandView]:
    """By player, in seating order; empty before the first round."""
    return {
        player: HandView(known=hand.known, unknown=hand.unknown)
        for player, hand in state.hands.items()
    }
