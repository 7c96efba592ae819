"""The rows of a league's table as a fresh fold of all matches has them."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from scorekeeper.projections.contribution import Contributions, MatchSums, Meeting
from scorekeeper.projections.points import kind_in
from scorekeeper.service.standings.changes import result_fields
from scorekeeper.store.league_table import ordinal
from scorekeeper.store.views import Columns


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

    def __init__(self, matches: Iterable[WonMatch] = ()) -> None:
        self._people: dict[str, tuple[str, ...]] = {}
        self._played: dict[str, dict[str, _Played]] = {}
        for match in matches:
            self.put(match.match, match)

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
