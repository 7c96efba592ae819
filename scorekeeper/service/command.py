"""Carrying out a request that writes: once, however often it comes.

A use case says what is its own: which streams it looks at, and what follows from what is there.
What all of them have in common is done here: a request that comes again under one of its keys is
answered as then, and a new answer is kept under them in the append's own transaction.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from scorekeeper.ledger.entries.draft import Draft
from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.ledger.entries.erasure import ErasureTarget
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import (
    Completion,
    Decision,
    NothingToWrite,
    Request,
    RowWrite,
    Seen,
)
from scorekeeper.service.answers import IdempotencyKey, Outcome, replayed_answer, stored_answer

T = TypeVar("T")


class CommandResult(Struct, Generic[T], frozen=True, kw_only=True):
    """What follows from the entries of a command.

    `value` is handed back, `kept` is what is answered when it comes again: without secrets. `rows`
    of other tables are written with the entries. `about`: as in Command, where only the entries
    tell.
    """

    value: T
    kept: Outcome
    rows: Sequence[RowWrite] = ()
    about: str | None = None


class Writing(Struct, Generic[T], frozen=True, kw_only=True):
    """Record `drafts`; all but `complete` is as in the ledger's Decision."""

    drafts: Sequence[Draft]
    complete: Callable[[Sequence[Entry]], CommandResult[T]]
    carried: Mapping[str, object] = {}
    open: bool = False
    erase: Sequence[ErasureTarget] = ()


class Command(Struct, Generic[T], frozen=True, kw_only=True):
    """A request to write to one ledger, by the token with the id `actor`.

    `decide` is pure and may run again. It gives what is to be written; or an Outcome, where that is
    there already; or Answered, where nothing is to be kept either. `value` makes what is handed
    back of an answer that was given before. `about` names what the answer tells of, and would be
    purged with it. The rest is as in the ledger's Request.
    """

    league: str
    actor: str
    about: str
    decide: Callable[[Seen], Writing[T] | Outcome | NothingToWrite[T]]
    value: Callable[[Outcome], T]
    keys: tuple[IdempotencyKey, ...] = ()
    streams: Sequence[str] = ()
    ids: Sequence[str] = ()
    weight: int = 1
    takes_long: Callable[[Seen], bool] | None = None

    async def carry_out(self, ledger: Ledger) -> T:
        """Raises Refused, what `decide` raises, and LedgerUnavailable; nothing is written then."""
        request = Request(
            league=self.league,
            actor=self.actor,
            streams=self.streams,
            ids=self.ids,
            answer_keys=tuple([each.key for each in self.keys]),
            decide=self._decided,
            weight=self.weight,
            takes_long=self.takes_long,
        )
        return (await ledger.append(request)).value

    def _decided(self, seen: Seen) -> Decision[T] | NothingToWrite[T]:
        """Keys first: whoever repeats a request is answered as then, whatever holds now."""
        for key in self.keys:
            answer = seen.answers.get(key.key)
            if answer is not None:
                return self._unchanged(seen, replayed_answer(answer, key))
        writing = self.decide(seen)
        if isinstance(writing, Outcome):
            return self._unchanged(seen, writing)
        if isinstance(writing, NothingToWrite):
            return writing
        return Decision(
            drafts=writing.drafts,
            carried=writing.carried,
            open=writing.open,
            erase=writing.erase,
            complete=lambda entries: self._completed(writing.complete(entries)),
        )

    def _completed(self, written: CommandResult[T]) -> Completion[T]:
        return Completion(
            value=written.value,
            rows=written.rows,
            answers=stored_answer(self.keys, written.kept, about=written.about or self.about),
        )

    def _unchanged(self, seen: Seen, outcome: Outcome) -> Decision[T] | NothingToWrite[T]:
        """Append nothing; a key that was new to this request names it from now on."""
        value = self.value(outcome)
        new = tuple(key for key in self.keys if key.key not in seen.answers)
        if not new:
            return NothingToWrite(value)
        kept = stored_answer(new, outcome, about=self.about)
        return Decision(drafts=(), complete=lambda _: Completion(value=value, answers=kept))


def itself(outcome: Outcome) -> Outcome:
    """For commands that hand back nothing but their answer."""
    return outcome
