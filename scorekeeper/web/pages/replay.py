"""`/l/{league}/m/{match}/r/{n}`: a round step by step, complete without scripts."""

from collections.abc import Mapping
from typing import Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.match.readings.reader import amendments_in, entries_in
from scorekeeper.match.state import State
from scorekeeper.service.identity.access import Caller, Right, audience
from scorekeeper.service.reading.matches import View
from scorekeeper.service.reading.replay_views import (
    ClauseText,
    ReplayView,
    UnfoldedScore,
)
from scorekeeper.service.reading.replays import RoundReplay
from scorekeeper.web.match_booklet import box_of, directions_of, swapping
from scorekeeper.web.match_on_page import MatchOnPage, match_on_page
from scorekeeper.web.page import Live, PageRequest, language_of, number_in, page, services_of
from scorekeeper.web.people import called, people_of
from scorekeeper.web.replay_steps import (
    amended_entries,
    disputes_of,
    marks_of,
    step_differences,
    step_in_place_of,
)


@get("/l/{league:str}/m/{match:str}/r/{number:int}")
async def show_replay(
    request: PageRequest, league: FromPath[str], match: FromPath[str], number: FromPath[int]
) -> Response[bytes]:
    view: View = "recorded" if request.query_params.get("view") == "recorded" else "corrected"
    found = await match_on_page(request, league, match)
    shown = await _replayed(request, found.reader, league, match, number, view)
    disputes = disputes_of(found.state, number, shown.items)
    chosen = _chosen(request, found.state, shown)
    of_match = _of_match(found, number)
    box = box_of(found.board, language_of(request))
    given = {
        "key": f"/v1/leagues/{league}/matches/{match}",
        "round": number,
        "view": view,
        "step": chosen,
        "edition": box,
        "directions": directions_of(found.board, language_of(request)),
        "marks": marks_of(shown.items, disputes, amended_entries(found.state, view)),
        "disputes": disputes,
        **of_match,
        **_of_round(shown),
    }
    may_record = found.reader.may(Right.RECORD)
    return page(
        request,
        "replay.html",
        title=found.title,
        league=league,
        match=match,
        number=number,
        view=view,
        chosen=chosen,
        replay=shown,
        edition=found.board.edition,
        cards={card: each["name"] for card, each in box["cards"].items()},
        clauses=_clauses(shown),
        disputes=disputes,
        may_own=found.reader.may(Right.OWN),
        names=found.names,
        people=list(of_match["names"].values()),
        live=Live(
            "replay/settling.js" if may_record else "replay/page.js", given, found.board.edition
        ),
        many_look=True,
    )


def _of_match(found: MatchOnPage, number: int) -> dict[str, Any]:
    """Return what the page's script needs of the match, and what its reader may do there."""
    board = found.board
    sitting = _sitting_in(found, number)
    people = [*people_of(board), *sitting.values()]
    return {
        "version": board.version,
        "amended": board.amendments,
        "names": {player: called(player, found.names) for player in people},
        "substitutes": sitting,
        "players": board.players,
        "teams": [team.players for team in board.teams or ()],
        "extra": list(board.options.extra_cards or ()),
        "swaps": swapping(found.state),
        "may": _most(found.reader),
    }


def _sitting_in(found: MatchOnPage, number: int) -> Mapping[str, str]:
    """Return who sat in for whom in the round; nobody if the log no longer has the round."""
    for each in found.state.latest_first():
        if each.number == number:
            return each.substitutes
    return {}


def _of_round(shown: ReplayView) -> dict[str, Any]:
    """Return what the page's script needs of the round."""
    return {
        "steps": step_differences(shown.items),
        "scores": {} if shown.score is None else _scores(shown.score.scores),
    }


async def _replayed(
    request: PageRequest, caller: Caller, league: str, match: str, number: int, view: View
) -> ReplayView:
    """Return the replay. Another process computes a long one, as it does for the API."""
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


def _chosen(request: PageRequest, state: State, shown: ReplayView) -> int:
    """Return the step that the address names, from 1: by its number, or by its entry's version."""
    entry = number_in(request, "entry")
    if entry is not None:
        return step_in_place_of(entry, shown.items, amendments_in(entries_in(state.log)))
    return min(max(number_in(request, "step") or 1, 1), len(shown.items))


def _clauses(shown: ReplayView) -> list[ClauseText]:
    """Return each clause that the round's steps and score rest on, once, in the order of ids."""
    cited = [clause for item in shown.items for clause in item.clauses]
    if shown.score is not None:
        cited += [*shown.score.clauses, shown.score.points_clause]
    return sorted({clause.id: clause for clause in cited}.values(), key=lambda clause: clause.id)


def _scores(unfolded: Mapping[str, UnfoldedScore]) -> dict[str, dict[str, int]]:
    return {p: {"score": one.score, "total": one.total} for p, one in unfolded.items()}


def _most(caller: Caller) -> str:
    """Return the most that the reader may do."""
    if caller.may(Right.OWN):
        return "own"
    return "record" if caller.may(Right.RECORD) else "read"


ROUTES: list[HTTPRouteHandler] = [show_replay]
