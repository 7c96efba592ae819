"""The pages that the `type` of a problem links to."""

import msgspec
from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.api.handler_context import LANG, QUERY, RIGHT, Call, Lang, language_of
from scorekeeper.api.problems import CODES
from scorekeeper.service.identity.access import Right
from scorekeeper.service.refused import not_found
from scorekeeper.texts.message import title


class ProblemKind(msgspec.Struct, frozen=True):
    """One kind of problem: what all problems of this type have in common."""

    type: str
    code: str
    status: int
    title: str


@get(
    "/problems/{code:str}",
    operation_id="readProblemType",
    summary="Read what a type of problem means",
    description="The address is the `type` of every problem of this kind.",
    tags=["operations"],
    opt={RIGHT: Right.PUBLIC, QUERY: LANG},
)
async def read_problem_type(request: Call, code: FromPath[str], lang: Lang = None) -> ProblemKind:
    if code not in CODES:
        raise not_found("problem")
    return ProblemKind(
        type=f"/problems/{code}",
        code=code,
        status=CODES[code].status,
        title=title(code, language_of(request, lang)),
    )


ROUTES: list[HTTPRouteHandler] = [read_problem_type]
