"""A match checked as its log is read now: verdicts, breaches, what was voided, and every card.

The cards of each round that is followed card by card have to add up after every step.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from scorekeeper.match.events.card_events import MisplayCalled
from scorekeeper.match.events.events import MatchWon, RoundEnded, event_type
from scorekeeper.match.events.fields import Address, Told
from scorekeeper.match.events.refusal import Refusal, Violation
from scorekeeper.match.known_cards import card_count, height
from scorekeeper.match.readings.hindsight import (
    Judgement,
    Verdict,
    judged,
    known_around,
)
from scorekeeper.match.readings.reader import STAYING, Step, StepTaken, taken_in
from scorekeeper.match.readings.viewer_fold import in_sight
from scorekeeper.match.state import State
from scorekeeper.match.table import Table
from scorekeeper.match.turns.shown import COUNT

_SAID: Final = STAYING | {RoundEnded, MatchWon}


class Shift(Struct, frozen=True, kw_only=True):
    """A step at which the number of cards changes by `by`. `clauses` say why it does.

    If there is no clause, nothing in the log explains the change, and the book is wrong.
    """

    address: Address
    type: str
    by: int
    clauses: tuple[str, ...]


class RoundCards(Struct, frozen=True, kw_only=True):
    """The cards of a round that was followed card by card.

    `cards`: the cards in the box. `added`: cards that a reshuffle brought in, which the table let
    pass knowingly. `steps`: the number of events after which draw pile, discard pile and hands were
    counted together.
    """

    round: int
    cards: int
    added: int
    steps: int
    shifts: tuple[Shift, ...]

    @property
    def holds(self) -> bool:
        """Whether no card appeared or vanished without a reason."""
        return all(shift.clauses for shift in self.shifts)


class CardCounter:
    """Counts the cards, at little cost, while a match without amendments is folded.

    `rounds`: the number of rounds followed card by card so far. `shifted`: in one of them the
    number of cards changed. Whether anything explains this, `rounds_followed` tells.
    """

    def __init__(self) -> None:
        self.rounds = 0
        self.shifted = False
        self._round = 0

    def take(self, state: State) -> None:
        """Count the cards in the state after the next entry."""
        table = state.table
        if table is None or state.running is None:
            return
        if state.round != self._round:
            self._round = state.round
            self.rounds += 1
        if _difference(state, table):
            self.shifted = True


def rounds_followed(
    taken: Sequence[StepTaken], judgements: Sequence[Judgement]
) -> Iterator[RoundCards]:
    """Yield each round with the steps at which its number of cards changes, and why it does.

    `taken`: the steps of a match that took effect. `judgements`: that of each step in hindsight.
    """
    round_: int | None = None
    state: State | None = None
    steps, off = 0, 0
    shifts: list[Shift] = []
    for (_, step, event), judgement in zip(taken, judgements, strict=True):
        after = step.after
        table = after.table
        if table is None or after.running is None:
            continue
        if round_ != after.round:
            if state is not None:
                yield _round(state, steps, shifts)
            round_, steps, off, shifts = after.round, 0, 0, []
        state = after
        steps += 1
        difference = _difference(after, table)
        if difference != off:
            shifts.append(
                Shift(
                    address=step.address,
                    type=event_type(event),
                    by=difference - off,
                    clauses=_clauses(step, judgement),
                )
            )
            off = difference
    if state is not None:
        yield _round(state, steps, shifts)


def _clauses(step: Step, judgement: Judgement) -> tuple[str, ...]:
    """Return the clauses that explain a change of the number of cards.

    If no clause is known, the counting of the cards explains it in two cases. A viewer can't judge
    the step. Or hands go back with a misplayed card, and one of them was shown meanwhile with
    another number of cards than in the book.
    """
    clauses = tuple(violation.clause for violation in judgement.violations)
    if not clauses and (step.doubtful or _as_before_a_misplay(step)):
        return (COUNT,)
    return clauses


def _as_before_a_misplay(step: Step) -> bool:
    """Return whether a misplay is called, and there are as many cards as before it again."""
    table, now = step.before.table, step.after.table
    if not isinstance(step.taken, MisplayCalled) or table is None or now is None:
        return False
    misplayed = table.misplayed
    if misplayed is None or misplayed.alone:
        return False
    return _difference(step.after, now) == _difference(step.before, misplayed.before)


def _round(state: State, steps: int, shifts: Sequence[Shift]) -> RoundCards:
    table = state.table
    return RoundCards(
        round=state.round,
        cards=state.box.size,
        added=sum(table.added.values()) if table else 0,
        steps=steps,
        shifts=tuple(shifts),
    )


def _difference(state: State, table: Table) -> int:
    """Return how many cards are on the table beyond those of the box and those added."""
    difference = height(table.pile) + len(table.discards) + table.buried - state.box.size
    for hand in table.hands.values():
        difference += card_count(hand)
    return difference - sum(table.added.values()) if table.added else difference


class AuditedBreach(Struct, frozen=True, kw_only=True):
    """A violation at its place in the log; `as_played`: the table let it pass knowingly."""

    address: Address
    type: str
    violation: Violation
    as_played: bool


class Voided(Struct, frozen=True, kw_only=True):
    """A told event that can't be applied any more; `type` None: its content was erased."""

    address: Address
    type: str | None
    round: int
    why: Refusal


class MatchAudit(Struct, frozen=True):
    """The audit of a match. `verdicts` counts the told events by verdict, judged in hindsight."""

    verdicts: Mapping[Verdict, int]
    breaches: tuple[AuditedBreach, ...]
    voided: tuple[Voided, ...]
    rounds: tuple[RoundCards, ...]


def audit(steps: Sequence[Step]) -> MatchAudit:
    """Return the audit of a match. `steps` are all steps of its log as it is read now.

    The opening is included.
    """
    taken = taken_in(steps)
    judgements = _judgements(taken)
    counted: dict[Verdict, int] = {"legal": 0, "illegal": 0, "unknown": 0}
    for (_, step, event), judgement in zip(taken, judgements, strict=True):
        if not step.inferred and type(event) not in _SAID:
            counted[judgement.verdict] += 1
    return MatchAudit(
        counted,
        tuple(_breaches(taken, judgements)),
        tuple(_voided(steps)),
        tuple(rounds_followed(taken, judgements)),
    )


def _judgements(taken: Sequence[StepTaken]) -> Sequence[Judgement]:
    found = judged(taken, known_around(taken))
    return [in_sight(each.step, one) for each, one in zip(taken, found, strict=True)]


def _breaches(
    taken: Sequence[StepTaken], judgements: Sequence[Judgement]
) -> Iterator[AuditedBreach]:
    """Yield each breach once. If a challenge shows that of an earlier play, it is at the play."""
    known: list[tuple[str, str, Mapping[str, object]]] = []
    for (_, step, event), judgement in zip(taken, judgements, strict=True):
        for violation in judgement.violations:
            what = (violation.clause, violation.reason, violation.facts)
            if judgement.verdict != "illegal" and what in known:
                continue
            known.append(what)
            yield AuditedBreach(
                address=step.address,
                type=event_type(event),
                violation=violation,
                as_played=isinstance(event, Told) and event.as_played,
            )


def _voided(steps: Sequence[Step]) -> Iterator[Voided]:
    for step in steps:
        if step.voided is not None:
            yield Voided(
                address=step.address,
                type=None if step.event is None else event_type(step.event),
                round=max(1, step.before.round),
                why=step.voided,
            )
