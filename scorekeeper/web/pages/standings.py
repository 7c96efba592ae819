"""`/l/{league}/table` and `/l/{league}/players`: the table of a league, and how its players do.

Both can be limited to a season or some days, an edition, a number of players, and one other player
who took part. The table of a season can be printed and hung up. It also has how it came about,
head-to-heads, and the best rounds. A player's page says what the player won, against and beside
whom, and how well.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final
from urllib.parse import urlencode

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.match.events.opening import FEWEST_PLAYERS, MOST_PLAYERS
from scorekeeper.service.identity.access import Right
from scorekeeper.service.questions import PlayerFigures, SeasonFigures, TablePage
from scorekeeper.service.refused import not_found
from scorekeeper.service.services import Services
from scorekeeper.service.standings.league_table import Breakdown, TableLine
from scorekeeper.service.standings.season import Season
from scorekeeper.store.standings import ResultFilter
from scorekeeper.web.match_titles import edition_names, titles_of
from scorekeeper.web.page import (
    Live,
    PageRequest,
    language_of,
    page,
    path_of,
    reader_of,
    services_of,
    zone_of,
)
from scorekeeper.web.people import names_in
from scorekeeper.web.pictures import MOST_LINES, MOST_ROWS, PlotFigures, rating_plot

_SEATS: Final = tuple(range(FEWEST_PLAYERS, MOST_PLAYERS + 1))
_MOST_YEARS: Final = 30

_MOST_TABLE_LINES: Final = 500

_RATINGS: Final = 50
"""How many matches are in the plot and in the table beside it: the last ones."""


class SeasonLink(msgspec.Struct, frozen=True):
    """A link to a year; `year` is None for all years. `shown`: the page shows this year now."""

    year: int | None
    address: str
    shown: bool


class MatchSelection(msgspec.Struct, frozen=True):
    """Which matches were chosen, and what can be chosen.

    `year`: the year, if exactly a whole year was chosen. `more`: something other than a season was
    chosen.
    """

    chosen: ResultFilter
    year: int | None
    more: bool
    seasons: Sequence[SeasonLink]
    editions: Mapping[str, str]
    seats: Sequence[int]
    people: Mapping[str, str]


def choice_of(
    request: PageRequest, years: Sequence[int], names: Mapping[str, str], *, besides: str = ""
) -> MatchSelection:
    """Return which matches the address chooses, by the query parameters that the API has, too.

    `besides`: a player who is not offered as the other player. Raises Refused (`not-found`) for an
    invalid value: no link of ours leads there.
    """
    editions = edition_names(language_of(request))
    asked = {name: value for name, value in request.query_params.items() if value}
    chosen = ResultFilter(
        other=_among(asked.get("with"), names),
        since=_day(asked.get("from")),
        until=_day(asked.get("to")),
        seats=_seats(asked.get("seats")),
        edition=_among(asked.get("edition"), editions),
        zone=zone_of(request),
    )
    year = _year(chosen)
    others: dict[str, str] = {
        name: asked[name] for name in ("edition", "seats", "with") if name in asked
    }
    shown = [None, *sorted(years, reverse=True)[:_MOST_YEARS]]
    none = chosen.since is None and chosen.until is None
    return MatchSelection(
        chosen=chosen,
        year=year,
        more=bool(others) or not (none or year is not None),
        seasons=[
            SeasonLink(
                each,
                _address(path_of(request), {**_days_of(each), **others}),
                none if each is None else each == year,
            )
            for each in shown
        ],
        editions=editions,
        seats=_SEATS,
        people={player: name for player, name in names.items() if player != besides},
    )


def _address(path: str, query: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(query)}" if query else path


def _days_of(year: int | None) -> Mapping[str, str]:
    if year is None:
        return {}
    return {"from": f"{year:04}-01-01", "to": f"{year:04}-12-31"}


def _year(chosen: ResultFilter) -> int | None:
    """Return the year if the chosen days are exactly those of a whole year."""
    if chosen.since is None:
        return None
    year = date.fromisoformat(chosen.since).year
    return year if {"from": chosen.since, "to": chosen.until} == _days_of(year) else None


def _day(text: str | None) -> str | None:
    try:
        return None if text is None else date.fromisoformat(text).isoformat()
    except ValueError:
        raise not_found("address") from None


def _seats(text: str | None) -> int | None:
    if text is None:
        return None
    if text not in map(str, _SEATS):
        raise not_found("address")
    return int(text)


def _among(text: str | None, known: Mapping[str, str]) -> str | None:
    if text is not None and text not in known:
        raise not_found("address")
    return text


@get("/l/{league:str}/table")
async def show_table(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    caller = await reader_of(request, league)
    services = services_of(request)
    names = await names_in(services, league)
    choice = choice_of(request, await services.league_table.years(league, zone_of(request)), names)
    asked = TablePage(league=league, chosen=choice.chosen, after=None, limit=_MOST_TABLE_LINES)
    lines = (await services.answering.answer(asked)).read(list[TableLine])
    season = await _season(services, league, choice.chosen) if choice.year and lines else None
    wins = None if season is None else _wins(season)
    return page(
        request,
        "table.html",
        league=league,
        league_name=(await services.leagues.read(league)).name,
        names=names,
        choice=choice,
        lines=lines,
        season=season,
        wins=wins,
        titles=await _titles(request, league, season, wins),
        may_record=caller.may(Right.RECORD),
        width="wide",
        many_look=True,
    )


async def _season(services: Services, league: str, chosen: ResultFilter) -> Season:
    asked = SeasonFigures(league=league, chosen=chosen)
    return (await services.answering.answer(asked)).read(Season)


def _wins(season: Season) -> PlotFigures:
    """Return the figures of a season's plot.

    Of many people only the first are shown. Of many matches only each second, third and so on is
    shown, so that the last one is among them.
    """
    step = -(-len(season.wins) // MOST_ROWS)
    left_over = len(season.wins) % step
    rows = [
        (number, row[:MOST_LINES])
        for number, row in enumerate(season.wins, 1)
        if number % step == left_over
    ]
    return PlotFigures(season.people[:MOST_LINES], rows)


async def _titles(
    request: PageRequest, league: str, season: Season | None, wins: PlotFigures | None
) -> dict[str, str]:
    """Return the titles of all matches that the page of a season names."""
    if season is None or wins is None:
        return {}
    drawn = [season.matches[number - 1] for number, _ in wins.rows]
    named = dict.fromkeys([*drawn, *(each.match for each in season.best_rounds)])
    return await titles_of(request, league, named)


@get("/l/{league:str}/players")
async def show_players(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    caller = await reader_of(request, league)
    return page(
        request,
        "players.html",
        league=league,
        names=await names_in(services_of(request), league),
        may_record=caller.may(Right.RECORD),
        live=Live("players/page.js", {"league": league}),
    )


@get("/l/{league:str}/players/{player:str}")
async def show_player(
    request: PageRequest, league: FromPath[str], player: FromPath[str]
) -> Response[bytes]:
    caller = await reader_of(request, league)
    services = services_of(request)
    found, behind = await services.player_pages.read_with_lag(league, player)
    names = await names_in(services, league)
    years = await services.league_table.years(league, zone_of(request))
    choice = choice_of(request, years, names, besides=player)
    asked = PlayerFigures(league=league, player=player, chosen=choice.chosen)
    ratings = await services.ratings.recent(league, player, limit=_RATINGS)
    return page(
        request,
        "player.html",
        title=found.name or player,
        league=league,
        may_record=caller.may(Right.RECORD),
        player=found,
        names=names,
        choice=choice,
        figures=(await services.answering.answer(asked)).read(Breakdown),
        behind=behind,
        ratings=ratings,
        titles=await titles_of(request, league, [each.match for each in ratings]),
        cut=len(ratings) == _RATINGS,
        plot=rating_plot(
            found.name or player, [(each.mu, each.mu - each.ordinal) for each in ratings]
        ),
    )


ROUTES: list[HTTPRouteHandler] = [
    show_table,
    show_players,
    show_player,
]
