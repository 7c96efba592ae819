"""`/l/{league}/players/{player}`: what somebody won, against and beside whom, and how well."""

from typing import Final

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.service.questions import PlayerFigures
from scorekeeper.service.standings.league_table import Breakdown
from scorekeeper.web.choice import choice_of
from scorekeeper.web.page import PageRequest, page
from scorekeeper.web.people import names_in
from scorekeeper.web.plots import rating_plot
from scorekeeper.web.reader import reader_of, services_of

_RATINGS: Final = 50
"""So many matches are in the plot and in the table beside it, the last ones."""
_read_breakdown = msgspec.json.Decoder(Breakdown).decode


@get("/l/{league:str}/players/{player:str}")
async def show_player(
    request: PageRequest, league: FromPath[str], player: FromPath[str]
) -> Response[bytes]:
    await reader_of(request, league)
    services = services_of(request)
    found, behind = await services.player_pages.read_with_lag(league, player)
    names = await names_in(services, league)
    years = await services.league_table.years(league)
    choice = choice_of(request, years, names, besides=player)
    asked = PlayerFigures(league=league, player=player, chosen=choice.chosen)
    ratings = await services.ratings.recent(league, player, limit=_RATINGS)
    return page(
        request,
        "player.html",
        title=found.name or player,
        league=league,
        player=found,
        names=names,
        choice=choice,
        figures=_read_breakdown((await services.answering.answer(asked)).body),
        behind=behind,
        ratings=ratings,
        cut=len(ratings) == _RATINGS,
        plot=rating_plot(
            found.name or player, [(each.mu, each.mu - each.ordinal) for each in ratings]
        ),
    )


ROUTES: list[HTTPRouteHandler] = [show_player]
