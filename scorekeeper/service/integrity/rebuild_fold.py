"""Folds the log of a league, and compares what follows from it with the stored views."""

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
from scorekeeper.store.views import VIEWS, Row, StoredView, part_of

# The most entries that may be left to the transaction that writes the rows. Any more are folded
# before it begins.
_FEW = 500


class FoundInViews(Struct, frozen=True):
    """What differs, by the names of the views.

    `unreplayable`: matches and tournaments that can't be replayed.
    """

    differences: Mapping[str, Sequence[Difference]]
    unreplayable: list[str]


class Folding(Protocol):
    """The fold of a league's log, compared with its stored views, in this process or another one.

    Call `begin` first, then `end` and `compare` within one transaction.
    """

    async def begin(self, progress: OnProgress) -> int:
        """Fold the log and look for differences, without a lock. Return how many entries it has.

        `progress` is called with the numbers of entries, which add up to the result.
        Raises Refused (`not-found`), LogUnsound and LedgerUnavailable.
        """
        ...

    def end(self, head: HeadRow, rows: Sequence[Stored]) -> Mapping[str, Collection[str]]:
        """Fold `rows`, the entries that were added since `begin`.

        Return the subjects whose rows may be wrong, by the names of the views. A view that can't be
        derived is left out. Raises LogUnsound if the entries are not those that `head` promises,
        and LedgerUnavailable.
        """
        ...

    def compare(self, stored: Mapping[str, Sequence[Row]]) -> FoundInViews:
        """Compare `stored`, the rows about those subjects by the names of the views.

        Raises LedgerUnavailable.
        """
        ...

    async def ratings_differ(self) -> bool:
        """Return whether the stored ratings differ from those that follow from the results.

        They are read without a lock. The fold is given up before, so call this last. Raises
        LedgerUnavailable.
        """
        ...


class RebuildFold:
    """Folds and compares in this process, on threads. Something of each match stays in memory."""

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
        # Entries were added during the comparison. All but the latest few are folded now.
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
        return FoundInViews(differences, self._fold.fresh.unreplayable)

    async def ratings_differ(self) -> bool:
        """See `Folding.ratings_differ`."""
        del self._fold
        league = self._league
        until = await self._ledger.read(lambda c: ratings.as_of(c, league))
        on = await self._ledger.read(lambda c: ratings.played(c, league, after=0, until=until))
        return bool(await self._wrong_in(await asyncio.to_thread(fresh_ratings, on)))

    def _rebuilt(self) -> list[FreshView]:
        return [each for each in self._fold.fresh.views() if each.view.rebuilt]

    def _add(self, touched: Mapping[str, set[str]]) -> None:
        for view in VIEWS:
            self._suspects[view] |= touched.get(view.subject, set())

    async def _wrong_in(self, fresh: FreshView) -> set[str]:
        """Return the subjects with wrong rows in a view, which is read in parts without a lock."""
        comparison = Comparison(fresh)
        found: list[Difference] = []
        async for rows in self._parts(fresh.view):
            found += await asyncio.to_thread(_taken, comparison, rows)
        found += await asyncio.to_thread(_ended, comparison)
        return {fresh.view.subject_of(each.key) for each in found}

    async def _parts(self, view: StoredView) -> AsyncIterator[list[Row]]:
        """Yield the stored rows of a view, some hundreds at a time."""
        last: Row | None = None
        while True:
            read = partial(part_of, view=view, league=self._league, last=last)
            rows = await self._ledger.read(read)
            if not rows:
                return
            yield rows
            last = rows[-1]

    async def _fold_on(self, progress: OnProgress) -> None:
        """Fold all but the latest few entries, also those that are appended meanwhile."""
        while True:
            head = await self._head()
            if head is None or head.size - self._fold.size <= _FEW:
                return
            await self._fold_to(head.size, progress)

    async def _fold_to(self, size: int, progress: OnProgress) -> None:
        """Fold up to a committed size of the ledger.

        At such a size each match has all inferred entries that belong to its last told one.
        """
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
    """Return whether `rows` differ from the ratings that follow from the results `on`."""
    return bool(_compared(fresh_ratings(on), rows))


def _taken(comparison: Comparison, rows: Sequence[Row]) -> list[Difference]:
    return list(comparison.take(rows))


def _ended(comparison: Comparison) -> list[Difference]:
    return list(comparison.end())


def _compared(fresh: FreshView, rows: Sequence[Row]) -> list[Difference]:
    comparison = Comparison(fresh)
    return [*comparison.take(rows), *comparison.end()]
