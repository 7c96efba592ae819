"""What becomes known of a request while it is answered, for the log, metrics and problems."""

import random
import re
from typing import Any, cast

import msgspec
from litestar.types import Scope

from scorekeeper.texts.language import Language

_KEY = "trace"
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")


class RequestContext(msgspec.Struct):
    """Written to as the request goes inwards.

    `token_id` is None until a token was recognised, `language` for answers without texts. Nothing
    that can be guessed is let in from this address for `no_guess_for` seconds.
    """

    request_id: str
    token_id: str | None = None
    language: Language | None = None
    no_guess_for: int = 0


def new_request_id() -> str:
    # Not a secret, and random bytes from the system would cost more than a microsecond a request.
    return random.getrandbits(64).to_bytes(8, "big").hex()


def request_id(header: bytes | None) -> str:
    """The client's X-Request-Id where it is 1 to 64 letters, digits, dots, dashes and underscores.

    Else a new one.
    """
    if header is not None and _REQUEST_ID.fullmatch(header):
        return header.decode()
    return new_request_id()


def begin(scope: Scope, trace: RequestContext) -> None:
    """Lay the trace into the scope, where everything further in finds it."""
    _state(scope)[_KEY] = trace


def trace_of(scope: Scope) -> RequestContext:
    """An empty trace where nobody began one, as for a part that is tested by itself."""
    trace = _state(scope).get(_KEY)
    if not isinstance(trace, RequestContext):
        begin(scope, trace := RequestContext(request_id=""))
    return trace


def _state(scope: Scope) -> dict[str, Any]:
    # The key is optional in ASGI, although the type requires it.
    return cast("dict[str, dict[str, Any]]", scope).setdefault("state", {})
