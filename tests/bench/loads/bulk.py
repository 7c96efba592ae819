"""Writing leagues of any size, about as fast as the ledger accepts entries.

A few matches are decided beforehand and written under many slugs, directly into the ledger. The
stored views are computed at the end, as an import does, so that `scorekeeper verify` finds no flaw.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from random import Random
from typing import Literal, TypeVar

import msgspec
from sqlalchemy import Connection

from scorekeeper.ledger.entry import Draft, Entry
from scorekeeper.ledger.writing.append import Completion, Decision, Request, Seen
from scorekeeper.match.events.events import SCHEMA, encode, event_type
from scorekeeper.projections.contribution import contributions
from scorekeeper.service.identity.access import ADMIN_ID
from scorekeeper.service.integrity.fresh_rows import FreshTable, WonMatch
from scorekeeper.service.matches.deciding import drafts, list_row
from scorekeeper.service.reading.matches import match_stream
from scorekeeper.service.services import Services
from scorekeeper.store import tables
from scorekeeper.store.views import add
from tests.bench.loads.evening import PLAYERS
from tests.bench.loads.known_matches import KnownMatch, card_by_card, tallied
from tests.bench.loads.open_book import open_book
from tests.bench.measuring.children import answer, job_told

T = TypeVar("T")

_AT_ONCE = 20
_FEW = 8
_MANY = 500


Content = Literal["mixed", "cards", "tallied"]
_MAKERS: Mapping[Content, Sequence[Callable[[Random, Sequence[str]], KnownMatch]]] = {
    "mixed": (card_by_card, tallied),
    "cards": (card_by_card,),
    "tallied": (tallied,),
}


class Bulk(msgspec.Struct):
    """A league to be written, which must be new, with `matches` of about a hundred entries each.

    Tallied matches are won in the end; matches told card by card may be closed or abandoned.
    """

    url: str
    league: str
    matches: int
    players: int = 4
    content: Content = "mixed"


class Written(msgspec.Struct):
    """How many entries the matches have, and how many seconds it took to write them."""

    entries: int
    seconds: float


def known_matches(bulk: Bulk) -> list[KnownMatch]:
    """Return the matches that the league repeats in turn."""
    rng = Random(5)
    players = names(bulk.players)
    makers = cycle(_MAKERS[bulk.content])
    most = _MANY if bulk.players > len(PLAYERS) else _FEW
    return [next(makers)(rng, players) for _ in range(min(most, bulk.matches))]


def matches_for(content: Content, entries: int) -> int:
    """Return the number of matches that have about this many entries together."""
    few = known_matches(Bulk("", "", _FEW, content=content))
    return max(_FEW, round(entries * len(few) / sum(known.length for known in few)))


def names(players: int) -> list[str]:
    """The slugs of so many players; the first four are those of every measurement."""
    return [*PLAYERS, *(f"player-{nth}" for nth in range(len(PLAYERS) + 1, players + 1))][:players]


def slugs(bulk: Bulk) -> Iterator[str]:
    return (f"written-{nth}" for nth in range(1, bulk.matches + 1))


def parted(bulk: Bulk, kinds: Sequence[T]) -> Iterator[list[tuple[str, T]]]:
    """Yield parts of the league's matches: each slug with one of `kinds`, which repeat in turn."""
    named = zip(slugs(bulk), cycle(kinds), strict=False)
    while part := list(islice(named, _AT_ONCE)):
        yield part


async def write(bulk: Bulk) -> Written:
    """Migrate, open the league, write its matches and then its table."""
    async with open_book(bulk.url, bulk.league, names(bulk.players)) as book:
        begun = time.perf_counter()
        entries, won = await _write_matches(book, bulk)
        await book.ledger.transact(bulk.league, lambda c: _write_table(c, bulk.league, won))
    return Written(entries, time.perf_counter() - begun)


async def _write_matches(book: Services, bulk: Bulk) -> tuple[int, list[WonMatch]]:
    size = 0
    won: list[WonMatch] = []
    for part in parted(bulk, known_matches(bulk)):
        done = await book.ledger.append(_request(bulk.league, part))
        size += len(done.entries)
        won += done.value
    return size, won


def _request(league: str, part: Sequence[tuple[str, KnownMatch]]) -> Request[list[WonMatch]]:
    def decide(_: Seen) -> Decision[list[WonMatch]]:
        written: list[Draft] = []
        for match, (opened, recorded) in part:
            stream = match_stream(match)
            body = encode(opened)
            written.append(Draft(stream=stream, type=event_type(opened), schema=SCHEMA, body=body))
            written += drafts(stream, recorded, after=len(written))
        states = {match_stream(match): known.recorded.state for match, known in part}
        return Decision(drafts=written, complete=complete, carried=states)

    def complete(entries: Sequence[Entry]) -> Completion[list[WonMatch]]:
        rows = []
        won: list[WonMatch] = []
        start = 0
        for match, known in part:
            opening, last = entries[start], entries[start + known.length - 1]
            start += known.length
            rows.append(list_row(league, match, known.recorded.state, opening))
            won += _won(match, known, opening, last)
        return Completion(value=won, rows=rows)

    return Request(
        league=league,
        actor=ADMIN_ID,
        streams=[match_stream(match) for match, _ in part],
        decide=decide,
        weight=sum(known.length for _, known in part),
    )


def _won(match: str, known: KnownMatch, opening: Entry, last: Entry) -> list[WonMatch]:
    """Return the match as a won one, or nothing if nobody won it; a win is its last entry."""
    state = known.recorded.state
    brought = contributions(state)
    if not brought:
        return []
    assert last.type == "match_won", last.type
    return [
        WonMatch(
            match=match,
            edition=state.edition.id,
            scoring_mode=state.scoring.mode,
            finished=last.position,
            exact=True,
            held_at=opening.time,
            contributions=brought,
        )
    ]


def _write_table(connection: Connection, league: str, won: Sequence[WonMatch]) -> None:
    table = FreshTable()
    for match in won:
        table.put(match.match, match)
    add(connection, tables.results, league, (row for match in won for row in match.results()))
    lines = (line for person in table.people if (line := table.line(person)))
    add(connection, tables.standings, league, (columns for columns, _ in lines))


if __name__ == "__main__":
    answer(asyncio.run(write(job_told(Bulk))))
