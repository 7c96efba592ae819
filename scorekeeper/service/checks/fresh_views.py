"""The stored views of a league folded anew from its log, in parts and with its chain checked."""

from collections.abc import Iterator, Mapping, Sequence

from scorekeeper.ledger.checking import Flaw, LedgerCheck, Stored
from scorekeeper.ledger.columns import HeadRow
from scorekeeper.ledger.entry import Entry
from scorekeeper.service.checks.replay_check import LeagueReplay
from scorekeeper.store import tables
from scorekeeper.store.put_right import FreshView, by_key, view


class LogUnsound(Exception):
    """The log itself is not as it was recorded, so that nothing may be made from it."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(flaw.detail)
        self.flaw = flaw


def missing(league: str, position: int) -> LogUnsound:
    detail = f"The ledger of {league} lacks the entry at position {position}."
    return LogUnsound(Flaw("position-missing", detail, position, "events.position"))


class FreshViews:
    """Takes the rows of a ledger by position."""

    def __init__(self, head: HeadRow) -> None:
        self._check = LedgerCheck(head.league, head.log)
        self._replay = LeagueReplay(head.league)
        self._views: Sequence[FreshView] | None = None
        self.left: list[str] = []

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
        self._views = None

    def end(self, head: HeadRow) -> None:
        """Raises LogUnsound where these are not the entries that the head row promises."""
        if (self._check.size, self._check.tree.frontier()) != (head.size, head.frontier):
            detail = f"The entries of {head.league} are not those that its head row promises."
            raise LogUnsound(Flaw("head-differs", detail, None, "ledgers.frontier"))

    def views(self) -> Sequence[FreshView]:
        """What each table should hold now; remembered until more is taken.

        `left` names the matches and tournaments that can't be replayed. As long as there is such a
        match, nobody can tell what it adds to the league's table, which is left out.
        """
        if self._views is None:
            self._views = list(self._fold())
        return self._views

    def _fold(self) -> Iterator[FreshView]:
        replay = self._replay
        matches, lost = _told(replay.rows())
        played, _ = _told(replay.tables())
        cups, lost_cups = _told(replay.tournaments())
        self.left = sorted([*lost, *lost_cups])
        yield view(tables.matches, matches, left=lost)
        yield view(tables.tournaments, cups, left=lost_cups)
        yield view(tables.tournament_tables, played, left=lost)
        if lost:
            return
        table = replay.table()
        yield FreshView(
            tables.results,
            by_key(tables.results, (row for _, row in table.results())),
            by_key(tables.results, (row for _, row in table.results(whole=True))),
        )
        yield view(tables.meetings, (row for _, row in table.meetings()))
        yield FreshView(
            tables.standings,
            by_key(tables.standings, (row for _, row in table.standings())),
            by_key(tables.standings, (row for _, row in table.standings(whole=True))),
        )


def _told(
    rows: Iterator[tuple[str, Mapping[str, object] | None]],
) -> tuple[list[Mapping[str, object]], list[str]]:
    """The rows, and the slugs of those that nobody can tell."""
    found: list[Mapping[str, object]] = []
    lost: list[str] = []
    for slug, row in rows:
        if row is None:
            lost.append(slug)
        else:
            found.append(row)
    return found, lost
