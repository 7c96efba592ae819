"""What viewers may see of matches: the round in progress without its hidden cards."""

from collections import OrderedDict

from msgspec import Struct

from scorekeeper.match.events import Event, LogAmended
from scorekeeper.match.fold import fold
from scorekeeper.match.state import State
from scorekeeper.match.watched import Horizon, Watched, horizon, watch, watched
from scorekeeper.service.appended import Standing

_REMEMBERED_MATCHES = 1_024


class _Followed(Struct, frozen=True):
    """`latest`: the book's state by which `ends` was found; `seen`: what is seen of `book`."""

    latest: State
    ends: Horizon
    book: State
    seen: Watched


class Watching:
    """Follows matches as viewers do, and remembers where it got."""

    def __init__(self) -> None:
        self._remembered: OrderedDict[tuple[str, str], _Followed] = OrderedDict()

    def ends(self, league: str, match: str, latest: State) -> Horizon:
        """Where a viewer's sight ends as the match stands now."""
        known = self._remembered.get((league, match))
        return horizon(latest) if known is None or known.latest is not latest else known.ends

    def standing(self, league: str, match: str, book: Standing, latest: State) -> Standing:
        """What a viewer sees where the book has `book`; `latest`: the book's state now.

        Past versions of a round that is over by now hide nothing.
        """
        ends = self.ends(league, match, latest)
        if book.state.version < ends.since:
            return book
        known = self._remembered.get((league, match))
        seen = None if known is None else _further(known, book.state, ends)
        if seen is None:
            seen = watched(book.state, ends)
        if known is None or known.book.version <= book.state.version:
            self._remember((league, match), _Followed(latest, ends, book.state, seen))
        return Standing(seen.state, book.position, book.state if seen.redacted else None)

    def _remember(self, key: tuple[str, str], followed: _Followed) -> None:
        self._remembered[key] = followed
        self._remembered.move_to_end(key)
        if len(self._remembered) > _REMEMBERED_MATCHES:
            self._remembered.popitem(last=False)


def _further(known: _Followed, state: State, ends: Horizon) -> Watched | None:
    """The view led on from an earlier one; None where it has to be made anew."""
    if known.ends.since > ends.since or (known.ends != ends and state.amendments):
        return None
    if known.book is state and known.ends == ends:
        return known.seen
    events = _since(known.book, state)
    if events is None:
        return None
    book, seen = known.book, known.seen
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
