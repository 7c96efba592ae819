"""Tournaments with rotating partners: opening them, their events, and all readings of one."""

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from scorekeeper.api.document.components import APPENDING, OPENING, OPERATION
from scorekeeper.api.handler_context import (
    BY_ACCEPT,
    LANG,
    NAMES,
    PAGING,
    QUERY,
    RIGHT,
    After,
    Call,
    Cursor,
    Lang,
    LeagueSlug,
    Limit,
    NamesParameter,
    TournamentSlug,
    caller_of,
    command_response,
    idempotency_key_of,
    language_of,
    services_of,
    versioned_response,
    wants,
)
from scorekeeper.api.layers.representation import if_match_of
from scorekeeper.api.lists import (
    AS_CSV,
    CSV,
    csv_response,
    decode_number,
    encode_cursor,
    link,
    listing,
    log_page,
)
from scorekeeper.projections.board import Board
from scorekeeper.projections.scoreboard import Progress
from scorekeeper.service.identity.access import Right
from scorekeeper.service.questions import TournamentFigures
from scorekeeper.service.reading.tournaments import (
    TournamentAppendRequest,
    TournamentAppendView,
    TournamentItemView,
    TournamentOverview,
    TournamentRequest,
    TournamentStandingsView,
    TournamentView,
)
from scorekeeper.service.views import Listing, LogPage
from scorekeeper.tournament.schedule import Schedule

_COLUMNS = ("rank", "player", "total", "rounds", "round_wins")
_THE_ORDER = (
    "Everybody's own column, best first; champions once no table has a round left. "
    "`Accept: text/csv` answers all columns as CSV.\n\n"
    "The order goes by these, each where all before it are equal:\n\n"
    "1. Whoever withdrew stands behind all who did not.\n"
    "2. Whoever has played no round stands behind all who have.\n"
    "3. The total for each round played, the lowest first; the highest where the scoring mode has "
    "the highest win.\n"
    "4. Rounds won, as a share of those played: those in which the player's own hand was emptied, "
    "not a partner's.\n"
    "5. What the tied scored against each other for each round, ordered as the total; only where "
    "each of them has met all the others.\n"
    "6. The lots that were drawn among exactly those who are tied.\n\n"
    "Who is equal in all of these shares a rank, and is listed in the order of entry. Shares are "
    "exact and not rounded.\n\n"
    "A withdrawal abandons all open tables of who withdraws, for everybody at them: the rounds "
    "that ended there stay in the columns, the others are not played, and nobody sits in. Since "
    "everything counts for each round played, whoever lost rounds by it, or rested, is neither "
    "better nor worse off."
)


@post(
    "/v1/leagues/{league:str}/tournaments",
    operation_id="openTournament",
    summary="Open a tournament",
    description="The matches at all its tables are opened with it, with the seats and the dealer "
    "of each round; what is logged in them makes the standings.",
    tags=["tournaments"],
    opt={RIGHT: Right.RECORD, QUERY: LANG | NAMES, OPERATION: OPENING},
)
async def open_tournament(
    request: Call,
    league: LeagueSlug,
    data: JSONBody[TournamentRequest],
    lang: Lang = None,
    names: NamesParameter = None,
) -> Response[TournamentView]:
    language = language_of(request, lang)
    async with services_of(request).by_name.refusing(league, names, language):
        outcome, tournament = await services_of(request).tournament_openings.open(
            caller_of(request), league, data, await idempotency_key_of(request), language
        )
    location = f"/v1/leagues/{league}/tournaments/{tournament}"
    return command_response(outcome, TournamentView, location=location)


@get(
    "/v1/leagues/{league:str}/tournaments",
    operation_id="listTournaments",
    summary="List the tournaments, the latest opened first",
    description="Each with how it stands.",
    tags=["tournaments"],
    opt={RIGHT: Right.READ, QUERY: PAGING},
)
async def list_tournaments(
    request: Call, league: LeagueSlug, limit: Limit = 100, cursor: Cursor = None
) -> Response[Listing[TournamentItemView]]:
    page = await services_of(request).tournaments.list(
        league, before=decode_number(cursor), limit=limit + 1
    )
    return listing(request, page, limit, key=lambda each: str(each.position))


@get(
    "/v1/leagues/{league:str}/tournaments/{tournament:str}",
    operation_id="readTournament",
    summary="Read a tournament",
    description="How it stands, and its schedule.",
    tags=["tournaments"],
    opt={RIGHT: Right.READ},
)
async def read_tournament(
    request: Call, league: LeagueSlug, tournament: TournamentSlug
) -> Response[TournamentView]:
    view = await services_of(request).tournaments.view(league, tournament)
    # A tournament becomes complete through its matches. Its own version stays the same.
    return versioned_response(view, f"{view.version}-{view.status}")


