"""Reading a spreadsheet saved as text: its encoding, its delimiter, and the lines of its rows."""

import codecs
import csv
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, TextIO

DELIMITERS: Final = (",", ";", "\t", "，")
"""What spreadsheets write between cells, depending on country and format, or what people type."""
OTHER_ENCODINGS: Final = {"big5": "cp950", "windows-1252": "cp1252"}
"""Encodings that spreadsheets on Windows write unless asked for UTF-8, with Python's names."""
_MARKED: Final = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_ENCODING_NAMES: Final = {"utf-8-sig": "UTF-8", "cp950": "Big5", "cp1252": "Windows-1252"}
_WORKBOOKS: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How the files of spreadsheet programs begin: archives, and older ones compound documents."""
_SEPARATOR_LINE: Final = re.compile(r'"?sep=.?"?[\r\n]*', re.IGNORECASE)
"""A line above the heading, by which some spreadsheets tell others the delimiter."""


class Workbook(Exception):
    """The file is no text, but what a spreadsheet program keeps for itself."""


class Undecodable(Exception):
    """From this line on the text is not in its encoding."""

    def __init__(self, line: int, encoding: str) -> None:
        super().__init__(encoding)
        self.line = line
        self.encoding = encoding


def opened(path: Path, encoding: str | None = None) -> TextIO:
    """Open a file as text. `encoding`: one of OTHER_ENCODINGS.

    If it is None, the file is read as UTF-8, or as UTF-16 if it has that byte order mark. Raises
    Workbook.
    """
    with path.open("rb") as file:
        beginning = file.read(4)
    if beginning in _WORKBOOKS:
        raise Workbook
    if encoding is not None:
        return path.open(encoding=OTHER_ENCODINGS[encoding], newline="")
    return path.open(encoding=_MARKED.get(beginning[:2], "utf-8-sig"), newline="")


class Records:
    """The rows that have a filled cell, the heading first. The delimiter is found by the heading.

    `line`: the line, from 1, at which the row begins that was read last, or that can't be read.
    Cells have no blanks around them, and empty ones at the end are left out. A line such as `sep=;`
    above the heading is no row. Raises csv.Error and Undecodable.
    """

    def __init__(self, file: TextIO, names: Collection[str]) -> None:
        """`names`: the column names that a heading may have."""
        self.line = 1
        self._file = file
        self._names = frozenset(names)

    def __iter__(self) -> Iterator[list[str]]:
        try:
            yield from self._read(self._delimiter())
        except UnicodeDecodeError as error:
            encoding = _ENCODING_NAMES.get(self._file.encoding, self._file.encoding.upper())
            raise Undecodable(_undecodable(self._file), encoding) from error

    def _delimiter(self) -> str:
        """Return the delimiter that splits the heading into most names; the comma if none does."""
        return max(DELIMITERS, key=lambda each: len(self._names & self._heading(each)))

    def _lines_above(self) -> int:
        """Return how many lines are above the heading, with the file positioned after them."""
        self._file.seek(0)
        if _SEPARATOR_LINE.fullmatch(self._file.readline()):
            return 1
        self._file.seek(0)
        return 0

    def _heading(self, delimiter: str) -> set[str]:
        return {cell.lower() for cell in next(self._read(delimiter), list[str]())}

    def _read(self, delimiter: str) -> Iterator[list[str]]:
        above = self._lines_above()
        # Strict, or a quotation mark that is never closed makes one cell of all rows behind it.
        reader = csv.reader(self._file, delimiter=delimiter, strict=True)
        self.line = above + 1
        for row in reader:
            cells = [cell.strip() for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield cells
            self.line = above + reader.line_num + 1


def _undecodable(file: TextIO) -> int:
    """Return the line of the first bytes that are no text.

    The whole file is read again for this, since it had been read ahead of that line.
    """
    file.buffer.seek(0)
    whole = file.buffer.read()
    try:
        whole.decode(file.encoding)
    except UnicodeDecodeError as error:
        whole = whole[: error.start]
    return 1 + whole.decode(file.encoding).count("\n")
