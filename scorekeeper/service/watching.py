"""What viewers may see of matches: the round in progress without its hidden cards."""

from collections import OrderedDict
from collections.abc import Sequence

from msgspec import Struct

from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.match.effective import corrected
from scorekeeper.match.events import LogAmended
from scorekeeper.match.redaction import Watched, watch
from scorekeeper.match.state import State
from scorekeeper.service.appended import Standing
from scorekeeper.service.stream_fold import event_of, fold_entries

_REMEMBERED_MATCHES = 1_024


def hidden_from(state: State) -> int:
    """The version from which on entries hide cards: the first after the last round that is over.

    What was told since then may be taken back or told again; no round has ended on it yet.
    """
    return state.finished[0].last_version + 1 if state.finished else 2


class _Followed(Struct, frozen=True):
    book: State
    watched: Watched


class Watching:
    """Follows matches as viewers do, and remembers where it got."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._remembered: OrderedDict[tuple[str, str], _Followed] = OrderedDict()

    def forget(self, league: str, stream: str) -> None:
        """What was folded of a match rests on content that may be gone."""
        self._remembered.pop((league, stream), None)

    async def standing(self, league: str, stream: str, book: Standing, latest: State) -> Standing:
        """What a viewer sees where the book has `book`; `latest`: the book's state now.

        Past versions of a round that is over by now hide nothing.
        """
        hides = hidden_from(latest)
        nothing_begun = book.state.running is None and hidden_from(book.state) <= hides
        if book.state.version < hides or nothing_begun:
            return book
        known = self._remembered.get((league, stream))
        if known is None or known.book is not book.state:
            watched = await self._follow(league, stream, known, book.state, latest)
            known = _Followed(book.state, watched)
            self._remember((league, stream), known)
        return _standing(known.watched, book.position)

    async def _follow(
        self, league: str, stream: str, known: _Followed | None, book: State, latest: State
    ) -> Watched:
        if known is not None and known.book.version <= book.version:
            after = known.book.version
            entries = await self._ledger.stream(league, stream, after=after, until=book.version)
            return _further(known.book, known.watched, entries)
        entries = await self._ledger.stream(league, stream, until=book.version)
        return _followed(entries, latest)

    def _remember(self, key: tuple[str, str], followed: _Followed) -> None:
        known = self._remembered.get(key)
        if known is not None and known.book.version > followed.book.version:
            return
        self._remembered[key] = followed
        self._remembered.move_to_end(key)
        if len(self._remembered) > _REMEMBERED_MATCHES:
            self._remembered.popitem(last=False)


def _standing(watched: Watched, position: int) -> Standing:
    return Standing(watched.state, position, redacted=watched.redacted)


def _followed(entries: Sequence[Entry], latest: State) -> Watched:
    """From the opening on; the entries of rounds that are over in `latest` hide nothing."""
    shown = hidden_from(latest) - 1
    state = fold_entries(None, entries[:shown])
    assert state is not None
    return _further(state, Watched(state), entries[shown:])


def _further(book: State, watched: Watched, entries: Sequence[Entry]) -> Watched:
    for entry in entries:
        event, after = event_of(entry), fold_entries(book, [entry])
        assert after is not None
        if event is None or isinstance(event, LogAmended) or book.erased:
            watched = _anew(after)
        else:
            watched = watch(watched, event, book, after)
        if book.running is not None and after.running is None:
            watched = Watched(after)
        book = after
    return watched


def _anew(book: State) -> Watched:
    """What is seen of a log that is read otherwise from now on."""
    if book.running is None:
        return Watched(book)
    steps = corrected(book)
    begun = 1
    for at, step in enumerate(steps, start=1):
        if step.before.running is not None and step.after.running is None:
            begun = at
    watched = Watched(steps[begun].before)
    for step in steps[begun:]:
        if step.taken is not None:
            watched = watch(watched, step.taken, step.before, step.after)
    own = watched.state.copy()
    own.version, own.voided = book.version, book.voided
    return Watched(own, watched.redacted)
