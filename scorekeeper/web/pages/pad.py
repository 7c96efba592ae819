"""`/l/{league}/m/{match}/pad`: record rounds as tallies; `…/cards`: record them card by card."""

from typing import Any, Final

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.editions.registry import latest
from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import Effect
from scorekeeper.service.identity.access import Right
from scorekeeper.service.identity.audience import audience
from scorekeeper.service.leagues.booklets import edition_view
from scorekeeper.texts.language import Language
from scorekeeper.web.page import Live, PageRequest, language_of, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of

_ALL_EFFECTS: Final = ("discard", "give", "draw", "swap", "skip", "reverse")


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
    edition = _box_of(board, language_of(request)) | _calls_of(board)
    given = {"names": names, "edition": edition}
    return _recording(request, league, board, names, "cards/page.js", given)


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
        live=Live(module, shared | given),
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


def _calls_of(board: Scoreboard) -> dict[str, Any]:
    """What can be told of the edition's cards and calls besides what every edition has."""
    edition = latest(board.edition)
    assert edition is not None
    cards = [*edition.deck.value, *(board.options.extra_cards or {})]
    found = {card: _effects(edition, card) for card in cards}
    calls = {
        "advice_called": edition.advice_draws,
        "accusation_made": edition.accusation_draws,
    }
    return {
        "effects": {card: effects for card, effects in found.items() if effects["many"]},
        "answers": sorted(edition.lays_on_penalty.value),
        "lacks": [call for call, cited in calls.items() if cited is None],
    }


def _effects(edition: Edition, card: str) -> dict[str, Any]:
    """Kinds of effects that a play of the card may tell, among many and among two players.

    `agreed`: it does what the table agreed on. `last`: it acts as the last card, too.
    """
    rule = edition.card_rule(card)
    played = rule.played.value
    return {
        "many": _kinds(played),
        "two": _kinds(rule.played_two_players.value),
        "agreed": played.as_agreed,
        "last": bool(played.own_discards or played.other_discards),
    }


def _kinds(effect: Effect) -> list[str]:
    if effect.as_agreed:
        return list(_ALL_EFFECTS)
    found = {
        "discard": effect.own_discards or effect.other_discards or effect.lays_off is not None,
        "give": effect.gift,
        "swap": effect.hands_from is not None,
    }
    return [kind for kind, there in found.items() if there]


ROUTES: list[HTTPRouteHandler] = [show_pad, show_cards]
