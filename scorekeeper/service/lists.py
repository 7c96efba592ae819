"""Lists of a league: telling an empty one from a missing league, and reading one as a whole."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.refused import not_found

T = TypeVar("T")
Found = TypeVar("Found", bound=Sequence[object])

AT_ONCE: Final = 1_000


async def found_in_league(ledger: Ledger, league: str, found: Found) -> Found:
    """Return `found`. If it is empty and there is no such league, raise Refused (`not-found`)."""
    if not found and await ledger.head(league) is None:
        raise not_found("league")
    return found


async def whole_list(
    part: Callable[[str | None, int], Awaitable[Sequence[T]]], place: Callable[[T], str]
) -> Sequence[T]:
    """Return all items of a list that is read in parts. A short list takes a single read.

    `part` reads a number of items after a place, and fewer only at the list's end. `place` returns
    the place of an item.
    """
    found: list[T] = []
    after = None
    while True:
        items = await part(after, AT_ONCE)
        found += items
        if len(items) < AT_ONCE:
            return found
        after = place(items[-1])
