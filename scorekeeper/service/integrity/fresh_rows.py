"""Compares the stored rows of views with the rows that follow from a fresh fold of the log.

The rows of the league's table are also added up here, from all matches that were won.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from sys import intern

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.projections.contribution import Contributions, MatchSums, Meeting
from scorekeeper.projections.points import kind_in
from scorekeeper.rules.scoring import PointsKind
from scorekeeper.service.standings.changes import result_fields
from scorekeeper.store.league_table import ordinal
from scorekeeper.store.views import Columns, Key, StoredView


class FreshRow(Struct, frozen=True):
    """The columns of a row that follow from the log.

    `exact` is False if something was erased. Then the view's `erasable` columns are guesses.
    """

    columns: Columns
    exact: bool = True


class FreshView(Struct, frozen=True):
    """What a view should hold of a league.

    `subjects`: what its rows are derived from, such as matches. `derive` gives the rows of one
    subject, and none for an unknown one. `lost`: subjects that can't be replayed. Stored rows about
    them that can't be derived count as right.
    """

    view: StoredView
    subjects: Collection[str]
    derive: Callable[[str], Iterable[FreshRow]]
    lost: Collection[str] = ()

    def rows(self, subject: str) -> Mapping[Key, FreshRow]:
        """Return the rows of one subject by their keys."""
        return {self.view.key(row.columns): row for row in self.derive(subject)}

    def only(self, subjects: Collection[str]) -> "FreshView":
        """Return the same view, limited to these subjects."""
        return replace(self, subjects=subjects)


class Difference(Struct, frozen=True):
    """A row that is not as it should be.

    `stored` and `fresh` are None if there is no such row. `changed` has the right values of the
    columns that differ.
    """

    key: Key
    stored: Columns | None
    fresh: FreshRow | None
    changed: Columns


class Comparison:
    """Compares stored rows with fresh ones.

    Stored rows are taken ordered by subject: all rows of a view, or all about certain subjects.
    """

    def __init__(self, fresh: FreshView) -> None:
        self.view = fresh.view
        self._fresh = fresh
        self._ahead = set(fresh.subjects)
        self._subject: object = None
        # The rows that the subject should have, without those that were taken already.
        self._left: dict[Key, FreshRow] = {}

    def take(self, stored: Iterable[Columns]) -> Iterator[Difference]:
        """Take the next stored rows. Yield what is wrong with them, and what is missing before."""
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
        """Yield the rows that are missing, once all stored rows were taken."""
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

    `exact` is False if content of the match was erased, so that this position can't be derived any
    more. Then `finished` is a guess.
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
        """Yield the columns of each person's result."""
        for person in self.contributions:
            yield {
                "match": self.match,
                "player": person,
                "finished": self.finished,
                "ordinal": self.ordinal,
                "held_at": self.held_at,
                **result_fields(self.edition, self.scoring_mode, self.contributions, person),
            }


class _Played(Struct, frozen=True, gc=False):
    """What a person's line in the league's table needs of a match."""

    ordinal: str
    points: PointsKind | None
    won: bool
    own: Meeting
    exact: bool


class FreshTable:
    """The league's table: adds up a line for each person.

    Each match that was won has to be given to `put`.
    """

    def __init__(self) -> None:
        self._people: dict[str, tuple[str, ...]] = {}
        self._played: dict[str, dict[str, _Played]] = {}

    @property
    def people(self) -> Iterable[str]:
        """Everybody who is or was in one of the matches."""
        return self._played

    def put(self, slug: str, match: WonMatch | None) -> set[str]:
        """Set a match as it is now, or None if nobody has won it.

        Return everybody who is or was in the match.
        """
        before = self._people.pop(slug, ())
        for person in before:
            del self._played[person][slug]
        if match is None:
            return set(before)
        # Each text is kept once, and not once for each match or person that it stands in.
        self._people[slug] = tuple(map(intern, match.contributions))
        ordinal, points = match.ordinal, kind_in(match.scoring_mode)
        for person, each in match.contributions.items():
            played = _Played(ordinal, points, each.won, each.own, match.exact)
            self._played.setdefault(intern(person), {})[slug] = played
        return {*before, *match.contributions}

    def line(self, person: str) -> tuple[Columns, bool] | None:
        """Return the person's columns, and whether all matches are exact; None before any match."""
        own = sorted(self._played.get(person, {}).values(), key=lambda match: match.ordinal)
        if not own:
            return None
        sums = MatchSums()
        streak = longest = 0
        for match in own:
            sums.add(match.own, match.points, won=match.won)
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
