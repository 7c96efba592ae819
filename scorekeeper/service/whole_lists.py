"""Lists that are wanted whole, whatever their length; each question asks for a part of one."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

AT_ONCE: Final = 1_000


async def whole_list(
    part: Callable[[str | None, int], Awaitable[Sequence[T]]], place: Callable[[T], str]
) -> Sequence[T]:
    """All parts one after the other, with one question where the list is short.

    `part` gives so many items, those after a place, or fewer where no more follow; `place` is that
    of an item.
    """
    found: list[T] = []
    after = None
    while True:
        items = await part(after, AT_ONCE)
        found += items
        if len(items) < AT_ONCE:
            return found
        after = place(items[-1])
