"""Replaying a round from a bundle, with no server and no database."""

from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

from scorekeeper.ledger.entry import CONTENT_ERASED, Entry
from scorekeeper.ledger.integrity.checking import UNREADABLE, Flaw
from scorekeeper.service.export.format import KEY, part_with
from scorekeeper.service.export.reader import BundleReader
from scorekeeper.service.integrity.replayed_match import ReplayedMatch
from scorekeeper.service.integrity.verifying import OnProgress
from scorekeeper.service.reading.matches import View, match_stream
from scorekeeper.service.reading.replay_views import ReplayView
from scorekeeper.service.reading.replays import replayed_from
from scorekeeper.service.refused import not_found
from scorekeeper.service.streams import LEAGUE_STREAM, ContentErased, decode_league_event
from scorekeeper.texts.language import Language


class BundleUnsound(Exception):
    """A bundle that does not hold what was recorded, so that nothing is shown of it."""

    def __init__(self, flaw: Flaw, others: int) -> None:
        many = "is 1 more finding" if others == 1 else f"are {others} more findings"
        more = f" There {many}." if others else ""
        super().__init__(flaw.detail + more)


class OtherLeague(Exception):
    """A bundle of another league than the one that was asked for."""

    def __init__(self, league: str) -> None:
        super().__init__(f"It is the export of the league {league}.")


class MatchInBundle:
    """A match in a bundle that was checked.

    The bytes of the whole file were checked, with chains, tree, proofs, checkpoint and seal. Only
    this match was replayed by the rules; `verify` replays all of them.
    """

    def __init__(self, reader: BundleReader, match: str, entries: list[Entry]) -> None:
        self.key = str(reader.key)
        self._names = reader.names.tokens
        self._match = match
        self._entries = entries

    @classmethod
    def read(
        cls, file: BinaryIO, league: str, match: str, progress: OnProgress, *, key: str | None
    ) -> "MatchInBundle":
        """Read and check the bundle. `key`: what it must be sealed with; None: any key.

        Raises BundleUnreadable, OtherLeague, BundleUnsound and Refused (`not-found`).
        """
        reader = BundleReader(file)
        if reader.manifest.league != league:
            raise OtherLeague(reader.manifest.league)
        stream = match_stream(match)
        entries: list[Entry] = []
        erased: set[int] = set()
        for part in reader.entries():
            entries += [entry for entry in part if entry.stream == stream]
            erased |= _erased(part)
            progress(len(part))
        flaws = list(reader.flaws)
        if key is not None and str(reader.key) != key:
            flaws.append(Flaw("key-other", "It was sealed with another key than this.", None, KEY))
        if not entries and not flaws:
            raise not_found("match")
        flaws += _unsound(league, match, entries, erased)
        if flaws:
            raise BundleUnsound(flaws[0], len(flaws) - 1)
        return cls(reader, match, entries)

    def round(self, number: int, *, view: View, at: int | None, language: Language) -> ReplayView:
        """Return the round step by step, with all cards. Raises Refused (`not-found`)."""
        return replayed_from(
            self._entries, self._names, self._match, number, view=view, at=at, language=language
        )


def _erased(part: list[Entry]) -> set[int]:
    """Return the positions whose content was erased, by the league's own entries."""
    erased: set[int] = set()
    for entry in part:
        if (
            entry.stream == LEAGUE_STREAM
            and entry.type == CONTENT_ERASED
            and entry.body is not None
        ):
            with suppress(*UNREADABLE):
                event = decode_league_event(entry.body)
                erased.update(event.positions if isinstance(event, ContentErased) else ())
    return erased


def _unsound(league: str, match: str, entries: list[Entry], erased: set[int]) -> Iterator[Flaw]:
    """Yield what in a match contradicts the rules, or is missing although it was not erased."""
    if not entries:
        return
    replay = ReplayedMatch(league, match, entries[0])
    for entry in entries:
        if entry.body is None and entry.position not in erased:
            detail = f"The entry at position {entry.position} has no content; nothing says why."
            yield Flaw("erasure-untold", detail, entry.position, part_with(entry.position))
        yield from replay.take([(entry, entry.body)])
    yield from replay.end()
