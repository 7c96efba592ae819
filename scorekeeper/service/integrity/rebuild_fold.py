"""What the log of a league says beside what its stored views hold."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Protocol

from msgspec import Struct

from scorekeeper.ledger.integrity.checking import Stored
from scorekeeper.ledger.integrity.raw_rows import PART, HeadRow, read_head, read_stored
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.fresh_rows import Comparison, Difference, FreshView
from scorekeeper.service.integrity.fresh_views import SoundFold, fresh_ratings
from scorekeeper.service.integrity.verifying import OnProgress
from scorekeeper.service.refused import not_found
from scorekeeper.store import ratings
from scorekeeper.store.ratings import RankedPlayer
from scorekeeper.store.views import RATINGS, VIEWS, Row, StoredView, part_of

# So many entries may be left for the transaction that swaps; more are folded before it.
_FEW = 500


class FoundInViews(Struct, frozen=True):
    """What differs, by the names of the views.

    `left`: matches and tournaments that can't be replayed.
    """

    differences: Mapping[str, Sequence[Difference]]
    left: list[str]


class Folding(Protocol):
    """A league's log folded beside its stored views, in this process or in another one.

    It is asked for `begin` first, then in one transaction for `end` and `compare`.
    """

    async def begin(self, progress: OnProgress) -> int:
        """Fold the log, and look for what differs, without a lock; how many entries were folded.

        Raises Refused (`not-found`), LogUnsound and LedgerUnavailable.
        """
        ...

    def end(self, head: HeadRow, rows: Sequence[Stored]) -> Mapping[str, Collection[str]]:
        """Fold the entries since; subjects whose rows may be wrong, by the names of the views.

        A view that nobody can tell has no name there. Raises LogUnsound where these are not the
        entries that the head promises, and LedgerUnavailable.
        """
        ...

    def compare(self, stored: Mapping[str, Sequence[Row]]) -> FoundInViews:
        """Compare the rows about those subjects as they are now. Raises LedgerUnavailable."""
        ...

    async def ratings_differ(self) -> bool:
        """Whether the ratings are not those that follow from the results, looked at without a lock.

        Raises LedgerUnavailable.
        """
        ...


class RebuildFold:
    """Folds and compares in this process, on threads; it holds what follows from all matches."""

    def __init__(self, ledger: Ledger, league: str) -> None:
        self._ledger = ledger
        self._league = league
        # Subjects whose rows may be wrong.
        self._suspects: dict[StoredView, set[str]] = {view: set() for view in VIEWS}

    async def begin(self, progress: OnProgress) -> int:
        """See `Folding.begin`."""
        head = await self._head()
        if head is None:
            raise not_found("league")
        self._fold = SoundFold(head)
        await self._fold_to(head.size, progress)
        await self._fold_on(progress)
        await asyncio.to_thread(self._fold.fresh.bring_up)
        for fresh in await asyncio.to_thread(self._rebuilt):
            self._suspects[fresh.view] = await self._wrong_in(fresh)
        # Comparing took its time: all but the latest few entries again.
        await self._fold_on(progress)
        self._add(await asyncio.to_thread(self._fold.fresh.bring_up))
        return self._fold.size

    def end(self, head: HeadRow, rows: Sequence[Stored]) -> Mapping[str, Collection[str]]:
        """See `Folding.end`."""
        self._fold.take(rows)
        self._fold.end(head)
        self._add(self._fold.fresh.bring_up())
        return {each.view.name: self._suspects[each.view] for each in self._rebuilt()}

    def compare(self, stored: Mapping[str, Sequence[Row]]) -> FoundInViews:
        """See `Folding.compare`."""
        differences = {
            each.view.name: _compared(each.only(self._suspects[each.view]), stored[each.view.name])
            for each in self._rebuilt()
        }
        return FoundInViews(differences, self._fold.fresh.left)

    async def ratings_differ(self) -> bool:
        """See `Folding.ratings_differ`."""
        league = self._league
        rows = [row async for part in self._parts(RATINGS) for row in part]
        until = await self._ledger.read(lambda c: ratings.as_of(c, league))
        on = await self._ledger.read(lambda c: ratings.played(c, league, after=0, until=until))
        return await asyncio.to_thread(rated_wrong, on, rows)

    def _rebuilt(self) -> list[FreshView]:
        return [each for each in self._fold.fresh.views() if each.view.rebuilt]

    def _add(self, touched: Mapping[str, set[str]]) -> None:
        for view in VIEWS:
            self._suspects[view] |= touched.get(view.subject, set())

    async def _wrong_in(self, fresh: FreshView) -> set[str]:
        """Subjects about which a view says anything else, compared without a lock, part by part."""
        comparison = Comparison(fresh)
        found: list[Difference] = []
        async for rows in self._parts(fresh.view):
            found += await asyncio.to_thread(_taken, comparison, rows)
        found += await asyncio.to_thread(_ended, comparison)
        return {fresh.view.subject_of(each.key) for each in found}

    async def _parts(self, view: StoredView) -> AsyncIterator[list[Row]]:
        """The stored rows of a view, some hundreds at a time."""
        last: Row | None = None
        while True:
            read = partial(part_of, view=view, league=self._league, last=last)
            rows = await self._ledger.read(read)
            if not rows:
                return
            yield rows
            last = rows[-1]

    async def _fold_on(self, progress: OnProgress) -> None:
        """All but the latest few entries, whatever is appended meanwhile."""
        while True:
            head = await self._head()
            if head is None or head.size - self._fold.size <= _FEW:
                return
            await self._fold_to(head.size, progress)

    async def _fold_to(self, size: int, progress: OnProgress) -> None:
        """Up to a size that was committed, where no match lacks what belongs to its last entry."""
        fold = self._fold
        parts = (
            partial(read_stored, league=self._league, after=after, until=min(after + PART, size))
            for after in range(fold.size, size, PART)
        )
        async with aclosing(self._ledger.each(parts)) as read:
            async for rows in read:
                await asyncio.to_thread(fold.take, rows)
                progress(len(rows))
        fold.reach(size)

    async def _head(self) -> HeadRow | None:
        return await self._ledger.read(lambda c: read_head(c, self._league))


def rated_wrong(on: Sequence[RankedPlayer], rows: Sequence[Row]) -> bool:
    """Whether the ratings are not those that follow from the results."""
    return bool(_compared(fresh_ratings(on), rows))


def _taken(comparison: Comparison, rows: Sequence[Row]) -> list[Difference]:
    return list(comparison.take(rows))


def _ended(comparison: Comparison) -> list[Difference]:
    return list(comparison.end())


def _compared(fresh: FreshView, rows: Sequence[Row]) -> list[Difference]:
    comparison = Comparison(fresh)
    return [*comparison.take(rows), *comparison.end()]
