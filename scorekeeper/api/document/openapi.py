"""The OpenAPI document: Litestar knows the routes and parameters, msgspec knows the schemas.

Litestar's schemas of structs are replaced, since they lack discriminators, the refusal of unknown
fields and constraints of nested types. A handler adds what neither knows (further headers, media
types, examples) as a piece of its operation, in `opt={OPERATION: {…}}`.
"""

import inspect
import json
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any, cast, get_args, get_origin

import msgspec
from litestar import Litestar, Response
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.routes import HTTPRoute
from litestar.types import ControllerRouterHandler

from scorekeeper.api.document.components import (
    HEADERS,
    IDENTIFYING,
    NOT_REPLAYED,
    OPERATION,
    PARAMETERS,
    SCHEMA,
    STREAMED,
    Json,
    may_answer,
    problem_responses,
    ref,
    refs,
)
from scorekeeper.api.document.examples import named_examples
from scorekeeper.api.handler_context import RIGHT
from scorekeeper.api.problems import Problem
from scorekeeper.service.identity.access import Right

_READING = (400, 401, 403, 404, 429, 500, 503)
_REFERENCE = re.compile(r'"#/components/(\w+)/([^"]+)"')
_DEFAULTS_FALSE = frozenset({"deprecated", "allowEmptyValue", "allowReserved"})
_WRITING = (*_READING, 408, 409, 412, 413, 415, 422)
_PUBLIC = (400, 429, 500, 503)
# A request to a public route may still carry an unknown token or code.
_IDENTIFYING = (401, *_PUBLIC)
_EXCHANGING = (*_IDENTIFYING, 408, 409, 413, 415)
_DESCRIPTION = (
    "The book of an UNO league: what happened at the table is appended to a log, and every score "
    "is derived from it, with the clause of the rule booklet beside each step.\n\n"
    "Errors are problem details (RFC 9457). Every reading but a stream or an export has a strong "
    "ETag and may be asked for with If-None-Match; every POST may carry an Idempotency-Key."
)
_SUCCESS = {"200": "As asked for.", "201": "It was written.", "204": "It was done."}
_TAGS = {
    "editions": "The rule booklets as data.",
    "leagues": "Who plays together; each league has a ledger of its own.",
    "tokens": "The keys of a league, each with a role.",
    "players": "The people of a league.",
    "matches": "A contest from its opening to its result, told event by event.",
    "evidence": "What a third party needs to check that a log is what it was.",
    "tournaments": "Rotating partners: a schedule, and the standings that follow from its matches.",
    "standings": "The league's table, and what everybody has done over all matches.",
    "operations": "For those who run the service.",
}


def openapi_document(routes: Sequence[ControllerRouterHandler]) -> bytes:
    """Return the document of these routes, the same bytes each time, with a newline at the end."""
    config = OpenAPIConfig(title="Scorekeeper", version=version("scorekeeper"))
    app = Litestar(
        routes, debug=False, logging_config=None, openapi_config=config, pdb_on_exception=False
    )
    document: Json = app.openapi_schema.to_schema()
    handlers = [
        (route.path_format, method.lower(), handler)
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if handler.resolve_include_in_schema()
        for method in handler.http_methods
    ]
    schemas = _Schemas(handler for _, _, handler in handlers)
    for path, method, handler in handlers:
        _complete(document["paths"][path][method], path, method, handler, schemas)
    document["info"] |= {
        "description": _DESCRIPTION,
        "license": {"name": "MIT", "identifier": "MIT"},
        "contact": {"name": "Scorekeeper"},
    }
    document["openapi"] = "3.1.0"
    document["security"] = [{"token": []}]
    used = {tag for _, _, handler in handlers for tag in handler.resolve_tags()}
    document["tags"] = [{"name": tag, "description": _TAGS[tag]} for tag in sorted(used)]
    shared = {
        "schemas": document["components"].get("schemas", {}) | schemas.components,
        "responses": dict(problem_responses()),
        "parameters": PARAMETERS,
        "headers": HEADERS,
    }
    document["components"] = _named(document["paths"], shared) | {
        "securitySchemes": {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "The admin token, or a token of a league: `sk_LEAGUE_SECRET`.",
            }
        },
    }
    text = json.dumps(_plain(document), indent=2, ensure_ascii=False)
    return f"{text}\n".encode()


