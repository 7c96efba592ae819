"""Reading a league's table, and the statistics of a person."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import MINYEAR
from itertools import groupby

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Connection

from scorekeeper.days import DEFAULT_ZONE, day_of
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.reading import RowQuery
from scorekeeper.projections.contribution import MatchSums, Meeting, decode_meetings
from scorekeeper.projections.points import Points, figures, kind_in
from scorekeeper.projections.statistics import (
    SMALL_SAMPLE,
    PlayerMatch,
    Statistics,
    statistics,
    summed,
)
from scorekeeper.service.lists import found_in_league
from scorekeeper.service.refused import not_found
from scorekeeper.store import players, standings
from scorekeeper.store.standings import (
    KeptMeetings,
    Line,
    PageStart,
    PairSums,
    Result,
    ResultFilter,
)

Meetings = Mapping[str, Mapping[str, int]]
"""For each person who was met, the sums by their names."""

_page = RowQuery(standings.PAGE)


def meetings_in(
    pairs: Iterable[PairSums], kept: Iterable[KeptMeetings]
) -> tuple[Meetings, Meetings]:
    """Return one player's sums with each opponent, and with each partner, sorted by slug."""
    sums: tuple[dict[str, MatchSums], ...] = (defaultdict(MatchSums), defaultdict(MatchSums))
    for pair in pairs:
        meeting = Meeting(
            rounds=pair.rounds,
            rounds_won=pair.rounds_won,
            points_for=pair.points_for,
            points_against=pair.points_against,
        )
        sums[pair.partners][pair.other].add(
            meeting, kind_in(pair.scoring_mode), won=pair.won, played=pair.played
        )
    for match in kept:
        met = decode_meetings(match.met)
        for people, found in zip((met.opponents, met.partners), sums, strict=True):
            for other, meeting in people.items():
                found[other].add(meeting, kind_in(match.scoring_mode), won=match.won)
    opponents, partners = (
        {other: line.columns() for other, line in sorted(found.items())} for found in sums
    )
    return opponents, partners


class TableLine(Statistics, frozen=True, kw_only=True):
    """A line of the league's table: a player's statistics, and the rank, which equals share."""

    rank: int
    player: str


class WithSomebody(msgspec.Struct, frozen=True, kw_only=True):
    """What a person did with or against another `player`, in matches that were won by somebody.

    `won`: matches that the person won. `rounds`: those in which both sat at the table;
    `rounds_won`: those of them in which the person's own hand was emptied.
    """

    player: str
    played: int
    won: int
    rounds: int
    rounds_won: int
    points: Points


class Breakdown(msgspec.Struct, frozen=True, kw_only=True):
    """A person's statistics, as a whole and split up.

    `by_seat`: the place, clockwise from 1, as the match was opened. `by_players`: how many sat at
    the table. Both have numbers for keys, `by_scoring_mode` the names of modes.
    """

    player: str
    statistics: Statistics
    opponents: Sequence[WithSomebody]
    partners: Sequence[WithSomebody]
    by_edition: Mapping[str, Statistics]
    by_scoring_mode: Mapping[str, Statistics]
    by_players: Mapping[str, Statistics]
    by_seat: Mapping[str, Statistics]


class LeagueTable:
    """Reads the table from the stored views. A table of chosen matches is folded from results."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def page(
        self, league: str, chosen: ResultFilter, *, after: PageStart | None, limit: int
    ) -> list[TableLine]:
        """Return lines of the table: most matches won first, then most rounds won, then by slug.

        Raises Refused (`not-found`).
        """
        if chosen.takes_all:
            asked = standings.page_parameters(league, after, limit)
            lines = await self._ledger.read(lambda c: _lines(c, asked))
            page = [
                _table_line(rank, line, chosen.zone)
                for rank, line in zip(_ranks(lines, after), lines, strict=True)
            ]
        else:
            found = _behind(await self._folded(league, chosen), after)[:limit]
            ranks = _ranks([own for _, own in found], after)
            page = [
                TableLine(rank=rank, player=player, **asdict(own))
                for rank, (player, own) in zip(ranks, found, strict=True)
            ]
        return await found_in_league(self._ledger, league, page)

    async def breakdown(self, league: str, player: str, chosen: ResultFilter) -> Breakdown:
        """Return a person's statistics in the chosen matches. Raises Refused (`not-found`)."""
        if await self._ledger.read(lambda c: players.find(c, league, player)) is None:
            raise not_found("player")
        found = await self._ledger.read(lambda c: standings.results_of(c, league, [player], chosen))
        pairs, kept = await self._ledger.read(
            lambda c: (
                standings.pairs_of(c, league, player, chosen),
                standings.kept_meetings(c, league, player, chosen),
            )
        )
        opponents, partners = meetings_in(pairs, kept)
        matches = [(each, played(each)) for each in found]
        return Breakdown(
            player=player,
            statistics=statistics([each for _, each in matches], chosen.zone),
            opponents=[_with(other, sums) for other, sums in opponents.items()],
            partners=[_with(other, sums) for other, sums in partners.items()],
            by_edition=_split(matches, lambda each: each.edition, chosen.zone),
            by_scoring_mode=_split(matches, lambda each: each.scoring_mode, chosen.zone),
            by_players=_split(matches, lambda each: str(each.seats), chosen.zone),
            by_seat=_split(matches, lambda each: str(each.seat), chosen.zone),
        )

    async def years(self, league: str, zone: str) -> range:
        """Return the years from the first match in the table to the last, as they were held.

        `zone`: the time zone of the years.
        """
        return await self._ledger.read(lambda c: _years(c, league, zone))

    async def results(
        self, league: str, chosen: ResultFilter, *, after: tuple[int, str], limit: int
    ) -> Sequence[Result]:
        """Return everybody's results in log order, those after `after`.

        `after`: the position at which a match was won, and a player in it. Raises Refused
        (`not-found`).
        """
        found = await self._ledger.read(
            lambda c: standings.results_page(c, league, chosen, after=after, limit=limit)
        )
        return await found_in_league(self._ledger, league, found)

    async def _folded(self, league: str, chosen: ResultFilter) -> list[tuple[str, Statistics]]:
        found = await self._ledger.read(lambda c: standings.results_of(c, league, None, chosen))
        lines = [
            (player, statistics([played(each) for each in own], chosen.zone))
            for player, own in groupby(found, key=lambda each: each.player)
        ]
        return sorted(lines, key=table_order)


