"""A league's table as it would be if one match stood otherwise."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection

from scorekeeper.match.table.state import State
from scorekeeper.projections.contribution import contributions
from scorekeeper.projections.statistics import PlayerMatch, Statistics, statistics
from scorekeeper.service.standings.changes import held_at
from scorekeeper.service.standings.reading import TableLine, played
from scorekeeper.store import matches, standings
from scorekeeper.store.league_table import ordinal
from scorekeeper.store.standings import Chosen, Result


class HypotheticalTable(Struct, frozen=True, kw_only=True):
    """`lines` of the people of a match, in the table's order; the `ranks` of everybody else.

    Who has finished no match is in neither.
    """

    lines: Sequence[TableLine]
    ranks: Mapping[str, int]


class OtherResults(Struct, frozen=True, kw_only=True):
    """What a table is made of beside one match: results of `people`, and what all others won.

    `opened_at`: when the match was opened; `finished`: the position at which its results stand,
    None where it has none. `others`: matches and rounds won by everybody else in the table, whose
    ranks alone a match may change.
    """

    people: frozenset[str]
    opened_at: str
    finished: int | None
    results: Sequence[Result]
    others: Mapping[str, tuple[int, int]]

    def table(self, state: State, position: int) -> HypotheticalTable:
        """If the match stood as `state`; `position`: that of its last entry."""
        own = {
            person: statistics([each for _, each in sorted(theirs, key=_ordinal)])
            for person, theirs in self._matches(state, position).items()
        }
        ranks = _Ranks([*self.others.values(), *map(_won, own.values())])
        return HypotheticalTable(
            lines=[
                TableLine(rank=ranks.of(_won(line)), player=person, **asdict(line))
                for person, line in sorted(
                    own.items(), key=lambda each: (-each[1].won, -each[1].rounds_won, each[0])
                )
            ],
            ranks={person: ranks.of(won) for person, won in self.others.items()},
        )

    def _matches(self, state: State, position: int) -> dict[str, list[tuple[str, PlayerMatch]]]:
        """By person, each with the ordinal that it stands at."""
        found: dict[str, list[tuple[str, PlayerMatch]]] = defaultdict(list)
        for result in self.results:
            at = ordinal(result.held_at, result.finished)
            found[result.player].append((at, played(result)))
        held = held_at(state, self.opened_at)
        # What has results is corrected where they stand; else it would be won by its last entry.
        finished = position if self.finished is None else self.finished
        for person, mine in contributions(state).items():
            here = PlayerMatch(held_at=held, won=mine.won, points=state.mode.points, own=mine.own)
            found[person].append((ordinal(held, finished), here))
        return found


def beside(
    connection: Connection, league: str, match: str, people: Collection[str]
) -> OtherResults:
    """Of a match that there is."""
    found = standings.results_of(connection, league, people, Chosen())
    return OtherResults(
        people=frozenset(people),
        opened_at=matches.opened_at(connection, league, match),
        finished=next((each.finished for each in found if each.match == match), None),
        results=[each for each in found if each.match != match],
        others=standings.won_by_others(connection, league, people),
    )


class _Ranks:
    """Equals share the rank of the first of them."""

    def __init__(self, won: Iterable[tuple[int, int]]) -> None:
        self._won = sorted(won)

    def of(self, won: tuple[int, int]) -> int:
        return 1 + len(self._won) - bisect_right(self._won, won)


def _won(line: Statistics) -> tuple[int, int]:
    return line.won, line.rounds_won


def _ordinal(match: tuple[str, PlayerMatch]) -> str:
    return match[0]
