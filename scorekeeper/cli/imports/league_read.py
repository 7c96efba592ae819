"""Reading from a service what a league has of the matches of a file."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec
from msgspec import Struct

from scorekeeper.cli.remote import Remote
from scorekeeper.match.events.events import decode
from scorekeeper.service.imports.corrections import ImportedLog, RecordedEvent, imported_log
from scorekeeper.service.imports.spreadsheet import People

_AT_ONCE: Final = 8
"""Matches whose entries are read at the same time."""
_PAGE: Final = 1_000


class _Listed(Struct):
    """What is read of a page of a list."""

    items: list[dict[str, object]]
    next: str | None


class _EntryRead(Struct):
    """What is read of an entry as the service answers it; `data` is null where it was erased."""

    version: int
    type: str
    data: dict[str, object] | None
    inferred: bool
    id: str | None = None
    at: str | None = None

    def recorded(self) -> RecordedEvent:
        """As it is stored."""
        event = None
        if self.data is not None:
            at = {} if self.at is None else {"at": self.at}
            event = decode(msgspec.json.encode({"type": self.type, **self.data, **at}))
        return RecordedEvent(version=self.version, id=self.id, inferred=self.inferred, event=event)


class _EntriesPage(Struct):
    items: list[_EntryRead]
    next: str | None


def people_of(service: Remote, league: str) -> People:
    """Slugs and names of the players of the league."""
    return People(
        (str(each["player"]), None if each["name"] is None else str(each["name"]))
        for each in _listed(service, f"/v1/leagues/{league}/players")
    )


def matches_of(service: Remote, league: str) -> set[str]:
    """The slugs of all matches of the league."""
    return {str(each["match"]) for each in _listed(service, f"/v1/leagues/{league}/matches")}


def logs_of(service: Remote, league: str, matches: Sequence[str]) -> dict[str, ImportedLog]:
    """What the ledger has of each of these matches."""

    def read(match: str) -> ImportedLog:
        return imported_log(league, match, _log(service, league, match))

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return dict(zip(matches, pool.map(read, matches), strict=True))


def _log(service: Remote, league: str, match: str) -> list[RecordedEvent]:
    """The entries of a match, oldest first."""
    path = f"/v1/leagues/{league}/matches/{match}/events"
    entries: list[RecordedEvent] = []
    after = 0
    while True:
        _, body = service.ask("GET", f"{path}?limit={_PAGE}&after={after}")
        page = msgspec.json.decode(body, type=_EntriesPage)
        entries += [entry.recorded() for entry in page.items]
        if page.next is None:
            return entries
        after = entries[-1].version


def _listed(service: Remote, path: str) -> Iterator[dict[str, object]]:
    query = f"?limit={_PAGE}"
    while query:
        _, body = service.ask("GET", path + query)
        page = msgspec.json.decode(body, type=_Listed)
        yield from page.items
        query = f"?limit={_PAGE}&cursor={page.next}" if page.next else ""
