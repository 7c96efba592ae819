"""Checking a bundle, and importing it into a database, as a whole or not at all.

The bytes of a bundle are checked, then its ledger, and the ledger is replayed by the rules.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from scorekeeper.ledger.database_errors import is_duplicate
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.ledger.integrity.checkpoints import (
    CheckpointStore,
    LogForked,
    check_extends,
    record_note,
    recorded_note,
)
from scorekeeper.ledger.integrity.raw_rows import read_head, write_entries, write_head
from scorekeeper.ledger.integrity.signing import NoteInvalid
from scorekeeper.ledger.integrity.tree import Tree
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.match.events.fields import SLUG
from scorekeeper.service.export.format import CHECKPOINT, KEY, MANIFEST, NAMES, part_with
from scorekeeper.service.export.reader import BundleReader
from scorekeeper.service.integrity.fresh_views import FreshViews
from scorekeeper.service.integrity.replay_check import LeagueReplay
from scorekeeper.service.integrity.verifying import (
    OnProgress,
    Verified,
    VerifiedLedger,
    VerifiedMatches,
    joined,
)
from scorekeeper.store import tables, views
from scorekeeper.store.tokens import DIGEST_BYTES
from scorekeeper.store.views import Columns, StoredView, add


class BundleCheck:
    """Reads a bundle once, with no server and no database. Raises BundleUnreadable.

    `key` is the verifier key that the bundle must be sealed with, as it was noted elsewhere. None
    accepts the bundle's own key. That shows that nothing was changed since, but not who made it.
    """

    def __init__(self, file: BinaryIO, *, key: str | None = None) -> None:
        self.reader = BundleReader(file)
        self.replay = LeagueReplay(self.reader.manifest.league)
        self._key = key
        self._yielded = 0

    def run(
        self, progress: OnProgress, take: Callable[[list[Entry]], None] = lambda _: None
    ) -> Iterator[Flaw | Verified]:
        """Yield each flaw, then one Verified. `take` is called with the entries of each part."""
        for entries in self.reader.entries():
            yield from self._of_reader()
            for flaw in self.replay.take([(entry, entry.body) for entry in entries]):
                yield _in_bundle(flaw)
            take(entries)
            progress(len(entries))
        yield from self._of_reader()
        for flaw in self.replay.end():
            yield _in_bundle(flaw)
        yield from self._names()
        if self._key is not None and str(self.reader.key) != self._key:
            yield Flaw("key-other", "The bundle was sealed with another key than this.", None, KEY)
        ledger, matches = VerifiedLedger.of(self.reader.check), VerifiedMatches.of(self.replay)
        yield joined(self.reader.manifest.league, ledger, matches)

    def _of_reader(self) -> Iterator[Flaw]:
        """Yield what the reader has found since the last call."""
        yield from self.reader.flaws[self._yielded :]
        self._yielded = len(self.reader.flaws)

    def _names(self) -> Iterator[Flaw]:
        """Check that the players and tokens in the ledger have names, and no others."""
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
    """Return the flaw with the bundle's member that has the entry as its place."""
    if flaw.position is None:
        return replace(flaw, place=None)
    return replace(flaw, place=part_with(flaw.position))


class ImportRefused(Exception):
    """Nothing was imported. `report` was called with what was wrong."""


class CheckpointNotKept(Exception):
    """The league was imported, but the file of its checkpoint can't be written."""


