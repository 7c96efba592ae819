"""Rows of stored views as a fresh fold of the log has them, and the stored ones beside them.

The rows of the league's table are added up here from all matches that were won.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.projections.contribution import Contributions, MatchSums, Meeting
from scorekeeper.projections.points import kind_in
from scorekeeper.service.standings.changes import result_fields
from scorekeeper.store.league_table import ordinal
from scorekeeper.store.views import Columns, Key, StoredView


class FreshRow(Struct, frozen=True):
    """The columns of a row that follow from the log.

    `exact` is False where something was erased, so that the view's `erasable` columns are guesses.
    """

    columns: Columns
    exact: bool = True


class FreshView(Struct, frozen=True):
    """What a view should hold of a league.

    `subjects`: what its rows are derived from, such as matches. `derive` gives the rows of one
    subject, none of an unknown one. `lost`: subjects that can't be replayed; whatever rows the view
    has of them are taken as they are.
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


class WonMatch(Struct, frozen=True, kw_only=True):
    """A match that was won by the entry at the position `finished`.

    `exact` is False where something of the match was erased, so that nobody can tell that position
    any more: `finished` is a guess.
    """

    match: str
    edition: str
    scoring_mode: str
    finished: int
    exact: bool
    held_at: str
    contributions: Contributions

    @property
    def ordinal(self) -> str:
        return ordinal(self.held_at, self.finished)

    def results(self) -> Iterator[Columns]:
        """What each person brought home."""
        for person in self.contributions:
            yield {
                "match": self.match,
                "player": person,
                "finished": self.finished,
                "ordinal": self.ordinal,
                "held_at": self.held_at,
                **result_fields(self.edition, self.scoring_mode, self.contributions, person),
            }


class _Played(Struct, frozen=True):
    """All that a person's line needs of a match."""

    ordinal: str
    scoring_mode: str
    won: bool
    own: Meeting
    exact: bool


class FreshTable:
    """Adds up a line for each person. All matches that were won have to be given."""

    def __init__(self) -> None:
        self._people: dict[str, tuple[str, ...]] = {}
        self._played: dict[str, dict[str, _Played]] = {}

    @property
    def people(self) -> Iterable[str]:
        """Everybody who is or was in one of the matches."""
        return self._played

    def put(self, slug: str, match: WonMatch | None) -> set[str]:
        """A match as it is now, None where nobody has won it; who is or was in it."""
        before = self._people.pop(slug, ())
        for person in before:
            del self._played[person][slug]
        if match is None:
            return set(before)
        self._people[slug] = tuple(match.contributions)
        for person, each in match.contributions.items():
            played = _Played(match.ordinal, match.scoring_mode, each.won, each.own, match.exact)
            self._played.setdefault(person, {})[slug] = played
        return {*before, *match.contributions}

    def line(self, person: str) -> tuple[Columns, bool] | None:
        """The person's columns, and whether all matches are exact; None before the first match."""
        own = sorted(self._played.get(person, {}).values(), key=lambda match: match.ordinal)
        if not own:
            return None
        sums = MatchSums()
        streak = longest = 0
        for match in own:
            sums.add(match.own, kind_in(match.scoring_mode), won=match.won)
            streak = streak + 1 if match.won else 0
            longest = max(longest, streak)
        columns: Columns = {
            "player": person,
            **sums.columns(),
            "streak": streak,
            "longest_streak": longest,
            "last_ordinal": own[-1].ordinal,
        }
        return columns, all(match.exact for match in own)
