"""The matches of a league replayed at bounded memory, here or in several processes.

Matches that were not played on for a while are packed away, and unpacked where somebody amends them
after all.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from zlib import crc32

from msgspec import Struct

from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.service.integrity.replayed_match import ReplayedMatch
from scorekeeper.service.reading.matches import match_of

# So many entries are kept unpacked; a packed one takes a tenth of the room.
_MOST_UNPACKED = 30_000
_HASHES = 2**32


class ReplayedMatches:
    """Takes entries of matches by position."""

    def __init__(self, league: str) -> None:
        self.by_slug: dict[str, ReplayedMatch] = {}
        self._league = league
        # Those that are not packed away, by when they were last played on.
        self._unpacked: OrderedDict[str, ReplayedMatch] = OrderedDict()
        self._live = 0

    def take(self, slug: str, entry: Entry) -> Sequence[Flaw]:
        """What in the next entry of this match is not as the rules have it."""
        match = self.by_slug.get(slug)
        if match is None:
            match = self.by_slug[slug] = ReplayedMatch(self._league, slug, entry)
        if slug not in self._unpacked:
            self._live += match.unpack()
            self._unpacked[slug] = match
        self._unpacked.move_to_end(slug)
        self._live += 1
        return match.take(entry)

    def pack(self) -> None:
        """Keep no more in memory than there is room for."""
        while self._live > _MOST_UNPACKED and len(self._unpacked) > 1:
            slug, match = next(iter(self._unpacked.items()))
            if not match.settled:
                return
            del self._unpacked[slug]
            self._live -= match.pack()

    def adopt(self, replayed: Mapping[str, ReplayedMatch]) -> None:
        """Matches that were replayed to their end elsewhere."""
        self.by_slug.update(replayed)

    def end(self) -> Iterator[Flaw]:
        """What is wrong with each as a whole, as they were opened; all entries were taken."""
        for match in sorted(self.by_slug.values(), key=lambda each: each.opened):
            yield from match.end()


class Share(Struct, frozen=True):
    """The matches whose slugs have a hash between these bounds, of which `end` is none.

    0 to 1 is all of them.
    """

    begin: float
    end: float

    def __contains__(self, slug: str) -> bool:
        return self.begin <= crc32(slug.encode()) / _HASHES < self.end


class ReplayedShare(Struct, frozen=True):
    """The matches of a share at their end, and the flaws of each that were found on the way."""

    by_slug: dict[str, ReplayedMatch]
    flaws: dict[str, list[Flaw]]

    def flaws_but_of(self, others: Collection[str]) -> list[Flaw]:
        """Those of all matches but these, match by match."""
        return [each for slug, own in self.flaws.items() if slug not in others for each in own]


class ShareReplay:
    """Replays the matches of a share, to be adopted by another process.

    Nothing is said of entries that belong to no match. `progress` is told how many do.
    """

    def __init__(self, league: str, share: Share, progress: Callable[[int], None]) -> None:
        self._matches = ReplayedMatches(league)
        self._share = share
        self._progress = progress
        self._flaws: dict[str, list[Flaw]] = {}

    def take(self, entries: Iterable[Entry]) -> None:
        """The next entries of the league by position."""
        known = self._matches.by_slug
        taken = 0
        for entry in entries:
            slug = match_of(entry.stream)
            if slug is None or not (slug in known or slug in self._share):
                continue
            taken += 1
            if flaws := self._matches.take(slug, entry):
                self._flaws.setdefault(slug, []).extend(flaws)
        self._matches.pack()
        self._progress(taken)

    def end(self) -> ReplayedShare:
        """All of it, now that all entries were taken."""
        for match in self._matches.by_slug.values():
            match.end()
        return ReplayedShare(self._matches.by_slug, self._flaws)
