"""Reading entries in parts of bounded size, since an entry may have a megabyte."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import BigInteger, Connection, bindparam, func, select

from scorekeeper.ledger.entries.entry import Entry, read_entries
from scorekeeper.ledger.tables import events
from scorekeeper.ledger.writing import statements as sql

PART_BYTES: Final = 1 << 20
"""Of bodies; an entry that is longer by itself makes a part by itself."""

_of_stream = (
    select(events.c.version, func.length(events.c.body))
    .where(
        events.c.league == bindparam("league"),
        events.c.stream == bindparam("stream"),
        events.c.version > bindparam("after", type_=BigInteger),
        events.c.version <= bindparam("until", type_=BigInteger),
    )
    .order_by(events.c.version)
    .limit(bindparam("limit", type_=BigInteger))
)
_of_ledger = (
    select(events.c.position, func.length(events.c.body))
    .where(
        events.c.league == bindparam("league"),
        events.c.position > bindparam("after", type_=BigInteger),
    )
    .order_by(events.c.position)
    .limit(bindparam("limit", type_=BigInteger))
)


class EntryPage(NamedTuple):
    """Entries in their order. `more`: whether there were others behind them."""

    entries: list[Entry]
    more: bool


def read_stream_page(
    connection: Connection, league: str, stream: str, after: int, until: int, limit: int
) -> EntryPage:
    """Of a stream by version, from the one after `after` up to `until`; `limit` at the most."""
    about = {"league": league, "stream": stream, "after": after}
    sizes = connection.execute(_of_stream, {**about, "until": until, "limit": limit + 1}).all()
    if not sizes:
        return EntryPage([], more=False)
    last, more = _end(sizes, limit)
    parameters = {**about, "until": last, "limit": limit}
    return EntryPage(read_entries(connection, sql.read_stream, parameters), more)


def read_ledger_page(connection: Connection, league: str, after: int, limit: int) -> EntryPage:
    """Of a whole ledger by position, from the one after `after`; `limit` at the most."""
    about = {"league": league, "after": after}
    sizes = connection.execute(_of_ledger, {**about, "limit": limit + 1}).all()
    if not sizes:
        return EntryPage([], more=False)
    last, more = _end(sizes, limit)
    return EntryPage(read_entries(connection, sql.read_between, {**about, "until": last}), more)


def _end(sizes: Sequence[Any], limit: int) -> tuple[int, bool]:
    """The last place of the part, and whether there are others behind it."""
    read = 0
    last = 0
    for count, (place, length) in enumerate(sizes):
        read += length or 0
        if count == limit or (count and read > PART_BYTES):
            return last, True
        last = place
    return last, False
