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
"""For an operation that answers CSV too."""

# A spreadsheet would take a cell that begins like this for a formula.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")

Cell = str | int | float | None


class ListReading(Protocol[Item_co]):
    """Reads no more than `limit` items of a list, those behind the one with the key `after`."""

    async def __call__(self, *, after: str | None, limit: int) -> Sequence[Item_co]: ...


def encode_cursor(key: str) -> str:
    """Opaque, so that nobody builds one by hand and what lies in it can change."""
    return base64.urlsafe_b64encode(key.encode()).decode().rstrip("=")


def decode_cursor(cursor: str | None) -> str | None:
    """The key of the last item before the page. Raises Refused (`malformed`)."""
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
    """The same for a list that is in the order of a number."""
    key = decode_cursor(cursor)
    if key is None:
        return None
    if not key.isdecimal() or not key.isascii() or len(key) > _DIGITS:
        raise Refused("malformed", reason="cursor")
    return int(key)


async def listing_by_key(
    call: Call, read: ListReading[T], limit: int, cursor: str | None, *, key: Callable[[T], str]
) -> Response[Listing[T]]:
    """A page of a list that is in the order of a text. Raises Refused (`malformed`)."""
    found = await read(after=decode_cursor(cursor), limit=limit + 1)
    return listing(call, found, limit, key=key)


def listing(
    call: Call, found: Sequence[T], limit: int, *, key: Callable[[T], str]
) -> Response[Listing[T]]:
    """A page out of `found`, no larger than PAGE_BYTES unless one item is by itself.

    `found` holds one item more than `limit` where there is a next page.
    """
    items, cursor = _page(found, limit, key)
    return Response(Listing(items, cursor), headers={"link": link(call, cursor)})


async def log_page(
    call: Call, league: str, found: Sequence[EntryView], limit: int, *, more: bool
) -> Response[LogPage]:
    """A page of a log as `listing` makes it, with the names of those who recorded the entries.

    `more`: others come after `found`, which may be fewer than `limit`.
    """
    items, cursor = _page(found, limit, lambda entry: str(entry.version), more=more)
    names = services_of(call).reading.names
    recorders = await names.recorders(league, (each.recorded_by for each in found[: len(items)]))
    return Response(LogPage(items, cursor, recorders), headers={"link": link(call, cursor)})


def _page(
    found: Sequence[T], limit: int, key: Callable[[T], str], *, more: bool = False
) -> tuple[list[T], str | None]:
    """The items, written already, and the cursor of the page after them."""
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
    """The same request for the next page; for the first one where `cursor` is None."""
    # Litestar has the parameters in no order.
    asked = parse_qsl(call.scope["query_string"].decode(), keep_blank_values=True)
    query = [(name, value) for name, value in asked if name != "cursor"]
    if cursor is not None:
        query.append(("cursor", cursor))
    target = f"{call.url.path}?{urlencode(query)}" if query else call.url.path
    return f'<{target}>; rel="{"first" if cursor is None else "next"}"'


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
