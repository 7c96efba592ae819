"""The ledger of a league: what proves it, its export, erasing of content, rebuilding of its views.

Those who check it read the checkpoint, the keys, the tiles and the proofs.
"""

from typing import Annotated, TypeAlias

from litestar import MediaType, Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.response import Stream

from scorekeeper.api.document.components import OPERATION, STREAMED, may_answer
from scorekeeper.api.handler_context import (
    QUERY,
    RIGHT,
    Call,
    LeagueSlug,
    caller_of,
    command_response,
    idempotency_key_of,
    services_of,
)
from scorekeeper.ledger.merkle_tree import parse_address
from scorekeeper.match.events.fields import MOST_VERSIONS
from scorekeeper.service.identity.access import Right
from scorekeeper.service.integrity.rebuilding import RebuiltView
from scorekeeper.service.refused import not_found
from scorekeeper.service.views import ConsistencyView, ErasureRequest, ErasureView, InclusionView

# A tile never changes: its address says how many hashes it has. A shared cache may not keep it,
# since only holders of a token may see it.
_FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}
_MUTABLE = {"cache-control": "private, no-cache"}

_TAR = "application/x-tar"

Size: TypeAlias = Annotated[
    int | None,
    QueryParameter(
        ge=0, le=MOST_VERSIONS, description="How many entries; by default all there are."
    ),
]


@get(
    "/v1/leagues/{league:str}/log/checkpoint",
    operation_id="readCheckpoint",
    summary="Read the signed checkpoint",
    description="The log's name, its size and the root of its tree, as a C2SP tlog-checkpoint in a "
    "signed note. Two checkpoints of one log never contradict each other.",
    tags=["evidence"],
    media_type=MediaType.TEXT,
    opt={RIGHT: Right.READ, OPERATION: {"responses": may_answer(409)}},
)
async def read_checkpoint(request: Call, league: LeagueSlug) -> Response[str]:
    note = await services_of(request).evidence.checkpoint(league)
    return Response(note, headers=_MUTABLE)


@get(
    "/v1/leagues/{league:str}/log/key",
    operation_id="readVerifierKey",
    summary="Read the key that checks checkpoints",
    description="A verifier key as signed notes have it: `NAME+ID+KEY`. Where the key was changed, "
    "those that were in force before stand on the lines below, the latest first.",
    tags=["evidence"],
    media_type=MediaType.TEXT,
    opt={RIGHT: Right.READ},
)
async def read_verifier_key(request: Call, league: LeagueSlug) -> Response[str]:
    return Response(await services_of(request).evidence.keys(league), headers=_MUTABLE)


@get(
    "/v1/leagues/{league:str}/log/tile/{tile:path}",
    operation_id="readTile",
    summary="Read a tile of the tree, or a bundle of entries",
    description="C2SP tlog-tiles: `LEVEL/N` or `LEVEL/N.p/W` are hashes of 32 bytes; `entries/N` "
    "or `entries/N.p/W` are headers of entries, each behind its length in two bytes.",
    tags=["evidence"],
    media_type="application/octet-stream",
    opt={RIGHT: Right.READ, OPERATION: {"responses": may_answer(409)}},
)
async def read_tile(
    request: Call,
    league: LeagueSlug,
    tile: Annotated[
        str, PathParameter(description="As `0/x001/234.p/17`: level, number, width if partial.")
    ],
) -> Response[bytes]:
    address = parse_address(str(tile).removeprefix("/"))
    if address is None:
        raise not_found("tile")
    content = await services_of(request).evidence.tile(league, address)
    return Response(content, headers=_FOR_EVER)


