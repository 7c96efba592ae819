"""What lists of a league have in common: which are empty, and which are wanted whole."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.refused import not_found

T = TypeVar("T")
Found = TypeVar("Found", bound=Sequence[object])

AT_ONCE: Final = 1_000


async def of_league(ledger: Ledger, league: str, found: Found) -> Found:
    """What was found, which may be nothing. Raises Refused (`not-found`) if there is no league."""
    if not found and await ledger.head(league) is None:
        raise not_found("league")
    return found


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
