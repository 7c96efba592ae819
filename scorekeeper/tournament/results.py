"""What a tournament reads from the matches at its tables."""

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from scorekeeper.match.table.state import State, Status


class RoundResult(Struct, frozen=True, omit_defaults=True):
    """A round that counts. `scores` by player, partners the same (B-TEAM).

    `voided`: it was broken off and is not dealt again; it scores nothing, and has no winners.
    """

    scores: Mapping[str, int]
    winners: tuple[str, ...]
    voided: bool = False


class TableResult(Struct, frozen=True):
    """The match at a table as it stands; `rounds` are those that counted, in order."""

    status: Status
    rounds: tuple[RoundResult, ...]

    @property
    def ended(self) -> tuple[RoundResult, ...]:
        """The rounds that were played to their end."""
        return tuple(each for each in self.rounds if not each.voided)


Results: TypeAlias = Mapping[str, TableResult]
"""By the slug of the table's match."""


def table_result(state: State) -> TableResult:
    """What a match contributes to the tournament that opened it."""
    counted = [dealt for dealt in state.latest_first() if dealt.counted]
    return TableResult(
        status=state.status,
        rounds=tuple(
            RoundResult(
                dealt.scores or dict.fromkeys(dealt.seating, 0),
                dealt.winners,
                voided=dealt.status == "voided",
            )
            for dealt in reversed(counted)
        ),
    )
