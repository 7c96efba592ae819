"""Tampering by somebody who has the database, and makes all hashes fit again."""

from msgspec.structs import replace
from sqlalchemy import Connection, select, update

from scorekeeper.ledger.entry import decode_header, encode_header
from scorekeeper.ledger.merkle_tree import body_digest, grow, leaf_hash
from scorekeeper.ledger.tables import events, ledgers


def forge(connection: Connection, league: str, match: str, version: int, body: bytes) -> None:
    """Replace the body of an entry, and recompute digests, links and tree."""
    of_league = events.c.league == league
    entry = [of_league, events.c.stream == f"match:{match}", events.c.version == version]
    connection.execute(update(events).where(*entry).values(body=body))
    links: dict[str, str] = {}
    frontier = b""
    rows = connection.execute(select(events).where(of_league).order_by(events.c.position))
    for size, row in enumerate(rows.all()):
        header = encode_header(
            replace(
                decode_header(row.header),
                digest=body_digest(row.salt, row.body).hex(),
                prev=links.get(row.stream),
            )
        )
        place = [of_league, events.c.position == row.position]
        connection.execute(update(events).where(*place).values(header=header))
        links[row.stream] = leaf_hash(header).hex()
        frontier = grow(frontier, size, [leaf_hash(header)])
    connection.execute(update(ledgers).where(ledgers.c.league == league).values(frontier=frontier))
