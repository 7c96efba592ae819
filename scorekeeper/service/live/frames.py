"""What followers are sent: Server-Sent Events, made once for all who see the same.

This is the one place where a follower's audience is applied.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from cachetools import LRUCache

from scorekeeper.ledger.entry import CONTENT_ERASED, Entry
from scorekeeper.projections.scoreboard import Scoreboard, scoreboard
from scorekeeper.service.identity.access import Audience
from scorekeeper.service.reading.entry_presenter import FoldedState, entry_view
from scorekeeper.service.reading.matches import Reading, match_of
from scorekeeper.service.reading.tournaments import tournament_of
from scorekeeper.service.streams import fold_entries
from scorekeeper.service.views import EntryView

GREETING = b"retry: 2000\n\n"
"""Opens a stream: the milliseconds after which a client that was cut off reconnects."""

BEAT = b"event: beat\ndata: {}\n\n"
"""The sign of life. It has data, since clients ignore an event without data (HTML, section 9.2.6).
It has no id, so that a client that reconnects resumes after the last entry."""

MOST_BYTES: Final = 32 << 20
"""About how many bytes of the matches that are followed are cached."""

_encode = msgspec.json.Encoder().encode


class Kind(NamedTuple):
    """Followers of one kind are sent the same; `match` is None for those of the whole league."""

    audience: Audience
    match: str | None


class EntryFrame(msgspec.Struct, frozen=True, omit_defaults=True):
    """The data of `event: entry`; `match` is null for the league's own entries.

    `tournament` is present only in the entries of a tournament.
    """

    match: str | None
    entry: EntryView
    tournament: str | None = None


class ResyncFrame(msgspec.Struct, frozen=True):
    """The data of `event: resync`: the stream continues after this position."""

    position: int


def entry_frame(stream: str, entry: EntryView) -> bytes:
    data = _encode(EntryFrame(match_of(stream), entry, tournament_of(stream)))
    return b"id: %d\nevent: entry\ndata: %b\n\n" % (entry.position, data)


def state_frame(board: Scoreboard) -> bytes:
    """The frame has no id: a client that comes back resumes after an entry, never after a state."""
    return b"event: state\ndata: %b\n\n" % _encode(board)


def resync_frame(position: int) -> bytes:
    """The frame's id is the position, so that a client that comes back resumes there."""
    data = _encode(ResyncFrame(position))
    return b"id: %d\nevent: resync\ndata: %b\n\n" % (position, data)


class FramePart(msgspec.Struct, frozen=True):
    """A part of the log for one kind of follower: frames of entries, then frames of states.

    `entries`: frames with their positions. `whole`: all frames. `first` and `position`: the
    positions of the first and the last entry, or 0 if there is none. `reached`: the position up to
    which the log was read for the states.
    """

    entries: Sequence[tuple[int, bytes]]
    states: bytes
    whole: bytes
    first: int
    position: int
    reached: int

    def after(self, cursor: int) -> bytes:
        """Return the frames that are new to a follower at `cursor`.

        A follower who joined ahead of the feed has begun with a later state than these.
        """
        if self.first > cursor:
            return self.whole
        if not self.entries:
            return self.states if cursor <= self.reached else b""
        new = [frame for position, frame in self.entries if position > cursor]
        return b"".join([*new, self.states]) if cursor < self.reached else b""


def part_of(
    entries: Sequence[tuple[int, bytes]], states: Iterable[bytes], *, reached: int
) -> FramePart:
    """Make a part of these frames."""
    after = b"".join(states)
    whole = b"".join([*(frame for _, frame in entries), after])
    first, last = (entries[0][0], entries[-1][0]) if entries else (0, 0)
    return FramePart(entries, after, whole, first, last, reached)