class BundleImporting:
    """Imports leagues. `report` is called with each flaw. A single flaw prevents the import.

    Tokens are imported without their secrets, which no bundle has. So nobody can use them, and new
    ones have to be made with the admin token.
    """

    def __init__(
        self, ledger: Ledger, kept: CheckpointStore, *, report: Callable[[Flaw], None]
    ) -> None:
        self._ledger = ledger
        self._kept = kept
        self._report = report

    async def bring_in(self, file: BinaryIO, progress: OnProgress, *, key: str | None) -> Verified:
        """Import the league in a bundle. `key`: as in BundleCheck.

        Raises ImportRefused, BundleUnreadable and LedgerUnavailable, and CheckpointNotKept.
        """
        check = BundleCheck(file, key=key)
        league = check.reader.manifest.league
        try:
            verified = await self._ledger.transact(
                league, lambda connection: self._write(connection, check, progress)
            )
        except DBAPIError as error:
            if not is_duplicate(error):
                raise
            detail = "An event id or a name stands twice, or rows of this league are left over."
            self._report(Flaw("rows-twice", detail))
            raise ImportRefused from error
        try:
            # After the commit: a checkpoint of a ledger that is not there would be a finding.
            self._keep(check)
        except OSError as error:
            raise CheckpointNotKept(error.strerror) from error
        return verified

    def _write(self, connection: Connection, check: BundleCheck, progress: OnProgress) -> Verified:
        league = check.reader.manifest.league
        self._refuse_known(connection, league)
        times: list[str] = []  # of the first and the last entry of each part

        def take(entries: list[Entry]) -> None:
            if sound and entries:
                write_entries(connection, entries)
                times.extend((entries[0].time, entries[-1].time))

        sound, verified = True, None
        for found in check.run(progress, take):
            if isinstance(found, Verified):
                verified = found
            else:
                sound = False
                self._report(found)
        if not sound or verified is None or not times:
            raise ImportRefused
        reader = check.reader
        write_head(
            connection,
            league,
            log=reader.check.log,
            size=reader.check.size,
            frontier=reader.check.tree.frontier(),
            opened_at=times[0],
            recorded_at=times[-1],
        )
        self._write_views(connection, check)
        self._refuse_fork(connection, check)
        if reader.note is not None:
            record_note(connection, league, recorded_note(connection, league), reader.note)
        return verified

    def _refuse_known(self, connection: Connection, league: str) -> None:
        if not re.fullmatch(SLUG, league):
            self._refuse("slug-invalid", f"{league!r} is no name for a league.", MANIFEST)
        if read_head(connection, league) is not None:
            self._refuse("league-exists", f"The league {league} is here already.", MANIFEST)

    def _write_views(self, connection: Connection, check: BundleCheck) -> None:
        """Write all rows beside the log: names from the bundle, the rest from the replay."""
        league, names = check.reader.manifest.league, check.reader.names
        given: Mapping[StoredView, Callable[[Columns], Columns]] = {
            views.PLAYERS: lambda row: {"name": names.players[str(row["player"])]},
            views.TOKENS: lambda row: {
                "name": names.tokens[str(row["token_id"])],
                "digest": os.urandom(DIGEST_BYTES),
            },
        }
        add(connection, tables.leagues, league, [{"name": names.league}])
        fresh = FreshViews(check.replay)
        fresh.bring_up()
        for each in fresh.views():
            more = given.get(each.view, _nothing)
            rows = (row.columns for subject in each.subjects for row in each.derive(subject))
            add(connection, each.view.table, league, ({**row, **more(row)} for row in rows))
        views.made_anew(connection, league)

    def _refuse_fork(self, connection: Connection, check: BundleCheck) -> None:
        """Refuse a bundle that does not extend what was signed here of the same log."""
        reader = check.reader
        tree = Tree(connection, reader.manifest.league, reader.check.size)
        try:
            kept = self._kept.read(reader.check.log)
            if kept is None:
                return
            check_extends(kept[0], tree, reader.check.tree.root())
        except LogForked as error:
            self._refuse("log-forked", str(error), CHECKPOINT)
        except NoteInvalid as error:
            path = self._kept.path(reader.check.log)
            self._refuse("checkpoint-unreadable", f"{path} can't be read: {error}.", CHECKPOINT)

    def _keep(self, check: BundleCheck) -> None:
        """Keep the bundle's checkpoint, if it is larger, as if it had been signed here."""
        log, note = check.reader.check.log, check.reader.note
        kept = self._kept.read(log)
        if note is not None and (kept is None or kept[0].size < check.reader.check.size):
            self._kept.replace(log, None if kept is None else kept[1], note)

    def _refuse(self, code: str, detail: str, place: str) -> None:
        self._report(Flaw(code, detail, None, place))
        raise ImportRefused


def _nothing(_: Columns) -> Columns:
    return {}
