"""Matches: opening them, and all readings of one."""

from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from scorekeeper.api.document.components import OPENING, OPERATION
from scorekeeper.api.handler_context import (
    AT,
    BY_ACCEPT,
    LANG,
    NAMES,
    PAGING,
    QUERY,
    RIGHT,
    After,
    AtParameter,
    Call,
    Cursor,
    From,
    Lang,
    LeagueSlug,
    Limit,
    MatchSlug,
    NamesParameter,
    RoundNumber,
    To,
    audience_of,
    caller_of,
    command_response,
    idempotency_key_of,
    language_of,
    services_of,
    versioned_response,
    wants,
)
from scorekeeper.api.lists import decode_number, listing, log_page
from scorekeeper.match.events.fields import SLUG
from scorekeeper.projections.scoreboard import Progress, RoundView, Scoreboard
from scorekeeper.service.identity.access import Right
from scorekeeper.service.reading.match_request import MatchRequest, StatusFilter
from scorekeeper.service.refused import not_found
from scorekeeper.service.views import AppendView, EntryView, HandsView, Listing, LogPage, MatchView
from scorekeeper.store.matches import MatchFilter

NDJSON = "application/x-ndjson"
_AS_NDJSON = {"responses": {"200": {"content": {NDJSON: {"schema": {"type": "string"}}}}}}

_encode = msgspec.json.Encoder().encode


@post(
    "/v1/leagues/{league:str}/matches",
    operation_id="openMatch",
    summary="Open a match",
    description="Optional `events` are appended in the same request, all or nothing.",
    tags=["matches"],
    opt={RIGHT: Right.RECORD, QUERY: LANG | NAMES, OPERATION: OPENING},
)
async def open_match(
    request: Call,
    league: LeagueSlug,
    data: JSONBody[MatchRequest],
    lang: Lang = None,
    names: NamesParameter = None,
) -> Response[AppendView]:
    services, language = services_of(request), language_of(request, lang)
    async with services.by_name.refusing(league, names, language):
        outcome, match = await services.matches.open(
            caller_of(request), league, data, await idempotency_key_of(request), language
        )
    outcome = await services.by_name.answer(league, match, outcome, names, language)
    return command_response(outcome, AppendView, location=f"/v1/leagues/{league}/matches/{match}")


