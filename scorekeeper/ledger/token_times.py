"""When each token last recorded something, read backwards from the ledger's end."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

import msgspec
from sqlalchemy import BigInteger, Connection, Text, bindparam, select

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.tables import events
from scorekeeper.ledger.writing.statements import EVERYTHING

AT_ONCE: Final = 500
"""Entries in one read: a millisecond of work."""
MOST: Final = 10_000
"""How many of the latest entries are searched if a token has recorded nothing."""

_backwards = (
    select(events.c.header)
    .where(
        events.c.league == bindparam("league", type_=Text),
        events.c.position < bindparam("before", type_=BigInteger),
    )
    .order_by(events.c.position.desc())
    .limit(AT_ONCE)
)


class _RecordedHeader(msgspec.Struct, frozen=True, gc=False):
    """The fields of a header that are needed here."""

    actor: str
    position: int
    time: str


_decode = msgspec.json.Decoder(_RecordedHeader).decode


async def last_recorded_by(ledger: Ledger, league: str, tokens: Collection[str]) -> dict[str, str]:
    """Return the time of each token's last entry.

    A token without an entry among the last 10,000 is left out.
    """
    found: dict[str, str] = {}
    missing = set(tokens)
    before = EVERYTHING
    for _ in range(MOST // AT_ONCE):
        if not missing:
            break
        headers = await ledger.read(partial(_headers, league=league, before=before))
        for recorded in map(_decode, headers):
            before = recorded.position
            if recorded.actor in missing:
                missing.remove(recorded.actor)
                found[recorded.actor] = recorded.time
        if len(headers) < AT_ONCE:
            break
    return found


def _headers(connection: Connection, league: str, before: int) -> Sequence[bytes]:
    return connection.execute(_backwards, {"league": league, "before": before}).scalars().all()
