"""What viewers may see of matches: the round in progress without its hidden cards.

Many entries are folded on a thread, so that they don't block the event loop.
"""

import asyncio
import hashlib
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

import msgspec
from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import astuple

from scorekeeper.match.events.events import Event, LogAmended
from scorekeeper.match.readings.effective_log import fold
from scorekeeper.match.readings.viewer_fold import (
    ViewerFold,
    VisibilityHorizon,
    advance_horizon,
    viewer_fold,
    visibility_horizon,
    watch,
)
from scorekeeper.match.state import State
from scorekeeper.service.reading.entry_presenter import FoldedState

P = ParamSpec("P")
T = TypeVar("T")

FOLDED_AT_ONCE: Final = 200
"""The most entries that are folded on the event loop. More would block it for too long."""

MOST_BYTES: Final = 64 << 20
"""About how many bytes of what viewers see are cached."""
MOST_BYTES_OF_HORIZONS: Final = 64 << 20
"""About how many bytes of the states are cached of which the horizon is known."""
_LEFT_OUT: Final = "redacted"


async def fold_off_loop(size: int, fold: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """Call `fold`, a pure function of `size` entries; on a thread if they are many."""
    if size > FOLDED_AT_ONCE:
        return await asyncio.to_thread(fold, *given, **named)
    return fold(*given, **named)


class _Followed(Struct, frozen=True):
    """The latest state of a match that was asked for, and the visibility horizon that it has."""

    latest: State
    horizon: VisibilityHorizon


class _CachedFold(Struct, frozen=True):
    """The viewer fold of the state `book` under this visibility horizon."""

    horizon: VisibilityHorizon
    book: State
    view: ViewerFold


def _weight_of_latest(followed: _Followed) -> int:
    return min(MOST_BYTES_OF_HORIZONS, FoldedState(followed.latest, 0).weight)


def _weight(seen: _CachedFold) -> int:
    """Return about how many bytes the view takes, with the book that it was made from."""
    return min(MOST_BYTES, 2 * FoldedState(seen.book, 0).weight)


class ViewerFolds:
    """Viewer folds of matches; each is cached, and folded on when the match goes on."""

    def __init__(self) -> None:
        self._followed: LRUCache[tuple[str, str], _Followed] = LRUCache(
            MOST_BYTES_OF_HORIZONS, getsizeof=_weight_of_latest
        )
        self._seen: LRUCache[tuple[str, str], _CachedFold] = LRUCache(MOST_BYTES, getsizeof=_weight)

    async def horizon(self, league: str, match: str, latest: State) -> VisibilityHorizon:
        """Return the visibility horizon of a match as it stands now."""
        if not latest.amendments and not latest.erased:
            return visibility_horizon(latest)
        known = self._followed.get((league, match))
        if known is not None and known.latest is latest:
            return known.horizon
        horizon = await fold_off_loop(latest.version, _horizon, known, latest)
        newer = self._followed.get((league, match))
        if newer is None or newer.latest.version <= latest.version:
            self._followed[league, match] = _Followed(latest, horizon)
        return horizon

    async def folded(
        self, league: str, match: str, book: FoldedState, latest: State
    ) -> FoldedState:
        """Return the viewer fold of `book`, a state of the match; `latest` is its state now.

        Past versions of a round that is over by now hide nothing.
        """
        horizon = await self.horizon(league, match, latest)
        if book.state.version < horizon.since:
            return book
        known = self._seen.get((league, match))
        seen = await fold_off_loop(book.state.version, _view, known, book.state, horizon)
        newer = self._seen.get((league, match))
        if newer is None or newer.book.version <= book.state.version:
            self._seen[league, match] = _CachedFold(horizon, book.state, seen)
        if not seen.redacted:
            return FoldedState(seen.state, book.position)
        return FoldedState(
            seen.state, book.position, book.state, left_out(book.state, latest, horizon)
        )


def left_out(book: State, latest: State, horizon: VisibilityHorizon) -> str:
    """Return how the ETag of a viewer's reading of `book` says that something is left out.

    `latest`: the match as it stands now. If it was amended or erased after `book`, another round
    may be in progress than then. So the same version may hide something else, and has another tag.
    """
    if book.version == latest.version or not (latest.erased or latest.amendments > book.amendments):
        return _LEFT_OUT
    inserted = (sorted(map(astuple, each)) for each in (horizon.shown, horizon.beyond))
    hiding = msgspec.json.encode((horizon.since, *inserted))
    return f"{_LEFT_OUT}-{hashlib.blake2b(hiding, digest_size=8).hexdigest()}"


def _horizon(known: _Followed | None, latest: State) -> VisibilityHorizon:
    return (None if known is None else _led_on(known, latest)) or visibility_horizon(latest)


def _view(known: _CachedFold | None, book: State, horizon: VisibilityHorizon) -> ViewerFold:
    return (None if known is None else _further(known, book, horizon)) or viewer_fold(book, horizon)


def _led_on(known: _Followed, latest: State) -> VisibilityHorizon | None:
    """Return the horizon after the events recorded since `known`.

    Return None if it has to be found in the whole log.
    """
    events = _since(known.latest, latest)
    if events is None:
        return None
    horizon, before = known.horizon, known.latest
    for event in events:
        after = fold(before, [event])
        horizon = advance_horizon(horizon, before, event, after)
        before = after
    return horizon


def _further(known: _CachedFold, state: State, horizon: VisibilityHorizon) -> ViewerFold | None:
    """Fold the view on from an earlier one; None if it has to be made from the whole log."""
    book, seen = known.book, known.view
    if known.horizon != horizon:
        if book.version >= horizon.since:
            return None
        # Nothing in this book is hidden any more. Nor is what its amendments insert, since that
        # takes effect at earlier versions.
        seen = ViewerFold(book)
    elif book is state:
        return seen
    events = _since(book, state)
    if events is None:
        return None
    for event in events:
        after = fold(book, [event])
        over = after.version < horizon.since
        seen = ViewerFold(after) if over else watch(seen, event, book, after)
        book = after
    return seen


def _since(earlier: State, later: State) -> list[Event] | None:
    """Return the events recorded between two states.

    Return None if an amendment or an erasure changed how the earlier log is read.
    """
    events: list[Event] = []
    log = later.log
    for _ in range(earlier.version, later.version):
        event = None if log is None else log[0]
        if log is None or event is None or isinstance(event, LogAmended):
            return None
        events.append(event)
        log = log[2]
    # Otherwise the states were folded from different logs, for example before and after an erasure.
    return events[::-1] if log is earlier.log and not later.erased else None