@get(
    "/v1/leagues/{league:str}/matches",
    operation_id="listMatches",
    summary="List the matches, the latest opened first",
    description="The status, a player, an edition or the days on which they were held narrow the "
    "list down.",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: PAGING | {"status", "player", "edition", "from", "to"}},
)
async def list_matches(
    request: Call,
    league: LeagueSlug,
    status: Annotated[StatusFilter | None, QueryParameter(description="How it stands.")] = None,
    player: Annotated[
        str | None,
        QueryParameter(
            pattern=SLUG, description="Who sits at the table, or sat in there for somebody."
        ),
    ] = None,
    edition: Annotated[
        str | None, QueryParameter(pattern=SLUG, description="What is played.")
    ] = None,
    since: From = None,
    until: To = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response[Listing[MatchView]]:
    chosen = MatchFilter(
        status=status,
        player=player,
        edition=edition,
        since=None if since is None else since.isoformat(),
        until=None if until is None else until.isoformat(),
    )
    page = await services_of(request).matches.list(
        league, chosen, before=decode_number(cursor), limit=limit + 1
    )
    return listing(request, page, limit, key=lambda match: str(match.position))


@get(
    "/v1/leagues/{league:str}/matches/{match:str}",
    operation_id="readScoreboard",
    summary="Read the scoreboard",
    description="As it stands, or as it stood after any past version.",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: AT},
)
async def read_scoreboard(
    request: Call, league: LeagueSlug, match: MatchSlug, at: AtParameter = None
) -> Response[Scoreboard]:
    tag, board = await services_of(request).reading.scoreboard(
        audience_of(request), league, match, at
    )
    return versioned_response(board, tag)


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/hands",
    operation_id="readHands",
    summary="Read the hands of the round in progress, or of the last one ended",
    description="Cards that are known, and how many more there are; null where nobody told. Of a "
    "round in progress viewers get the cards that the table has seen.",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: AT},
)
async def read_hands(
    request: Call, league: LeagueSlug, match: MatchSlug, at: AtParameter = None
) -> Response[HandsView]:
    tag, view = await services_of(request).reading.hands(audience_of(request), league, match, at)
    return versioned_response(view, tag)


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/rounds",
    operation_id="listRounds",
    summary="List the rounds",
    description="Each round begun: dealer, winners, the hands at its end, and their scores. There "
    "are no texts among them, so that `names` changes nothing.",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: AT | NAMES | PAGING},
)
async def list_rounds(
    request: Call,
    league: LeagueSlug,
    match: MatchSlug,
    at: AtParameter = None,
    names: NamesParameter = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response[Listing[RoundView]]:
    del names
    tag, found = await services_of(request).reading.rounds(audience_of(request), league, match, at)
    after = decode_number(cursor) or 0
    page = [view for view in found if view.round > after][: limit + 1]
    answer = listing(request, page, limit, key=lambda view: str(view.round))
    answer.headers["etag"] = f'"{tag}"'
    return answer


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/rounds/{number:int}",
    operation_id="readRound",
    summary="Read one round",
    description="Its dealer, its winners, the hands at its end, and what they scored. There are no "
    "texts among them, so that `names` changes nothing.",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: AT | NAMES},
)
async def read_round(
    request: Call,
    league: LeagueSlug,
    match: MatchSlug,
    number: RoundNumber,
    at: AtParameter = None,
    names: NamesParameter = None,
) -> Response[RoundView]:
    del names
    tag, found = await services_of(request).reading.rounds(audience_of(request), league, match, at)
    for view in found:
        if view.round == number:
            return versioned_response(view, tag)
    raise not_found("round")


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/progress",
    operation_id="readProgress",
    summary="Read the totals round by round",
    description="For a plot: row k has everybody's total after the k-th of their own rounds that "
    "counted, null where there was none yet. Amendments are followed.",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: AT},
)
async def read_progress(
    request: Call, league: LeagueSlug, match: MatchSlug, at: AtParameter = None
) -> Response[Progress]:
    tag, found = await services_of(request).reading.progress(
        audience_of(request), league, match, at
    )
    return versioned_response(found, tag)


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/events",
    operation_id="listEvents",
    summary="Read the log, oldest first",
    description="With `Accept: application/x-ndjson` the log is streamed, a line an entry and "
    "without `recorders`: all of it where no `limit` is named.",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: PAGING | {"after"}, OPERATION: _AS_NDJSON},
)
async def list_events(
    request: Call,
    league: LeagueSlug,
    match: MatchSlug,
    after: After = 0,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response[LogPage] | Stream:
    reading = services_of(request).reading
    after = decode_number(cursor) or after
    if wants(request, NDJSON):
        await reading.folded(league, match)
        most = limit if "limit" in request.query_params else None
        log = reading.stream_log(audience_of(request), league, match, after, most)
        return Stream(_lines(log), media_type=NDJSON, headers=BY_ACCEPT)
    page, more = await reading.log(audience_of(request), league, match, after, limit)
    answer = await log_page(request, league, page, limit, more=more)
    answer.headers.update(BY_ACCEPT)
    return answer


async def _lines(entries: AsyncIterator[EntryView]) -> AsyncIterator[bytes]:
    async for entry in entries:
        yield _encode(entry) + b"\n"


ROUTES: list[HTTPRouteHandler] = [
    open_match,
    list_matches,
    read_scoreboard,
    read_hands,
    list_rounds,
    read_round,
    read_progress,
    list_events,
]
