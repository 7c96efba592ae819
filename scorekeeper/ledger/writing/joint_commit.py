"""Joint commit: groups of several leagues are decided each for itself and committed together.

A commit for each league would cost a wait for the disk each time, and a round trip to a server.
Here each ledger's head is taken by its own compare-and-set, and entries are inserted only for the
heads that were taken. So if another process took the head of a league first, this league alone is
decided again.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

import msgspec
from sqlalchemy import Connection

from scorekeeper.ledger.database_errors import is_duplicate, is_lost_race
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.writing.append import Request, RequestOutcome
from scorekeeper.ledger.writing.group_commit import GroupCommit, read_stream_until
from scorekeeper.ledger.writing.head_cache import UNWRITTEN, LedgerHead, StreamHead
from scorekeeper.ledger.writing.one_statement import MOST_EVENTS
from scorekeeper.ledger.writing.statements import InsertedRows
from scorekeeper.ledger.writing.write_batch import WriteBatch

Requests = Mapping[str, Sequence[Request[Any]]]
"""The requests of each league, in order."""


class FoundHead(NamedTuple):
    """The head of a ledger, as it is stored."""

    league: str
    log: str
    size: int
    frontier: bytes
    recorded_at: str


class TakenHead(NamedTuple):
    """The new head of a ledger. It is taken only if the ledger's size is still `seen`."""

    league: str
    seen: int
    size: int
    frontier: bytes
    recorded_at: str


class WantedStream(NamedTuple):
    """A stream to be read as it is when its ledger has `size` entries."""

    league: str
    stream: str
    size: int


class JointStatements(Protocol):
    """What differs between the databases."""

    def can_join(self, connection: Connection) -> bool:
        """Return whether one transaction may reach several leagues."""
        ...

    def heads(self, connection: Connection, leagues: Collection[str]) -> Iterable[FoundHead]:
        """Return the heads of these leagues. Leagues whose ledger is not open are left out."""
        ...

    def streams(self, connection: Connection, wanted: Collection[WantedStream]) -> Iterable[Entry]:
        """Return the entries of these streams: stream by stream, each in order of version."""
        ...

    def repeated(self, connection: Connection, ids: Mapping[str, Collection[str]]) -> set[str]:
        """Return the leagues that have recorded one of their ids. `ids` are by league."""
        ...

    def append(
        self, connection: Connection, heads: Sequence[TakenHead], entries: InsertedRows
    ) -> Collection[str]:
        """Take the heads, insert the entries of the leagues whose heads were taken, and commit.

        Returns these leagues. Call it outside a transaction.
        """
        ...


class _Group(msgspec.Struct, frozen=True):
    """The decided group of a league, which writes events and nothing else."""

    seen: LedgerHead
    new: LedgerHead
    batch: WriteBatch
    outcomes: list[RequestOutcome]

    @property
    def ids(self) -> set[str]:
        return {entry.id for entry in self.batch.entries}


_Groups = Mapping[str, _Group]