class Frames:
    """Makes frames of entries, and of the states of matches after them."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._folded_states: LRUCache[tuple[str, str], FoldedState] = LRUCache(
            MOST_BYTES, getsizeof=lambda folded: min(MOST_BYTES, folded.weight)
        )
        self._forgotten = 0

    def forget(self, league: str) -> None:
        """Forget the states of a league's matches, which may have been folded from lost content."""
        self._forgotten += 1
        for key in [key for key in self._folded_states if key[0] == league]:
            del self._folded_states[key]

    async def of_entries(
        self, audience: Audience, league: str, stream: str, entries: Sequence[Entry]
    ) -> list[bytes]:
        """Return a frame for each of the entries, which are all of one stream."""
        match = match_of(stream)
        if match is None or audience is Audience.KEEPERS:
            return [entry_frame(stream, entry_view(entry)) for entry in entries]
        view = await self._reading.entry_views(audience, league, match)
        return [entry_frame(stream, view(entry)) for entry in entries]

    async def of_state(self, audience: Audience, league: str, match: str, version: int) -> bytes:
        """Return the scoreboard at exactly this version."""
        if audience is not Audience.KEEPERS:
            _, board = await self._reading.scoreboard(audience, league, match, version)
            return state_frame(board)
        folded = self._folded_states.get((league, match))
        if folded is None or folded.state.version != version:
            forgotten = self._forgotten
            folded = await self._reading.folded(league, match, version)
            # If anything was forgotten during the read, content may have been lost after it.
            if forgotten == self._forgotten:
                self._keep(league, match, folded)
        return state_frame(scoreboard(folded.state, match=match, position=folded.position))

    def fold_on(self, league: str, stream: str, entries: Sequence[Entry]) -> None:
        """Fold the next entries of a stream into the remembered state of its match.

        Otherwise, while others append, each state would be folded from its match's opening.
        """
        if any(entry.type == CONTENT_ERASED for entry in entries):
            self.forget(league)
        match = match_of(stream)
        known = None if match is None else self._folded_states.get((league, match))
        if match is None or known is None or known.state.version != entries[0].version - 1:
            return
        state = fold_entries(known.state, entries)
        self._keep(league, match, FoldedState(state, entries[-1].position))

    def _keep(self, league: str, match: str, folded: FoldedState) -> None:
        key = (league, match)
        known = self._folded_states.get(key)
        if known is not None and known.state.version > folded.state.version:
            return
        self._folded_states[key] = folded


class Batch:
    """Entries of a league that were read together, to be sent to followers of several kinds.

    `changed_matches`: matches whose states are sent after the entries, each with its version at the
    position `reached`.
    """

    def __init__(
        self,
        frames: Frames,
        league: str,
        entries: Sequence[Entry],
        changed_matches: Mapping[str, int],
        *,
        reached: int,
    ) -> None:
        self._frames = frames
        self._league = league
        self._streams: dict[str, list[Entry]] = {}
        for entry in entries:
            self._streams.setdefault(entry.stream, []).append(entry)
        self._changed_matches = changed_matches
        self._reached = reached
        self._made: dict[tuple[Audience, str], list[tuple[int, bytes]]] = {}
        self._states: dict[tuple[Audience, str], bytes] = {}

    def fold_on(self) -> None:
        """Fold these entries into the remembered states. For entries that were just recorded."""
        for stream, entries in self._streams.items():
            self._frames.fold_on(self._league, stream, entries)

    def concerns(self, kind: Kind) -> bool:
        return (
            kind.match is None
            or kind.match in self._changed_matches
            or any(match_of(stream) == kind.match for stream in self._streams)
        )

    async def part(self, kind: Kind) -> FramePart:
        """Return the batch as followers of this kind are sent it."""
        entries: list[tuple[int, bytes]] = []
        for stream in self._streams:
            if kind.match is None or match_of(stream) == kind.match:
                entries += await self._of_stream(kind.audience, stream)
        entries.sort()
        states = [
            await self._of_match(kind.audience, match)
            for match in self._changed_matches
            if kind.match is None or match == kind.match
        ]
        return part_of(entries, states, reached=self._reached)

    async def _of_stream(self, audience: Audience, stream: str) -> list[tuple[int, bytes]]:
        made = self._made.get((audience, stream))
        if made is None:
            entries = self._streams[stream]
            frames = await self._frames.of_entries(audience, self._league, stream, entries)
            made = [(entry.position, frame) for entry, frame in zip(entries, frames, strict=True)]
            self._made[audience, stream] = made
        return made

    async def _of_match(self, audience: Audience, match: str) -> bytes:
        state = self._states.get((audience, match))
        if state is None:
            version = self._changed_matches[match]
            state = await self._frames.of_state(audience, self._league, match, version)
            self._states[audience, match] = state
        return state


def last_versions(entries: Iterable[Entry]) -> dict[str, int]:
    """Return the matches that these entries belong to, each with its version after them."""
    found: dict[str, int] = {}
    for entry in entries:
        match = match_of(entry.stream)
        if match is not None:
            found[match] = entry.version
    return found