@get(
    "/v1/leagues/{league:str}/tournaments/{tournament:str}/schedule",
    operation_id="readSchedule",
    summary="Read who plays when, where and with whom",
    description="Segment by segment: the tables, their teams and matches, the seats and the "
    "dealer of each round, and who rests.",
    tags=["tournaments"],
    opt={RIGHT: Right.READ},
)
async def read_schedule(request: Call, league: LeagueSlug, tournament: TournamentSlug) -> Schedule:
    view = await services_of(request).tournaments.view(league, tournament)
    return Schedule(segments=view.segments)


@get(
    "/v1/leagues/{league:str}/tournaments/{tournament:str}/standings",
    operation_id="readStandings",
    summary="Read the standings",
    description=_THE_ORDER,
    tags=["tournaments"],
    opt={RIGHT: Right.READ, QUERY: PAGING, OPERATION: AS_CSV},
)
async def read_standings(
    request: Call,
    league: LeagueSlug,
    tournament: TournamentSlug,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response[TournamentStandingsView] | Response[bytes]:
    found = (await _overview(request, league, tournament)).standings
    if wants(request, CSV):
        return await csv_response(
            _COLUMNS, ([getattr(each, name) for name in _COLUMNS] for each in found.items)
        )
    first = decode_number(cursor) or 0
    more = len(found.items) > first + limit
    onward = encode_cursor(str(first + limit)) if more else None
    view = TournamentStandingsView(
        items=found.items[first : first + limit],
        complete=found.complete,
        champions=found.champions,
        tied=found.tied,
        next=onward,
    )
    return Response(view, headers={"link": link(request, onward), **BY_ACCEPT})


@get(
    "/v1/leagues/{league:str}/tournaments/{tournament:str}/board",
    operation_id="readBoard",
    summary="Read the tables that are played now, with seats and scores",
    description="The earliest segment with a table that is not over, else the last one that was "
    "played: its tables with the seats as they are in the running round, between rounds in the "
    "next, who rests, and what comes then.",
    tags=["tournaments"],
    opt={RIGHT: Right.READ},
)
async def read_board(request: Call, league: LeagueSlug, tournament: TournamentSlug) -> Board:
    return await services_of(request).tournaments.board(league, tournament)


@get(
    "/v1/leagues/{league:str}/tournaments/{tournament:str}/progress",
    operation_id="readTournamentProgress",
    summary="Read the columns round by round",
    description="For a plot: row k has everybody's total after the k-th of their own rounds that "
    "counted, null where there was none yet, as the matches at the tables are read now.",
    tags=["tournaments"],
    opt={RIGHT: Right.READ},
)
async def read_tournament_progress(
    request: Call, league: LeagueSlug, tournament: TournamentSlug
) -> Progress:
    return (await _overview(request, league, tournament)).progress


@post(
    "/v1/leagues/{league:str}/tournaments/{tournament:str}/events",
    operation_id="appendTournamentEvents",
    summary="Append events of a tournament",
    description="Somebody sits in or withdraws, lots are drawn, it is closed. All or nothing. Open "
    "tables of who withdraws are abandoned; `…/standings` describes what that does to them.",
    tags=["tournaments"],
    opt={RIGHT: Right.RECORD, QUERY: LANG | NAMES, OPERATION: APPENDING},
)
async def append_tournament_events(
    request: Call,
    league: LeagueSlug,
    tournament: TournamentSlug,
    data: JSONBody[TournamentAppendRequest],
    lang: Lang = None,
    names: NamesParameter = None,
) -> Response[TournamentAppendView]:
    language = language_of(request, lang)
    condition = if_match_of(request.scope)
    async with services_of(request).by_name.refusing(league, names, language):
        outcome = await services_of(request).tournament_recording.record(
            caller_of(request),
            league,
            tournament,
            data.events,
            expected=None if condition is None else condition.versions,
            key=await idempotency_key_of(request),
            language=language,
        )
    return command_response(outcome, TournamentAppendView)


@get(
    "/v1/leagues/{league:str}/tournaments/{tournament:str}/events",
    operation_id="listTournamentEvents",
    summary="Read a tournament's own log, oldest first",
    description="What happened at its tables stands in their matches.",
    tags=["tournaments"],
    opt={RIGHT: Right.READ, QUERY: PAGING | {"after"}},
)
async def list_tournament_events(
    request: Call,
    league: LeagueSlug,
    tournament: TournamentSlug,
    after: After = 0,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response[LogPage]:
    after = decode_number(cursor) or after
    page, more = await services_of(request).tournaments.log(league, tournament, after, limit)
    return await log_page(request, league, page, limit, more=more)


async def _overview(request: Call, league: str, tournament: str) -> TournamentOverview:
    asked = TournamentFigures(league=league, tournament=tournament)
    return (await services_of(request).answering.answer(asked)).read(TournamentOverview)


ROUTES: list[HTTPRouteHandler] = [
    open_tournament,
    list_tournaments,
    read_tournament,
    read_schedule,
    read_standings,
    read_board,
    read_tournament_progress,
    append_tournament_events,
    list_tournament_events,
]
