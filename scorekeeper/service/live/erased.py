"""Which matches lost content by entries that are followed: their states change without an entry."""

from collections.abc import Iterator, Sequence

from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.reading.matches import match_of
from scorekeeper.service.streams import (
    LEAGUE_STREAM,
    AnyLeagueEvent,
    ContentErased,
    decode_league_event,
)


async def erased_in(ledger: Ledger, league: str, entries: Sequence[Entry]) -> dict[str, int]:
    """Return the matches that lost content by these entries, each with its version after them."""
    erased = [
        position
        for event in league_events(entries)
        if isinstance(event, ContentErased)
        for position in event.positions
    ]
    if not erased:
        return {}
    last = entries[-1].position
    streams = {each.stream for each in await ledger.at_positions(league, erased)}
    return {
        match: await ledger.version(league, stream, last)
        for stream in sorted(streams)
        if (match := match_of(stream)) is not None
    }


def league_events(entries: Sequence[Entry]) -> Iterator[AnyLeagueEvent]:
    """Yield the events of the league's own stream among these entries."""
    for entry in entries:
        if entry.stream == LEAGUE_STREAM and entry.body is not None:
            yield decode_league_event(entry.body)
