"""Reading a spreadsheet saved as text: its encoding, its delimiter, the lines of its rows."""

import codecs
import csv
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, TextIO

DELIMITERS: Final = (",", ";", "\t")
"""What spreadsheets write between cells, as their country or the kind of file has it."""

_MARKED: Final = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


class Undecodable(Exception):
    """From this line on the text is not in its encoding."""

    def __init__(self, line: int, encoding: str) -> None:
        super().__init__(encoding)
        self.line = line
        self.encoding = encoding


def opened(path: Path) -> TextIO:
    """UTF-8, or UTF-16 where a byte order mark says so."""
    with path.open("rb") as file:
        mark = file.read(2)
    return path.open(encoding=_MARKED.get(mark, "utf-8-sig"), newline="")


class Records:
    """The rows that have a filled cell, the heading first; what parts cells is seen by it.

    `line`: where the row begins that was read last, or that can't be read; from 1. Cells have no
    blanks around them, and empty ones at the end are left out. Raises csv.Error and Undecodable.
    """

    def __init__(self, file: TextIO, names: Collection[str]) -> None:
        """`names`: those that the cells of a heading may have."""
        self.line = 1
        self._file = file
        self._names = frozenset(names)

    def __iter__(self) -> Iterator[list[str]]:
        try:
            yield from self._read(self._delimiter())
        except UnicodeDecodeError as error:
            encoding = error.encoding.upper().removesuffix("-SIG")
            raise Undecodable(_undecodable(self._file), encoding) from error

    def _delimiter(self) -> str:
        """The one that parts the heading into most names, the comma where none does."""
        return max(DELIMITERS, key=lambda each: len(self._names & self._heading(each)))

    def _heading(self, delimiter: str) -> set[str]:
        return {cell.lower() for cell in next(self._read(delimiter), list[str]())}

    def _read(self, delimiter: str) -> Iterator[list[str]]:
        self._file.seek(0)
        reader = csv.reader(self._file, delimiter=delimiter)
        self.line = 1
        for row in reader:
            cells = [cell.strip() for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield cells
            self.line = reader.line_num + 1


def _undecodable(file: TextIO) -> int:
    """The line of the first bytes that are no text; the file was read ahead of it."""
    file.buffer.seek(0)
    whole = file.buffer.read()
    try:
        whole.decode(file.encoding)
    except UnicodeDecodeError as error:
        whole = whole[: error.start]
    return 1 + whole.decode(file.encoding).count("\n")
