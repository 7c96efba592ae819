"""A match checked as its log is read now: verdicts, breaches, what was voided, and every card."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from scorekeeper.match.events.address import Address
from scorekeeper.match.events.dispute_events import DisputeOpened, DisputeRuled
from scorekeeper.match.events.events import MatchWon, NoteAdded, RoundEnded, event_type
from scorekeeper.match.events.refusal import Refusal, Violation
from scorekeeper.match.events.told import Told
from scorekeeper.match.readings.reader import Step
from scorekeeper.match.readings.verdicts import (
    Judgement,
    StepTaken,
    Verdict,
    judged,
    known_around,
    taken_in,
)
from scorekeeper.match.readings.viewer_fold import in_sight
from scorekeeper.projections.conservation import RoundCards, rounds_followed

_SAID = (NoteAdded, DisputeOpened, DisputeRuled, RoundEnded, MatchWon)


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
    """See the module; `verdicts` counts what the table told, in the light of all of it."""

    verdicts: Mapping[Verdict, int]
    breaches: tuple[AuditedBreach, ...]
    voided: tuple[Voided, ...]
    rounds: tuple[RoundCards, ...]


def audit(steps: Sequence[Step]) -> MatchAudit:
    """`steps`: of the whole match as it is read, the opening included."""
    taken = taken_in(steps)
    judgements = _judgements(taken)
    counted: dict[Verdict, int] = {"legal": 0, "illegal": 0, "unknown": 0}
    for (_, step, event), judgement in zip(taken, judgements, strict=True):
        if not step.inferred and not isinstance(event, _SAID):
            counted[judgement.verdict] += 1
    return MatchAudit(
        counted,
        tuple(_breaches(taken, judgements)),
        tuple(_voided(steps)),
        tuple(rounds_followed(taken, judgements)),
    )


def _judgements(taken: Sequence[StepTaken]) -> Sequence[Judgement]:
    states = [each.step.before for each in taken]
    found = judged(states, [each.event for each in taken], known_around(taken))
    return [in_sight(each.step, one) for each, one in zip(taken, found, strict=True)]


def _breaches(
    taken: Sequence[StepTaken], judgements: Sequence[Judgement]
) -> Iterator[AuditedBreach]:
    """Each once: what a challenge shows of an earlier play is told at the play."""
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
