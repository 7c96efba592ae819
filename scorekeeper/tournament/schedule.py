"""The schedule of a whole tournament: seats, partners and dealers of each round (X-ROTATE).

It is made of partner designs, which say who plays with and against whom for each number of
players. In a design, a pairing `a+b:c+d` has a and b as partners against c and d. Players are
numbered from 0. `*` is the last player, whose number is fixed. A cycle is made by shifting the
pairings of a design. The k-th shift, from 0, adds k to all other numbers, modulo the design's
`modulus`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from scorekeeper.match.events.opening import PlannedRound

Pairing: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""Two partners, and two partners against them: who plays at one table."""

Segment: TypeAlias = tuple[Pairing, ...]
"""Pairings that play at the same time. A player in none of them has a bye."""

_STAYS: Final = "*"
_TABLE_SLUG: Final = re.compile(r"(.+)-s([1-9][0-9]*)-t([1-9][0-9]*)")

ROUNDS_OF_A_PATTERN: Final = 4
"""After so many rounds at a table everybody has dealt once."""

Team: TypeAlias = tuple[str, ...]
"""Two partners."""


class Design(Struct, frozen=True, kw_only=True):
    """The pairings from which a cycle is made by shifting the numbers of the players.

    `starters`: the segments that are shifted, by 0 to `modulus` - 1. `folded`: one more pairing
    that is shifted, and a step. This pairing and its shift by the step have no player in common. So
    two such pairings share a segment.

    Any two players are opponents twice as often as partners. In a cycle of 6, 7, 10 or 11 players
    they are partners twice and opponents four times, in any other cycle once and twice.
    """

    modulus: int
    starters: tuple[str, ...]
    folded: tuple[str, int] | None = None


DESIGNS: Final[Mapping[int, Design]] = {
    4: Design(modulus=3, starters=("*+0:1+2",)),
    5: Design(modulus=5, starters=("1+4:2+3",)),
    6: Design(modulus=5, starters=("0+1:2+3", "0+2:1+*", "0+2:3+*")),
    7: Design(modulus=7, starters=("0+2:3+4", "0+5:3+6", "0+3:5+6")),
    8: Design(modulus=7, starters=("*+0:1+3 2+6:4+5",)),
    # Nine players have no cyclic design. These segments are the sums of the first one and each
    # element of the field with nine elements.
    9: Design(
        modulus=1,
        starters=(
            "1+2:6+3 4+8:7+5",
            "4+5:0+6 7+2:1+8",
            "7+8:3+0 1+5:4+2",
            "2+0:7+4 5+6:8+3",
            "5+3:1+7 8+0:2+6",
            "8+6:4+1 2+3:5+0",
            "0+1:8+5 3+7:6+4",
            "3+4:2+8 6+1:0+7",
            "6+7:5+2 0+4:3+1",
        ),
    ),
    10: Design(
        modulus=9,
        starters=("8+*:3+7 4+5:1+2", "1+4:2+* 5+0:6+8"),
        folded=("0+6:2+4", 1),
    ),
    11: Design(
        modulus=11,
        starters=("0+9:1+6 2+10:3+7", "0+5:6+7 3+10:1+2"),
        folded=("0+3:5+7", 1),
    ),
    12: Design(modulus=11, starters=("*+0:1+3 2+9:6+7 4+10:5+8",)),
    13: Design(modulus=13, starters=("1+12:5+8 2+11:3+10 4+9:6+7",)),
    16: Design(modulus=15, starters=("*+0:1+2 3+6:9+11 4+13:8+12 5+10:7+14",)),
    17: Design(modulus=17, starters=("1+16:4+13 2+15:8+9 3+14:5+12 6+11:7+10",)),
    20: Design(modulus=19, starters=("*+0:1+2 3+5:9+15 4+14:12+17 6+18:10+13 7+11:8+16",)),
    21: Design(modulus=21, starters=("1+13:19+3 2+6:11+10 4+18:12+20 5+8:15+9 7+17:14+16",)),
    24: Design(
        modulus=23, starters=("*+0:1+2 3+5:7+17 4+12:18+22 6+20:10+13 8+19:11+16 9+15:14+21",)
    ),
    25: Design(
        modulus=25, starters=("1+24:2+23 3+22:9+16 4+21:12+13 5+20:10+15 6+19:8+17 7+18:11+14",)
    ),
    28: Design(
        modulus=27,
        starters=("*+0:3+24 1+26:6+21 2+25:12+15 4+23:8+19 5+22:13+14 7+20:9+18 10+17:11+16",),
    ),
    29: Design(
        modulus=29,
        starters=("1+28:2+27 3+26:13+16 4+25:8+21 5+24:10+19 6+23:12+17 7+22:14+15 9+20:11+18",),
    ),
    32: Design(
        modulus=31,
        starters=(
            "*+0:7+24 1+16:28+26 2+15:17+18 3+9:23+4 5+25:11+14 6+10:29+19 8+13:21+12 20+27:30+22",
        ),
    ),
    33: Design(
        modulus=33,
        starters=(
            (
                "1+18:20+23 2+9:28+15 3+21:5+14 4+6:16+10 7+26:17+25 8+12:24+13 11+32:29+19 "
                "22+27:31+30"
            ),
        ),
    ),
    36: Design(
        modulus=35,
        starters=(
            (
                "*+0:2+25 1+3:19+30 4+11:5+20 6+31:34+17 7+10:33+12 8+16:21+26 9+22:29+23 "
                "13+32:24+28 14+15:27+18"
            ),
        ),
    ),
    37: Design(
        modulus=37,
        starters=(
            (
                "1+36:2+35 3+34:7+30 4+33:15+22 5+32:18+19 6+31:14+23 8+29:13+24 9+28:16+21 "
                "10+27:12+25 11+26:17+20"
            ),
        ),
    ),
    40: Design(
        modulus=39,
        starters=(
            (
                "*+0:13+26 1+38:2+37 3+36:5+34 4+35:18+21 6+33:17+22 7+32:14+25 8+31:12+27 "
                "9+30:15+24 10+29:19+20 11+28:16+23"
            ),
        ),
    ),
    41: Design(
        modulus=41,
        starters=(
            (
                "1+40:2+39 3+38:8+33 4+37:14+27 5+36:20+21 6+35:18+23 7+34:15+26 9+32:11+30 "
                "10+31:17+24 12+29:16+25 13+28:19+22"
            ),
        ),
    ),
}