class _Schemas:
    """The JSON schemas, made by msgspec, of all types that the handlers take and answer."""

    def __init__(self, handlers: Iterable[HTTPRouteHandler]) -> None:
        types: list[Any] = [Problem]
        for handler in handlers:
            types += [
                kind for kind in (request_body(handler), response_body(handler)) if kind is not None
            ]
        found, self.components = msgspec.json.schema_components(
            types, ref_template=SCHEMA, schema_hook=_any
        )
        for schema in self.components.values():
            if "description" in schema:
                # Python before 3.13 leaves a docstring's lines indented. CommonMark reads an
                # indented line as code.
                schema["description"] = inspect.cleandoc(schema["description"])
        self._schemas = [(kind, schema) for kind, schema in zip(types, found, strict=True)]

    def of(self, kind: Any) -> Json:  # noqa: ANN401 any type that msgspec knows
        return next(schema for known, schema in self._schemas if known == kind)


def _any(kind: type) -> Json:
    """Return the schema of `object`: any JSON at all."""
    if kind is not object:
        raise NotImplementedError(kind)
    return {"description": "Any JSON."}


def request_body(handler: HTTPRouteHandler) -> Any:  # noqa: ANN401
    """Return the type of the body that a handler reads, None if it reads none."""
    field = handler.parsed_data_field
    return None if field is None else field.annotation


def _has_default(handler: HTTPRouteHandler) -> bool:
    """Return whether the body may be left out."""
    field = handler.parsed_data_field
    return field is not None and field.has_default


def response_body(handler: HTTPRouteHandler) -> Any:  # noqa: ANN401
    """Return the type that a handler answers as JSON, None if it answers something else."""
    return _inner(handler.parsed_fn_signature.return_type.annotation)


def _inner(kind: Any) -> Any:  # noqa: ANN401
    origin = get_origin(kind)
    if origin is Response:
        return _inner(get_args(kind)[0])
    if kind in {bytes, str, None, type(None)}:
        return None
    if inspect.isclass(kind) and issubclass(kind, Response):
        return None
    if any(get_origin(each) is Response for each in get_args(kind)):
        return next(inner for each in get_args(kind) if (inner := _inner(each)) is not None)
    return kind


def _complete(
    operation: Json, path: str, method: str, handler: HTTPRouteHandler, schemas: _Schemas
) -> None:
    """Write into one operation what Litestar left out or got wrong."""
    public = handler.opt.get(RIGHT) is Right.PUBLIC
    responses: Json = {
        status: response | {"description": _SUCCESS[status]}
        for status, response in operation["responses"].items()
        if status in _SUCCESS
    }
    # A 204 has no body, but Litestar gives that of a handler which returns a Response a null.
    responses.get("204", {}).pop("content", None)
    operation["responses"] = responses
    if (body := request_body(handler)) is not None:
        content: Json = {"schema": schemas.of(body)}
        if found := named_examples(operation["operationId"], path):
            content["examples"] = found
        operation["requestBody"] = {
            "required": not _has_default(handler),
            "content": {"application/json": content},
        }
    if (answer := response_body(handler)) is not None:
        for response in responses.values():
            response["content"] = {"application/json": {"schema": schemas.of(answer)}}
    parameters: list[Json] = operation.setdefault("parameters", [])
    _complete_parameters(parameters)
    if method == "get":
        _complete_reading(responses, parameters, streamed=bool(handler.opt.get(STREAMED)))
    if method == "post":
        parameters.append(ref("parameters", "IdempotencyKey"))
        if not handler.opt.get(NOT_REPLAYED):
            _describe_retries(responses)
    responses |= may_answer(*_refused_with(method, handler))
    if public:
        operation["security"] = []
    _merge(operation, handler.opt.get(OPERATION, {}))


