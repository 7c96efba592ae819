"""What a match changes in a league's table.

An append writes the changed rows of the stored views. The hypothetical table is the league's table
as it would be if one match were in another state.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection

from scorekeeper.ledger.writing.append import RowWrite
from scorekeeper.match.state import State
from scorekeeper.projections.contribution import (
    Contribution,
    Contributions,
    MatchSums,
    Meeting,
    contributions,
    encode_meetings,
    sums_of,
)
from scorekeeper.projections.statistics import PlayerMatch, Statistics, statistics
from scorekeeper.rules.scoring import PointsKind
from scorekeeper.service.standings.league_table import TableLine, played, table_order
from scorekeeper.store import league_table as stored
from scorekeeper.store import matches, ratings, standings
from scorekeeper.store.league_table import ordinal
from scorekeeper.store.standings import Result, ResultFilter

_NOTHING = Meeting()


def table_changes(
    league: str, match: str, before: State, after: State, won_at: int | None
) -> Iterator[RowWrite]:
    """Yield the writes that change what a match contributes to the table, by an append.

    `won_at`: if the match has results now and had none before, the position of the entry that gave
    them. Nothing is written for a match that has no results and had none.
    """
    was, now = contributions(before), contributions(after)
    if was == now and won_at is None:
        return
    if was:
        yield from ratings.stale(league=league, match=match)
    if won_at is not None:
        # The match was won again by another entry, so its results move to that entry's position.
        for person in sorted(was):
            yield stored.without_result(league=league, match=match, player=person)
    yield from stored.together(
        row
        for person in sorted({*was, *now})
        for row in (
            *_result(league, match, person, after, now, won_at),
            *_standing(league, person, was, now, after.mode.points),
        )
    )


class NewlyWon(Struct, frozen=True, kw_only=True):
    """A match that was opened and won in one append.

    `opened_at`: when its opening was recorded; `won_at`: the position of the entry that won it.
    """

    match: str
    state: State
    opened_at: str
    won_at: int

    @property
    def held_at(self) -> str:
        return held_at(self.state, self.opened_at)


def table_additions(league: str, matches: Sequence[NewlyWon]) -> Iterator[RowWrite]:
    """Yield the writes that add matches to the table which were not in it before.

    All that is added to one line is summed up first, so that many matches cost little more than
    one.
    """
    brought = [(match, contributions(match.state)) for match in matches]
    yield from stored.together(
        [*_new_results(league, brought), *_summed_standings(league, brought)]
    )


Brought = Iterable[tuple[NewlyWon, Contributions]]


def _new_results(league: str, brought: Brought) -> Iterator[RowWrite]:
    for match, each in brought:
        for person in each:
            yield stored.new_result(
                finished=match.won_at,
                held_at=match.held_at,
                league=league,
                match=match.match,
                player=person,
                **result_fields(match.state.edition.id, match.state.mode.name, each, person),
            )


def _summed_standings(league: str, brought: Brought) -> Iterator[RowWrite]:
    sums: dict[str, MatchSums] = defaultdict(MatchSums)
    played: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for match, each in brought:
        at = stored.ordinal(match.held_at, match.won_at)
        for person, own in each.items():
            sums[person].add(own.own, match.state.mode.points, won=own.won)
            played[person].append((at, own.won))
    for person, line in sorted(sums.items()):
        came_in = stored.some_played(played[person])
        yield from stored.standing(came_in, league=league, player=person, **line.columns())


def held_at(state: State, opened_at: str) -> str:
    """Return when a match was held: the time in its opening, or else when that was recorded."""
    at = state.opened.at
    return opened_at if at is None else as_held(at)


def as_held(at: datetime) -> str:
    """Return the time of a match as the views store it: in UTC, of one width, so that it sorts."""
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _result(
    league: str, match: str, person: str, state: State, now: Contributions, won_at: int | None
) -> Iterator[RowWrite]:
    if person not in now:
        yield stored.without_result(league=league, match=match, player=person)
        return
    at = state.opened.at
    yield stored.result(
        finished=won_at,
        at=None if at is None else as_held(at),
        league=league,
        match=match,
        player=person,
        **result_fields(state.edition.id, state.mode.name, now, person),
    )


def result_fields(
    edition: str, scoring_mode: str, match: Contributions, person: str
) -> dict[str, object]:
    """Return a person's result in a match, column by column, without time and position."""
    mine = match[person]
    return {
        "edition": edition,
        "scoring_mode": scoring_mode,
        "seats": mine.seats,
        "seat": mine.seat,
        "side": mine.side,
        "rank": mine.rank,
        "won": int(mine.won),
        **asdict(mine.own),
        "met": encode_meetings(match, person),
    }


