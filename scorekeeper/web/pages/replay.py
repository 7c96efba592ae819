"""`/l/{league}/m/{match}/r/{n}`: a round step by step, complete without scripts."""

from collections.abc import Mapping

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.projections.scoreboard import Scoreboard, scoreboard
from scorekeeper.service.identity.access import Caller, Right, audience
from scorekeeper.service.questions import RoundReplay
from scorekeeper.service.reading.matches import View
from scorekeeper.service.reading.replay_views import (
    ClauseText,
    ReplayItem,
    ReplayView,
    UnfoldedScore,
)
from scorekeeper.web.card_calls import swapping
from scorekeeper.web.match_booklet import box_of
from scorekeeper.web.page import Live, PageRequest, language_of, page, reader_of, services_of
from scorekeeper.web.people import names_in
from scorekeeper.web.replay_steps import (
    amended_entries,
    disputes_of,
    marks_of,
    place_of,
    steps_told,
)


@get("/l/{league:str}/m/{match:str}/r/{number:int}")
async def show_replay(
    request: PageRequest, league: FromPath[str], match: FromPath[str], number: FromPath[int]
) -> Response[bytes]:
    caller = await reader_of(request, league)
    view: View = "recorded" if request.query_params.get("view") == "recorded" else "corrected"
    shown = await _replayed(request, caller, league, match, number, view)
    services = services_of(request)
    folded = await services.reading.folded_for(audience(caller), league, match)
    board = scoreboard(folded.state, match=match, position=folded.position)
    names = await names_in(services, league)
    disputes = disputes_of(folded.state, number, shown.items)
    marks = marks_of(shown.items, disputes, amended_entries(folded.state, view))
    chosen = _chosen(request, shown)
    box = box_of(board, language_of(request))
    given = {
        "key": f"/v1/leagues/{league}/matches/{match}",
        "people": f"/v1/leagues/{league}/players",
        "round": number,
        "view": view,
        "step": chosen,
        "version": board.version,
        "amended": board.amendments > 0,
        "names": {player: names.get(player, player) for player in _people(board)},
        "players": board.players,
        "extra": list(board.options.extra_cards or ()),
        "edition": box,
        "swaps": swapping(board),
        "steps": steps_told(shown.items),
        "marks": marks,
        "disputes": disputes,
        "scores": {} if shown.score is None else _scores(shown.score.scores),
        "may": _most(caller),
    }
    module = "replay/settling.js" if caller.may(Right.RECORD) else "replay/page.js"
    return page(
        request,
        "replay.html",
        title="",
        league=league,
        match=match,
        number=number,
        view=view,
        chosen=chosen,
        replay=shown,
        edition=board.edition,
        cards=box["names"]["cards"],
        clauses=_clauses(shown),
        disputes=disputes,
        names=names,
        live=Live(module, given),
        many_look=True,
    )


async def _replayed(
    request: PageRequest, caller: Caller, league: str, match: str, number: int, view: View
) -> ReplayView:
    """Folded and judged wherever long answers are computed."""
    asked = RoundReplay(
        league=league,
        match=match,
        round=number,
        audience=audience(caller),
        view=view,
        at=None,
        language=language_of(request),
        naming="display",
    )
    return (await services_of(request).answering.answer(asked)).read(ReplayView)


def _chosen(request: PageRequest, shown: ReplayView) -> int:
    """The step that the address names, from 1; `entry` names it by the entry told in it."""
    entry = _number(request, "entry")
    if entry is not None:
        found = (n for n, item in enumerate(shown.items, 1) if _entry(item) >= entry)
        return next(found, len(shown.items))
    return min(max(_number(request, "step") or 1, 1), len(shown.items))


def _clauses(shown: ReplayView) -> list[ClauseText]:
    """Each one that the round is about, once, in the order of their ids."""
    told = [clause for item in shown.items for clause in item.clauses]
    if shown.score is not None:
        told += [*shown.score.clauses, shown.score.points_clause]
    return sorted({clause.id: clause for clause in told}.values(), key=lambda clause: clause.id)


def _entry(item: ReplayItem) -> int:
    place = place_of(item)
    return place if isinstance(place, int) else 0


def _number(request: PageRequest, name: str) -> int | None:
    told = request.query_params.get(name, "")
    return int(told) if told.isascii() and told.isdigit() and len(told) <= 9 else None


def _people(board: Scoreboard) -> list[str]:
    substitutes = board.substitutes or {}
    return [*board.players, *(each for each in substitutes.values() if each not in board.players)]


def _scores(unfolded: Mapping[str, UnfoldedScore]) -> dict[str, dict[str, int]]:
    return {p: {"score": one.score, "total": one.total} for p, one in unfolded.items()}


def _most(caller: Caller) -> str:
    """The most that the reader may do."""
    if caller.may(Right.OWN):
        return "own"
    return "record" if caller.may(Right.RECORD) else "read"


ROUTES: list[HTTPRouteHandler] = [show_replay]
