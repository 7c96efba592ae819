"""Replays the matches of a league with bounded memory, in this process or in several.

Matches that were won or have no recent entries are compressed. If another entry follows after all,
such as an amendment, the match is decompressed.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from zlib import crc32

from msgspec import Struct

from scorekeeper.ledger.integrity.checking import Decoded, Flaw
from scorekeeper.service.integrity.replayed_match import ReplayedMatch
from scorekeeper.service.reading.matches import match_of

# The most entries that are kept uncompressed. A compressed one takes some hundredth of the memory.
_MOST_UNPACKED = 30_000
# If there are more than these, matches that were won are compressed, as little is told of them.
_FEW_UNPACKED = 5_000
_HASHES = 2**32


def by_stream(entries: Iterable[Decoded]) -> Mapping[str, Sequence[Decoded]]:
    """Return the entries of each stream, in their order."""
    streams: dict[str, list[Decoded]] = defaultdict(list)
    for entry in entries:
        streams[entry[0].stream].append(entry)
    return streams


class ReplayedMatches:
    """The matches of a league. The entries of each are taken in the order of their positions."""

    def __init__(self, league: str) -> None:
        self.by_slug: dict[str, ReplayedMatch] = {}
        self._league = league
        # Uncompressed matches, in the order of their last entries.
        self._unpacked: OrderedDict[str, ReplayedMatch] = OrderedDict()
        self._live = 0

    def take(self, slug: str, entries: Sequence[Decoded]) -> list[Flaw]:
        """Take the next entries of this match, and return what is wrong with them by the rules."""
        match = self.by_slug.get(slug)
        if match is None:
            opening, _ = entries[0]
            match = self.by_slug[slug] = ReplayedMatch(self._league, slug, opening)
        if slug not in self._unpacked:
            self._live += match.unpack()
            self._unpacked[slug] = match
        self._unpacked.move_to_end(slug)
        self._live += len(entries)
        return match.take(entries)

    def pack(self) -> None:
        """Compress matches if too much is in memory.

        Those that were won come first, then those with the oldest last entries.
        """
        if self._live > _FEW_UNPACKED:
            for slug in [slug for slug, match in self._unpacked.items() if match.won]:
                self._put_away(slug)
        while self._live > _MOST_UNPACKED and len(self._unpacked) > 1:
            if not self._put_away(next(iter(self._unpacked))):
                return

    def _put_away(self, slug: str) -> bool:
        """Compress a match, unless a check waits for its next entry. Return whether it was."""
        match = self._unpacked[slug]
        if not match.settled:
            return False
        del self._unpacked[slug]
        self._live -= match.pack()
        return True

    def adopt(self, replayed: Mapping[str, ReplayedMatch]) -> None:
        """Take over matches that were replayed to their end elsewhere."""
        self.by_slug.update(replayed)

    def end(self) -> Iterator[Flaw]:
        """Yield what is wrong with each match as a whole, once all entries were taken.

        Matches come in the order of their openings.
        """
        for match in sorted(self.by_slug.values(), key=lambda each: each.opened):
            yield from match.end()


class Share(Struct, frozen=True):
    """The matches whose slugs have a hash from `begin` to below `end`; 0 to 1 has all matches."""

    begin: float
    end: float

    def __contains__(self, slug: str) -> bool:
        return self.begin <= crc32(slug.encode()) / _HASHES < self.end


class ReplayedShare(Struct, frozen=True):
    """The matches of a share at their end, and the flaws of each match's entries, by slug."""

    by_slug: dict[str, ReplayedMatch]
    flaws: dict[str, list[Flaw]]

    def flaws_but_of(self, others: Collection[str]) -> list[Flaw]:
        """Return the flaws of all matches except `others`, match by match."""
        return [each for slug, own in self.flaws.items() if slug not in others for each in own]


class ShareReplay:
    """Replays the matches of a share, to be adopted by another process.

    Entries outside of the share's matches are ignored. `progress` is called with the number of
    entries that were not.
    """

    def __init__(self, league: str, share: Share, progress: Callable[[int], None]) -> None:
        self._matches = ReplayedMatches(league)
        self._share = share
        self._progress = progress
        self._flaws: dict[str, list[Flaw]] = {}

    def take(self, entries: Iterable[Decoded]) -> None:
        """Take the next entries of the league, in the order of their positions."""
        known = self._matches.by_slug
        taken = 0
        for stream, own in by_stream(entries).items():
            slug = match_of(stream)
            if slug is None or not (slug in known or slug in self._share):
                continue
            taken += len(own)
            if flaws := self._matches.take(slug, own):
                self._flaws.setdefault(slug, []).extend(flaws)
        self._matches.pack()
        self._progress(taken)

    def end(self) -> ReplayedShare:
        """Return the replayed share, once all entries were taken."""
        for match in self._matches.by_slug.values():
            match.end()
        return ReplayedShare(self._matches.by_slug, self._flaws)
