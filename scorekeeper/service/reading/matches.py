"""Reading a match: its scoreboard, hands, rounds and log, now and at any past version."""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import aclosing
from typing import Final, Literal, TypeAlias

from cachetools import LRUCache
from msgspec import Struct

from scorekeeper.ledger.entry import Entry, Header
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.reading import Contents
from scorekeeper.match.readings.effective_log import both_readings, corrected_steps
from scorekeeper.match.readings.reader import Step
from scorekeeper.match.readings.viewer_fold import viewer_steps
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import (
    Progress,
    RoundView,
    Scoreboard,
    hands,
    match_progress,
    rounds,
    scoreboard,
)
from scorekeeper.service.identity.access import Audience
from scorekeeper.service.reading.entry_presenter import (
    FoldedState,
    entry_view,
    tag_of,
)
from scorekeeper.service.reading.people import NameLookup
from scorekeeper.service.reading.viewer_folds import ViewerFolds, fold_off_loop, left_out
from scorekeeper.service.refused import not_found
from scorekeeper.service.streams import fold_contents
from scorekeeper.service.views import EntryView, HandsView

View: TypeAlias = Literal["corrected", "recorded"]

MOST_BYTES: Final = 128 << 20
"""About how many bytes of matches are cached."""
_STREAMED_AT_ONCE = 500
_MATCH = "match:"


def match_stream(match: str) -> str:
    """Return the name of a match's stream in its ledger."""
    return f"{_MATCH}{match}"


def match_of(stream: str) -> str | None:
    """Return the match whose stream this is; None for a stream of something else."""
    return stream[len(_MATCH) :] if stream.startswith(_MATCH) else None


class MatchUnreadable(Exception):
    """The log of a match can't be folded: somebody or something changed what is stored of it."""


class _Remembered(Struct, frozen=True):
    """The latest state that is known of a match.

    `erased`: how many of its entries were erased when it was folded. The number may be too low,
    never too high.
    """

    folded: FoldedState
    erased: int


def _weight(remembered: _Remembered) -> int:
    """Return about how many bytes the state takes, but no more than the cache may hold."""
    return min(MOST_BYTES, remembered.folded.weight)


class MatchSteps(Struct, frozen=True):
    """A match step by step, up to the version that was asked for.

    `read_now`: the steps as the log is read now; they are `steps` if that view was asked for. If
    not, their states may count other sums: see `TwoReadings`. `whole`: the steps with all their
    cards, also with those that a viewer does not get.
    """

    tag: str
    steps: list[Step]
    read_now: list[Step]
    whole: list[Step]


def kept_steps(book: FoldedState, view: View) -> MatchSteps:
    """Return the steps of a match with all cards."""
    if view == "recorded":
        steps, read_now = both_readings(book.state)
    else:
        steps = read_now = corrected_steps(book.state)
    return MatchSteps(book.tag, steps, read_now, steps)


