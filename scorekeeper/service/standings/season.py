"""The review of a league's season, besides its table."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

import msgspec

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.projections.scoreboard import RoundView, rounds
from scorekeeper.service.reading.matches import Reading
from scorekeeper.service.standings.league_table import LeagueTable
from scorekeeper.store import standings
from scorekeeper.store.standings import Result, ResultFilter

_MOST_PEOPLE: Final = 13
"""The most people of the table. More columns do not fit on a sheet of paper."""
_MOST_MATCHES: Final = 200
"""The most matches whose rounds are read one by one."""
_BEST: Final = 5


class HeadToHead(msgspec.Struct, frozen=True):
    """Matches that two people played against each other, and how many of them the first one won."""

    played: int
    won: int


class BestRound(msgspec.Struct, frozen=True):
    """Who went out in a round, and how many points that left in the hands of all others."""

    match: str
    round: int
    winners: tuple[str, ...]
    points: int


class Season(msgspec.Struct, frozen=True, kw_only=True):
    """The review of a season; `people`: the first of the table, in its order.

    `matches` in the order in which they were held. Row k of `wins`: how many matches each of
    `people` had won after the k-th of `matches`. `head_to_heads`: by person and opponent; pairs who
    never met are left out. `best_rounds`: most points first, then the earliest; empty if there are
    too many matches to read.
    """

    people: tuple[str, ...]
    matches: tuple[str, ...]
    wins: tuple[tuple[int, ...], ...]
    head_to_heads: Mapping[str, Mapping[str, HeadToHead]]
    best_rounds: tuple[BestRound, ...]


class Seasons:
    """Makes reviews of seasons from the stored results, and from the logs of the matches."""

    def __init__(self, ledger: Ledger, reading: Reading, table: LeagueTable) -> None:
        self._ledger = ledger
        self._reading = reading
        self._table = table

    async def read(self, league: str, chosen: ResultFilter) -> Season:
        """Return the review of the chosen matches. Raises Refused (`not-found`)."""
        lines = await self._table.page(league, chosen, after=None, limit=_MOST_PEOPLE)
        people = tuple(line.player for line in lines)
        results = await self._ledger.read(lambda c: standings.results_of(c, league, None, chosen))
        held = _by_match(results)
        return Season(
            people=people,
            matches=tuple(held),
            wins=_wins(people, held.values()),
            head_to_heads={
                player: await self._head_to_heads(league, player, chosen, people)
                for player in people
            },
            best_rounds=await self._best_rounds(league, held),
        )

    async def _head_to_heads(
        self, league: str, player: str, chosen: ResultFilter, people: Sequence[str]
    ) -> Mapping[str, HeadToHead]:
        found = await self._table.breakdown(league, player, chosen)
        met = {each.player: HeadToHead(each.played, each.won) for each in found.opponents}
        return {other: met[other] for other in people if other in met}

    async def _best_rounds(self, league: str, held: Collection[str]) -> tuple[BestRound, ...]:
        if len(held) > _MOST_MATCHES:
            return ()
        states = await self._reading.latest_of(league, held)
        found = [
            BestRound(match, each.round, each.winners, _left_in(each))
            for match in held
            if match in states
            for each in rounds(states[match].state)
            if each.status == "ended"
        ]
        best = sorted((each for each in found if each.points), key=lambda each: -each.points)
        return tuple(best[:_BEST])


def _left_in(dealt: RoundView) -> int:
    """Return the points left in all hands, however the scoring counts them."""
    return sum(points or 0 for points in dealt.hand_points.values())


def _by_match(results: Sequence[Result]) -> Mapping[str, Sequence[Result]]:
    ordered = sorted(results, key=lambda each: (each.held_at, each.finished, each.match))
    return {match: list(own) for match, own in groupby(ordered, key=lambda each: each.match)}


def _wins(
    people: Sequence[str], matches: Iterable[Sequence[Result]]
) -> tuple[tuple[int, ...], ...]:
    won = dict.fromkeys(people, 0)
    rows: list[tuple[int, ...]] = []
    for results in matches:
        for each in results:
            if each.won and each.player in won:
                won[each.player] += 1
        rows.append(tuple(won.values()))
    return tuple(rows)