def table_order(line: tuple[str, Statistics]) -> tuple[int, int, str]:
    """Return the key that sorts the lines of a table, the best first and equals by their slugs."""
    player, own = line
    return -own.won, -own.rounds_won, player


def _behind(
    lines: list[tuple[str, Statistics]], after: PageStart | None
) -> list[tuple[str, Statistics]]:
    if after is None:
        return lines
    place = (-after.won, -after.rounds_won, after.player)
    return [line for line in lines if table_order(line) > place]


def _years(connection: Connection, league: str, zone: str) -> range:
    found = standings.first_and_last(connection, league)
    if found is None:
        return range(0)
    first, last = (int(day_of(at, zone)[: len("2026")]) for at in found)
    # West of Greenwich, New Year's Day without a time of day comes before the evening before it.
    new_year = tuple(f"{year:04}-01-01" for year in (first, last + 1))
    if found[0].startswith(new_year[0]) and first > MINYEAR:
        first -= standings.held_on(connection, league, f"{first - 1:04}-12-31", zone)
    if found[1].startswith(new_year[1]):
        last += standings.held_on(connection, league, new_year[1], zone)
    return range(first, last + 1)


def _lines(connection: Connection, asked: Mapping[str, object]) -> list[Line]:
    return [Line(*row) for row in _page.rows(connection, **asked)]


def _ranks(lines: Iterable[Line | Statistics], after: PageStart | None) -> Iterator[int]:
    """Yield the rank of each line. Equals share the rank of the first of them.

    `after`: the line before these, from which places are counted on.
    """
    above: tuple[int, int] | None = None
    rank = first = 0
    if after is not None:
        above, rank, first = (after.won, after.rounds_won), after.rank, after.place
    for place, line in enumerate(lines, first + 1):
        own = (line.won, line.rounds_won)
        if own != above:
            above, rank = own, place
        yield rank


def _table_line(rank: int, line: Line, zone: str) -> TableLine:
    # With a Statistics made for each line, a page of a hundred would take a tenth longer.
    return TableLine(
        played=line.played,
        won=line.won,
        rounds=line.rounds,
        rounds_won=line.rounds_won,
        points=figures(asdict(line)),
        streak=line.streak,
        longest_streak=line.longest_streak,
        last_played=day_of(line.last_held_at, zone),
        small_sample=line.played < SMALL_SAMPLE,
        rank=rank,
        player=line.player,
    )


def statistics_of(line: Line | None) -> Statistics:
    """Return a line's statistics. All sums are zero for a player without a finished match."""
    if line is None:
        return statistics(())
    return summed(
        asdict(line),
        streak=line.streak,
        longest_streak=line.longest_streak,
        last_played=day_of(line.last_held_at, DEFAULT_ZONE),
    )


def played(result: Result) -> PlayerMatch:
    """Return a stored result in the form that statistics are made of."""
    return PlayerMatch(
        held_at=result.held_at,
        won=bool(result.won),
        points=kind_in(result.scoring_mode),
        own=Meeting(
            rounds=result.rounds,
            rounds_won=result.rounds_won,
            points_for=result.points_for,
            points_against=result.points_against,
        ),
    )


def _split(
    matches: Iterable[tuple[Result, PlayerMatch]], key: Callable[[Result], str], zone: str
) -> Mapping[str, Statistics]:
    parts: dict[str, list[PlayerMatch]] = {}
    for result, each in matches:
        parts.setdefault(key(result), []).append(each)
    return {part: statistics(own, zone) for part, own in sorted(parts.items())}


def _with(other: str, sums: Mapping[str, int]) -> WithSomebody:
    return WithSomebody(
        player=other,
        played=sums["played"],
        won=sums["won"],
        rounds=sums["rounds"],
        rounds_won=sums["rounds_won"],
        points=figures(sums),
    )
