"""Taking back what was told last, or one tap that is named."""

from msgspec import Struct

from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Seen
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.record import Recorded
from scorekeeper.match.table.state import State
from scorekeeper.match.undo import undo, would_void
from scorekeeper.service.answers import IdempotencyKey, Outcome
from scorekeeper.service.command import Command, Writing
from scorekeeper.service.identity.access import Caller, Right
from scorekeeper.service.matches.deciding import (
    Done,
    decision,
    recorded_or_refused,
    without_state,
)
from scorekeeper.service.matches.recording import LONG, Versions, check_version
from scorekeeper.service.matches.refusals import from_refusal
from scorekeeper.service.reading.append_presenter import voided_views
from scorekeeper.service.reading.match_request import UndoRequest
from scorekeeper.service.reading.matches import Reading, match_stream
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.stream_fold import tail_state
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import words_of


class ToUndo(Struct, frozen=True):
    """`expected`: the versions that the match may have; None: any."""

    caller: Caller
    league: str
    match: str
    asked: UndoRequest
    expected: Versions | None
    key: IdempotencyKey | None
    language: Language


class Undoing:
    """Appends the amendment that nobody wants to write by hand."""

    def __init__(self, ledger: Ledger, reading: Reading) -> None:
        self._ledger = ledger
        self._reading = reading

    async def undo(self, asked: ToUndo) -> Outcome:
        """Raises Refused."""
        key, of = asked.key, asked.asked.event_id
        undoing = _Undo(asked, match_stream(asked.match), of)
        command = Command(
            league=asked.league,
            actor=asked.caller.token_id,
            about=undoing.stream,
            keys=() if key is None else (key,),
            streams=(undoing.stream,),
            ids=() if of is None else (of,),
            decide=undoing.decide,
            value=without_state,
            takes_long=undoing.takes_long,
        )
        outcome, folded = await command.carry_out(self._ledger)
        if folded is not None:
            self._reading.remember(asked.league, asked.match, folded)
        return outcome


class _Undo(Struct, frozen=True):
    """One request to undo; it is decided again where another process was first."""

    asked: ToUndo
    stream: str
    of: str | None

    def decide(self, seen: Seen) -> Writing[Done]:
        """Whether the tap may be taken back by this caller, then the version, then the rules."""
        asked, language = self.asked, self.asked.language
        tail = seen.tails[self.stream]
        if tail.version == 0:
            raise not_found("match")
        version = None if self.of is None else self._own(seen.known.get(self.of)).version
        check_version(asked.expected, tail.version)
        state = tail_state(tail)
        amendment = undo(state, asked.asked.reason, of=version)
        if isinstance(amendment, Refusal):
            raise from_refusal(amendment, language, words_of(state.edition.id))
        recorded = recorded_or_refused(state, [amendment], None, language)
        _check_void(state, recorded, language)
        return decision(asked.league, asked.match, state, recorded, language)

    def takes_long(self, seen: Seen) -> bool:
        """Whether a long match is read anew."""
        return seen.tails[self.stream].version > LONG

    def _own(self, entry: Entry | None) -> Entry:
        """The entry of the event that is named. Raises Refused."""
        caller = self.asked.caller
        if entry is None or entry.stream != self.stream:
            raise not_found("event")
        if entry.actor != caller.token_id and not caller.may(Right.OWN):
            raise Refused("forbidden", reason="undo")
        return entry


def _check_void(state: State, recorded: Recorded, language: Language) -> None:
    """Nothing that was told may be lost by the way. Raises Refused."""
    lost = would_void(state, recorded)
    if not lost:
        return
    facts = {"count": len(lost)}
    words = words_of(state.edition.id)
    raise Refused(
        "undo-would-void",
        facts=facts,
        words=words,
        voided=voided_views(lost, language=language, words=words),
    )