def nearest(players: int) -> tuple[int, ...]:
    """Return the numbers of players with a design that are nearest to one without, ascending."""
    below = [count for count in DESIGNS if count < players]
    above = [count for count in DESIGNS if count > players]
    return (*below[-1:], *above[:1])


def cycle(players: int) -> tuple[Segment, ...]:
    """Return all segments of one cycle, in order.

    Raises KeyError for a number of players without a design.
    """
    design = DESIGNS[players]
    segments = [
        tuple(_shifted(pairing, shift, design.modulus) for pairing in starter)
        for shift in range(design.modulus)
        for starter in (_parsed(text, players) for text in design.starters)
    ]
    if design.folded is not None:
        text, step = design.folded
        segments.extend(_folded(_parsed(text, players)[0], step, design.modulus))
    return tuple(segments)


def _parsed(text: str, players: int) -> Sequence[Pairing]:
    def number(word: str) -> int:
        return players - 1 if word == _STAYS else int(word)

    def pair(words: str) -> tuple[int, int]:
        one, other = words.split("+")
        return number(one), number(other)

    def pairing(words: str) -> Pairing:
        ours, theirs = words.split(":")
        return pair(ours), pair(theirs)

    return [pairing(words) for words in text.split()]


def _shifted(pairing: Pairing, shift: int, modulus: int) -> Pairing:
    def go(player: int) -> int:
        return (player + shift) % modulus if player < modulus else player

    (a, b), (c, d) = pairing
    return (go(a), go(b)), (go(c), go(d))


def _folded(pairing: Pairing, step: int, modulus: int) -> Iterator[Segment]:
    """Yield segments of two shifted pairings. If `modulus` is odd, the last segment has one."""
    shifts = [step * turn % modulus for turn in range(modulus)]
    pairings = [_shifted(pairing, shift, modulus) for shift in shifts]
    for first in range(0, modulus, 2):
        yield tuple(pairings[first : first + 2])


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
        """The rounds in the form in which they are part of the opening of a match."""
        return tuple(PlannedRound(players=each.players, dealer=each.dealer) for each in self.rounds)


class ScheduledSegment(Struct, frozen=True, kw_only=True):
    """Tables that are played at the same time; `byes`: who rests, in the order of entry."""

    segment: int
    byes: tuple[str, ...]
    tables: tuple[ScheduledTable, ...]


class Schedule(Struct, frozen=True, kw_only=True):
    """The segments in the order in which they are played."""

    segments: tuple[ScheduledSegment, ...]

    @property
    def tables(self) -> Iterator[ScheduledTable]:
        """The tables of all segments, in order."""
        return (table for segment in self.segments for table in segment.tables)


def table_slug(tournament: str, segment: int, table: int) -> str:
    """Return the slug of the match that is played at a table of a segment, both from 1."""
    return f"{tournament}-s{segment}-t{table}"


def table_in(match: str) -> tuple[str, int, int] | None:
    """Return the tournament, segment and table in the slug of a match.

    None if the slug does not have the form that `table_slug` gives.
    """
    match_slug = _TABLE_SLUG.fullmatch(match)
    return None if match_slug is None else (match_slug[1], int(match_slug[2]), int(match_slug[3]))


def schedule(
    tournament: str, players: Sequence[str], *, rounds_per_partner: int, cycles: int
) -> Schedule:
    """Return the schedule of a tournament. It is the same for the same names in the same order.

    `rounds_per_partner` is a multiple of four. Raises KeyError for a number of players without a
    design.
    """
    all_segments = cycle(len(players)) * cycles
    segments: list[ScheduledSegment] = []
    for number, segment in enumerate(all_segments, start=1):
        at_table = {player for pairing in segment for team in pairing for player in team}
        segments.append(
            ScheduledSegment(
                segment=number,
                byes=tuple(name for at, name in enumerate(players) if at not in at_table),
                tables=tuple(
                    _table(
                        players, pairing, table_slug(tournament, number, at), at, rounds_per_partner
                    )
                    for at, pairing in enumerate(segment, start=1)
                ),
            )
        )
    return Schedule(segments=tuple(segments))


def _table(
    players: Sequence[str], pairing: Pairing, match: str, number: int, rounds: int
) -> ScheduledTable:
    (a, b), (c, d) = pairing
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
