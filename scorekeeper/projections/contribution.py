"""What a match that was won adds to the records of the people who played in it, and who met whom.

Mostly, who met whom follows from the results of the match. It is stored only if it does not.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import TypeAlias

import msgspec
from msgspec import Struct

from scorekeeper.match.state import Round, State
from scorekeeper.projections.points import Sums, point_sums
from scorekeeper.rules.scoring import PointsKind

_People: TypeAlias = tuple[tuple[str, str], ...]
"""Who sat at the table: column and person, in the order of the columns."""

_Place: TypeAlias = tuple[int, ...]
"""The numbers that rank a column, the most decisive one first. Lower is better."""

_encoder = msgspec.json.Encoder(order="sorted")


class Meeting(Struct, frozen=True, kw_only=True, gc=False):
    """Rounds that two people played in, from the side of one of them, in one match.

    `rounds_won`: rounds in which this person emptied the hand; a partner's rounds don't count.
    `points_for` and `points_against`: this person's scores and the other person's. Partners have
    the same scores.
    """

    rounds: int = 0
    rounds_won: int = 0
    points_for: int = 0
    points_against: int = 0

    def plus(self, rounds: int, *, won: int, own: int, other: int) -> "Meeting":
        """Return this with more rounds added. The other numbers are sums over those rounds."""
        return Meeting(
            rounds=self.rounds + rounds,
            rounds_won=self.rounds_won + won,
            points_for=self.points_for + own,
            points_against=self.points_against + other,
        )


_NOTHING = Meeting()


class MatchSums:
    """What several matches add to one line of a table, filled match by match."""

    __slots__ = ("_by_kind", "_played", "_won")

    def __init__(self) -> None:
        self._played = self._won = 0
        self._by_kind: dict[PointsKind | None, Meeting] = {}

    def add(
        self, meeting: Meeting, points: PointsKind | None, *, won: int, played: int = 1
    ) -> None:
        """Add a match that is scored in points of this kind, or the sums of several such matches.

        `points` None: the match scores nothing.
        """
        self._played += played
        self._won += won
        self._by_kind[points] = self._by_kind.get(points, _NOTHING).plus(
            meeting.rounds,
            won=meeting.rounds_won,
            own=meeting.points_for,
            other=meeting.points_against,
        )

    def columns(self) -> dict[str, int]:
        """Return the matches played and won, and the sums of the rounds in them, by name."""
        found = {"played": self._played, "won": self._won, **sums_of(_NOTHING, None)}
        for kind, meeting in self._by_kind.items():
            for name, number in sums_of(meeting, kind).items():
                found[name] += number
        return found


def sums_of(meeting: Meeting, points: PointsKind | None) -> dict[str, int]:
    """Return the rounds of a match as sums by name, with points of other kinds as 0.

    So they can be added to a line that has matches of all kinds.
    """
    own, others = meeting.points_for, meeting.points_against
    return {
        "rounds": meeting.rounds,
        "rounds_won": meeting.rounds_won,
        **point_sums(points, Sums(rounds=meeting.rounds, own=own, others=others)),
    }


class Contribution(Struct, frozen=True, kw_only=True):
    """What one person contributes to a match's results.

    `seat` counts from 1, clockwise in the seating of the opening. `side`: the number of the team,
    or of the player alone, from 1. `own`: the rounds in which the person took part, none after an
    elimination. In its `points_against` each opposing side counts once. `rank`: 1 for the winners,
    then in the order of the scoring mode, with equal ranks for equals. It is None if another person
    sat in the column later, since the rank is then that person's. `partners` and `opponents` are by
    person.
    """

    seat: int
    seats: int
    side: int
    rank: int | None
    own: Meeting
    partners: Mapping[str, Meeting]
    opponents: Mapping[str, Meeting]

    @property
    def won(self) -> bool:
        return self.rank == 1


Contributions: TypeAlias = Mapping[str, Contribution]
"""By person."""


class _Sitting:
    """The rounds that the same people played: how many, and by column the hands won and scores."""

    def __init__(self, people: _People) -> None:
        self.rounds = 0
        self.won = dict.fromkeys((column for column, _ in people), 0)
        self.scores = self.won.copy()

    def add(self, dealt: Round) -> None:
        self.rounds += 1
        for column in dealt.winners:
            self.won[column] += 1
        scores = dealt.scores
        for column in dealt.played_by:
            self.scores[column] += scores[column]


class _Record:
    """The part of one person in a match, filled sitting by sitting."""

    def __init__(self, column: str) -> None:
        self.column = column
        self.own = Meeting()
        self.partners: dict[str, Meeting] = defaultdict(Meeting)
        self.opponents: dict[str, Meeting] = defaultdict(Meeting)


def contributions(state: State) -> Contributions:
    """Return what a match contributes, by person. Empty unless the match is won.

    Rounds count for the person who sat at the table in them, also for a substitute.
    """
    if state.status != "won":
        return {}
    records: dict[str, _Record] = {}
    sides = {player: side for side in state.sides for player in side}
    sat_last: dict[str, str] = {}
    for people, sitting in _sittings(state).items():
        sat_last = {**dict(people), **sat_last}
        _add(records, people, sitting, sides)
    ranks = _ranks(state)
    seats = state.opened.players
    return {
        person: Contribution(
            seat=seats.index(record.column) + 1,
            seats=len(seats),
            side=state.sides.index(sides[record.column]) + 1,
            rank=ranks[record.column] if sat_last[record.column] == person else None,
            own=record.own,
            partners=dict(record.partners),
            opponents=dict(record.opponents),
        )
        for person, record in sorted(records.items())
    }


def _sittings(state: State) -> Mapping[_People, _Sitting]:
    """Return the sittings of a match by the people who sat there, the latest sitting first."""
    sittings: dict[_People, _Sitting] = {}
    for dealt in state.latest_first():
        if dealt.status == "ended":
            people = tuple(
                (column, dealt.substitutes.get(column, column))
                for column in sorted(dealt.played_by)
            )
            if people not in sittings:
                sittings[people] = _Sitting(people)
            sittings[people].add(dealt)
    return sittings


def _add(
    records: dict[str, _Record],
    people: _People,
    sitting: _Sitting,
    sides: Mapping[str, tuple[str, ...]],
) -> None:
    rounds, scores = sitting.rounds, sitting.scores
    for column, person in people:
        record = records.setdefault(person, _Record(column))
        won, own = sitting.won[column], scores[column]
        against = {sides[other] for other, _ in people} - {sides[column]}
        record.own = record.own.plus(
            rounds, won=won, own=own, other=sum(scores[side[0]] for side in against)
        )
        for other, whom in people:
            if other != column:
                met = record.partners if other in sides[column] else record.opponents
                met[whom] = met[whom].plus(rounds, won=won, own=own, other=scores[other])


def _ranks(state: State) -> Mapping[str, int]:
    """Return the rank of each column. The winners are first, whatever their totals."""
    order = {column: _order(state, column) for column in state.totals}
    return {
        column: 1 + sum(_ended_before(state, order, other, column) for other in state.totals)
        for column in state.totals
    }


def _ended_before(state: State, order: Mapping[str, _Place], one: str, other: str) -> bool:
    """Return whether the column `one` ended before `other`; partners end together."""
    winner, loser = one in state.winners, other in state.winners
    return (winner and not loser) or (winner == loser and order[one] < order[other])


def _order(state: State, column: str) -> _Place:
    """Return the numbers that rank a column. They matter only among those who did not win."""
    if column in state.winners:
        return (0,)
    if state.mode.knocks_out:
        return _held_out(state, column)
    if state.mode.rounds_decide:
        side = next(side for side in state.sides if column in side)
        return (-state.sides_won[side[0]],)
    total = state.totals[column]
    return (total if state.mode.lowest_wins else -total,)


def _held_out(state: State, column: str) -> _Place:
    """Return what ranks a column in a mode that eliminates players.

    First comes the last round that it played, the later the better. Then comes whether a catch
    alone made up its score of that round, which is worse than a counted hand. Then comes the total.
    """
    total = state.totals[column]
    if column not in state.eliminated:
        return (-state.round - 1, 0, total)
    last = next(dealt for dealt in state.latest_first() if column in dealt.played_by)
    caught = last.charges.get(column) == last.scores[column]
    return (-last.number, int(caught), total)


class Met(Struct, frozen=True, kw_only=True):
    """Whom a person met in one match, by person."""

    partners: Mapping[str, Meeting]
    opponents: Mapping[str, Meeting]


_decoder = msgspec.json.Decoder(Met)


def all_along(own: Meeting, other: Meeting) -> Meeting:
    """Return the meeting of two people who both played all rounds, from what each has alone."""
    return Meeting(
        rounds=own.rounds,
        rounds_won=own.rounds_won,
        points_for=own.points_for,
        points_against=other.points_for,
    )


def encode_meetings(match: Contributions, person: str) -> str | None:
    """Return the person's meetings as JSON, None if they follow from everybody's results.

    They don't follow if somebody was out before the end, or if a seat changed hands.
    """
    mine = match[person]
    partners: dict[str, Meeting] = {}
    opponents: dict[str, Meeting] = {}
    for other, theirs in match.items():
        if other != person:
            met = partners if theirs.side == mine.side else opponents
            met[other] = all_along(mine.own, theirs.own)
    if (partners, opponents) == (mine.partners, mine.opponents):
        return None
    return _encoder.encode(Met(partners=mine.partners, opponents=mine.opponents)).decode()


def decode_meetings(text: str) -> Met:
    """Return the meetings that `encode_meetings` has written."""
    return _decoder.decode(text)