def _refused_with(method: str, handler: HTTPRouteHandler) -> tuple[int, ...]:
    """Return the HTTP statuses of the problems that a handler may answer."""
    statuses: tuple[int, ...]
    if handler.opt.get(RIGHT) is not Right.PUBLIC:
        statuses = _READING if method == "get" else _WRITING
    elif not handler.opt.get(IDENTIFYING):
        statuses = _PUBLIC
    else:
        statuses = _EXCHANGING if method == "post" else _IDENTIFYING
    named = any("{" in path for path in handler.paths)
    return tuple(sorted({*statuses, 404})) if named else statuses


def _complete_parameters(parameters: list[Json]) -> None:
    for parameter in parameters:
        parameter["schema"] = _without_null(parameter["schema"])
    if all(parameter["name"] != "lang" for parameter in parameters):
        parameters.append(ref("parameters", "Lang"))


def _complete_reading(responses: Json, parameters: list[Json], *, streamed: bool) -> None:
    if streamed:
        responses["200"]["headers"] = refs("Vary")
        return
    responses["304"] = {"description": "The client has this already.", "headers": refs("ETag")}
    parameters.append(ref("parameters", "IfNoneMatch"))
    paged = any(parameter.get("name") == "cursor" for parameter in parameters)
    responses["200"]["headers"] = refs("ETag", "Vary", *(["Link"] if paged else []))


def _describe_retries(responses: Json) -> None:
    if "201" in responses:
        again = {"description": "A retry: answered as then, nothing was written."}
        responses["200"] = responses["201"] | again
    responses["200"]["headers"] = refs("IdempotencyReplayed")


def _without_null(schema: Json) -> Json:
    """Return the schema without null, which no address can spell."""
    schema = dict(schema)
    kinds: list[Json] = [kind for kind in schema.pop("oneOf", []) if kind != {"type": "null"}]
    for kind in kinds:
        schema |= kind
    if isinstance(schema["type"], list):
        (schema["type"],) = set(cast("list[str]", schema["type"])) - {"null"}
    if "enum" in schema:
        schema["enum"] = [value for value in schema["enum"] if value is not None]
    return schema


def _merge(into: Json, piece: Json) -> None:
    """Lay a piece over a document: objects are merged, lists are appended, all else replaced."""
    for key, value in piece.items():
        if isinstance(value, dict):
            _merge(into.setdefault(key, {}), cast("Json", value))
        elif isinstance(value, list):
            into[key] = into.get(key, []) + value
        else:
            into[key] = value


def _named(paths: Json, shared: Json) -> Json:
    """Return the shared parts that something refers to, directly or by way of another part."""
    named: Json = {kind: {} for kind in shared}
    left = [json.dumps(paths)]
    while left:
        text = left.pop()
        for kind, name in _REFERENCE.findall(text):
            if name not in named[kind]:
                named[kind][name] = shared[kind][name]
                left.append(json.dumps(shared[kind][name]))
    return named


def _plain(node: Any) -> Any:  # noqa: ANN401 any JSON
    """Sort the keys, drop the defaults that Litestar spells out, make whole floats integers.

    Examples stay in the order in which they are told.
    """
    if isinstance(node, list):
        return [_plain(item) for item in cast("Iterable[Any]", node)]
    if not isinstance(node, dict):
        return int(node) if isinstance(node, float) and node.is_integer() else node
    return {
        key: value if key == "examples" else _plain(value)
        for key, value in sorted(cast("Json", node).items())
        if not (key in _DEFAULTS_FALSE and value is False)
    }
