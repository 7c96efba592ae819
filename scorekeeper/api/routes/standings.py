"""The league's table, the results of matches, and the statistics of a player."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from scorekeeper.api.document.components import OPERATION
from scorekeeper.api.handler_context import (
    BY_ACCEPT,
    PAGING,
    QUERY,
    RIGHT,
    Call,
    Cursor,
    From,
    LeagueSlug,
    Limit,
    PlayerSlug,
    To,
    encoded_response,
    services_of,
    wants,
)
from scorekeeper.api.lists import AS_CSV, CSV, csv_response, decode_cursor, listing
from scorekeeper.match.events.fields import MOST_VERSIONS, SLUG
from scorekeeper.match.events.opening import FEWEST_PLAYERS, MOST_PLAYERS
from scorekeeper.projections.points import KINDS, PointFigures, column
from scorekeeper.projections.statistics import Statistics
from scorekeeper.rules.scoring import PointsKind
from scorekeeper.service.identity.access import Right
from scorekeeper.service.questions import PlayerFigures, ResultsPage, TablePage
from scorekeeper.service.refused import Refused
from scorekeeper.service.standings.league_table import Breakdown, TableLine
from scorekeeper.service.views import Listing
from scorekeeper.store.standings import PageStart, Result, ResultFilter

FILTERS = frozenset({"with", "from", "to", "seats", "edition"})

With = Annotated[
    str | None,
    QueryParameter(
        name="with", pattern=SLUG, description="Only matches that this player played in, too."
    ),
]
Seats = Annotated[
    int | None,
    QueryParameter(
        ge=FEWEST_PLAYERS, le=MOST_PLAYERS, description="Only matches of so many players."
    ),
]
InEdition = Annotated[
    str | None, QueryParameter(pattern=SLUG, description="Only matches in this edition.")
]


async def chosen_matches(
    other: With = None,
    since: From = None,
    until: To = None,
    seats: Seats = None,
    edition: InEdition = None,
) -> ResultFilter:
    """Return the query parameters that narrow down which matches count."""
    return ResultFilter(
        other=other,
        since=None if since is None else since.isoformat(),
        until=None if until is None else until.isoformat(),
        seats=seats,
        edition=edition,
    )


_CHOSEN = {"chosen": Provide(chosen_matches)}
_EVERYTHING = 2**31
# The figures of a line in columns; those of its points have names like `penalty_own`.
_PLAIN = tuple(name for name in Statistics.__struct_fields__ if name != "points")
_POINTS: Sequence[tuple[PointsKind, str]] = [
    (kind, name) for kind in KINDS for name in PointFigures.__struct_fields__
]


@get(
    "/v1/leagues/{league:str}/standings",
    operation_id="readLeagueTable",
    summary="Read the league's table",
    description="Over all matches that were won by somebody: most matches won first, then most "
    "rounds won. A round is won by the player whose own hand was emptied, not by a partner. Points "
    "are kept apart by what they are, since few are good in one scoring mode and many in another. "
    "`Accept: text/csv` answers all of it as CSV, the points in columns such as `penalty_own`.",
    tags=["standings"],
    dependencies=_CHOSEN,
    opt={RIGHT: Right.READ, QUERY: PAGING | FILTERS, OPERATION: AS_CSV},
)
async def read_league_table(
    request: Call,
    league: LeagueSlug,
    chosen: NamedDependency[ResultFilter],
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response[Listing[TableLine]] | Response[bytes]:
    if wants(request, CSV):
        lines = await _lines(request, league, chosen, None, _EVERYTHING)
        return await csv_response(
            ("rank", "player", *_PLAIN, *(column(kind, name) for kind, name in _POINTS)),
            ((each.rank, each.player, *_cells(each)) for each in lines),
        )
    after = _place(cursor)
    page = await _lines(request, league, chosen, after, limit + 1)
    last = limit if after is None else after.place + limit
    answer = listing(request, page, limit, key=lambda line: _key(line, last))
    answer.headers.update(BY_ACCEPT)
    return answer


@get(
    "/v1/leagues/{league:str}/results",
    operation_id="listResults",
    summary="List everybody's results, match by match",
    description="In the order in which the matches were won. What `points_for` and "
    "`points_against` are follows from the `scoring_mode`: points collected, the points left in "
    "the hands, or a balance. `Accept: text/csv` answers all of "
    "it as CSV.",
    tags=["standings"],
    dependencies=_CHOSEN,
    opt={RIGHT: Right.READ, QUERY: PAGING | FILTERS, OPERATION: AS_CSV},
)
async def list_results(
    request: Call,
    league: LeagueSlug,
    chosen: NamedDependency[ResultFilter],
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response[Listing[Result]] | Response[bytes]:
    if wants(request, CSV):
        found = await _results(request, league, chosen, (0, ""), _EVERYTHING)
        return await csv_response(
            Result.__struct_fields__, (msgspec.structs.astuple(each) for each in found)
        )
    finished, player = _parts(cursor, 2) or ("0", "")
    page = await _results(request, league, chosen, (int(finished), player), limit + 1)
    answer = listing(request, page, limit, key=lambda each: f"{each.finished} {each.player}")
    answer.headers.update(BY_ACCEPT)
    return answer


@get(
    "/v1/leagues/{league:str}/players/{player:str}/statistics",
    operation_id="readStatistics",
    summary="Read a player's statistics, split up",
    description="As a whole, by opponent, by partner, by edition, by scoring mode, by number of "
    "players and by seat, each over the matches that are asked for. Of opponents and partners only "
    "rounds count that both played in; the `others` of points are that opponent's own, of partners "
    "the common ones.",
    tags=["standings"],
    dependencies=_CHOSEN,
    opt={RIGHT: Right.READ, QUERY: FILTERS},
)
async def read_statistics(
    request: Call,
    league: LeagueSlug,
    player: PlayerSlug,
    chosen: NamedDependency[ResultFilter],
) -> Response[Breakdown]:
    asked = PlayerFigures(league=league, player=player, chosen=chosen)
    return encoded_response(await services_of(request).answering.answer(asked), Breakdown)


async def _lines(
    request: Call, league: str, chosen: ResultFilter, after: PageStart | None, limit: int
) -> list[TableLine]:
    asked = TablePage(league=league, chosen=chosen, after=after, limit=limit)
    return (await services_of(request).answering.answer(asked)).read(list[TableLine])


async def _results(
    request: Call, league: str, chosen: ResultFilter, after: tuple[int, str], limit: int
) -> list[Result]:
    asked = ResultsPage(league=league, chosen=chosen, after=after, limit=limit)
    return (await services_of(request).answering.answer(asked)).read(list[Result])


def _cells(line: Statistics) -> Iterator[str | int | float | None]:
    for name in _PLAIN:
        each = getattr(line, name)
        yield int(each) if isinstance(each, bool) else each
    for kind, name in _POINTS:
        found: PointFigures | None = getattr(line.points, kind)
        yield None if found is None else getattr(found, name)


def _key(line: TableLine, place: int) -> str:
    return f"{place} {line.rank} {line.won} {line.rounds_won} {line.player}"


def _place(cursor: str | None) -> PageStart | None:
    parts = _parts(cursor, 5)
    if parts is None:
        return None
    *numbers, player = parts
    place, rank, won, rounds_won = map(int, numbers)
    return PageStart(place, rank, won, rounds_won, player)


def _parts(cursor: str | None, count: int) -> list[str] | None:
    """Return the `count` parts of a cursor: numbers, then a slug. Raises Refused (`malformed`)."""
    key = decode_cursor(cursor)
    if key is None:
        return None
    parts = key.split(" ")
    digits = len(str(MOST_VERSIONS))
    if len(parts) != count or not all(
        part.isdecimal() and part.isascii() and len(part) <= digits for part in parts[:-1]
    ):
        raise Refused("malformed", reason="cursor")
    return parts


ROUTES: list[HTTPRouteHandler] = [read_league_table, list_results, read_statistics]
