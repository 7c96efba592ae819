"""One example request of the API's description."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Example(Struct, frozen=True, kw_only=True):
    """A body that is accepted where all before it in the story were sent.

    `operation` is the operation's id, in which each `name` is there once. `at`: what stands in the
    address beside the league; `seen`: the version for If-Match, where one is needed.
    """

    operation: str
    name: str
    title: str
    body: Mapping[str, Any]
    at: Mapping[str, str] = {}
    seen: int | None = None
