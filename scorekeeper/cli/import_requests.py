"""The requests of an import: reading what a league has of a file's matches, and sending the others.

Refusals are reported with line and match.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from scorekeeper.cli.remote import ANY, Remote
from scorekeeper.cli.terminal.failures import Failure
from scorekeeper.cli.terminal.import_report import about
from scorekeeper.match.events.events import ToldEvent, decode
from scorekeeper.service.imports.cells import People
from scorekeeper.service.imports.corrections import (
    Correction,
    ImportedLog,
    RecordedEvent,
    imported_log,
)
from scorekeeper.service.imports.planned_matches import (
    PastMatch,
    PastRequest,
    newcomers,
    numbered_pieces,
    requests,
)

_AT_ONCE: Final = 8
"""Matches whose entries are read at the same time."""
_PAGE: Final = 1_000

T = TypeVar("T")

_GOOD: Final = range(200, 300)
_CONFLICT: Final = 409
_ANOTHER_VERSION: Final = 412


class _Listed(Struct):
    """What is read of a page of a list."""

    items: list[dict[str, object]]
    next: str | None


class _EntryRead(Struct):
    """What is read of an entry as the service answers it; `data` is null if it was erased."""

    version: int
    type: str
    data: dict[str, object] | None
    inferred: bool
    id: str | None = None
    at: str | None = None

    def recorded(self) -> RecordedEvent:
        """Return the entry as it is stored."""
        event = None
        if self.data is not None:
            at = {} if self.at is None else {"at": self.at}
            event = decode(msgspec.json.encode({"type": self.type, **self.data, **at}))
        return RecordedEvent(version=self.version, id=self.id, inferred=self.inferred, event=event)


class _EntriesPage(Struct):
    items: list[_EntryRead]
    next: str | None


# Made before any thread starts: msgspec 0.22 crashes if two are the first to decode a type.
_decode_entries = msgspec.json.Decoder(_EntriesPage).decode


def players_of(service: Remote, league: str) -> People:
    """Slugs and names of the players of the league."""
    return People(
        (str(each["player"]), None if each["name"] is None else str(each["name"]))
        for each in _listed(service, f"/v1/leagues/{league}/players")
    )


def matches_of(service: Remote, league: str) -> set[str]:
    """Return the slugs of all matches of the league."""
    return {str(each["match"]) for each in _listed(service, f"/v1/leagues/{league}/matches")}


def logs_of(service: Remote, league: str, matches: Sequence[str]) -> dict[str, ImportedLog]:
    """Return what the ledger has of each of these matches, by slug."""

    def read(match: str) -> ImportedLog:
        return imported_log(league, match, _log(service, league, match))

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return dict(zip(matches, pool.map(read, matches), strict=True))


def _log(service: Remote, league: str, match: str) -> list[RecordedEvent]:
    """Return the entries of a match, oldest first."""
    path = f"/v1/leagues/{league}/matches/{match}/events"
    entries: list[RecordedEvent] = []
    after = 0
    while True:
        _, body = service.ask("GET", f"{path}?limit={_PAGE}&after={after}")
        page = _decode_entries(body)
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


def prefetch(things: Iterator[T]) -> Iterator[T]:
    """Yield the things in their order, while a thread makes the next one; none may be None.

    If making a thing raises an exception, it is raised in place of the thing.
    """
    with ThreadPoolExecutor(1) as apart:
        coming = apart.submit(next, things, None)
        while (thing := coming.result()) is not None:
            coming = apart.submit(next, things, None)
            yield thing


class _ImportProblem(Struct):
    """What is read of a refusal."""

    detail: str
    match_index: int | None = None
    event_index: int | None = None


class _AppendAnswer(Struct):
    """What is read of an append."""

    version: int


Blamed = Callable[[_ImportProblem], str]
"""Returns which lines and match of the file a refusal is about."""


class ImportRequests:
    """The writing requests of an import into one league. All of them raise Failure."""

    def __init__(self, service: Remote, league: str) -> None:
        self._service = service
        self._league = league
        self._root = f"/v1/leagues/{league}"

    def register(self, people: People, matches: Iterable[PastMatch]) -> Iterator[str]:
        """Register all who play in the matches and are not in the league yet; yield each slug.

        Those whom somebody else has registered meanwhile are not yielded.
        """
        for match, player, name in newcomers(people, matches):
            body = {"player": player, "name": name}
            said = f"{about(match.lines[0], match.match)}: {player} can't be registered"
            status, _ = self._ask("/players", body, _always(said), taken={_CONFLICT})
            if status != _CONFLICT:
                yield player

    def open(self, matches: Sequence[PastMatch]) -> Iterator[PastMatch]:
        """Record new matches in the order of the file. Yield each as soon as all of it is recorded.

        The requests are sent one after the other, so that the log has the matches in this order.
        """
        # The next request is prepared while the service works on this one.
        for request in prefetch(requests(self._league, matches)):
            self._open(request)
            yield from request.matches

    def _open(self, request: PastRequest) -> None:
        self._ask("/past-matches", request.body, partial(_in_matches, request.matches))
        last = request.matches[-1]
        for number, rest in request.rests:
            self._append(last, rest, partial(_in_match, last, number))

    def correct(self, correction: Correction) -> None:
        """Append the amendments, then the new events, unless the match has moved on meanwhile."""
        version = correction.version
        for number, piece in numbered_pieces(correction.events(self._league)):
            blamed = partial(_in_correction, correction, number)
            version = self._append(correction.match, piece, blamed, version=version)

    def _append(
        self,
        match: PastMatch,
        events: Sequence[ToldEvent],
        blamed: Blamed,
        *,
        version: int | None = None,
    ) -> int:
        """Append events, and return the version after them.

        `version`: the version that the match must have before; None if any will do.
        """
        path = f"/matches/{match.match}/events"
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        _, answer = self._ask(path, {"events": events}, blamed, headers=headers)
        return msgspec.json.decode(answer, type=_AppendAnswer).version

    def _ask(
        self,
        path: str,
        body: object,
        blamed: Blamed,
        *,
        taken: Collection[int] = (),
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes]:
        """Return the status and the answer. `taken`: refusals that count as answers."""
        path = self._root + path
        status, told = self._service.ask("POST", path, body, taken=ANY, headers=headers)
        if status in _GOOD or status in taken:
            return status, told
        try:
            problem = msgspec.json.decode(told, type=_ImportProblem)
        except (msgspec.DecodeError, UnicodeError):
            problem = _ImportProblem(f"the service answered {status} and did not say why.")
        if status == _ANOTHER_VERSION:
            problem = _ImportProblem("somebody told more of the match meanwhile.")
        raise Failure(f"{blamed(problem)}: {problem.detail}")


def _always(said: str) -> Blamed:
    """Return what is blamed whatever the problem is."""
    return lambda _: said


def _in_matches(matches: Sequence[PastMatch], problem: _ImportProblem) -> str:
    if problem.match_index is None:
        first, last = matches[0].lines[0], matches[-1].lines[-1]
        return f"line {first}" if first == last else f"lines {first} to {last}"
    return _in_match(matches[problem.match_index], 0, problem)


def _in_match(match: PastMatch, first: int, problem: _ImportProblem) -> str:
    """`first`: the number, in the match, of the first event of the refused request."""
    return about(match.line_of(first + (problem.event_index or 0)), match.match)


def _in_correction(correction: Correction, first: int, problem: _ImportProblem) -> str:
    """`first`: the number, in the correction, of the first event of the refused request."""
    line = correction.line_of(first + (problem.event_index or 0))
    return about(line, correction.match.match)