class Reading:
    """Folds matches on read, and remembers the latest state of those that were asked for.

    `names` looks up the names of players, and of the tokens that recorded matches.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._remembered: LRUCache[tuple[str, str], _Remembered] = LRUCache(
            MOST_BYTES, getsizeof=_weight
        )
        self._watching = ViewerFolds()
        self._told_unreadable = set[tuple[str, str]]()
        self.names = NameLookup(ledger)

    def remember(self, league: str, match: str, folded: FoldedState) -> None:
        """Keep the latest state of a match, which readers ask for next."""
        name = (league, match)
        known = self._remembered.get(name)
        if known is None:
            self._remembered[name] = _Remembered(folded, 0)
        elif known.folded.state.version < folded.state.version:
            self._remembered[name] = _Remembered(folded, known.erased)

    async def folded(self, league: str, match: str, at: int | None = None) -> FoldedState:
        """Return the match at a version, by default the latest. Raises Refused (`not-found`)."""
        known = self._remembered.get((league, match))
        if at is not None and (known is None or at != known.folded.state.version):
            return await self._past(league, match, at)
        latest = await self._latest(league, match, known)
        if at is not None and at != latest.state.version:
            return await self._past(league, match, at)
        return latest

    async def latest_of(self, league: str, matches: Collection[str]) -> dict[str, FoldedState]:
        """Return several matches as they are now, with few database queries.

        Unknown matches are left out, and those whose log can't be read: the others are answered
        without them. The cause is logged once.
        """
        known = {match: self._remembered.get((league, match)) for match in matches}
        after = {
            match_stream(match): 0 if each is None else each.folded.state.version
            for match, each in known.items()
        }
        found: dict[str, FoldedState] = {}
        async with aclosing(self._ledger.since_of(league, after)) as read:
            for match, before in known.items():
                since = await anext(read)
                try:
                    folded = await self._folded_on(league, match, before, since)
                except MatchUnreadable as error:
                    self._log_unreadable(league, match, error)
                    continue
                if folded is not None:
                    found[match] = folded
        return found

    def _log_unreadable(self, league: str, match: str, error: MatchUnreadable) -> None:
        """Log what is damaged, once for each match: pages ask for their lists again and again."""
        if (league, match) in self._told_unreadable:
            return
        self._told_unreadable.add((league, match))
        # Imported here only: commands that log nothing start without it.
        import structlog

        structlog.get_logger().error(
            "match unreadable", league=league, match=match, exc_info=error.__cause__
        )

    async def _latest(self, league: str, match: str, known: _Remembered | None) -> FoldedState:
        """Return the match as it is now, folded on from the state that is remembered."""
        after = 0 if known is None else known.folded.state.version
        since = await self._ledger.since(league, match_stream(match), after)
        folded = await self._folded_on(league, match, known, since)
        if folded is None:
            raise not_found("match")
        return folded

    async def _folded_on(
        self, league: str, match: str, known: _Remembered | None, since: tuple[int, Contents]
    ) -> FoldedState | None:
        """Return the match with what was recorded `since`; None if there is no such match."""
        erased, new = since
        if known is not None and erased != known.erased:
            # What is remembered was folded from content that is gone.
            known = None
            erased, new = await self._ledger.since(league, match_stream(match), 0)
        before = None if known is None else known.folded
        if not new.version:
            return before
        state = await _folded(None if before is None else before.state, new)
        newest = _Remembered(FoldedState(state, new.position), erased)
        newer = self._remembered.get((league, match))
        if newer is None or newer.folded.state.version <= state.version:
            self._remembered[league, match] = newest
        return newest.folded

    async def folded_for(
        self, audience: Audience, league: str, match: str, at: int | None = None
    ) -> FoldedState:
        """Return the match at a version as this audience may see it. Raises Refused (`not-found`).

        Viewers get past versions of a round without its hidden cards until it is over.
        """
        book = await self.folded(league, match, at)
        if audience is Audience.KEEPERS:
            return book
        latest = book if at is None else await self.folded(league, match)
        return await self._watching.folded(league, match, book, latest.state)

    async def entry_views(
        self, audience: Audience, league: str, match: str
    ) -> Callable[[Entry], EntryView]:
        """Return a function that presents entries to this audience.

        Call this after the entries were read, so that it hides all that has to be hidden by then.
        """
        state = (await self.folded(league, match)).state
        if audience is Audience.KEEPERS:
            return entry_view
        horizon = await self._watching.horizon(league, match, state)
        return lambda entry: entry_view(entry, horizon=horizon)

    async def scoreboard(
        self, audience: Audience, league: str, match: str, at: int | None
    ) -> tuple[str, Scoreboard]:
        """Return the tag of what was read, and the scoreboard."""
        folded = await self.folded_for(audience, league, match, at)
        board = scoreboard(folded.state, match=match, position=folded.position)
        return folded.tag, board

    async def hands(
        self, audience: Audience, league: str, match: str, at: int | None
    ) -> tuple[str, HandsView]:
        """Return the tag of what was read, and the hands of the present round or the last one."""
        folded = await self.folded_for(audience, league, match, at)
        redacted = ("cards",) if folded.redacted else None
        return folded.tag, HandsView(hands(folded.state), redacted)

    async def rounds(
        self, audience: Audience, league: str, match: str, at: int | None
    ) -> tuple[str, tuple[RoundView, ...]]:
        """Return the tag of what was read, and every round begun, in order."""
        folded = await self.folded_for(audience, league, match, at)
        return folded.tag, rounds(folded.state)

    async def progress(
        self, audience: Audience, league: str, match: str, at: int | None
    ) -> tuple[str, Progress]:
        """Return the tag of what was read, and the totals after every round that counted."""
        folded = await self.folded_for(audience, league, match, at)
        return folded.tag, match_progress(folded.state)

    async def steps(
        self, audience: Audience, league: str, match: str, view: View, at: int | None
    ) -> MatchSteps:
        """Return the match step by step up to a version. Raises Refused (`not-found`).

        Viewers get the round in progress without its hidden cards, also at past versions.
        """
        book = await self.folded(league, match, at)
        return await self.steps_of(audience, league, match, view, book)

    async def steps_of(
        self, audience: Audience, league: str, match: str, view: View, book: FoldedState
    ) -> MatchSteps:
        """Return the steps of `book`, a state of the match, as `steps` does."""
        kept = kept_steps(book, view)
        if audience is Audience.KEEPERS:
            return kept
        steps = kept.steps
        latest = await self.folded(league, match)
        horizon = await self._watching.horizon(league, match, latest.state)
        seen = seen_now = viewer_steps(steps, book.state, horizon)
        if steps is not kept.read_now:
            # What a viewer sees is folded on from these states, so that their sums have to be true.
            seen_now = viewer_steps(corrected_steps(book.state), book.state, horizon)
        hidden = any(left is not step for left, step in zip(seen, steps, strict=True))
        said = left_out(book.state, latest.state, horizon) if hidden else None
        return MatchSteps(tag_of(book.state, said), seen, seen_now, steps)

    async def headers(self, league: str, match: str, versions: Collection[int]) -> Sequence[Header]:
        """Return the headers of entries of the match, in any order."""
        return await self._ledger.headers(league, match_stream(match), versions)

    async def log(
        self, audience: Audience, league: str, match: str, after: int, limit: int
    ) -> tuple[list[EntryView], bool]:
        """Return entries with a version above `after`, oldest first, and whether more follow.

        At most `limit` entries and about a mebibyte are returned. Raises Refused (`not-found`).
        """
        stream = match_stream(match)
        entries, more = await self._ledger.stream_part(league, stream, after=after, limit=limit)
        view = await self.entry_views(audience, league, match)
        return [view(entry) for entry in entries], more

    async def stream_log(
        self, audience: Audience, league: str, match: str, after: int, most: int | None
    ) -> AsyncIterator[EntryView]:
        """Yield the entries behind the version `after`, up to the log's end when this is called.

        They are read in bounded parts. `most`: how many entries are wanted; None: all.
        """
        until = (await self.folded(league, match)).state.version
        if most is not None:
            until = min(until, after + most)
        while after < until:
            part = await self._ledger.stream_part(
                league, match_stream(match), after=after, until=until, limit=_STREAMED_AT_ONCE
            )
            view = await self.entry_views(audience, league, match)
            for entry in part.entries:
                yield view(entry)
            after = part.entries[-1].version

    async def _past(self, league: str, match: str, at: int) -> FoldedState:
        read = await self._ledger.contents(league, match_stream(match), until=at)
        if read.version != at:
            raise not_found("version" if read.version else "match")
        return FoldedState(await _folded(None, read), read.position)


async def _folded(before: State | None, new: Contents) -> State:
    """Return the match after `new`, which must not be empty. Raises MatchUnreadable."""
    try:
        return await fold_off_loop(len(new.inferred), fold_contents, before, new)
    except Exception as error:
        # Whatever was put into the database, the fold of it may fail in any way.
        raise MatchUnreadable from error
