"""`/l/{league}/t` and below: the tournaments of a league, a form for a new one, a page for each.

Sending the form by GET shows its schedule: who would sit where and with whom. Nothing is written
before "Open tournament", which is a request of the page's script to the API.

The page of a tournament has standings, schedule, matrices, and the organiser's forms. It stays
small for any number of players: if there are many, the schedule comes in parts, and each matrix is
a page of its own. Still it takes long enough to be written on a thread.
"""

import asyncio
from collections.abc import Mapping
from functools import cache, partial
from itertools import chain
from typing import Any, Final

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.rules.edition import Variant
from scorekeeper.service.booklets import edition_summaries
from scorekeeper.service.identity.access import Right
from scorekeeper.service.reading.tournaments import TournamentOverview, TournamentView
from scorekeeper.texts.language import CONVENTIONS, Language
from scorekeeper.tournament.events import MOST_CYCLES, MOST_ROUNDS_PER_PARTNER
from scorekeeper.tournament.schedule import (
    DESIGNS,
    ROUNDS_OF_A_PATTERN,
    ScheduledSegment,
    ScheduledTable,
    cycle,
    nearest,
    schedule,
)
from scorekeeper.tournament.standings import Standing
from scorekeeper.tournament.tournament import DEFAULT_MODE, mode_of
from scorekeeper.web.house_rules import checked_with, house_rules_in_force, offered
from scorekeeper.web.match_titles import edition_names
from scorekeeper.web.page import (
    OPENING,
    Live,
    PageRequest,
    language_of,
    number_in,
    page,
    reader_of,
    services_of,
)
from scorekeeper.web.pages.match import last_match
from scorekeeper.web.people import called, names_in
from scorekeeper.web.pictures import MOST_LINES, MOST_ROWS, PlotFigures
from scorekeeper.web.tournament_on_page import abandoned_for, still_playing, tournament_on_page

_MOST_TOURNAMENTS = 200
"""Tournaments on one page."""

_MODES: Final = (DEFAULT_MODE, "winner-collects")
"""The scoring modes in which partners score together over any number of rounds."""
_FORM: Final = "name"
"""A field that the query has only if the form was sent."""
_HOUSE: Final = "house."

_MOST_IN_A_MATRIX: Final = 13
"""Players whose matrices stand on the page itself."""
_MOST_TABLES: Final = 60
"""Tables of the schedule on one page; a segment is never split."""


