"""Answers that are constant while the process runs: encoded once, with an ETag of their content."""

import hashlib
from collections.abc import Mapping
from typing import TypeVar, cast

from litestar import Response
from msgspec import Struct

T = TypeVar("T")


class StaticAnswer(Struct, frozen=True):
    """The bytes of an answer, and its strong ETag."""

    body: bytes
    tag: str


def static_answer(body: bytes) -> StaticAnswer:
    return StaticAnswer(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def static_response(
    answer: StaticAnswer, shape: type[T], media_type: str, headers: Mapping[str, str] | None = None
) -> Response[T]:
    """The answer of a route with STATIC in its `opt`; `shape` is what was encoded."""
    return Response(
        cast("T", answer.body),
        media_type=media_type,
        headers={**(headers or {}), "etag": answer.tag},
    )
