"""What the score of a round is made of: hands that count for somebody, and catches."""

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from scorekeeper.match.events.events import RoundEnded
from scorekeeper.match.table.state import State, running_round
from scorekeeper.match.table.table import Table
from scorekeeper.match.turns.counting import left_after, sides_of

PartKind: TypeAlias = Literal["hand", "charge", "told"]


class ScoreSummand(Struct, frozen=True):
    """`points` as they count: below 0 where a hand is lost. `player`: whose hand or catch it is.

    `told`: the score of an old sheet, which nothing is known to be made of.
    """

    kind: PartKind
    player: str
    points: int


def score_parts(before: State, ended: RoundEnded) -> Mapping[str, tuple[ScoreSummand, ...]]:
    """By player, in seating order, as the parts are; those of each add up to the score.

    `before`: the state in which the round ended.
    """
    running, table = running_round(before), before.table
    charges = running.charges if table is None else table.charges
    found: dict[str, tuple[ScoreSummand, ...]] = dict.fromkeys(running.seating, ())
    if running.tally is not None and running.tally.scores is not None:
        told = running.tally.scores
        found = {
            player: (ScoreSummand("told", player, told[player]),)
            for player in found
            if player in told
        }
    else:
        _count_hands(before, ended, charges, found)
    for player, points in charges.items():
        found[player] += (ScoreSummand("charge", player, points),)
    return found


def _count_hands(
    before: State,
    ended: RoundEnded,
    charges: Mapping[str, int],
    found: dict[str, tuple[ScoreSummand, ...]],
) -> None:
    """A mode is a sum over hands: see what one point in each does to everybody's score."""
    sides = sides_of(before, left_after(before, charges))
    for holder in before.seating:
        points = ended.hand_points.get(holder)
        if points is None or holder in ended.winners:
            continue
        counts = before.mode.award(sides, ended.winners, {holder: 1})
        for player, factor in counts.items():
            if factor:
                found[player] += (ScoreSummand("hand", holder, factor * points),)


def newly_charged(before: Table, after: Table) -> Iterator[tuple[str, int]]:
    """The players who were caught in between, and the points that were counted against them."""
    for player, points in after.charges.items():
        counted = points - before.charges.get(player, 0)
        if counted or player not in before.charges:
            yield player, counted


def scoring_clauses(state: State) -> Iterator[str]:
    """The clause of the scoring mode, and that of the team's scoring where there are teams."""
    yield state.edition.modes[state.mode.name].clause
    if state.scoring.team_scoring is not None:
        yield state.edition.team_clauses[state.scoring.team_scoring]
