"""What viewers may see of matches: the round in progress without its hidden cards."""

from collections import OrderedDict
from typing import TypeAlias, TypeVar

from msgspec import Struct

from scorekeeper.match.events import Event, LogAmended
from scorekeeper.match.fold import fold
from scorekeeper.match.state import State
from scorekeeper.match.watched import Horizon, Watched, horizon, led_on, watch, watched
from scorekeeper.service.appended import Standing

_REMEMBERED_MATCHES = 1_024

F = TypeVar("F")
_Remembered: TypeAlias = OrderedDict[tuple[str, str], F]


class _Followed(Struct, frozen=True):
    """The latest state of a book that was asked for, and where the view ends by it."""

    latest: State
    ends: Horizon


class _Seen(Struct, frozen=True):
    """What is seen of `book` where the view ends at `ends`."""

    ends: Horizon
    book: State
    view: Watched


class Watching:
    """Follows matches as viewers do, and remembers where it got."""

    def __init__(self) -> None:
        self._followed: _Remembered[_Followed] = OrderedDict()
        self._seen: _Remembered[_Seen] = OrderedDict()

    def ends(self, league: str, match: str, latest: State) -> Horizon:
        """Where a viewer's sight ends as the match stands now."""
        if not latest.amendments and not latest.erased:
            return horizon(latest)
        known = self._followed.get((league, match))
        if known is not None and known.latest is latest:
            return known.ends
        ends = (None if known is None else _led_on(known, latest)) or horizon(latest)
        if known is None or known.latest.version <= latest.version:
            _remember(self._followed, (league, match), _Followed(latest, ends))
        return ends

    def standing(self, league: str, match: str, book: Standing, latest: State) -> Standing:
        """What a viewer sees where the book has `book`; `latest`: the book's state now.

        Past versions of a round that is over by now hide nothing.
        """
        ends = self.ends(league, match, latest)
        if book.state.version < ends.since:
            return book
        known = self._seen.get((league, match))
        seen = None if known is None else _further(known, book.state, ends)
        if seen is None:
            seen = watched(book.state, ends)
        if known is None or known.book.version <= book.state.version:
            _remember(self._seen, (league, match), _Seen(ends, book.state, seen))
        return Standing(seen.state, book.position, book.state if seen.redacted else None)


def _remember(matches: _Remembered[F], key: tuple[str, str], found: F) -> None:
    matches[key] = found
    matches.move_to_end(key)
    if len(matches) > _REMEMBERED_MATCHES:
        matches.popitem(last=False)


def _led_on(known: _Followed, latest: State) -> Horizon | None:
    """Where the view ends after what was recorded since; None where that is to be found anew."""
    events = _since(known.latest, latest)
    if events is None:
        return None
    ends, before = known.ends, known.latest
    for event in events:
        after = fold(before, [event])
        ends = led_on(ends, before, event, after)
        before = after
    return ends


def _further(known: _Seen, state: State, ends: Horizon) -> Watched | None:
    """The view led on from an earlier one; None where it has to be made anew."""
    book, seen = known.book, known.view
    if known.ends != ends:
        if book.version >= ends.since:
            return None
        # Nothing of it is hidden any more, nor what its amendments insert: that stands before it.
        seen = Watched(book)
    elif book is state:
        return seen
    events = _since(book, state)
    if events is None:
        return None
    for event in events:
        after = fold(book, [event])
        over = after.version < ends.since
        seen = Watched(after) if over else watch(seen, event, book, after)
        book = after
    return seen


def _since(earlier: State, later: State) -> list[Event] | None:
    """What was recorded between two states; None where the log is to be read otherwise since."""
    events: list[Event] = []
    log = later.log
    for _ in range(earlier.version, later.version):
        event = None if log is None else log[0]
        if log is None or event is None or isinstance(event, LogAmended):
            return None
        events.append(event)
        log = log[2]
    # Else another log was read, such as one from which something was erased.
    return events[::-1] if log is earlier.log and not later.erased else None
