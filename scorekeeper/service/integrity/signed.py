"""Ledgers compared with the checkpoints that were signed of them.

A ledger that was written anew as a whole is consistent in itself: chain, tree and columns agree.
Only a checkpoint that was signed of the former ledger can show that it was replaced. Checkpoints
lie in files outside the database. Those that other machines signed lie in the database. Whether a
log is shorter than its checkpoint takes a single comparison; all else takes reading the log.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Self

from msgspec import Struct
from sqlalchemy import Connection

from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.ledger.integrity.checkpoints import (
    Checkpoint,
    CheckpointStore,
    LogForked,
    check_extends,
    parse_checkpoint,
    recorded_note,
)
from scorekeeper.ledger.integrity.raw_rows import HeadRow, leagues_with_a_head, read_head
from scorekeeper.ledger.integrity.signing import NoteInvalid, note_text
from scorekeeper.ledger.integrity.tree import LedgerIncomplete, Tree
from scorekeeper.ledger.merkle_tree import tree_root
from scorekeeper.service.integrity.evidence import EvidenceFiles
from scorekeeper.service.ledger_to_read import open_ledger_to_read

_OLDER = "older-backup"


class SignedLogs(Struct, frozen=True):
    """The checkpoint that was signed last of each log, or why it can't be read.

    Read the checkpoints before the database. Then the database has every entry that they cover.
    `of_later`: the database is a backup, and the checkpoints may be newer than it.
    """

    kept: CheckpointStore
    checkpoints: Mapping[str, Checkpoint | NoteInvalid]
    of_later: bool = False

    @classmethod
    def read(cls, kept: CheckpointStore, *, of_later: bool = False) -> Self:
        return cls(kept, {log: _read(kept, log) for log in kept.logs()}, of_later)

    def flaws(self, connection: Connection, league: str) -> Iterator[Flaw]:
        """Yield a flaw for each checkpoint that the ledger of a league does not extend."""
        head = read_head(connection, league)
        if head is None:
            return
        signed = self.checkpoints.get(head.log)
        found = None if signed is None else _broken(connection, head, signed)
        if found is not None and not (self.of_later and found[0] == _OLDER):
            yield self._flaw(head.log, *found)
        # The checkpoint in the database may be another machine's. A flaw that was found above is
        # not reported twice.
        recorded = _recorded(connection, head)
        if found is None and recorded is not None and recorded != signed:
            broken = _broken(connection, head, recorded)
            if broken is not None:
                yield Flaw(*broken, None, "checkpoints.note")

    def missing(self, connection: Connection, leagues: Collection[str] = ()) -> Iterator[Flaw]:
        """Yield a flaw for each signed log that the database lacks, of these leagues or of all."""
        heads = (read_head(connection, league) for league in leagues_with_a_head(connection))
        there = {head.log for head in heads if head is not None}
        for log in sorted(self.checkpoints.keys() - there):
            if not self.of_later and (not leagues or _league_of(log) in leagues):
                signed = f"A checkpoint of the log {log} was signed"
                detail = f"{signed}, and this database does not have it."
                yield self._flaw(log, "log-missing", detail)

    def _flaw(self, log: str, code: str, detail: str) -> Flaw:
        return Flaw(code, detail, None, str(self.kept.path(log)))


def _read(kept: CheckpointStore, log: str) -> Checkpoint | NoteInvalid:
    try:
        found = kept.read(log)
    except NoteInvalid as error:
        return error
    # It was listed just now. A checkpoint disappears only if somebody removes it on purpose.
    return NoteInvalid("it is gone") if found is None else found[0]


def _recorded(connection: Connection, head: HeadRow) -> Checkpoint | NoteInvalid | None:
    note = recorded_note(connection, head.league)
    if note is None:
        return None
    try:
        checkpoint = parse_checkpoint(note_text(note))
    except NoteInvalid as error:
        return error
    return checkpoint if checkpoint.origin == head.log else None


def _broken(
    connection: Connection, head: HeadRow, signed: Checkpoint | NoteInvalid
) -> tuple[str, str] | None:
    """Return a code and a sentence if the ledger does not extend the checkpoint, else None."""
    if isinstance(signed, NoteInvalid):
        return "checkpoint-unreadable", f"The checkpoint signed last can't be read: {signed}."
    tree = Tree(connection, head.league, head.size)
    try:
        check_extends(signed, tree, tree_root(head.frontier))
    except LogForked as error:
        return error.reason, str(error)
    except LedgerIncomplete as error:
        return "entries-missing", f"{error}."
    return None


def _league_of(log: str) -> str:
    """Return the league that the name of a log begins with."""
    return log.split("/")[1] if log.count("/") else ""


async def logs_behind(url: str, files: EvidenceFiles) -> int:
    """Return how many logs are shorter than their last signed checkpoint, or missing.

    A log that is long enough but has other entries is found by `checkup`, which reads more. Raises
    DatabaseNotReady.
    """
    signed = SignedLogs.read(CheckpointStore(files.checkpoints))
    async with open_ledger_to_read(url) as ledger:
        sizes = {head.log: head.size for head in (await ledger.heads()).values()}
    return sum(
        isinstance(each, Checkpoint) and sizes.get(log, 0) < each.size
        for log, each in signed.checkpoints.items()
    )
