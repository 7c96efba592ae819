"""`/l/{league}/m/{match}/pad`, a round in two taps and the cards, and `…/cards`, card by card."""

from typing import Any

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.service.access import Right
from scorekeeper.service.audience import audience
from scorekeeper.service.booklets import edition_view
from scorekeeper.texts.language import Language
from scorekeeper.web.page import Call, Live, language_of, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of


@get("/l/{league:str}/m/{match:str}/pad")
async def show_pad(request: Call, league: FromPath[str], match: FromPath[str]) -> Response[bytes]:
    return await _recording(request, league, match, "pad/page.js")


@get("/l/{league:str}/m/{match:str}/cards")
async def show_cards(request: Call, league: FromPath[str], match: FromPath[str]) -> Response[bytes]:
    return await _recording(request, league, match, "cards/page.js")


async def _recording(request: Call, league: str, match: str, module: str) -> Response[bytes]:
    caller = await reader_of(request, league, Right.RECORD)
    services = services_of(request)
    _, board = await services.reading.scoreboard(audience(caller), league, match, None)
    names = await names_in(services, league)
    given = {
        "key": f"/v1/leagues/{league}/matches/{match}",
        "board": msgspec.to_builtins(board),
        "names": {player: names.get(player, player) for player in board.players},
        "edition": _box_of(board, language_of(request)),
    }
    return page(
        request,
        "pad.html",
        title=match,
        league=league,
        match=match,
        board=board,
        names=names,
        live=Live(module, given),
    )


def _box_of(board: Scoreboard, language: Language) -> dict[str, Any]:
    """What a page needs of the edition: the cards, their points and names."""
    booklet = edition_view(board.edition, language)
    return {
        "edition": booklet.edition,
        "deck": booklet.deck,
        "points": booklet.points,
        "names": msgspec.to_builtins(booklet.names),
    }


ROUTES: list[HTTPRouteHandler] = [show_pad, show_cards]
