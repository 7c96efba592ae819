"""Prefetch on a thread: the next item is made while the caller works on the present one."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def prefetch(things: Iterator[T]) -> Iterator[T]:
    """The things, none of them None, in their order; the next one is made on a thread meanwhile.

    What the making of one raises is raised in its place.
    """
    with ThreadPoolExecutor(1) as apart:
        coming = apart.submit(next, things, None)
        while (thing := coming.result()) is not None:
            coming = apart.submit(next, things, None)
            yield thing
