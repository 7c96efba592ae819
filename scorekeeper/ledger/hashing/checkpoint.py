"""Checkpoints (C2SP tlog-checkpoint): the name of a log, its size and its root, to be signed."""

import base64
import binascii
import re

import msgspec

from scorekeeper.ledger.hashing.hashes import HASH_SIZE
from scorekeeper.ledger.hashing.note import NoteInvalid

_SIZE = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)
_LINES = 3


class Checkpoint(msgspec.Struct, frozen=True):
    """What a ledger's tree was at a size. `origin` is the log's name for ever."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """The text that is signed: three lines."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint in a note's text; further lines are passed over. Raises NoteInvalid."""
    lines = text.split("\n")
    if len(lines) <= _LINES or not all(lines[:-1]) or not _SIZE.fullmatch(lines[1]):
        raise NoteInvalid("this is no checkpoint")
    try:
        root = base64.b64decode(lines[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoteInvalid("the checkpoint's root is no base64") from error
    if len(root) != HASH_SIZE or base64.b64encode(root).decode() != lines[2]:
        raise NoteInvalid("the checkpoint's root is no hash")
    return Checkpoint(lines[0], int(lines[1]), root)
