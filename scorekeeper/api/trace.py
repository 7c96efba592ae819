"""What is known of one request while it is answered, for the log, the figures and the problems."""

import msgspec
from litestar.types import Scope

_KEY = "trace"


class Trace(msgspec.Struct):
    """Written to as the request goes inwards; `token_id` is None until a token was recognised."""

    request_id: str
    token_id: str | None = None


def begin(scope: Scope, trace: Trace) -> None:
    """Lay the trace into the scope, where everything further in finds it."""
    if "state" not in scope:
        scope["state"] = {}
    scope["state"][_KEY] = trace


def trace_of(scope: Scope) -> Trace:
    """An empty trace where nobody began one, as for a part that is tested by itself."""
    trace = scope["state"].get(_KEY) if "state" in scope else None
    if not isinstance(trace, Trace):
        begin(scope, trace := Trace(request_id=""))
    return trace
