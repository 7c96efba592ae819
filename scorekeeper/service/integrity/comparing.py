"""Stored rows of a view beside those that a fresh fold of the log has."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.store.views import Columns, Key, StoredView


class FreshRow(Struct, frozen=True):
    """The columns of a row that follow from the log.

    `exact` is False where something was erased, so that the view's `erasable` columns are guesses.
    """

    columns: Columns
    exact: bool = True


class FreshView(Struct, frozen=True):
    """What a view should hold of a league.

    `subjects`: all that its rows are derived from; `derive` has the rows of one, none of an unknown
    one. Of `lost` subjects nobody can tell more than what `derive` has.
    """

    view: StoredView
    subjects: Collection[str]
    derive: Callable[[str], Iterable[FreshRow]]
    lost: Collection[str] = ()

    def rows(self, subject: str) -> Mapping[Key, FreshRow]:
        """Those of one subject."""
        return {self.view.key(row.columns): row for row in self.derive(subject)}

    def only(self, subjects: Collection[str]) -> "FreshView":
        """What it should hold of these subjects."""
        return replace(self, subjects=subjects)


class Difference(Struct, frozen=True):
    """A row that is not as it should be.

    `stored` and `fresh` are None where there is no such row. `changed` has what the columns that
    differ should say.
    """

    key: Key
    stored: Columns | None
    fresh: FreshRow | None
    changed: Columns


class Comparison:
    """Takes stored rows by their subjects: all that the view has, or all about certain subjects."""

    def __init__(self, fresh: FreshView) -> None:
        self.view = fresh.view
        self._fresh = fresh
        self._ahead = set(fresh.subjects)
        self._subject: object = None
        # What the subject should have, but for the rows that were taken.
        self._left: dict[Key, FreshRow] = {}

    def take(self, stored: Iterable[Columns]) -> Iterator[Difference]:
        """What is wrong with the next rows, or missing before them."""
        view = self.view
        for row in stored:
            subject = str(row[view.subject])
            if subject != self._subject:
                yield from self._missing()
                self._ahead.discard(subject)
                self._subject, self._left = subject, dict(self._fresh.rows(subject))
            key = view.key(row)
            fresh = self._left.pop(key, None)
            if fresh is None:
                if subject not in self._fresh.lost:
                    yield Difference(key, row, None, {})
            elif changed := _changed(view, row, fresh):
                yield Difference(key, row, fresh, changed)

    def end(self) -> Iterator[Difference]:
        """What is missing behind the last row."""
        yield from self._missing()
        for subject in sorted(self._ahead):
            self._left = dict(self._fresh.rows(subject))
            yield from self._missing()

    def _missing(self) -> Iterator[Difference]:
        for key, row in self._left.items():
            yield Difference(key, None, row, {})


def _changed(view: StoredView, stored: Columns, fresh: FreshRow) -> Columns:
    return {
        name: said
        for name, said in fresh.columns.items()
        if stored[name] != said and (fresh.exact or name not in view.erasable)
    }
