"""Checking all that a bundle holds: its bytes, its ledger, and the ledger replayed by the rules."""

from collections.abc import Callable, Iterator
from typing import BinaryIO

from msgspec.structs import replace

from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.ledger.hashing.tiles import TILE_WIDTH
from scorekeeper.ledger.reading.checking import Flaw
from scorekeeper.service.export.format import KEY, NAMES, part_name
from scorekeeper.service.export.reader import BundleReader
from scorekeeper.service.integrity.replay_check import LeagueReplay
from scorekeeper.service.integrity.verifying import OnProgress, Verified


class BundleCheck:
    """Reads a bundle once, with no server and no database. Raises BundleUnreadable.

    `key` is the verifier key that the bundle must be sealed with, as it was noted elsewhere; None
    takes the bundle's own, which shows that nothing was changed since, and not by whom it was made.
    """

    def __init__(self, file: BinaryIO, *, key: str | None = None) -> None:
        self.reader = BundleReader(file)
        self.replay = LeagueReplay(self.reader.manifest.league)
        self._key = key
        self._told = 0

    def run(
        self, progress: OnProgress, take: Callable[[list[Entry]], None] = lambda _: None
    ) -> Iterator[Flaw | Verified]:
        """All that is wrong, then one Verified; `take` gets the entries on the way."""
        for entries in self.reader.entries():
            yield from self._of_reader()
            for flaw in self.replay.take(entries):
                yield _in_bundle(flaw)
            take(entries)
            progress(len(entries))
        yield from self._of_reader()
        for flaw in self.replay.end():
            yield _in_bundle(flaw)
        yield from self._names()
        if self._key is not None and str(self.reader.key) != self._key:
            yield Flaw("key-other", "The bundle was sealed with another key than this.", None, KEY)
        check = self.reader.check
        yield Verified(
            self.reader.manifest.league,
            check.size,
            len(check.erased),
            self.replay.match_count,
            check.tree.root(),
            self.replay.counts(),
        )

    def _of_reader(self) -> Iterator[Flaw]:
        """What the reader found since it was asked last."""
        yield from self.reader.flaws[self._told :]
        self._told = len(self.reader.flaws)

    def _names(self) -> Iterator[Flaw]:
        """Whoever the ledger knows has a name, and nobody else."""
        names = self.reader.names
        for kind, named, known in (
            ("player", names.players.keys(), self.replay.players.keys()),
            ("token", names.tokens.keys(), self.replay.tokens.keys()),
        ):
            for one in sorted(named ^ known):
                who = "nobody in the ledger" if one in named else "somebody without a name"
                yield Flaw("names-differ", f"The {kind} {one} is {who}.", None, NAMES)
        for player, name in names.players.items():
            if name is None and player not in self.replay.nameless:
                detail = f"The player {player} has no name, and no entry tells that it was erased."
                yield Flaw("name-missing", detail, None, NAMES)


def _in_bundle(flaw: Flaw) -> Flaw:
    """A flaw of an entry, with the member that it stands in."""
    if flaw.position is None:
        return replace(flaw, place=None)
    return replace(flaw, place=part_name("entries", (flaw.position - 1) // TILE_WIDTH))