class JointCommit:
    """Writes the groups of several leagues of one commit queue."""

    def __init__(self, groups: GroupCommit, statements: JointStatements) -> None:
        self._groups = groups
        self._heads = groups.heads
        self._statements = statements

    def write(self, connection: Connection, requests: Requests) -> dict[str, list[RequestOutcome]]:
        """Decide and commit a group for each league; the outcomes by league.

        If a league is missing in the result, nothing of it was written, and it has to be written
        alone: it writes many events or other things than events, another process took its head, or
        one of its requests is recorded already. If the database fails, its error is raised and
        nothing was written, unless the connection was cut off during the commit.
        """
        self._heads.known_through(connection)
        try:
            if not self._statements.can_join(connection):
                return {}
            groups = self._decided(connection, requests)
            connection.commit()
            return self._written(connection, groups)
        except BaseException:
            connection.rollback()
            raise

    def _written(self, connection: Connection, groups: _Groups) -> dict[str, list[RequestOutcome]]:
        try:
            return self._committed(connection, groups)
        except Exception as error:
            if is_lost_race(error):
                return {}
            if not is_duplicate(error):
                raise
        # Nothing was written, so the cache is still right.
        ids = {league: group.ids for league, group in groups.items()}
        repeated = self._statements.repeated(connection, ids)
        connection.commit()
        new = {league: group for league, group in groups.items() if league not in repeated}
        return self._committed(connection, new)

    def _decided(self, connection: Connection, requests: Requests) -> dict[str, _Group]:
        """Decide the requests, and return the groups that can be written together, by league."""
        groups: dict[str, _Group] = {}
        heads = self._heads_of(connection, requests)
        streams = self._streams_of(connection, heads, requests)
        for league, head in heads.items():
            batch = WriteBatch(
                league,
                clock=self._groups.clock,
                head=head,
                streams=streams[league],
                known={},
                answers={},
                read_stream=partial(read_stream_until, connection, league, head.size),
            )
            outcomes = [batch.outcome(request) for request in requests[league]]
            group = _Group(head, batch.head_after(head), batch, outcomes)
            if _is_plain(group, requests[league]):
                groups[league] = group
        return groups

    def _heads_of(self, connection: Connection, requests: Requests) -> dict[str, LedgerHead]:
        """Return the heads of the leagues that may be written together and whose ledger is open."""
        heads: dict[str, LedgerHead] = {}
        cold: list[str] = []
        for league, of_league in requests.items():
            if self._heads.is_contested(league) or any(one.answer_keys for one in of_league):
                continue
            head = self._heads.ledger(league)
            if head is None:
                cold.append(league)
            else:
                heads[league] = head
        if cold:
            for row in self._statements.heads(connection, cold):
                epoch = self._heads.next_epoch()
                heads[row.league] = LedgerHead(
                    row.log, row.size, row.frontier, row.recorded_at, epoch
                )
        return heads

    def _streams_of(
        self, connection: Connection, heads: Mapping[str, LedgerHead], requests: Requests
    ) -> dict[str, dict[str, StreamHead]]:
        streams: dict[str, dict[str, StreamHead]] = {}
        cold: list[WantedStream] = []
        for league, head in heads.items():
            names = {stream for request in requests[league] for stream in request.streams}
            streams[league], missing = self._heads.streams(league, head.epoch, names)
            cold += [WantedStream(league, stream, head.size) for stream in missing]
        if cold:
            entries = self._statements.streams(connection, cold)
            for (league, stream), of_stream in groupby(entries, key=attrgetter("league", "stream")):
                streams[league][stream] = UNWRITTEN.extended(tuple(of_stream))
        return streams

    def _committed(
        self, connection: Connection, groups: _Groups
    ) -> dict[str, list[RequestOutcome]]:
        if not groups:
            return {}
        heads = [
            TakenHead(league, one.seen.size, one.new.size, one.new.frontier, one.new.recorded_at)
            for league, one in groups.items()
        ]
        event_row = self._groups.statements.event_row
        entries = [event_row(entry) for one in groups.values() for entry in one.batch.entries]
        taken = self._statements.append(connection, heads, entries)
        for league in taken:
            self._heads.keep(league, groups[league].new, groups[league].batch.streams)
        for league in groups.keys() - taken:
            self._heads.mark_contested(league)
        return {league: groups[league].outcomes for league in taken}


def _is_plain(group: _Group, requests: Sequence[Request[Any]]) -> bool:
    """Return whether a group can be written jointly.

    It must write a few events and nothing else. It must also insert every id that its requests
    name: then the insertion itself shows whether one of them is recorded already.
    """
    return (
        group.batch.only_events
        and len(group.batch.entries) <= MOST_EVENTS
        and all(group.ids.issuperset(request.ids) for request in requests)
    )
