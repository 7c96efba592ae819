"""Answers that are constant while the process runs: encoded once, with an ETag of their content."""

import hashlib
from collections.abc import Mapping
from typing import TypeVar, cast

from litestar import Response
from msgspec import Struct

T = TypeVar("T")


class Kept(Struct, frozen=True):
    """The bytes of an answer, and its strong ETag."""

    body: bytes
    tag: str


def kept(body: bytes) -> Kept:
    return Kept(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def answered(
    answer: Kept, shape: type[T], media_type: str, headers: Mapping[str, str] | None = None
) -> Response[T]:
    """The answer of a route with STATIC in its `opt`; `shape` is what was encoded."""
    return Response(
        cast("T", answer.body),
        media_type=media_type,
        headers={**(headers or {}), "etag": answer.tag},
    )
