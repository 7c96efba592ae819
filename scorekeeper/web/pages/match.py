"""`/l/{league}/new` and `/l/{league}/m/{match}`: a match is opened, recorded, read, and shown.

`…/pad` records rounds as tallies, `…/cards` card by card; `…/tv` is the scoreboard for a large
screen. The form for a new match begins with the choices of the last one.
"""

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.events.opening import FEWEST_PLAYERS
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import Scoreboard, match_progress, rounds
from scorekeeper.service.booklets import edition_summaries
from scorekeeper.service.identity.access import Caller, Right, audience
from scorekeeper.service.services import Services
from scorekeeper.store.matches import MatchFilter
from scorekeeper.web.house_rules import RuleInForce, checked_with, house_rules_in_force, offered
from scorekeeper.web.match_booklet import box_of, card_calls, counted_box_of, directions_of
from scorekeeper.web.match_on_page import MatchOnPage, match_on_page
from scorekeeper.web.match_titles import edition_names
from scorekeeper.web.page import Live, PageRequest, language_of, page, reader_of, services_of
from scorekeeper.web.people import called, names_in, people_of
from scorekeeper.web.pictures import PlotFigures
from scorekeeper.web.told_last import told_last

_MOST_RUNNING: Final = 100
"""Open matches among which those of the same people are looked for."""
_QUESTION_BLOCK: Final = "question_block"
"""The option for what the question block does. Only some booklets leave that to the table."""


async def last_match(services: Services, caller: Caller, league: str) -> Scoreboard | None:
    """Return the present scoreboard of the match that was held last. Raises Refused.

    Tables of tournaments don't count, since a schedule chose their players and partners.
    """
    wanted = MatchFilter(outside_tournaments=True)
    found = await services.matches.latest_held(league, wanted, limit=1)
    if not found:
        return None
    _, board = await services.reading.scoreboard(audience(caller), league, found[0].match, None)
    return board