@get("/l/{league:str}/t")
async def show_tournaments(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    caller = await reader_of(request, league)
    found = await services_of(request).tournaments.list(
        league, before=number_in(request, "before"), limit=_MOST_TOURNAMENTS + 1
    )
    return page(
        request,
        "tournaments/list.html",
        league=league,
        tournaments=found[:_MOST_TOURNAMENTS],
        more=len(found) > _MOST_TOURNAMENTS,
        may_record=caller.may(Right.RECORD),
    )


class _Asked(msgspec.Struct, frozen=True):
    """The form as it was sent; `added`: names typed in, one a line."""

    name: str
    players: list[str]
    added: list[str]
    edition: str
    mode: str
    rounds: str
    cycles: str
    house_rules: Mapping[str, Variant]


async def _new_tournament(request: PageRequest, league: str) -> Response[bytes]:
    """Return the form. Raises Refused, also for viewers (`forbidden`)."""
    caller = await reader_of(request, league, Right.RECORD)
    services = services_of(request)
    names = await names_in(services, league)
    last = None if _FORM in request.query_params else await last_match(services, caller, league)
    asked = _asked(request, names, last)
    people = [*(names[player] for player in asked.players), *asked.added]
    return page(
        request,
        "tournaments/new.html",
        league=league,
        names=names,
        too_few=len(names) < min(DESIGNS),
        editions=edition_summaries(language_of(request)),
        modes=_MODES,
        rounds=range(ROUNDS_OF_A_PATTERN, MOST_ROUNDS_PER_PARTNER + 1, ROUNDS_OF_A_PATTERN),
        cycles=range(1, MOST_CYCLES + 1),
        asked=asked,
        offered=offered(language_of(request)),
        number=len(people),
        size=_sizes().get(len(people)),
        nearest=_nearest(len(people), language_of(request)),
        laid_out=_laid_out(len(people)),
        name=partial(called, names={str(number): name for number, name in enumerate(people)}),
        live=Live(
            "tournament/new.js", {"league": league, "sizes": _sizes(), "house": checked_with()}
        ),
    )


def _asked(request: PageRequest, names: Mapping[str, str], last: Scoreboard | None) -> _Asked:
    """Read the form. `last`: the match whose edition and house rules an unsent form begins with."""
    fields = request.query_params
    typed = fields.get("added", "").splitlines()
    return _Asked(
        name=fields.get("name", ""),
        players=[player for player in names if player in fields.getall("players", [])],
        added=[name for each in typed if (name := each.strip())],
        edition=fields.get("edition", "" if last is None else last.edition),
        mode=fields.get("mode", DEFAULT_MODE),
        rounds=fields.get("rounds", str(ROUNDS_OF_A_PATTERN)),
        cycles=fields.get("cycles", "1"),
        house_rules=_house_rules(fields) if last is None else last.house_rules,
    )


def _house_rules(fields: Mapping[str, str]) -> Mapping[str, Variant]:
    return {
        name.removeprefix(_HOUSE): variant
        for name, variant in fields.items()
        if name.startswith(_HOUSE) and variant
    }


@cache
def _sizes() -> Mapping[int, tuple[int, int]]:
    """Return, by number of players, how many segments a cycle has, and its most tables at once."""
    return {
        players: (len(segments), max(len(pairings) for pairings in segments))
        for players in DESIGNS
        for segments in [cycle(players)]
    }


def _nearest(players: int, language: Language) -> str:
    """Return the next smaller and larger number that works; "" if there is no smaller or larger."""
    found = nearest(players)
    return CONVENTIONS[language].comma.join(map(str, found)) if len(found) > 1 else ""


def _laid_out(players: int) -> tuple[ScheduledSegment, ...]:
    """Return one cycle of a schedule. Players are called by their order of entry, from 0."""
    if players not in DESIGNS:
        return ()
    people = [str(number) for number in range(players)]
    return schedule("", people, rounds_per_partner=ROUNDS_OF_A_PATTERN, cycles=1).segments


@get("/l/{league:str}/t/{tournament:str}")
async def show_form_or_tournament(
    request: PageRequest, league: FromPath[str], tournament: FromPath[str]
) -> Response[bytes]:
    """Show the form for a new tournament, or the page of a tournament.

    A separate route for the form would hide all pages of a tournament with its slug.
    """
    if tournament == OPENING:
        return await _new_tournament(request, league)
    return await _tournament(request, league, tournament)


@get("/l/{league:str}/t/{tournament:str}/standings")
async def show_tournament(
    request: PageRequest, league: FromPath[str], tournament: FromPath[str]
) -> Response[bytes]:
    return await _tournament(request, league, tournament)


async def _tournament(request: PageRequest, league: str, tournament: str) -> Response[bytes]:
    shown = await tournament_on_page(request, league, tournament)
    found, names = shown.overview, shown.names
    view = found.view
    may_record = shown.reader.may(Right.RECORD)
    around: dict[str, Any] = {
        "title": view.name,
        "league": league,
        "width": "wide",
        "tournament": view,
        "names": names,
        "many_look": True,
    }
    matrix = request.query_params.get("matrix")
    if matrix in ("partners", "opponents"):
        rows = _in_entry_order(found)
        return await asyncio.to_thread(
            page, request, "tournaments/matrix.html", matrix=matrix, rows=rows, **around
        )
    given = {"league": league, "tournament": tournament}
    return await asyncio.to_thread(
        page,
        request,
        "tournaments/tournament.html",
        **around,
        **_part_of_the_schedule(found, number_in(request, "from")),
        edition=edition_names(language_of(request))[view.edition],
        mode=mode_of(view.scoring),
        house_rules=house_rules_in_force(view, language_of(request)),
        standings=found.standings,
        rows=_in_entry_order(found),
        small=len(view.players) <= _MOST_IN_A_MATRIX,
        results=found.results,
        lots=found.lots,
        behind=_behind(found),
        abandoned_for=abandoned_for(found),
        reasons=found.reasons,
        closing_reason=found.closing_reason,
        figures=_figures(found),
        may_record=may_record,
        playing=_playing(found),
        free=_free(view, names),
        live=Live("tournament/page.js", given) if may_record else None,
    )


def _in_entry_order(found: TournamentOverview) -> list[Standing]:
    columns = {each.player: each for each in found.standings.items}
    return [columns[player] for player in found.view.players]


def _part_of_the_schedule(found: TournamentOverview, asked: int | None) -> dict[str, Any]:
    """Return the part that holds the segment asked for, or else the segment being played."""
    segments = found.view.segments
    most = max(1, _MOST_TABLES // max(len(each.tables) for each in segments))
    firsts = range(1, len(segments) + 1, most)
    number = found.segment if asked is None or not 1 <= asked <= len(segments) else asked
    first = max(each for each in firsts if each <= number)
    return {
        "segments": segments[first - 1 : first - 1 + most],
        "first": first,
        "parts": [(each, min(each + most - 1, len(segments))) for each in firsts],
    }


def _figures(found: TournamentOverview) -> PlotFigures:
    """Return the figures of the plot: everybody's totals, or of many players the leaders'.

    If there are many rounds, only the totals after the last round with each partner are shown.
    """
    progress = found.progress
    everybody = len(progress.columns) <= _MOST_IN_A_MATRIX
    leaders = tuple(each.player for each in found.standings.items[:MOST_LINES])
    columns = progress.columns if everybody else leaders
    step = found.view.rounds_per_partner if len(progress.rounds) > MOST_ROWS else 1
    at = [progress.columns.index(player) for player in columns]
    rows = [
        (number, tuple(row[each] for each in at))
        for number, row in enumerate(progress.rounds, start=1)
        if number % step == 0
    ]
    return PlotFigures(columns, rows)


class _Behind(msgspec.Struct, frozen=True, kw_only=True):
    """Tables that are open although others go on or nothing more is played, with their segments.

    `again`: they had been abandoned, and were opened again.
    """

    again: bool
    tables: list[tuple[int, ScheduledTable]]


def _behind(found: TournamentOverview) -> _Behind | None:
    """Return the tables that hold up the end: those opened again, else those of an earlier segment.

    Return None if nothing but the segment that is played is left.
    """
    view, results = found.view, found.results
    left = [
        (segment.segment, table)
        for segment in view.segments
        for table in segment.tables
        if results[table.match].status == "open"
    ]
    gone = {*(view.players if view.status == "closed" else view.withdrawn)}
    again = [each for each in left if not gone.isdisjoint(chain(*each[1].teams))]
    if again:
        return _Behind(again=True, tables=again)
    latest = max((each.segment for each in view.segments if _is_begun(each, found)), default=0)
    earlier = [each for each in left if each[0] < latest]
    return _Behind(again=False, tables=earlier) if earlier else None


def _is_begun(segment: ScheduledSegment, found: TournamentOverview) -> bool:
    return any(found.results[table.match].rounds for table in segment.tables)


def _playing(found: TournamentOverview) -> list[str]:
    """Return the players who have a table left. The others may go home without withdrawing."""
    left = still_playing(found) - {*found.view.withdrawn}
    return [player for player in found.view.players if player in left]


def _free(tournament: TournamentView, names: dict[str, str]) -> list[str]:
    """Return who could sit in for a player."""
    taken = {*tournament.players, *tournament.substitutes.values()}
    return [player for player in names if player not in taken]


ROUTES: list[HTTPRouteHandler] = [
    show_tournaments,
    show_form_or_tournament,
    show_tournament,
]
