"""The stored views of a league folded anew from its log, in parts and with its chain checked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sqlalchemy import Table

from scorekeeper.ledger.checking import Flaw, LedgerCheck, Stored
from scorekeeper.ledger.columns import HeadRow
from scorekeeper.ledger.entry import Entry
from scorekeeper.service.integrity.fresh_table import FreshTable
from scorekeeper.service.integrity.replay_check import LeagueReplay
from scorekeeper.store import tables
from scorekeeper.store.put_right import Columns, FreshView, Key, by_key, view

Keys = Mapping[Table, set[Key]]
"""Primary keys without the league, by table."""

_OF_MATCHES = (tables.matches, tables.tournament_tables)
_OF_TABLE = (tables.results, tables.meetings, tables.standings)


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
        self._table = FreshTable()
        self._rows: dict[Table, dict[Key, Columns]] = {each: {} for each in _OF_MATCHES + _OF_TABLE}
        self._whole: dict[Table, dict[Key, Columns]] = {tables.results: {}, tables.standings: {}}
        self._touched: set[str] = set()
        self._lost: set[str] = set()
        self._lost_cups: list[str] = []

    @property
    def size(self) -> int:
        """How many entries were taken."""
        return self._check.size

    @property
    def left(self) -> list[str]:
        """Matches and tournaments that can't be replayed."""
        return sorted([*self._lost, *self._lost_cups])

    def take(self, rows: Sequence[Stored]) -> None:
        """Raises LogUnsound."""
        entries: list[Entry] = []
        flaws = self._check.take(rows, entries)
        if flaws:
            raise LogUnsound(flaws[0])
        self._replay.take(entries)
        streams = (entry.stream.partition(":") for entry in entries)
        self._touched |= {slug for kind, _, slug in streams if kind == "match"}

    def end(self, head: HeadRow) -> None:
        """Raises LogUnsound where these are not the entries that the head row promises."""
        if (self._check.size, self._check.tree.frontier()) != (head.size, head.frontier):
            detail = f"The entries of {head.league} are not those that its head row promises."
            raise LogUnsound(Flaw("head-differs", detail, None, "ledgers.frontier"))

    def views(self) -> Sequence[FreshView]:
        """What each table should hold, as of the last `bring_up`.

        As long as there is a match that can't be replayed, nobody can tell what it adds to the
        league's table, which is left out.
        """
        cups, lost = _told(self._replay.tournaments())
        self._lost_cups = lost
        matches, tables_played = (
            FreshView(table, self._rows[table], self._rows[table], frozenset(self._lost))
            for table in _OF_MATCHES
        )
        found = [matches, view(tables.tournaments, cups, left=lost), tables_played]
        if not self._lost:
            found += [
                FreshView(table, self._rows[table], self._whole.get(table, self._rows[table]))
                for table in _OF_TABLE
            ]
        return found

    def bring_up(self) -> Keys:
        """Take into the views what was taken since; which rows may be others than before.

        It costs what the matches cost that were touched, and the people in them.
        """
        keys: dict[Table, set[Key]] = {table: set() for table in self._rows}
        people: set[str] = set()
        for slug in self._touched:
            match = self._replay.match(slug)
            row = match.row()
            if row is None:
                self._lost.add(slug)
            self._put(tables.matches, keys, [(slug,)], () if row is None else (row,))
            if match.tournament is not None:
                played = match.table()
                self._put(
                    tables.tournament_tables,
                    keys,
                    [(match.tournament, slug)],
                    () if played is None else (played,),
                )
            own = self._table.put(slug, match.won_match())
            self._put_results(keys, slug, own)
            people |= own
        self._put_sums(keys, people)
        self._touched = set()
        return keys

    def _put_results(self, keys: Keys, slug: str, people: Iterable[str]) -> None:
        gone = [(slug, person) for person in people]
        own, guessed = (self._table.results(matches=[slug], whole=whole) for whole in (False, True))
        self._put(tables.results, keys, gone, _columns(own), _columns(guessed))

    def _put_sums(self, keys: Keys, people: set[str]) -> None:
        met = [key for key in self._rows[tables.meetings] if key[0] in people]
        self._put(tables.meetings, keys, met, _columns(self._table.meetings(people=people)))
        own, guessed = (
            self._table.standings(people=people, whole=whole) for whole in (False, True)
        )
        lines = [(person,) for person in people]
        self._put(tables.standings, keys, lines, _columns(own), _columns(guessed))

    def _put(
        self,
        table: Table,
        keys: Keys,
        gone: Sequence[Key],
        new: Iterable[Columns],
        guessed: Iterable[Columns] = (),
    ) -> None:
        """The rows under the keys `gone` make way for the new ones."""
        for rows, columns in ((self._rows[table], new), (self._whole.get(table, {}), guessed)):
            keys[table].update(gone)
            for key in gone:
                rows.pop(key, None)
            fresh = by_key(table, columns)
            keys[table].update(fresh)
            rows.update(fresh)


def _columns(rows: Iterable[tuple[str, Columns]]) -> Iterator[Columns]:
    return (row for _, row in rows)


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
