"""The last signed checkpoint of each log, kept in files outside of the database.

A checkpoint is a promise. A database that was restored from an older backup, or written on
elsewhere, would break it and can't detect that by itself. These files can.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, unquote

from scorekeeper.ledger.databases.process_lock import wait_for_lock
from scorekeeper.ledger.files import make_folder, write_durably
from scorekeeper.ledger.hashing.checkpoint import Checkpoint, parse_checkpoint
from scorekeeper.ledger.hashing.hashes import EMPTY_ROOT
from scorekeeper.ledger.hashing.note import note_text
from scorekeeper.ledger.hashing.proofs import verify_consistency
from scorekeeper.ledger.integrity.tree import Tree

_ENDING = ".checkpoint"


class LogForked(Exception):
    """The ledger does not extend what was signed of it.

    `reason` is `older-backup` where it is shorter, `other-history` where it says something else,
    `entries-changed` where it contradicts itself.
    """

    def __init__(self, reason: str, detail: str, **facts: object) -> None:
        super().__init__(detail)
        self.reason = reason
        self.facts = facts


class CheckpointStore:
    """The folder of checkpoints; it is made with the first of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, log: str) -> Path:
        """The file of a log, whatever characters its name has."""
        return self.folder / (quote(log, safe="") + _ENDING)

    def logs(self) -> list[str]:
        """The logs of which a checkpoint is kept, by name."""
        return sorted(
            unquote(path.name.removesuffix(_ENDING)) for path in self.folder.glob(f"*{_ENDING}")
        )

    def read(self, log: str) -> tuple[Checkpoint, str] | None:
        """The checkpoint and the note it stands in. Raises NoteInvalid where it was damaged.

        Who signed it does not matter here: the key may have been changed since.
        """
        try:
            note = self.path(log).read_text("utf-8")
        except FileNotFoundError:
            return None
        return parse_checkpoint(note_text(note)), note

    def replace(self, log: str, seen: str | None, note: str) -> bool:
        """Keep a note in place of the one that was seen; whether that one was still there."""
        with self._locked(log):
            kept = self.read(log)
            if (None if kept is None else kept[1]) != seen:
                return False
            write_durably(self.path(log), note.encode())
            return True

    @contextmanager
    def _locked(self, log: str) -> Generator[None]:
        """While no other process writes this log's checkpoint; waits for its turn."""
        make_folder(self.folder)
        path = self.folder / (quote(log, safe="") + ".lock")
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            wait_for_lock(handle)
            yield
        finally:
            os.close(handle)


def check_extends(kept: Checkpoint, tree: Tree, root: bytes) -> None:
    """Return where the tree, whose root the head gives, extends a kept checkpoint.

    Raises LogForked.
    """
    if tree.size < kept.size:
        raise LogForked(
            "older-backup",
            f"The ledger has {tree.size} entries, but a checkpoint over {kept.size} was signed: "
            "an older backup was put in place of the database.",
            size=tree.size,
            signed=kept.size,
        )
    if tree.root() != root:
        raise LogForked(
            "entries-changed",
            "The ledger's head does not have the root of its entries: the database was changed.",
        )
    if kept.size == 0:
        extends = kept.root == EMPTY_ROOT
    else:
        proof = tree.consistency(kept.size)
        extends = verify_consistency(kept.size, tree.size, kept.root, root, proof)
    if not extends:
        raise LogForked(
            "other-history",
            f"The first {kept.size} entries are not those that were signed: the database was "
            "changed, or it was restored from a backup and written on.",
            signed=kept.size,
        )
