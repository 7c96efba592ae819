"""Reproducible tar files (ustar): no times, owners or other bytes that could vary."""

import tarfile
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

_BLOCK = 512
_SIZE = slice(124, 136)
_NAME = slice(0, 100)
_LARGEST = 1 << 29
_GZIP = b"\x1f\x8b"

ENDING = bytes(2 * _BLOCK)


class ArchiveDamaged(Exception):
    """An archive that is damaged. `after` is the name of the last member before the damage."""

    def __init__(self, after: str | None, detail: str) -> None:
        super().__init__(detail)
        self.after = after


class Member(msgspec.Struct, frozen=True):
    """A file in an archive."""

    name: str
    content: bytes


def framed(name: str, content: bytes) -> bytes:
    """Return a member as the archive has it: header, content and padding."""
    return _header(name, len(content)) + content + _padding(len(content))


def members(file: BinaryIO) -> Iterator[Member]:
    """Yield the members in order, with one of them in memory at a time. Raises ArchiveDamaged.

    Every byte must be as `framed` and ENDING write it, and nothing may follow.
    """
    last: str | None = None
    while True:
        header = file.read(_BLOCK)
        if header == bytes(_BLOCK):
            if file.read(_BLOCK + 1) != bytes(_BLOCK):
                raise ArchiveDamaged(last, "the archive does not end where it should")
            return
        name, size = _described(header, last)
        content = file.read(size)
        padding = file.read(len(_padding(size)))
        if len(content) != size or padding != _padding(size):
            raise ArchiveDamaged(last, f"{name} is cut off, or what fills it up was changed")
        yield Member(name, content)
        last = name


def _described(header: bytes, last: str | None) -> tuple[str, int]:
    """Return the name and size in a header.

    Raises ArchiveDamaged if any byte differs from what `_header` writes.
    """
    try:
        name = header[_NAME].rstrip(b"\0").decode("ascii")
        size = int(header[_SIZE].rstrip(b"\0"), 8)
        sound = 0 <= size <= _LARGEST and _header(name, size) == header
    except (ValueError, tarfile.TarError):
        sound = False
        name, size = "", 0
    if header.startswith(_GZIP):
        raise ArchiveDamaged(last, "it is compressed: unpack it by gunzip first")
    if not sound:
        raise ArchiveDamaged(last, "the header of a member is missing or was changed")
    return name, size


def _header(name: str, size: int) -> bytes:
    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf(tarfile.USTAR_FORMAT, "ascii", "strict")


def _padding(size: int) -> bytes:
    return bytes(-size % _BLOCK)
