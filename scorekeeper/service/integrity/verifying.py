"""Verifying a database league by league: chain, tree, columns, replayed scores, stored views."""

from collections.abc import Callable, Iterator, Sequence
from typing import Self

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from scorekeeper.ledger.integrity.checking import (
    Decoded,
    Flaw,
    LedgerCheck,
    by_position,
    readable,
)
from scorekeeper.ledger.integrity.raw_rows import (
    HeadRow,
    StoredRow,
    head_flaws,
    leagues_with_a_head,
    misplaced,
    named_log,
    read_head,
    read_parts,
    read_unsalted_parts,
)
from scorekeeper.ledger.integrity.tree import stored_nodes
from scorekeeper.ledger.merkle_tree import TreeBuilder
from scorekeeper.ledger.tables import events, tree_nodes
from scorekeeper.service.integrity.fresh_views import view_flaws
from scorekeeper.service.integrity.replay_check import LeagueReplay
from scorekeeper.service.integrity.replayed_match import MatchCounts
from scorekeeper.service.integrity.replayed_matches import ReplayedShare, Share, ShareReplay
from scorekeeper.service.integrity.signed import SignedLogs
from scorekeeper.store import tables
from scorekeeper.store.views import VIEWS, leagues_in

OnProgress = Callable[[int], None]
"""Is called with the number of entries that were checked since the last call."""

_PLACES = {"digest-mismatch": "events.body or events.salt", "content-torn": "events.body"}


class VerifiedLedger(Struct, frozen=True):
    """Figures of a ledger, sound or not: its entries, those without content, its tree's root."""

    entries: int
    erased: int
    root: bytes

    @classmethod
    def of(cls, check: LedgerCheck) -> Self:
        """Return the figures of what was checked."""
        return cls(check.size, len(check.erased), check.tree.root())


class VerifiedMatches(Struct, frozen=True):
    """Figures of a league's matches."""

    matches: int
    counts: MatchCounts

    @classmethod
    def of(cls, replay: LeagueReplay) -> Self:
        """Return the figures of what was replayed to its end."""
        return cls(len(replay.matches), replay.counts())


class Verified(Struct, frozen=True):
    """Figures of a league as a whole, sound or not."""

    league: str
    entries: int
    erased: int
    matches: int
    root: bytes
    counts: MatchCounts


def joined(league: str, ledger: VerifiedLedger, matches: VerifiedMatches) -> Verified:
    """Combine the figures of a league's ledger and of its matches."""
    return Verified(
        league, ledger.entries, ledger.erased, matches.matches, ledger.root, matches.counts
    )


def leagues_to_verify(connection: Connection) -> Iterator[str | Flaw]:
    """Yield each league that has a ledger, then a flaw for each that only other tables know."""
    with_a_head = leagues_with_a_head(connection)
    yield from with_a_head
    strangers: dict[str, str] = {}
    kept_beside = (tables.leagues, *(view.table for view in VIEWS), tables.stored_views)
    for table in (events, tree_nodes, *kept_beside):
        for league in leagues_in(connection, table):
            strangers.setdefault(league, table.name)
    for league in sorted(set(strangers) - set(with_a_head)):
        table_name = strangers[league]
        yield Flaw(
            "league-unknown",
            f"The table {table_name} has rows of a league {league!r} that has no ledger.",
            None,
            f"{table_name}.league",
        )


def verify_league(
    connection: Connection, league: str, progress: OnProgress, signed: SignedLogs | None = None
) -> Iterator[Flaw | Verified]:
    """Yield each flaw of a league, then one Verified. Raises LookupError if it has no ledger.

    `signed`: the signed checkpoints. They show whether somebody replaced the whole ledger by one
    that is consistent in itself.
    """
    check, replay = _LedgerRows(_head(connection, league)), LeagueReplay(league)
    for rows in read_parts(connection, league):
        flaws, entries = check.take(rows)
        yield from flaws
        yield from replay.take(entries)
        progress(len(rows))
    yield from check.end(connection)
    yield from replay.end()
    yield from view_flaws(connection, league, replay)
    if signed is not None:
        yield from signed.flaws(connection, league)
    yield joined(league, check.verified(), VerifiedMatches.of(replay))


def verify_ledger(
    connection: Connection, league: str, signed: SignedLogs, share: ShareReplay, until: int
) -> Iterator[Flaw | VerifiedLedger]:
    """Yield the flaws that can be found without the rules, then one VerifiedLedger.

    Chain, tree, columns and signed checkpoints are checked. Entries up to the position `until` are
    also given to `share`.
    """
    check = _LedgerRows(_head(connection, league))
    for rows in read_parts(connection, league, until=until):
        flaws, entries = check.take(rows)
        yield from flaws
        share.take(entries)
    for rows in read_parts(connection, league, after=until):
        flaws, _ = check.take(rows)
        yield from flaws
    yield from check.end(connection)
    yield from signed.flaws(connection, league)
    yield check.verified()


