"""`/l/{league}/m/{match}/pad`: record rounds as tallies; `…/cards`: record them card by card."""

from collections.abc import Sequence
from typing import Any

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.service.booklets import edition_view
from scorekeeper.service.identity.access import Right, audience
from scorekeeper.texts.language import Language
from scorekeeper.web.card_calls import card_calls
from scorekeeper.web.house_rules import RuleInForce, in_force
from scorekeeper.web.page import Live, PageRequest, language_of, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of


@get("/l/{league:str}/m/{match:str}/pad")
async def show_pad(
    request: PageRequest, league: FromPath[str], match: FromPath[str]
) -> Response[bytes]:
    board, names = await _standing(request, league, match)
    given = {
        "names": {player: names.get(player, player) for player in board.players},
        "edition": _box_of(board, language_of(request)),
    }
    return _recording(request, league, board, names, "pad/page.js", given)


@get("/l/{league:str}/m/{match:str}/cards")
async def show_cards(
    request: PageRequest, league: FromPath[str], match: FromPath[str]
) -> Response[bytes]:
    board, names = await _standing(request, league, match)
    edition = _box_of(board, language_of(request)) | card_calls(board)
    given = {"names": names, "edition": edition}
    house_rules = in_force(board, language_of(request))
    return _recording(request, league, board, names, "cards/page.js", given, house_rules)


async def _standing(
    request: PageRequest, league: str, match: str
) -> tuple[Scoreboard, dict[str, str]]:
    caller = await reader_of(request, league, Right.RECORD)
    services = services_of(request)
    _, board = await services.reading.scoreboard(audience(caller), league, match, None)
    return board, await names_in(services, league)


def _recording(
    request: PageRequest,
    league: str,
    board: Scoreboard,
    names: dict[str, str],
    module: str,
    given: dict[str, Any],
    house_rules: Sequence[RuleInForce] = (),
) -> Response[bytes]:
    shared = {
        "key": f"/v1/leagues/{league}/matches/{board.match}",
        "board": msgspec.to_builtins(board),
    }
    return page(
        request,
        "pad.html",
        title=board.match,
        league=league,
        match=board.match,
        board=board,
        names=names,
        house_rules=house_rules,
        live=Live(module, shared | given),
        many_look=True,
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
