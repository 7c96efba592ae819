"""What a route says about its operation in the OpenAPI document, in its `opt`."""

from typing import Any, TypeAlias

OPERATION = "operation"
IDENTIFYING = "identifying"
"""In the `opt` of a route that is open to everybody, but answers 401 to unknown credentials."""
STREAMED = "streamed"
"""In the `opt` of a route whose answer is written while it is made, and so has no ETag."""
NOT_REPLAYED = "not-replayed"
"""In the `opt` of a POST that keeps no answer: a retry is answered anew."""

Json: TypeAlias = dict[str, Any]

WITH_VERSION: Json = {"headers": {"ETag": {"$ref": "#/components/headers/ETag"}}}
"""An answer whose ETag is the version of a stream."""
APPENDING: Json = {
    "parameters": [{"$ref": "#/components/parameters/IfMatch"}],
    "responses": {
        "200": WITH_VERSION,
        "201": {
            "headers": WITH_VERSION["headers"]
            | {"Idempotency-Replayed": {"$ref": "#/components/headers/IdempotencyReplayed"}}
        },
    },
}
"""In `opt[OPERATION]` of a route that appends to a stream."""
_WITH_LOCATION: Json = {"headers": {"Location": {"$ref": "#/components/headers/Location"}}}
MAKING: Json = {"responses": {"200": _WITH_LOCATION, "201": _WITH_LOCATION}}
"""In `opt[OPERATION]` of a route that makes something with an address of its own."""
_OPENED: Json = {"headers": _WITH_LOCATION["headers"] | WITH_VERSION["headers"]}
OPENING: Json = {"responses": {"200": _OPENED, "201": _OPENED}}
"""In `opt[OPERATION]` of a route that opens a stream."""
