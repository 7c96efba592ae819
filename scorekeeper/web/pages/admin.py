"""`/l/{league}/admin`: access and devices, names, the export, and what was signed."""

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.handlers import HTTPRouteHandler
from litestar.params import Body, FromPath

from scorekeeper.ledger.integrity.checkpoints import Checkpoint, parse_checkpoint
from scorekeeper.ledger.integrity.signing import note_text
from scorekeeper.service.identity.access import Right
from scorekeeper.service.identity.invitations import InvitationMadeView, InvitationMaking
from scorekeeper.service.refused import Refused
from scorekeeper.service.services import Services
from scorekeeper.service.streams import Role
from scorekeeper.web.page import Live, PageRequest, page
from scorekeeper.web.qr_code import qr_code
from scorekeeper.web.reader import address_of, reader_of, services_of

_MOST = 1_000


class Invite(msgspec.Struct, frozen=True):
    """What the form asks for."""

    role: Role


@get("/l/{league:str}/admin")
async def show_admin(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    await reader_of(request, league, Right.OWN)
    return await _page(request, league, made=None)


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
    response = await _page(request, league, made=made)
    response.headers["cache-control"] = "no-store"
    return response


async def _page(
    request: PageRequest, league: str, *, made: InvitationMadeView | None
) -> Response[bytes]:
    services = services_of(request)
    devices = await services.tokens.list(league, after=None, limit=_MOST)
    return page(
        request,
        "admin.html",
        title="",
        league=league,
        made=made,
        qr=None if made is None or made.url is None else qr_code(made.url),
        devices=devices,
        last_entries=await services.tokens.last_entries(league, devices),
        people=await services.players.list(league, after=None, limit=_MOST),
        checkpoint=await _checkpoint(services, league),
        invitations=await services.invitations.list(league, after=None, limit=_MOST),
        live=Live("admin/page.js", {"league": league}),
    )


async def _checkpoint(services: Services, league: str) -> Checkpoint | None:
    """The one over all entries; None where the log does not extend what was signed of it."""
    try:
        note = await services.evidence.checkpoint(league)
    except Refused as error:
        if error.code != "log-forked":
            raise
        return None
    return parse_checkpoint(note_text(note))


ROUTES: list[HTTPRouteHandler] = [show_admin, invite]