@get("/l/{league:str}/new")
async def show_new_match(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    caller = await reader_of(request, league, Right.RECORD)
    services = services_of(request)
    editions = edition_summaries(language_of(request))
    last = await last_match(services, caller, league)
    names = await names_in(services, league)
    too_few = len(names) < FEWEST_PLAYERS
    # First, so that what is opened between the two readings is asked about rather than missed.
    newest = await services.matches.list(league, MatchFilter(), before=None, limit=1)
    open_now = MatchFilter(status="open", outside_tournaments=True)
    running = await services.matches.list(league, open_now, before=None, limit=_MOST_RUNNING)
    given = {
        "league": league,
        "names": names,
        "running": [{"match": each.match, "players": each.players} for each in running],
        "newest": newest[0].position if newest else 0,
        "editions": [
            {
                "edition": each.edition,
                "name": each.name,
                "mode": each.default_mode,
                "cards": each.deck_size,
                "agrees": _QUESTION_BLOCK in EDITIONS[each.edition, each.revision].options,
            }
            for each in editions
        ],
        "last": None if last is None else _opening(last),
        "house": checked_with(),
    }
    return page(
        request,
        "new_match.html",
        league=league,
        offered=offered(language_of(request)),
        house_rules={} if last is None else last.house_rules,
        too_few=too_few,
        live=None if too_few else Live("new/page.js", given),
    )


def _opening(board: Scoreboard) -> dict[str, Any]:
    """Return how the match was opened, but for its house rules."""
    return {
        "edition": board.edition,
        "players": board.players,
        "teams": board.teams is not None,
        "scoring": msgspec.to_builtins(board.scoring),
        "agreed": board.options.question_block,
    }


# What no pad shows of a scoreboard, and what one for whole rounds or one for cards does not either:
# on a slow network pads open sooner without it.
_ON_NO_PAD: Final = {
    *("match", "position", "revision", "house_rules", "house_rules_revision", "rounds_won"),
    *("violations", "amendments", "voided", "open_disputes"),
}
_CARD_BY_CARD: Final = {
    *("edition", "dealer", "turn", "direction", "top_card", "color", "color_pending", "pending"),
    *("hand_counts", "draw_pile_count", "awaiting_hands"),
}
_WHOLE_ROUNDS: Final = {"scoring", "teams"}


def _begins_with(board: Scoreboard, without: AbstractSet[str]) -> dict[str, Any]:
    """Return the scoreboard with which a page begins, without some of its fields."""
    fields: dict[str, Any] = msgspec.to_builtins(board)
    return {name: value for name, value in fields.items() if name not in without}


@get("/l/{league:str}/m/{match:str}/pad")
async def show_pad(
    request: PageRequest, league: FromPath[str], match: FromPath[str]
) -> Response[bytes]:
    shown = await match_on_page(request, league, match, Right.RECORD)
    board, names = shown.board, shown.names
    given = {
        "board": _begins_with(board, _ON_NO_PAD | _CARD_BY_CARD),
        "names": {player: called(player, names) for player in people_of(board)},
        "edition": counted_box_of(board, language_of(request)),
    }
    return await _recording(request, league, shown, "pad", given)


@get("/l/{league:str}/m/{match:str}/cards")
async def show_cards(
    request: PageRequest, league: FromPath[str], match: FromPath[str]
) -> Response[bytes]:
    shown = await match_on_page(request, league, match, Right.RECORD)
    board, language = shown.board, language_of(request)
    given = {
        "board": _begins_with(board, _ON_NO_PAD | _WHOLE_ROUNDS),
        "names": shown.names,
        "edition": box_of(board, language) | card_calls(shown.state),
        "directions": directions_of(board, language),
    }
    house_rules = house_rules_in_force(board, language)
    return await _recording(request, league, shown, "cards", given, house_rules)


async def _recording(
    request: PageRequest,
    league: str,
    shown: MatchOnPage,
    pad: str,
    given: dict[str, Any],
    house_rules: Sequence[RuleInForce] = (),
) -> Response[bytes]:
    board = shown.board
    key = f"/v1/leagues/{league}/matches/{board.match}"
    return page(
        request,
        "pad.html",
        title=shown.title,
        pad=pad,
        league=league,
        match=board.match,
        board=board,
        tournament=shown.state.opened.tournament,
        goes_on=await _goes_on(request, league, shown),
        names=shown.names,
        house_rules=house_rules,
        live=Live(f"{pad}/page.js", {"key": key} | given, board.edition),
        many_look=True,
    )


async def _goes_on(request: PageRequest, league: str, shown: MatchOnPage) -> bool:
    """Return whether the tournament of a match has rounds left after its segment."""
    tournament, match = shown.state.opened.tournament, shown.board.match
    if tournament is None:
        return False
    return await services_of(request).tournaments.goes_on_after(league, tournament, match)


@get("/l/{league:str}/m/{match:str}")
async def show_match(
    request: PageRequest, league: FromPath[str], match: FromPath[str]
) -> Response[bytes]:
    shown = await match_on_page(request, league, match)
    state, board = shown.state, shown.board
    progress = match_progress(state)
    opened_again = _opened_again(league, shown)
    return page(
        request,
        "match.html",
        title=shown.title,
        league=league,
        match=match,
        names=shown.names,
        board=board,
        sides_won=state.sides_won,
        edition=edition_names(language_of(request))[board.edition],
        house_rules=house_rules_in_force(board, language_of(request)),
        tournament=state.opened.tournament,
        goes_on=await _goes_on(request, league, shown),
        rounds=list(reversed(rounds(state))),
        disputed=_open_disputes(state),
        figures=PlotFigures(progress.columns, list(enumerate(progress.rounds, start=1))),
        may_record=shown.reader.may(Right.RECORD),
        live=opened_again,
        told_last=None if opened_again is None else told_last(state),
        many_look=True,
    )


def _opened_again(league: str, shown: MatchOnPage) -> Live | None:
    """Return what opens a match again that is over; None if it runs, or without the right to."""
    if shown.board.status == "open" or not shown.reader.may(Right.RECORD):
        return None
    key = f"/v1/leagues/{league}/matches/{shown.board.match}"
    return Live("match/page.js", {"key": key, "version": shown.board.version})


def _open_disputes(state: State) -> list[tuple[int, int]]:
    """Return the rounds that have open disputes, each with the number of these."""
    waiting = Counter(each.opened.round for each in state.disputes.values() if each.ruling is None)
    return sorted(waiting.items())


@get("/l/{league:str}/m/{match:str}/tv")
async def show_board(
    request: PageRequest, league: FromPath[str], match: FromPath[str]
) -> Response[bytes]:
    shown = await match_on_page(request, league, match)
    board, names = shown.board, shown.names
    ended = [each for each in rounds(shown.state) if each.status == "ended"]
    box = box_of(board, language_of(request))
    house_rules = house_rules_in_force(board, language_of(request))
    given = {
        "key": f"/v1/leagues/{league}/matches/{match}",
        "board": msgspec.to_builtins(board),
        "last": msgspec.to_builtins(ended[-1]) if ended else None,
        "sidesWon": shown.state.sides_won,
        "names": names,
        "cards": {card: each["name"] for card, each in box["cards"].items()},
        "colors": box["colors"],
        "directions": directions_of(board, language_of(request)),
        "house": [(rule.label, rule.variant) for rule in house_rules],
    }
    return page(
        request,
        "tv.html",
        title=shown.title,
        league=league,
        match=match,
        board=board,
        sides_won=shown.state.sides_won,
        names=names,
        live=Live("tv/page.js", given),
        many_look=True,
    )


ROUTES: list[HTTPRouteHandler] = [
    show_new_match,
    show_pad,
    show_cards,
    show_match,
    show_board,
]
