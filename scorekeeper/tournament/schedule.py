"""The schedule of a whole tournament: seats, partners and dealers of each game (X-ROTATE)."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from scorekeeper.match.events.opening import PlannedRound
from scorekeeper.tournament.designs import Game, cycle

ROUNDS_OF_A_PATTERN: Final = 4
"""After so many rounds at a table everybody has dealt once."""

Team: TypeAlias = tuple[str, ...]
"""Two partners."""


class ScheduledRound(Struct, frozen=True, kw_only=True):
    """`players` is the seating, clockwise; rounds count from 1 at each table."""

    round: int
    players: tuple[str, ...]
    dealer: str


class ScheduledTable(Struct, frozen=True, kw_only=True):
    """A table of a segment: its two teams, and the slug of the match that is played at it."""

    table: int
    teams: tuple[Team, ...]
    match: str
    rounds: tuple[ScheduledRound, ...]

    @property
    def seating(self) -> tuple[PlannedRound, ...]:
        """The rounds as a match is told of them when it is opened."""
        return tuple(PlannedRound(players=each.players, dealer=each.dealer) for each in self.rounds)


class ScheduledSegment(Struct, frozen=True, kw_only=True):
    """Tables that are played at the same time; `byes`: who rests, in the order of entry."""

    segment: int
    byes: tuple[str, ...]
    tables: tuple[ScheduledTable, ...]


class Schedule(Struct, frozen=True, kw_only=True):
    """The segments in the order in which they are played."""

    segments: tuple[ScheduledSegment, ...]


def schedule(
    tournament: str, players: Sequence[str], *, rounds_per_partner: int, cycles: int
) -> Schedule:
    """The schedule of a tournament, the same for the same names in the same order.

    `rounds_per_partner` is a multiple of four. KeyError for a number of players without a design.
    """
    games = cycle(len(players)) * cycles
    segments: list[ScheduledSegment] = []
    for number, segment in enumerate(games, start=1):
        at_table = {player for game in segment for team in game for player in team}
        segments.append(
            ScheduledSegment(
                segment=number,
                byes=tuple(name for at, name in enumerate(players) if at not in at_table),
                tables=tuple(
                    _table(players, game, f"{tournament}-s{number}-t{at}", at, rounds_per_partner)
                    for at, game in enumerate(segment, start=1)
                ),
            )
        )
    return Schedule(segments=tuple(segments))


def _table(
    players: Sequence[str], game: Game, match: str, number: int, rounds: int
) -> ScheduledTable:
    (a, b), (c, d) = game
    ours: Team = (players[a], players[b])
    theirs: Team = (players[c], players[d])
    pattern = _pattern(ours, theirs) * (rounds // ROUNDS_OF_A_PATTERN)
    return ScheduledTable(
        table=number,
        teams=(ours, theirs),
        match=match,
        rounds=tuple(
            ScheduledRound(round=at, players=seats, dealer=dealer)
            for at, (seats, dealer) in enumerate(pattern, start=1)
        ),
    )


def _pattern(ours: Team, theirs: Team) -> list[tuple[tuple[str, ...], str]]:
    """Seats and dealer of four rounds: seats 2 and 4 change places after the second (X-ROTATE)."""
    first = (ours[0], theirs[0], ours[1], theirs[1])
    then = (ours[0], theirs[1], ours[1], theirs[0])
    return [(first, ours[0]), (first, ours[1]), (then, theirs[0]), (then, theirs[1])]