def replay_share(connection: Connection, league: str, share: ShareReplay, until: int) -> None:
    """Replay the matches of a share up to the position `until`."""
    for rows in read_unsalted_parts(connection, league, until=until):
        share.take(readable(rows))


def verify_matches(
    connection: Connection,
    league: str,
    progress: OnProgress,
    elsewhere: Sequence[Share],
    shares: Callable[[], Sequence[ReplayedShare]],
) -> Iterator[Flaw | VerifiedMatches]:
    """Yield the flaws of matches by the rules and of stored views, then one VerifiedMatches.

    `verify_ledger` finds the other flaws. `elsewhere`: shares of the matches that other processes
    replay, up to the last position that this connection sees. `shares` waits for their results.
    """
    replay = LeagueReplay(league, elsewhere)
    flaws: list[Flaw] = []
    for rows in read_unsalted_parts(connection, league):
        passed = replay.passed
        flaws += replay.take(readable(rows))
        progress(len(rows) + passed - replay.passed)
    replayed = shares()
    left = replay.adopt(replayed)
    if left:
        for rows in read_unsalted_parts(connection, league):
            flaws += replay.take_left(readable(rows), left)
    for share in replayed:
        flaws += share.flaws_but_of(left)
    yield from by_position(flaws)
    yield from replay.end()
    yield from view_flaws(connection, league, replay)
    yield VerifiedMatches.of(replay)


def _head(connection: Connection, league: str) -> HeadRow:
    head = read_head(connection, league)
    if head is None:
        raise LookupError(league)
    return head


class _LedgerRows:
    """Checks the rows of one ledger, their columns, and the stored hashes of its tree."""

    def __init__(self, head: HeadRow) -> None:
        self._head = head
        self._ledger: LedgerCheck | None = None
        self._opened_at = ""
        self._recorded_at = ""
        self._expected = 1
        self._gap = False

    def take(self, rows: Sequence[StoredRow]) -> tuple[list[Flaw], list[Decoded]]:
        """Return what is wrong with the next rows, and what can be read of them."""
        flaws = [*self._gaps(rows)]
        stored = [row[7:] for row in rows]
        if self._ledger is None:
            log = named_log(stored[0][0]) or self._head.log
            self._ledger = LedgerCheck(self._head.league, log)
            if log != self._head.log:
                detail = f"The head row names the log {self._head.log!r}, the first entry {log!r}."
                flaws.append(Flaw("head-differs", detail, None, "ledgers.log"))
        found, headers = self._ledger.take(stored)
        # After a missing position, every entry has another place than it says. Only the first one
        # is reported, by `_gaps`.
        flaws += (
            replace(flaw, place=_PLACES.get(flaw.code, "events.header"))
            for flaw in found
            if not (self._gap and flaw.code == "position-gap")
        )
        entries: list[Decoded] = []
        for row, (_, body, _), header in zip(rows, stored, headers, strict=True):
            if header is not None:
                flaws += misplaced(row, header)
                self._opened_at = self._opened_at or header.time
                self._recorded_at = header.time
                entries.append((header, body))
        return flaws, entries

    def end(self, connection: Connection) -> Iterator[Flaw]:
        """Yield what is wrong with the ledger as a whole, once all rows were taken."""
        ledger = self._ledger
        if ledger is None:
            yield Flaw("ledger-empty", "The ledger has no entries.", None, "events.league")
            return
        yield from head_flaws(
            self._head,
            size=ledger.size,
            frontier=ledger.tree.frontier(),
            opened_at=self._opened_at,
            recorded_at=self._recorded_at,
        )
        yield from self._nodes(connection, ledger.tree)

    def _nodes(self, connection: Connection, tree: TreeBuilder) -> Iterator[Flaw]:
        """Check the stored hashes of the tree, which serve proofs. The last may be missing."""
        counted: dict[int, int] = {}
        for level, number, stands in stored_nodes(connection, self._head.league):
            grown = tree.hashes(level) if 0 < level < tree.levels else ()
            following = counted.setdefault(level, 0)
            counted[level] = number + 1
            if number != following or number >= len(grown) or grown[number] != stands:
                yield Flaw(
                    "node-differs",
                    f"The hash {number} at level {level} of the tree is not that of the entries.",
                    None,
                    "tree_nodes.hash",
                )

    def verified(self) -> VerifiedLedger:
        if self._ledger is None:
            return VerifiedLedger(0, 0, b"")
        return VerifiedLedger.of(self._ledger)

    def _gaps(self, rows: Sequence[StoredRow]) -> Iterator[Flaw]:
        for row in rows:
            position = row[0]
            if position != self._expected and not self._gap:
                self._gap = True
                yield Flaw(
                    "position-missing",
                    f"After position {self._expected - 1} comes position {position}.",
                    self._expected,
                    "events.position",
                )
            self._expected = position + 1
