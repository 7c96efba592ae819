"""Lists as CSV (RFC 4180), for spreadsheets."""

import asyncio
import csv
import io
from collections.abc import Iterable, Sequence

from litestar import Response

from scorekeeper.api.handler_context import BY_ACCEPT

CSV = "text/csv"
AS_CSV = {"responses": {"200": {"content": {CSV: {"schema": {"type": "string"}}}}}}
"""For an operation that answers CSV too."""

# A spreadsheet would take a cell that begins like this for a formula.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")

Cell = str | int | float | None


async def csv_response(heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Response[bytes]:
    """The whole list; numbers stay numbers, None is an empty cell."""
    # A list may be long, so a thread formats it and the event loop goes on.
    content = await asyncio.to_thread(_written, heading, rows)
    # Litestar says by itself in which charset a text is.
    return Response(content, media_type=CSV, headers=BY_ACCEPT)


def _written(heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(heading)
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def _cell(cell: Cell) -> Cell:
    """A text that looks like a formula is marked as text, with an apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULAS) else cell
