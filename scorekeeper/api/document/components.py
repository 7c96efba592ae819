"""The shared parts of the OpenAPI document, and what a route says in its `opt` to name them.

The shared parts are headers, parameters and the answers with problems.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from scorekeeper.api.problems import MEDIA_TYPE, Code
from scorekeeper.texts.language import LANGUAGES

Json: TypeAlias = dict[str, Any]

SCHEMA = "#/components/schemas/{name}"

OPERATION = "operation"
"""In the `opt` of a route: a piece that is laid over its operation in the document."""
IDENTIFYING = "identifying"
"""In the `opt` of a route that is open to everybody, but answers 401 to unknown credentials."""
STREAMED = "streamed"
"""In the `opt` of a route whose answer is written while it is made, and so has no ETag."""
NOT_REPLAYED = "not-replayed"
"""In the `opt` of a POST that keeps no answer: a retry is answered anew."""


def ref(kind: str, name: str) -> Json:
    """Return a reference to a shared part, such as `ref("parameters", "IfMatch")`."""
    return {"$ref": f"#/components/{kind}/{name}"}


def may_answer(*statuses: int) -> Json:
    """Return the references to the problems with these HTTP statuses, by status."""
    return {str(status): ref("responses", f"Problem{status}") for status in statuses}


def refs(*names: str) -> Json:
    return {_HEADER_NAMES.get(name, name): ref("headers", name) for name in names}


_HEADER_NAMES = {"IdempotencyReplayed": "Idempotency-Replayed", "RetryAfter": "Retry-After"}
HEADERS: Json = {
    "ETag": {
        "description": "Of a match its version in quotation marks, else a hash of the answer.",
        "schema": {"type": "string"},
        "example": '"5"',
    },
    "IdempotencyReplayed": {
        "description": "`true`: all of it was known; `partial`: the head of the batch was.",
        "schema": {"type": "string", "enum": ["true", "partial"]},
    },
    "Link": {
        "description": 'The next page, `rel="next"`; on the last one the first, `rel="first"`.',
        "schema": {"type": "string"},
    },
    "Location": {
        "description": "The address of what was made.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "RetryAfter": {
        "description": "Seconds to wait before the next try.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "Vary": {"description": "What else decides the answer.", "schema": {"type": "string"}},
}
# Without examples: Swagger UI would send them along, and an example of If-Match is answered 412.
_IF_MATCH: Json = {
    "name": "If-Match",
    "in": "header",
    "description": 'The version that the client saw, in quotation marks, such as `"5"`; another '
    "is answered 412. `*` is any version.",
    "schema": {"type": "string"},
}
PARAMETERS: Json = {
    "Lang": {
        "name": "lang",
        "in": "query",
        "description": "The language of problems; wins over Accept-Language.",
        "schema": {"type": "string", "enum": list(LANGUAGES)},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "ETags that the client has; one of them still right is answered 304.",
        "schema": {"type": "string"},
    },
    "IfMatch": _IF_MATCH,
    "IfMatchNeeded": _IF_MATCH | {"required": True},
    "LastEventID": {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "The id received last, such as `812`; what follows it is sent first.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,16}$"},
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "1 to 255 printable characters, such as a UUID; the same key and body again "
        "are answered as the first time.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    },
}

WITH_VERSION: Json = {"headers": refs("ETag")}
"""An answer whose ETag is the version of a stream."""
RESUMED: Json = {"responses": {"201": {"headers": refs("IdempotencyReplayed")}}}
"""In `opt[OPERATION]` of a route that goes on where a retry is known in part."""
APPENDING: Json = {
    "parameters": [ref("parameters", "IfMatch")],
    "responses": {
        "200": WITH_VERSION,
        "201": {"headers": refs("ETag", "IdempotencyReplayed")},
    },
}
"""In `opt[OPERATION]` of a route that appends to a stream."""
_WITH_LOCATION: Json = {"headers": refs("Location")}
LISTING: Json = {"responses": {"200": {"headers": refs("Link")}}}
"""In `opt[OPERATION]` of a route that answers a whole list as its only page."""
MAKING: Json = {"responses": {"200": _WITH_LOCATION, "201": _WITH_LOCATION}}
"""In `opt[OPERATION]` of a route that makes something with an address of its own."""
_OPENED: Json = {"headers": refs("Location", "ETag")}
OPENING: Json = {"responses": {"200": _OPENED, "201": _OPENED}}
"""In `opt[OPERATION]` of a route that opens a stream."""


# By the status of a problem. With 412 the ETag is that of the version which is current.
_HEADERS_OF_PROBLEMS = {412: ("ETag",), 429: ("RetryAfter",), 503: ("RetryAfter",)}


def problem_responses() -> Iterable[tuple[str, Json]]:
    for status in sorted({code.status for code in Code}):
        codes = [code for code in Code if code.status == status]
        response: Json = {
            "description": "; ".join(f"`{code.value}`: {code.title}" for code in codes),
            "content": {MEDIA_TYPE: {"schema": {"$ref": SCHEMA.format(name="Problem")}}},
        }
        if status in _HEADERS_OF_PROBLEMS:
            response["headers"] = refs(*_HEADERS_OF_PROBLEMS[status])
        yield f"Problem{status}", response
