"""A league's table as it would be if one match stood otherwise."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection

from scorekeeper.match.state import State
from scorekeeper.projections.contribution import contributions
from scorekeeper.projections.statistics import Played, Statistics, statistics
from scorekeeper.service.table.changes import held_at
from scorekeeper.service.table.reading import TableLine, played
from scorekeeper.store import matches, standings
from scorekeeper.store.league_table import ordinal
from scorekeeper.store.standings import Chosen, Result


class Beside(Struct, frozen=True, kw_only=True):
    """What a table is made of beside one match: results of `people`, and what all others won.

    `opened_at`: when the match was opened; `finished`: the position at which its results stand,
    None where it has none. `others`: matches and rounds won by everybody else in the table.
    """

    people: frozenset[str]
    opened_at: str
    finished: int | None
    results: Sequence[Result]
    others: Sequence[tuple[int, int]]

    def lines(self, state: State, position: int) -> list[TableLine]:
        """The lines of `people` in the table's order, if the match stood as `state`.

        `position`: that of its last entry. Who has finished no match has no line.
        """
        own = {
            person: statistics([each for _, each in sorted(theirs, key=_ordinal)])
            for person, theirs in self._matches(state, position).items()
        }
        won = [*self.others, *map(_won, own.values())]
        return [
            TableLine(
                rank=1 + sum(other > _won(line) for other in won), player=person, **asdict(line)
            )
            for person, line in sorted(
                own.items(), key=lambda each: (-each[1].won, -each[1].rounds_won, each[0])
            )
        ]

    def _matches(self, state: State, position: int) -> dict[str, list[tuple[str, Played]]]:
        """By person, each with the ordinal that it stands at."""
        found: dict[str, list[tuple[str, Played]]] = defaultdict(list)
        for result in self.results:
            at = ordinal(result.held_at, result.finished)
            found[result.player].append((at, played(result)))
        held = held_at(state, self.opened_at)
        # What has results is corrected where they stand; else it would be won by its last entry.
        finished = position if self.finished is None else self.finished
        for person, mine in contributions(state).items():
            here = Played(held_at=held, won=mine.won, points=state.mode.points, own=mine.own)
            found[person].append((ordinal(held, finished), here))
        return found


def beside(connection: Connection, league: str, match: str, people: Collection[str]) -> Beside:
    """Of a match that there is."""
    found = standings.results_of(connection, league, people, Chosen())
    return Beside(
        people=frozenset(people),
        opened_at=matches.opened_at(connection, league, match),
        finished=next((each.finished for each in found if each.match == match), None),
        results=[each for each in found if each.match != match],
        others=standings.won_by_others(connection, league, people),
    )


def _won(line: Statistics) -> tuple[int, int]:
    return line.won, line.rounds_won


def _ordinal(match: tuple[str, Played]) -> str:
    return match[0]
