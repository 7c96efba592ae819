"""Replays one match from its entries. While nobody plays on, its state can be compressed.

The counts are figures of a match that are no flaws, such as violations and amendments, and the
number of rounds whose cards add up.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from scorekeeper.ledger.entry import Entry, Header
from scorekeeper.ledger.integrity.checking import UNREADABLE, Decoded, Flaw
from scorekeeper.match.events.events import (
    SCHEMA,
    Event,
    decode,
    decode_all_written,
    encode_all,
    event_type,
)
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.effective_log import corrected_steps, fold
from scorekeeper.match.readings.reader import entries_in
from scorekeeper.match.state import State
from scorekeeper.projections.audit import CardCounter, audit
from scorekeeper.projections.consistency import Contradiction, MatchReplay
from scorekeeper.service.integrity.fresh_rows import WonMatch
from scorekeeper.service.integrity.shown_match import ShownMatch, shown, unpack
from scorekeeper.service.standings.changes import as_held
from scorekeeper.service.streams import first_state


class MatchCounts(Struct, frozen=True, kw_only=True):
    """Figures of one match, or of many, as the log is read now; they agree with the scoreboards.

    `rounds` counts the rounds that were followed card by card, `conserved` those of them whose
    cards add up.
    """

    violations: int = 0
    amendments: int = 0
    voided: int = 0
    disputes_open: int = 0
    disputes_ruled: int = 0
    rounds: int = 0
    conserved: int = 0


def counts_of(state: State, cards: CardCounter) -> tuple[MatchCounts, tuple[int, ...]]:
    """Return the counts, and the rounds in which cards appear or vanish without a reason.

    `cards` counted the cards while the match was replayed. If a count shifted, or if the match has
    amendments or erased entries, an audit of the whole match finds the rounds.
    """
    rounds = cards.rounds
    unexplained: tuple[int, ...] = ()
    if cards.shifted or state.amendments or state.erased:
        followed = audit(corrected_steps(state)).rounds
        rounds = len(followed)
        unexplained = tuple(each.round for each in followed if not each.holds)
    counts = MatchCounts(
        violations=state.violations,
        amendments=state.amendments,
        voided=state.voided,
        disputes_open=state.open_disputes,
        disputes_ruled=len(state.disputes) - state.open_disputes,
        rounds=rounds,
        conserved=rounds - len(unexplained),
    )
    return counts, unexplained


def in_all(matches: Iterable[MatchCounts]) -> MatchCounts:
    """Return the sums over many matches."""
    whole = dict.fromkeys(MatchCounts.__struct_fields__, 0)
    for counts in matches:
        for name in whole:
            whole[name] += getattr(counts, name)
    return MatchCounts(**whole)


class _Opening(Struct, frozen=True, gc=False):
    """The place and time of an opening. The whole entry would take a kilobyte of each match."""

    position: int
    time: str


class _ToldByCheck:
    """Finds entries with a wrong `told_by`.

    An inferred entry has to name the last told entry before it, or the next one. A told entry names
    none. `ahead`: inferred entries that have to name the next told one.
    """

    def __init__(self) -> None:
        self.ahead: list[Header | Entry] = []
        self._last_told: str | None = None

    def take(self, entry: Header | Entry) -> Sequence[Header | Entry]:
        """Take the next entry, and return the entries that are now known to be wrong."""
        if entry.inferred:
            if entry.told_by is None or entry.told_by != self._last_told:
                self.ahead.append(entry)
            return ()
        ahead, self.ahead = self.ahead, []
        self._last_told = entry.id
        if not ahead and entry.told_by is None:
            return ()
        strays = [each for each in ahead if each.told_by != entry.id]
        return strays if entry.told_by is None else [*strays, entry]


class ReplayedMatch:
    """A match whose entries are taken one by one.

    From the first entry that can't be read or replayed, the others are not replayed. `opening` is
    the first entry. `erased`: how many entries have no content. `won`: whether it has results
    by now, as far as that can be told. `counts`: as of the end, or of the last `pack`.
    """

    def __init__(self, league: str, slug: str, opening: Header | Entry) -> None:
        self._league = league
        self._slug = slug
        self._opening = _Opening(opening.position, opening.time)
        self._replay: MatchReplay | None = None
        self._entries = 0
        self._told_by = _ToldByCheck()
        self._broken = self._given_up = False
        self._contradicted = False
        # While the match is packed: its log, and what is wrong if nothing follows.
        self._log: bytes = b""
        self._packed_end: Contradiction | None = None
        # What the views show of the match. It has to be derived again if `_outdated`.
        self._outdated = True
        self._shown: bytes = b""
        self._at_end: Sequence[Flaw] | None = None
        self.tournament: str | None = None
        self.won = False
        # The position of the entry by which the match was won. None: it can't be told, since
        # content was erased.
        self._finished: int | None = opening.position
        self._last = opening.position
        self._held_at = opening.time
        self._cards = CardCounter()
        self._unexplained: tuple[int, ...] = ()
        self.erased = 0
        self.counts = MatchCounts()

    @property
    def opened(self) -> int:
        """The position of its first entry."""
        return self._opening.position

    def take(self, entries: Sequence[Decoded]) -> list[Flaw]:
        """Take the next entries, and return what is wrong with them by the rules.

        Only the first contradiction in a match is returned.
        """
        flaws: list[Flaw] = []
        self._entries += len(entries)
        self._outdated = True
        for entry, body in entries:
            if strays := self._told_by.take(entry):
                flaws += map(_stray, strays)
            if body is None:
                self.erased += 1
            if not self._broken:
                flaws += self._replayed(entry, body)
        return flaws

    def _replayed(self, entry: Header | Entry, body: bytes | None) -> Sequence[Flaw]:
        try:
            event = None if body is None else decode(body)
        except UNREADABLE as error:
            return (self._give_up(entry, "body-unreadable", f"can't be read: {error}"),)
        misnamed: Sequence[Flaw] = ()
        if event is not None and (entry.type != event_type(event) or entry.schema != SCHEMA):
            misnamed = (not_as_named(entry),)
        try:
            found = self._play(event, told=not entry.inferred)
            self._follow_result(entry)
        except Exception as error:  # noqa: BLE001 whatever was put there must not stop the check
            what = f"can't be played again: {error!r}"
            return (*misnamed, self._give_up(entry, "not-replayable", what))
        if found is None or self._contradicted:
            return misnamed
        self._contradicted = True
        return (*misnamed, self._named(found, entry.position))

    def _give_up(self, entry: Header | Entry, code: str, what: str) -> Flaw:
        self._broken = self._given_up = True
        return entry_flaw(entry.position, code, what)

    def _follow_result(self, entry: Header | Entry) -> None:
        won = None if self._replay is None else self._replay.has_results
        if won is None:
            self._finished = None
        elif won and not self.won and self._finished is not None:
            self._finished = entry.position
        self._last = entry.position
        self.won = bool(won)

    def end(self) -> Sequence[Flaw]:
        """Return what is wrong with the match as a whole, once all entries were taken.

        After that, only its rows and counts are available. The state is released.
        """
        if self._at_end is None:
            self._at_end = [*self._found_at_end()]
            self._replay, self._log = None, b""
        return self._at_end

    def _found_at_end(self) -> Iterator[Flaw]:
        yield from map(_stray, self._told_by.ahead)
        if self._given_up:
            return
        found = None if self._broken else self._contradiction_at_end()
        if found is not None and not self._contradicted:
            yield self._named(found, None)
        self._show()
        self._count()
        for number in self._unexplained:
            where = f"In round {number} of the match {self._slug}"
            what = f"{where} cards appear or vanish, and nothing says why."
            yield Flaw("cards-unexplained", what, None, "events.body")
        if self._broken:
            what = f"The match {self._slug} can't be played again to its end."
            yield Flaw("not-replayable", what, None, "events.body")

    def _contradiction_at_end(self) -> Contradiction | None:
        return self._packed_end if self._replay is None else self._replay.end()

    @property
    def replayable(self) -> bool:
        """Whether the entries taken so far can be replayed."""
        self._show()
        return not self._broken and bool(self._shown)

    def row(self) -> Mapping[str, object] | None:
        """Return the match's row in the list of matches; None if it can't be replayed."""
        found = self._now_shown()
        return None if found is None else found.row

    def table(self) -> Mapping[str, object] | None:
        """Return the match's row among its tournament's tables.

        None if the match can't be replayed, or belongs to no tournament.
        """
        found = self._now_shown()
        return None if found is None else found.table

    def won_match(self) -> WonMatch | None:
        """Return what the match adds to the league's table.

        None if nobody has won the match, or it can't be replayed.
        """
        found = self._now_shown()
        if found is None or not found.contributions:
            return None
        return WonMatch(
            match=self._slug,
            edition=str(found.row["edition"]),
            scoring_mode=found.scoring_mode,
            finished=self._last if self._finished is None else self._finished,
            exact=self._finished is not None,
            held_at=self._held_at,
            contributions=found.contributions,
        )

    def _now_shown(self) -> ShownMatch | None:
        return unpack(self._shown) if self.replayable else None

    def _show(self) -> None:
        """Derive what the views show of the match, if entries were taken since the last time."""
        state = self._state() if self._outdated else None
        if state is not None:
            self._outdated = False
            self._shown = shown(self._league, self._slug, state, self._opening).pack()

    def _count(self) -> None:
        state = self._state()
        if state is None:
            return
        try:
            self.counts, self._unexplained = counts_of(state, self._cards)
        except Exception:  # noqa: BLE001 `end` reports it
            self._broken = True

    def _state(self) -> State | None:
        if self._replay is None or self._broken:
            return None
        try:
            return self._replay.state()
        except Exception:  # noqa: BLE001 `end` reports it
            self._broken = True
            return None

    @property
    def settled(self) -> bool:
        """Whether no check waits for the next entry."""
        return not self._told_by.ahead and (self._replay is None or self._replay.settled)

    def pack(self) -> int:
        """Compress the state. Returns how many entries are no longer held in memory."""
        self._show()
        self._count()
        state = self._state()
        if state is not None:
            self._packed_end = self._contradiction_at_end()
            self._log = _packed(state)
        self._replay = None
        return self._entries

    def unpack(self) -> int:
        """Restore the state. Returns how many entries are held in memory again."""
        if self._log and not self._broken:
            self._replay = MatchReplay(_unpacked(self._log), self._cards)
            self._log = b""
        return self._entries

    def _play(self, event: Event | None, *, told: bool) -> Contradiction | None:
        if self._replay is not None:
            return self._replay.take(event, told=told)
        if not isinstance(event, MatchOpened):
            raise TypeError("the first entry opens no match")
        self.tournament = event.tournament
        if event.at is not None:
            self._held_at = as_held(event.at)
        start = first_state(event)
        self._replay = MatchReplay(start, self._cards)
        return None

    def _named(self, found: Contradiction, position: int | None) -> Flaw:
        where = f"Version {found.version} of the match {self._slug}"
        match found.code:
            case "told-by-nobody":
                what = f"is a {found.found} that was not inferred, which nobody can tell"
            case "inference-missing":
                what = f"lacks a {found.expected} before it, which the rules force"
            case "not-inferred" if found.found == found.expected:
                what = f"is a {found.found} that differs from what the rules force there"
            case "not-inferred":
                what = f"is a {found.found}, where the rules force {found.expected or 'nothing'}"
        return Flaw(found.code, f"{where} {what}.", position, "events.body")


def _packed(state: State) -> bytes:
    log = entries_in(state.log)
    bodies = encode_all([state.opened, *(each.event for each in log)])
    return zlib.compress(b"\n".join((bodies, bytes(each.inferred for each in log))))


def _unpacked(packed: bytes) -> State:
    bodies, _, inferred = zlib.decompress(packed).partition(b"\n")
    opened, *events = decode_all_written(bodies)
    assert isinstance(opened, MatchOpened)
    state = first_state(opened)
    return fold(state, events, map(bool, inferred)) if events else state


def entry_flaw(position: int, code: str, what: str, place: str = "events.body") -> Flaw:
    """Return a flaw of one entry. `what` continues a sentence that begins with the entry."""
    return Flaw(code, f"The entry at position {position} {what}.", position, place)


def _stray(entry: Header | Entry) -> Flaw:
    what = "names another entry than the one it belongs to"
    return entry_flaw(entry.position, "told-by-unknown", what, "events.header")


def not_as_named(entry: Header | Entry) -> Flaw:
    """Return the flaw of an entry whose header names another event than its body holds."""
    return entry_flaw(
        entry.position, "type-differs", f"is named {entry.type} and holds something else"
    )
