"""What a tournament reads of the matches at its tables."""

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from scorekeeper.match.state import State, Status


class RoundResult(Struct, frozen=True):
    """A round that counts. `scores` by player, partners the same (B-TEAM)."""

    scores: Mapping[str, int]
    winners: tuple[str, ...]


class TableResult(Struct, frozen=True):
    """The match at a table as it stands; `rounds` are those that have ended, in order."""

    status: Status
    rounds: tuple[RoundResult, ...]


Results: TypeAlias = Mapping[str, TableResult]
"""By the slug of the table's match."""


def table_result(state: State) -> TableResult:
    """What a match contributes to the tournament that opened it."""
    ended = [dealt for dealt in state.latest_first() if dealt.status == "ended"]
    return TableResult(
        status=state.status,
        rounds=tuple(RoundResult(dealt.scores, dealt.winners) for dealt in reversed(ended)),
    )
