"""The stored views of a league's table as a fresh fold of all matches has them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import asdict

from scorekeeper.projections.contribution import Contribution, Contributions, MatchSums
from scorekeeper.projections.meetings import kept
from scorekeeper.projections.points import kind_in
from scorekeeper.store.league_table import ordinal

Row = tuple[str, Mapping[str, object]]
"""What names the row in its league, and its columns."""


class WonMatch(Struct, frozen=True, kw_only=True):
    """A match that was won by the entry at the position `finished`.

    `exact` is False where something of the match was erased, so that nobody can tell that position
    any more.
    """

    match: str
    edition: str
    scoring_mode: str
    finished: int
    exact: bool
    held_at: str
    contributions: Contributions


class FreshTable:
    """Rows without their league. All matches that were won have to be given.

    Columns that nobody can tell any more are left out, unless `whole` asks for the best guess. Rows
    can be asked for of some matches or people alone.
    """

    def __init__(self, matches: Iterable[WonMatch] = ()) -> None:
        self._matches: dict[str, WonMatch] = {}
        self._of: dict[str, set[str]] = {}
        for match in matches:
            self.put(match.match, match)

    def put(self, slug: str, match: WonMatch | None) -> set[str]:
        """A match as it is now, None where nobody has won it; who is or was in it."""
        before = self._matches.pop(slug, None)
        people: set[str] = set() if before is None else set(before.contributions)
        for person in people:
            self._of[person].remove(slug)
        if match is not None:
            self._matches[slug] = match
            for person in match.contributions:
                self._of.setdefault(person, set()).add(slug)
            people |= set(match.contributions)
        return people

    def results(
        self, *, matches: Iterable[str] | None = None, whole: bool = False
    ) -> Iterator[Row]:
        for slug in sorted(self._matches if matches is None else matches):
            match = self._matches.get(slug)
            if match is not None:
                for person, each in match.contributions.items():
                    row = _result(match, person, each, exact=match.exact or whole)
                    yield f"{slug}/{person}", row

    def meetings(self, *, people: Iterable[str] | None = None) -> Iterator[Row]:
        for person, matches in self._played(people):
            sums: dict[tuple[str, int], MatchSums] = defaultdict(MatchSums)
            for match in matches:
                each = match.contributions[person]
                for partners, met in ((0, each.opponents), (1, each.partners)):
                    for other, meeting in met.items():
                        sums[other, partners].add(
                            meeting, kind_in(match.scoring_mode), won=each.won
                        )
            for (other, partners), met_so_far in sums.items():
                key = {"player": person, "other": other, "partners": partners}
                yield f"{person}/{other}/{partners}", {**key, **met_so_far.columns()}

    def standings(
        self, *, people: Iterable[str] | None = None, whole: bool = False
    ) -> Iterator[Row]:
        for person, matches in self._played(people):
            own = sorted(matches, key=lambda match: ordinal(match.held_at, match.finished))
            yield person, _standing(person, own, whole=whole)

    def _played(self, people: Iterable[str] | None) -> Iterator[tuple[str, list[WonMatch]]]:
        """Each of these people who has finished a match, with all of them."""
        for person in sorted(self._of if people is None else people):
            matches = [self._matches[slug] for slug in sorted(self._of.get(person, ()))]
            if matches:
                yield person, matches


def _result(
    match: WonMatch, person: str, each: Contribution, *, exact: bool
) -> Mapping[str, object]:
    when: Mapping[str, object] = {}
    if exact:
        when = {
            "finished": match.finished,
            "ordinal": ordinal(match.held_at, match.finished),
        }
    return {
        "match": match.match,
        "player": person,
        **when,
        "held_at": match.held_at,
        "edition": match.edition,
        "scoring_mode": match.scoring_mode,
        "seats": each.seats,
        "seat": each.seat,
        "side": each.side,
        "rank": each.rank,
        "won": int(each.won),
        **asdict(each.own),
        "met": kept(match.contributions, person),
    }


def _standing(person: str, own: list[WonMatch], *, whole: bool) -> Mapping[str, object]:
    sums = MatchSums()
    streak = longest = 0
    for match in own:
        mine = match.contributions[person]
        sums.add(mine.own, kind_in(match.scoring_mode), won=mine.won)
        streak = streak + 1 if mine.won else 0
        longest = max(longest, streak)
    columns: dict[str, object] = {"player": person, **sums.columns()}
    if whole or all(match.exact for match in own):
        last = own[-1]
        columns |= {
            "streak": streak,
            "longest_streak": longest,
            "last_ordinal": ordinal(last.held_at, last.finished),
        }
    return columns