@get(
    "/v1/leagues/{league:str}/log/proof/inclusion",
    operation_id="proveInclusion",
    summary="Prove that an entry stands in the log",
    description="RFC 9162, section 2.1.3; hashes in lower-case hexadecimal. A position counts from "
    "1, its leaf's index from 0.",
    tags=["evidence"],
    opt={
        RIGHT: Right.READ,
        QUERY: frozenset({"position", "size"}),
        OPERATION: {"responses": may_answer(409, 422)},
    },
)
async def prove_inclusion(
    request: Call,
    league: LeagueSlug,
    position: Annotated[
        int, QueryParameter(ge=1, le=MOST_VERSIONS, description="The entry's place in the ledger.")
    ],
    size: Size = None,
) -> InclusionView:
    return await services_of(request).evidence.inclusion(league, position, size)


@get(
    "/v1/leagues/{league:str}/log/proof/consistency",
    operation_id="proveConsistency",
    summary="Prove that the log only grew",
    description="RFC 9162, section 2.1.4; hashes in lower-case hexadecimal. From 0 the proof is "
    "empty, since every log has grown from nothing.",
    tags=["evidence"],
    opt={
        RIGHT: Right.READ,
        QUERY: frozenset({"from", "to"}),
        OPERATION: {"responses": may_answer(409, 422)},
    },
)
async def prove_consistency(
    request: Call,
    league: LeagueSlug,
    from_: Annotated[
        int, QueryParameter(name="from", ge=0, le=MOST_VERSIONS, description="The smaller size.")
    ],
    to: Size = None,
) -> ConsistencyView:
    return await services_of(request).evidence.consistency(league, from_, to)


@get(
    "/v1/leagues/{league:str}/export",
    operation_id="exportLeague",
    summary="Export the whole ledger",
    description="A bundle that `scorekeeper verify` checks with no server and no database: "
    "entries, names, tiles, proofs, the signed checkpoint and its key. One that breaks off has no "
    "seal.",
    tags=["evidence"],
    media_type=_TAR,
    opt={RIGHT: Right.OWN, OPERATION: {"responses": may_answer(409)}, STREAMED: True},
)
async def export_league(request: Call, league: LeagueSlug) -> Stream:
    manifest, content = await services_of(request).exporting.export(league)
    name = f'attachment; filename="{league}-{manifest.size}.tar"'
    headers = {"content-disposition": name, "cache-control": "no-store"}
    return Stream(content, media_type=_TAR, headers=headers)


@post(
    "/v1/leagues/{league:str}/erasures",
    operation_id="eraseContent",
    summary="Erase the content of entries",
    description=(
        "Deletes what these entries say, for good. Their headers stay, so that every proof still "
        "holds, and the erasure is itself an entry of the league."
    ),
    tags=["leagues"],
    opt={RIGHT: Right.OWN},
)
async def erase_content(
    request: Call, league: LeagueSlug, data: JSONBody[ErasureRequest]
) -> Response[ErasureView]:
    outcome = await services_of(request).erasing.erase(
        caller_of(request), league, data, await idempotency_key_of(request)
    )
    return command_response(outcome, ErasureView)


@post(
    "/v1/leagues/{league:str}/rebuild",
    operation_id="rebuildViews",
    summary="Make lists and tables anew from the log",
    description=(
        "Folds the ledger from its first entry and puts right what differs in the lists of matches "
        "and tournaments, in standings, results and ratings, at once. Appends go on meanwhile. "
        "Nothing is recorded: asked again it finds nothing to do."
    ),
    tags=["leagues"],
    status_code=200,
    opt={RIGHT: Right.OWN, OPERATION: {"responses": may_answer(409)}},
)
async def rebuild_views(request: Call, league: LeagueSlug) -> Response[RebuiltView]:
    outcome = await services_of(request).rebuilding.answer(
        caller_of(request), league, await idempotency_key_of(request)
    )
    return command_response(outcome, RebuiltView)


ROUTES: list[HTTPRouteHandler] = [
    export_league,
    read_checkpoint,
    read_verifier_key,
    read_tile,
    prove_inclusion,
    prove_consistency,
    erase_content,
    rebuild_views,
]
