"""What a replayed match has that nobody is to be blamed for, and whether its cards add up."""

from collections.abc import Iterable

from msgspec import Struct

from scorekeeper.match.readings.effective_log import corrected
from scorekeeper.match.table.state import State
from scorekeeper.projections.audit import audit
from scorekeeper.projections.conservation import CardCounter


class MatchCounts(Struct, frozen=True, kw_only=True):
    """Of a match, or of many, as the log is read now; the counts are those of the scoreboards.

    `rounds`: followed card by card; `conserved`: those of them whose cards add up.
    """

    violations: int = 0
    amendments: int = 0
    voided: int = 0
    disputes_open: int = 0
    disputes_ruled: int = 0
    rounds: int = 0
    conserved: int = 0


def counts_of(state: State, cards: CardCounter) -> tuple[MatchCounts, tuple[int, ...]]:
    """The counts, and the rounds in which cards appear or vanish without a reason.

    `cards` counted them while the match was replayed. Where they shifted, or the log is read
    otherwise than it was recorded, the match is gone through again as an audit does.
    """
    rounds = cards.rounds
    unexplained: tuple[int, ...] = ()
    if cards.shifted or state.amendments or state.erased:
        followed = audit(corrected(state)).rounds
        rounds = len(followed)
        unexplained = tuple(each.round for each in followed if not each.holds)
    counts = MatchCounts(
        violations=state.violations,
        amendments=state.amendments,
        voided=state.voided,
        disputes_open=state.open_disputes,
        disputes_ruled=len(state.disputes) - state.open_disputes,
        rounds=rounds,
        conserved=rounds - len(unexplained),
    )
    return counts, unexplained


def in_all(matches: Iterable[MatchCounts]) -> MatchCounts:
    """The sums."""
    whole = dict.fromkeys(MatchCounts.__struct_fields__, 0)
    for counts in matches:
        for name in whole:
            whole[name] += getattr(counts, name)
    return MatchCounts(**whole)
