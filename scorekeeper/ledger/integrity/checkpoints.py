"""Checkpoints (C2SP tlog-checkpoint): the signed states of logs, and a store of the latest ones.

A checkpoint is the name of a log, its size and its root. Signing one promises that the log will
only grow from there. A database that was restored from an older backup, or was written to
elsewhere, breaks this promise, and nothing inside it shows that. So the latest checkpoint of each
log is kept in a file outside the database. The database keeps it, too, for all machines that share
it.
"""

import base64
import binascii
import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, unquote

import msgspec
from sqlalchemy import Connection, bindparam, insert, select, update

from scorekeeper.files import make_folder, open_or_make, wait_for_lock, write_durably
from scorekeeper.ledger.integrity.signing import NoteInvalid, note_text
from scorekeeper.ledger.integrity.tree import Tree
from scorekeeper.ledger.merkle_tree import EMPTY_ROOT, HASH_SIZE, verify_consistency
from scorekeeper.ledger.tables import checkpoints

_SIZE_TEXT = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
_SIGNED_LINES = 3

_read_note = select(checkpoints.c.note).where(checkpoints.c.league == bindparam("league"))
_insert_note = insert(checkpoints)
_replace_note = (
    update(checkpoints)
    .where(
        checkpoints.c.league == bindparam("of_league"),
        checkpoints.c.note == bindparam("seen"),
    )
    .values(note=bindparam("new"))
)

_FILE_ENDING = ".checkpoint"


class Checkpoint(msgspec.Struct, frozen=True):
    """The state of a ledger's tree at a size. `origin` is the log's permanent name."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """Return the text that is signed: three lines."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def parse_checkpoint(text: str) -> Checkpoint:
    """Return the checkpoint in a note's text. Lines after the third are ignored.

    Raises NoteInvalid.
    """
    lines = text.split("\n")
    if len(lines) <= _SIGNED_LINES or not all(lines[:-1]) or not _SIZE_TEXT.fullmatch(lines[1]):
        raise NoteInvalid("this is no checkpoint")
    try:
        root = base64.b64decode(lines[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoteInvalid("the checkpoint's root is no base64") from error
    if len(root) != HASH_SIZE or base64.b64encode(root).decode() != lines[2]:
        raise NoteInvalid("the checkpoint's root is no hash")
    return Checkpoint(lines[0], int(lines[1]), root)


def recorded_note(connection: Connection, league: str) -> str | None:
    """Return the note of the checkpoint signed last, None if there is none."""
    note: str | None = connection.execute(_read_note, {"league": league}).scalar()
    return note


def record_note(connection: Connection, league: str, seen: str | None, note: str) -> bool:
    """Replace the note `seen` by another one; False if the database no longer holds `seen`.

    Within the caller's transaction. Raises IntegrityError if `seen` is None and somebody else
    records a first note at the same moment.
    """
    if seen is None:
        if recorded_note(connection, league) is not None:
            return False
        connection.execute(_insert_note, {"league": league, "note": note})
        return True
    named = {"of_league": league, "seen": seen, "new": note}
    return connection.execute(_replace_note, named).rowcount == 1


class LogForked(Exception):
    """The ledger does not extend its signed checkpoint.

    `reason` is `older-backup` if the ledger is shorter than the checkpoint, `other-history` if its
    first entries are not those that were signed, and `entries-changed` if its head does not have
    the root of its entries.
    """

    def __init__(self, reason: str, detail: str, **facts: object) -> None:
        super().__init__(detail)
        self.reason = reason
        self.facts = facts


class CheckpointStore:
    """The folder of checkpoint files. It is made when the first checkpoint is written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, log: str) -> Path:
        """Return the file of a log. Special characters of the log's name are percent-encoded."""
        return self.folder / (quote(log, safe="") + _FILE_ENDING)

    def logs(self) -> list[str]:
        """Return the names of the logs that have a checkpoint, in order.

        Raises OSError if there is a folder, or a link to one, that can't be read.
        """
        try:
            # Not by `glob`, which takes a folder that it may not read for an empty one.
            names = [path.name for path in self.folder.iterdir()]
        except FileNotFoundError:
            if self.folder.is_symlink():
                raise
            return []
        return sorted(
            unquote(name.removesuffix(_FILE_ENDING))
            for name in names
            if name.endswith(_FILE_ENDING)
        )

    def read(self, log: str) -> tuple[Checkpoint, str] | None:
        """Return a log's checkpoint and the note that has it, None if there is none.

        Raises NoteInvalid if the file is damaged. Signatures are not checked here: the signing key
        may have been changed since.
        """
        try:
            note = self.path(log).read_text("utf-8")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            raise NoteInvalid("the note is not in UTF-8") from error
        return parse_checkpoint(note_text(note)), note

    def replace(self, log: str, seen: str | None, note: str) -> bool:
        """Replace the note `seen` by another one; False if the file no longer holds `seen`."""
        with self._locked(log):
            kept = self.read(log)
            if (None if kept is None else kept[1]) != seen:
                return False
            write_durably(self.path(log), note.encode())
            return True

    @contextmanager
    def _locked(self, log: str) -> Generator[None]:
        """Hold the lock on a log's checkpoint, after waiting for other processes to release it."""
        make_folder(self.folder)
        path = self.folder / (quote(log, safe="") + ".lock")
        handle = open_or_make(path)
        try:
            wait_for_lock(handle)
            yield
        finally:
            os.close(handle)


def check_extends(kept: Checkpoint, tree: Tree, root: bytes) -> None:
    """Check that the tree extends a kept checkpoint. Raises LogForked if not.

    `root`: the tree's root as it follows from the ledger's head row.
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
