"""A league folded anew, its chain checked on the way: nothing is made from an unsound log."""

from collections.abc import Sequence

from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.ledger.reading.checking import Flaw, LedgerCheck, Stored
from scorekeeper.ledger.reading.raw_rows import HeadRow
from scorekeeper.service.integrity.fresh_views import FreshViews
from scorekeeper.service.integrity.replay_check import LeagueReplay


class LogUnsound(Exception):
    """The log itself is not as it was recorded."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(flaw.detail)
        self.flaw = flaw


class SoundFold:
    """Takes the rows of a ledger by position; `fresh` has what follows from them."""

    def __init__(self, head: HeadRow) -> None:
        self._check = LedgerCheck(head.league, head.log)
        self._replay = LeagueReplay(head.league)
        self.fresh = FreshViews(self._replay)

    @property
    def size(self) -> int:
        """How many entries were taken."""
        return self._check.size

    def take(self, rows: Sequence[Stored]) -> None:
        """Raises LogUnsound."""
        entries: list[Entry] = []
        flaws = self._check.take(rows, entries)
        if flaws:
            raise LogUnsound(flaws[0])
        self._replay.take(entries)

    def reach(self, size: int) -> None:
        """Raises LogUnsound where not so many entries were taken."""
        if self.size < size:
            position = self.size + 1
            detail = f"The ledger of {self._check.league} lacks the entry at position {position}."
            raise LogUnsound(Flaw("position-missing", detail, position, "events.position"))

    def end(self, head: HeadRow) -> None:
        """Raises LogUnsound where these are not the entries that the head row promises."""
        if (self._check.size, self._check.tree.frontier()) != (head.size, head.frontier):
            detail = f"The entries of {head.league} are not those that its head row promises."
            raise LogUnsound(Flaw("head-differs", detail, None, "ledgers.frontier"))
