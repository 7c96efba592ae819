"""The ways into a league (`/`, `/join`), its page (`/l/{league}`), its administration (`…/admin`).

Without access to any league, `/` says how to get it. At `/join` a code is exchanged for a session
of this device. While there is no league, that session may open leagues. Without a network,
`/offline` is shown in place of any page, and leads to the pads of this phone. The page of a league
has running matches, the table, and links to everything else. Its administration has access and
devices, names, the export, and the signed checkpoint.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.handlers import HTTPRouteHandler
from litestar.params import Body, FromPath

from scorekeeper.ledger.integrity.checkpoints import Checkpoint, parse_checkpoint
from scorekeeper.ledger.integrity.signing import note_text
from scorekeeper.projections.scoreboard import Scoreboard, scoreboard
from scorekeeper.service.identity.access import Caller, Right, audience
from scorekeeper.service.identity.invitations import InvitationMadeView, InvitationMaking
from scorekeeper.service.refused import Refused
from scorekeeper.service.services import Services
from scorekeeper.service.standings.league_table import TableLine
from scorekeeper.service.streams import Role
from scorekeeper.store.matches import MatchFilter
from scorekeeper.store.standings import ResultFilter
from scorekeeper.web.match_titles import titles_of
from scorekeeper.web.page import (
    Live,
    PageRequest,
    address_of,
    callers_of,
    is_only_here,
    page,
    reader_of,
    services_of,
    slug_in,
)
from scorekeeper.web.people import names_in, people_in
from scorekeeper.web.pictures import qr_code

_MOST_LEAGUES = 200
"""Leagues on one page."""
_RUNNING = 12
_MATCHES = 12
_TOURNAMENTS = 5
_TABLE_LINES = 8

# More than can be in force at a time.
_MOST_INVITATIONS = 1_000


@get("/")
async def show_home(request: PageRequest) -> Response[bytes]:
    services = services_of(request)
    callers = await callers_of(request)
    me = await services.sessions.me(callers)
    leagues = [(each.league, each.name) for each in me.leagues]
    more = False
    if me.admin:
        after = slug_in(request, "after")
        found = await services.leagues.list(callers, after=after, limit=_MOST_LEAGUES + 1)
        leagues = [(each.league, each.name) for each in found[:_MOST_LEAGUES]]
        more = len(found) > _MOST_LEAGUES
    return page(
        request,
        "home.html",
        title="Scorekeeper",
        leagues=leagues,
        more=more,
        admin=me.admin,
        live=Live("home/page.js"),
    )


@get("/join")
async def show_join(request: PageRequest) -> Response[bytes]:
    services = services_of(request)
    first = not await services.leagues.any()
    me = await services.sessions.me(await callers_of(request))
    # A device has one session in a league. A code with a lesser role would replace an owner's
    # session, so the page warns of that.
    owned = [each.name for each in me.leagues if each.role == "owner"]
    return page(request, "join.html", first=first, owned=owned, live=Live("join/page.js"))


@get("/offline")
async def show_offline(request: PageRequest) -> Response[bytes]:
    return page(request, "offline.html", live=Live("offline/page.js"))


class _Running(msgspec.Struct, frozen=True):
    """An open match with its present scoreboard, and the rounds that each side has won."""

    match: str
    board: Scoreboard
    sides_won: Mapping[str, int]


@get("/l/{league:str}")
async def show_league(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    caller = await reader_of(request, league)
    services = services_of(request)
    known = await services.leagues.read(league)
    played, disputed = [
        await services.matches.latest_held(league, wanted, limit=_MATCHES)
        for wanted in (MatchFilter(played=True), MatchFilter(disputed=True))
    ]
    open_matches = await services.matches.going_on(league, _RUNNING)
    running = await _running(services, caller, league, open_matches.going_on)
    listed = [*open_matches.unreadable, *(each.match for each in running)]
    listed += [each.match for each in (*played, *disputed)]
    table = await services.league_table.page(league, ResultFilter(), after=None, limit=_TABLE_LINES)
    return page(
        request,
        "league.html",
        title=known.name,
        league=league,
        names=await names_in(services, league),
        titles=await titles_of(request, league, listed),
        running=running,
        unreadable=open_matches.unreadable,
        matches=played,
        disputed=disputed,
        table=table,
        rounds_decide=_rounds_decide(table),
        tournaments=await services.tournaments.list(league, before=None, limit=_TOURNAMENTS),
        may_record=caller.may(Right.RECORD),
        may_own=caller.may(Right.OWN),
    )


def _rounds_decide(table: Sequence[TableLine]) -> bool:
    """Return whether some have won as many matches as others and stand behind them nevertheless."""
    return any(one.won == other.won and one.rank < other.rank for one, other in pairwise(table))


async def _running(
    services: Services, caller: Caller, league: str, going_on: Sequence[str]
) -> list[_Running]:
    """Return the matches that are played now, as the caller may see them."""
    found: list[_Running] = []
    for match in going_on:
        folded = await services.reading.folded_for(audience(caller), league, match)
        board = scoreboard(folded.state, match=match, position=folded.position)
        found.append(_Running(match, board, folded.state.sides_won))
    return found


class Invite(msgspec.Struct, frozen=True):
    """The fields of the form for an invitation."""

    role: Role


@get("/l/{league:str}/admin")
async def show_admin(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    caller = await reader_of(request, league, Right.OWN)
    return await _admin_page(request, caller, league, made=None)


@post("/l/{league:str}/admin", status_code=200)
async def invite(
    request: PageRequest,
    league: FromPath[str],
    data: Annotated[Invite, Body(media_type=RequestEncodingType.URL_ENCODED)],
) -> Response[bytes]:
    caller = await reader_of(request, league, Right.OWN)
    address = address_of(request)
    outcome = await services_of(request).invitations.make(
        caller, league, InvitationMaking(role=data.role), address, None
    )
    made = msgspec.json.decode(outcome.body, type=InvitationMadeView)
    response = await _admin_page(request, caller, league, made=made)
    response.headers["cache-control"] = "no-store"
    return response


async def _admin_page(
    request: PageRequest, caller: Caller, league: str, *, made: InvitationMadeView | None
) -> Response[bytes]:
    services = services_of(request)
    devices = await services.tokens.in_force(league)
    return page(
        request,
        "admin.html",
        league=league,
        made=made,
        qr=None if made is None or made.url is None else qr_code(made.url),
        only_here=is_only_here(address_of(request)),
        devices=devices,
        own_token=caller.token_id,
        first_token=await services.tokens.first(league),
        last_entries=await services.tokens.last_entries(league, devices),
        people=await people_in(services, league),
        checkpoint=await _checkpoint(services, league),
        invitations=await services.invitations.list(league, after=None, limit=_MOST_INVITATIONS),
        live=Live("admin/page.js", {"league": league}),
    )


async def _checkpoint(services: Services, league: str) -> Checkpoint | None:
    """Return the checkpoint over all entries; None if the log doesn't extend a signed one."""
    try:
        note = await services.evidence.checkpoint(league)
    except Refused as error:
        if error.code != "log-forked":
            raise
        return None
    return parse_checkpoint(note_text(note))


ROUTES: list[HTTPRouteHandler] = [
    show_home,
    show_join,
    show_offline,
    show_league,
    show_admin,
    invite,
]
