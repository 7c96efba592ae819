"""What the stored views show of one match, which is kept packed while nobody compares it."""

import zlib
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from scorekeeper.match.state import State
from scorekeeper.projections.contribution import Contribution, contributions
from scorekeeper.service.matches.deciding import OpeningEntry, list_row
from scorekeeper.service.reading.tournaments import table_row


class ShownMatch(Struct, frozen=True):
    """A match's row in the list of matches, and what it adds to the league's table.

    `table`: its row among its tournament's tables; None if it belongs to no tournament.
    """

    row: Mapping[str, object]
    table: Mapping[str, object] | None
    scoring_mode: str
    contributions: Mapping[str, Contribution]

    def pack(self) -> bytes:
        """Return this as bytes, in about a sixth of the memory."""
        return zlib.compress(_encode(self))


def unpack(packed: bytes) -> ShownMatch:
    return _decode(zlib.decompress(packed))


def shown(league: str, match: str, state: State, opening: OpeningEntry) -> ShownMatch:
    """Return what the views show of a match in this state."""
    return ShownMatch(
        row=list_row(league, match, state, opening)[1],
        table=_table(league, match, state),
        scoring_mode=state.mode.name,
        contributions=contributions(state),
    )


def _table(league: str, match: str, state: State) -> Mapping[str, object] | None:
    tournament = state.opened.tournament
    if tournament is None:
        return None
    _, written = table_row(league, match, state)
    return {
        "tournament": tournament,
        "match": match,
        "status": written["new_status"],
        "rounds": written["new_rounds"],
    }


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(ShownMatch).decode
