"""`/l/{league}/table`: the league's table by season, days, edition, seats and company.

That of a season has more, and can be hung up: how it came about, head-to-heads, the best rounds.
"""

from typing import Final

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.service.questions import SeasonFigures, TablePage
from scorekeeper.service.services import Services
from scorekeeper.service.standings.league_table import TableLine
from scorekeeper.service.standings.season import Season
from scorekeeper.store.standings import Chosen
from scorekeeper.web.choice import choice_of
from scorekeeper.web.page import PageRequest, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of

_MOST_LINES: Final = 500
_MOST_DRAWN: Final = 8
"""Lines of a plot that can still be told apart."""
_MOST_POINTS: Final = 40
_read_lines = msgspec.json.Decoder(list[TableLine]).decode
_read_season = msgspec.json.Decoder(Season).decode


class _Wins(msgspec.Struct, frozen=True):
    """A plot's figures: the columns, and rows, each with the number of its match."""

    columns: tuple[str, ...]
    rows: list[tuple[int, tuple[int, ...]]]


@get("/l/{league:str}/table")
async def show_table(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    await reader_of(request, league)
    services = services_of(request)
    names = await names_in(services, league)
    choice = choice_of(request, await services.league_table.years(league), names)
    asked = TablePage(league=league, chosen=choice.chosen, after=None, limit=_MOST_LINES)
    lines = _read_lines((await services.answering.answer(asked)).body)
    season = await _season(services, league, choice.chosen) if choice.year and lines else None
    wins = None if season is None else _wins(season)
    return page(
        request,
        "table.html",
        title="",
        league=league,
        league_name=(await services.leagues.read(league)).name,
        names=names,
        choice=choice,
        lines=lines,
        season=season,
        wins=wins,
        width="wide",
        many_look=True,
    )


async def _season(services: Services, league: str, chosen: Chosen) -> Season:
    asked = SeasonFigures(league=league, chosen=chosen)
    return _read_season((await services.answering.answer(asked)).body)


def _wins(season: Season) -> _Wins:
    """Of many people the first; of many matches each second, third and so on, up to the last."""
    step = -(-len(season.wins) // _MOST_POINTS)
    left_over = len(season.wins) % step
    rows = [
        (number, row[:_MOST_DRAWN])
        for number, row in enumerate(season.wins, 1)
        if number % step == left_over
    ]
    return _Wins(season.people[:_MOST_DRAWN], rows)


ROUTES: list[HTTPRouteHandler] = [show_table]