def _standing(
    league: str, person: str, was: Contributions, now: Contributions, points: PointsKind | None
) -> Iterator[RowWrite]:
    old, new = was.get(person), now.get(person)
    yield from stored.standing(
        stored.one_played(won=new is not None and new.won) if old is None else None,
        league=league,
        player=person,
        played=(new is not None) - (old is not None),
        won=_won(new) - _won(old),
        **_difference(
            _NOTHING if old is None else old.own, _NOTHING if new is None else new.own, points
        ),
    )


def _won(contribution: Contribution | None) -> int:
    return int(contribution is not None and contribution.won)


def _difference(before: Meeting, after: Meeting, points: PointsKind | None) -> dict[str, int]:
    less = sums_of(before, points)
    return {name: number - less[name] for name, number in sums_of(after, points).items()}


class HypotheticalTable(Struct, frozen=True, kw_only=True):
    """The `lines` of the people of a match, in the table's order, and the `ranks` of all others.

    A player without a finished match is in neither.
    """

    lines: Sequence[TableLine]
    ranks: Mapping[str, int]


class OtherResults(Struct, frozen=True, kw_only=True):
    """What a table is made of besides one match: results of `people`, and what all others won.

    `opened_at`: when the match was opened. `finished`: the position at which its results are
    stored; None if it has none. `others`: matches and rounds won by everybody else in the table.
    The match can only change their ranks.
    """

    people: frozenset[str]
    opened_at: str
    finished: int | None
    results: Sequence[Result]
    others: Mapping[str, tuple[int, int]]

    def table(self, state: State, position: int) -> HypotheticalTable:
        """Return the table with the match in this state; `position` is that of its last entry."""
        own = {
            person: statistics([each for _, each in sorted(theirs, key=itemgetter(0))])
            for person, theirs in self._matches(state, position).items()
        }
        ranks = _Ranks([*self.others.values(), *map(_ranked_by, own.values())])
        return HypotheticalTable(
            lines=[
                TableLine(rank=ranks.of(_ranked_by(line)), player=person, **asdict(line))
                for person, line in sorted(own.items(), key=table_order)
            ],
            ranks={person: ranks.of(won) for person, won in self.others.items()},
        )

    def _matches(self, state: State, position: int) -> dict[str, list[tuple[str, PlayerMatch]]]:
        """Return the matches of each person, each with the ordinal by which matches are sorted."""
        found: dict[str, list[tuple[str, PlayerMatch]]] = defaultdict(list)
        for result in self.results:
            at = ordinal(result.held_at, result.finished)
            found[result.player].append((at, played(result)))
        held = held_at(state, self.opened_at)
        # A match that has results keeps its position. Otherwise its last entry would win it.
        finished = position if self.finished is None else self.finished
        for person, mine in contributions(state).items():
            here = PlayerMatch(held_at=held, won=mine.won, points=state.mode.points, own=mine.own)
            found[person].append((ordinal(held, finished), here))
        return found


def read_other_results(
    connection: Connection, league: str, match: str, people: Collection[str]
) -> OtherResults:
    """Read what a table is made of besides this match, which must exist."""
    found = standings.results_of(connection, league, people, ResultFilter())
    return OtherResults(
        people=frozenset(people),
        opened_at=matches.opened_at(connection, league, match),
        finished=next((each.finished for each in found if each.match == match), None),
        results=[each for each in found if each.match != match],
        others=standings.won_by_others(connection, league, people),
    )


class _Ranks:
    """Ranks by matches won, then rounds won. Equals share the rank of the first of them."""

    def __init__(self, won: Iterable[tuple[int, int]]) -> None:
        self._won = sorted(won)

    def of(self, won: tuple[int, int]) -> int:
        return 1 + len(self._won) - bisect_right(self._won, won)


def _ranked_by(line: Statistics) -> tuple[int, int]:
    return line.won, line.rounds_won
