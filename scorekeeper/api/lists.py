"""Lists: in pages with cursors and the Link header (RFC 8288), or whole as CSV (RFC 4180)."""

import asyncio
import base64
import binascii
import csv
import io
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol, TypeVar, cast
from urllib.parse import parse_qsl, urlencode

import msgspec
from litestar import Response

from scorekeeper.api.handler_context import BY_ACCEPT, Call, services_of
from scorekeeper.service.refused import Refused
from scorekeeper.service.views import EntryView, Listing, LogPage

PAGE_BYTES: Final = 1 << 20
"""The most bytes of items on a page; a page that would be longer ends sooner."""

T = TypeVar("T")
Item_co = TypeVar("Item_co", covariant=True)

_encode = msgspec.json.Encoder().encode

_DIGITS = 16  # as many as 2^53 has

CSV = "text/csv"
AS_CSV = {"responses": {"200": {"content": {CSV: {"schema": {"type": "string"}}}}}}
"""In `opt[OPERATION]` of a route that answers CSV, too."""

# A spreadsheet would take a cell that begins like this for a formula.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")

Cell = str | int | float | None


class ListReading(Protocol[Item_co]):
    """Reads at most `limit` items of a list: those after the key `after`, or the first ones."""

    async def __call__(self, *, after: str | None, limit: int) -> Sequence[Item_co]: ...


def encode_cursor(key: str) -> str:
    """Encode a key as a cursor.

    Cursors are opaque, so that nobody builds one by hand and their content can change.
    """
    return base64.urlsafe_b64encode(key.encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None) -> str | None:
    """Return the key of the last item before the page, None for the first page.

    Raises Refused (`malformed`).
    """
    if cursor is None:
        return None
    try:
        key = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except (binascii.Error, ValueError) as error:
        raise Refused("malformed", reason="cursor") from error
    # Python skips characters that are not base64, and accepts some values in two spellings.
    if not key or "\0" in key or encode_cursor(key) != cursor:
        raise Refused("malformed", reason="cursor")
    return key


def decode_number(cursor: str | None) -> int | None:
    """Decode the cursor of a list that is ordered by a number. Raises Refused (`malformed`)."""
    key = decode_cursor(cursor)
    if key is None:
        return None
    if not key.isdecimal() or not key.isascii() or len(key) > _DIGITS:
        raise Refused("malformed", reason="cursor")
    return int(key)


async def listing_by_key(
    call: Call, read: ListReading[T], limit: int, cursor: str | None, *, key: Callable[[T], str]
) -> Response[Listing[T]]:
    """Answer with a page of a list that is ordered by a text. Raises Refused (`malformed`)."""
    found = await read(after=decode_cursor(cursor), limit=limit + 1)
    return listing(call, found, limit, key=key)


def listing(
    call: Call, found: Sequence[T], limit: int, *, key: Callable[[T], str]
) -> Response[Listing[T]]:
    """Answer with a page of the first items of `found`: at most `limit`, and at most PAGE_BYTES.

    A single item may be larger. `found` must hold one item more than `limit` if there is a next
    page.
    """
    items, cursor = _page(found, limit, key)
    return Response(Listing(items, cursor), headers={"link": link(call, cursor)})


async def log_page(
    call: Call, league: str, found: Sequence[EntryView], limit: int, *, more: bool
) -> Response[LogPage]:
    """Answer with a page of a log, as `listing` does, and the names of those who recorded entries.

    `more`: the log goes on after `found`, although `found` may hold fewer entries than `limit`.
    """
    items, cursor = _page(found, limit, lambda entry: str(entry.version), more=more)
    names = services_of(call).reading.names
    recorders = await names.recorders(league, (each.recorded_by for each in found[: len(items)]))
    return Response(LogPage(items, cursor, recorders), headers={"link": link(call, cursor)})


def _page(
    found: Sequence[T], limit: int, key: Callable[[T], str], *, more: bool = False
) -> tuple[list[T], str | None]:
    """Return the page's items, already encoded, and the cursor of the next page."""
    written: list[msgspec.Raw] = []
    size = 0
    for item in found[:limit]:
        piece = _encode(item)
        size += len(piece)
        if written and size > PAGE_BYTES:
            break
        written.append(msgspec.Raw(piece))
    cut = more or len(written) < len(found)
    cursor = encode_cursor(key(found[len(written) - 1])) if cut else None
    return cast("list[T]", written), cursor


def link(call: Call, cursor: str | None) -> str:
    """Return a Link header: this request for the next page, or the first if `cursor` is None."""
    # Litestar's own parsing loses the order of the parameters.
    asked = parse_qsl(call.scope["query_string"].decode(), keep_blank_values=True)
    query = [(name, value) for name, value in asked if name != "cursor"]
    if cursor is not None:
        query.append(("cursor", cursor))
    target = f"{call.url.path}?{urlencode(query)}" if query else call.url.path
    return f'<{target}>; rel="{"first" if cursor is None else "next"}"'


async def csv_response(heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Response[bytes]:
    """Answer with the whole list as CSV. Numbers stay numbers; None becomes an empty cell."""
    # A list may be long, so a thread formats it and the event loop goes on.
    content = await asyncio.to_thread(_written, heading, rows)
    # Litestar adds the charset to the media type of a text.
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
