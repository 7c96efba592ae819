"""The standings of a tournament: each player's column, and the order of the columns.

They are computed from the results of the matches at the tables.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from msgspec import Struct

from scorekeeper.match.state import State, Status
from scorekeeper.tournament.tournament import Tournament

SortKey: TypeAlias = Callable[[str], tuple[Fraction, ...]]
"""Returns a player's sort key, by which the best player comes first."""


class RoundResult(Struct, frozen=True, omit_defaults=True):
    """A round that counts. `scores` by player, partners the same (B-TEAM).

    `voided`: it was broken off and is not dealt again; it scores nothing, and has no winners.
    """

    scores: Mapping[str, int]
    winners: tuple[str, ...]
    voided: bool = False


class TableResult(Struct, frozen=True):
    """The match at a table as it stands; `rounds` are those that counted, in order."""

    status: Status
    rounds: tuple[RoundResult, ...]

    @property
    def ended(self) -> tuple[RoundResult, ...]:
        """The rounds that were played to their end."""
        return tuple(each for each in self.rounds if not each.voided)


Results: TypeAlias = Mapping[str, TableResult]
"""The result of each table of the schedule by the slug of its match, from the opening on."""


def table_result(state: State) -> TableResult:
    """Return what a match contributes to the tournament that opened it."""
    counted = [dealt for dealt in state.latest_first() if dealt.counted]
    return TableResult(
        status=state.status,
        rounds=tuple(
            RoundResult(
                dealt.scores or dict.fromkeys(dealt.seating, 0),
                dealt.winners,
                voided=dealt.status == "voided",
            )
            for dealt in reversed(counted)
        ),
    )


class Record(Struct, frozen=True, kw_only=True):
    """The sums of some rounds of a player.

    `total`: the scores of the player's team. `rounds`: how many rounds. `round_wins`: the rounds in
    which the player's own hand was emptied. A round that the partner's hand ended is not one of
    them, but its score is in the `total` of both.
    """

    total: int = 0
    rounds: int = 0
    round_wins: int = 0

    def plus(self, score: int, *, won: bool) -> "Record":
        return Record(
            total=self.total + score,
            rounds=self.rounds + 1,
            round_wins=self.round_wins + won,
        )


class Standing(Struct, frozen=True, kw_only=True):
    """A player's column, which is the sum of the own team's scores (B-ROTATE-4), and the rank.

    `round_wins`: rounds in which the player's own hand was emptied. Those of a partner count for
    the partner alone. `rank`: from 1; players whom no criterion separates share a rank. `partners`,
    `opponents`: the rounds with and against each other player, in the order of entry, without
    players who were not met.
    """

    player: str
    total: int
    rounds: int
    round_wins: int
    rank: int
    withdrawn: bool
    partners: Mapping[str, Record]
    opponents: Mapping[str, Record]


class Standings(Struct, frozen=True, kw_only=True):
    """The standings of all players, the best first.

    `complete`: no table has a round left to play. `champions`: the players with rank 1, once the
    standings are complete. There are none if the tournament was closed before anything was played.
    `tied`: the groups of players who share a rank at the end, among whom lots may be drawn.
    """

    items: tuple[Standing, ...]
    complete: bool
    champions: tuple[str, ...]
    tied: tuple[tuple[str, ...], ...]


class _Column:
    """The sums of one player, to which rounds are added one by one."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.own = Record()
        self.partners: dict[str, Record] = defaultdict(Record)
        self.opponents: dict[str, Record] = defaultdict(Record)

    def add(self, result: RoundResult, partner: str, opponents: Iterable[str]) -> None:
        score, won = result.scores[self.player], self.player in result.winners
        self.own = self.own.plus(score, won=won)
        self.partners[partner] = self.partners[partner].plus(score, won=won)
        for other in opponents:
            self.opponents[other] = self.opponents[other].plus(score, won=won)


def standings(tournament: Tournament, results: Results) -> Standings:
    """Return the standings by the current results of the tables.

    They are computed with integers and fractions only. Players who withdrew come after all others.
    Within both groups, players who have played nothing come last. Then the criteria are, in this
    order:

    1. the total per round played, the lowest first if the scoring mode says so
    2. the rounds won per round played
    3. among tied players who have all met as opponents, the score per round against each other
    4. the lots that were drawn
    """
    columns = _columns(tournament, results)
    groups = _ranked(tournament, columns)
    complete = all(results[table.match].status != "open" for table in tournament.schedule.tables)
    decided = complete and any(column.own.rounds for column in columns.values())
    items: list[Standing] = []
    for group in groups:
        rank = len(items) + 1
        items.extend(_standing(tournament, player, columns[player], rank) for player in group)
    return Standings(
        items=tuple(items),
        complete=complete,
        champions=tuple(each.player for each in items if each.rank == 1) if decided else (),
        tied=tuple(tuple(group) for group in groups if len(group) > 1) if decided else (),
    )


def _columns(tournament: Tournament, results: Results) -> Mapping[str, _Column]:
    columns = {player: _Column(player) for player in tournament.players}
    for table in tournament.schedule.tables:
        for result in results[table.match].ended:
            for team, others in (table.teams, table.teams[::-1]):
                for player, partner in (team, team[::-1]):
                    columns[player].add(result, partner, others)
    return columns


def _standing(tournament: Tournament, player: str, column: _Column, rank: int) -> Standing:
    return Standing(
        player=player,
        total=column.own.total,
        rounds=column.own.rounds,
        round_wins=column.own.round_wins,
        rank=rank,
        withdrawn=player in tournament.withdrawn,
        partners={p: column.partners[p] for p in tournament.players if p in column.partners},
        opponents={p: column.opponents[p] for p in tournament.players if p in column.opponents},
    )


def _ranked(tournament: Tournament, columns: Mapping[str, _Column]) -> list[list[str]]:
    """Return groups of players whom no criterion separates, the best first.

    Within a group, players are in the order of entry.
    """
    sign = 1 if tournament.lowest_wins else -1

    def column(_: Sequence[str]) -> SortKey:
        return lambda player: (
            Fraction(player in tournament.withdrawn),
            Fraction(not columns[player].own.rounds),
            sign * _per_round(columns[player].own.total, columns[player].own),
            -_per_round(columns[player].own.round_wins, columns[player].own),
        )

    def mutual(tied: Sequence[str]) -> SortKey:
        if not all(columns[player].opponents.keys() >= {*tied} - {player} for player in tied):
            # Scores against different people can't be compared.
            return lambda _: ()
        met = {player: _against(columns[player], tied) for player in tied}
        return lambda player: (sign * _per_round(met[player].total, met[player]),)

    def drawn(tied: Sequence[str]) -> SortKey:
        order = tournament.order_drawn(tied)
        return lambda player: () if order is None else (Fraction(order.index(player)),)

    groups = [list(tournament.players)]
    for criterion in (column, mutual, drawn):
        groups = [part for group in groups for part in _split(group, criterion(group))]
    return groups


def _split(group: Sequence[str], key: SortKey) -> list[list[str]]:
    ordered = sorted(group, key=key)
    return [list(same) for _, same in groupby(ordered, key=key)]


def _per_round(sum_: int, record: Record) -> Fraction:
    return Fraction(sum_, record.rounds or 1)


def _against(column: _Column, tied: Sequence[str]) -> Record:
    """Return what a player scored against the others of a group."""
    met = [column.opponents[other] for other in tied if other in column.opponents]
    return Record(
        total=sum(record.total for record in met), rounds=sum(record.rounds for record in met)
    )
