"""A round step by step: what was told, by which clauses, was it legal, and what followed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.events import (
    DealerDrawn,
    Event,
    PlayerSubstituted,
    SeatsChanged,
)
from scorekeeper.match.events.fields import Told
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.hindsight import (
    LEGAL,
    Judgement,
    judge,
    judged,
    known_around,
)
from scorekeeper.match.readings.reader import Step, taken_in
from scorekeeper.match.readings.viewer_fold import in_sight
from scorekeeper.match.state import State
from scorekeeper.match.table import Table
from scorekeeper.projections.narration.narration import (
    Cause,
    Causes,
    Moment,
    Sentence,
    causes_after,
    sentence,
)
from scorekeeper.projections.narration.narrations import applied, explained
from scorekeeper.projections.origins import Passed
from scorekeeper.projections.scoreboard import HandView, hands
from scorekeeper.projections.scores import RoundUnfolded, unfold

_LEADS_UP = (DealerDrawn, SeatsChanged, PlayerSubstituted)

HandsShown: TypeAlias = Mapping[str, HandView]


class NarratedStep(Struct, frozen=True):
    """A step, its judgement, and what is cited and said of it.

    `then`: the hands after the step, as they were known at that time. `now`: the same hands with
    all that later entries tell of them.
    """

    step: Step
    judgement: Judgement
    clauses: tuple[str, ...]
    said: tuple[Sentence, ...]
    then: HandsShown
    now: HandsShown


class Replay(Struct, frozen=True):
    """The steps of a round, and its score if it has ended."""

    steps: tuple[NarratedStep, ...]
    score: RoundUnfolded | None


VOIDED = Judgement("unknown")
"""The judgement of a voided step. What can't have happened is neither legal nor illegal."""


def replay(steps: Sequence[Step], round_: int) -> Replay | None:
    """Return a round of the log as it is read now, with each step judged by all steps of the round.

    None if there is no such round. `steps` are those of the whole match, the opening included.
    """
    own = _steps_of(steps, round_)
    if own is None:
        return None
    taken = taken_in(own)
    known = known_around(taken)
    places = [each.place for each in taken]
    verdicts = dict(zip(places, judged(taken, known), strict=True))
    tables = dict(zip(places, known[1:], strict=True))
    passed = [
        Passed(place, event, step.before, step.after, tables[place]) for place, step, event in taken
    ]
    return Replay(tuple(_narrated(own, verdicts, tables)), unfold(passed))


def replay_as_recorded(
    steps: Sequence[Step], round_: int, read_now: Sequence[Step]
) -> Replay | None:
    """Return a round in which each entry meets the book as it was when the entry was recorded.

    Entries are judged on what the book knew then. `steps` are those of the log as recorded, and
    `read_now` those of the log as it is read now: they tell which hands are known now. None if
    there is no such round.
    """
    own = _steps_of(steps, round_)
    if own is None:
        return None
    taken = taken_in(own)
    verdicts = {place: judge(step.before, event) for place, step, event in taken}
    # Amendments are passed on, too: they may change hands and count catches.
    passed = [
        Passed(place, step.taken, step.before, step.after, step.after.table)
        for place, step in enumerate(own)
        if step.taken is not None
    ]
    now = _known_by_version(own, read_now)
    tables = {
        place: now[step.address]
        for place, step in enumerate(own)
        if isinstance(step.address, int) and step.address in now
    }
    return Replay(tuple(_narrated(own, verdicts, tables)), unfold(passed))


def _known_by_version(own: Sequence[Step], read_now: Sequence[Step]) -> dict[int, Table | None]:
    """Return the tables after these entries, by version, as they are known now.

    Entries that the log as it is read now no longer has are left out.
    """
    versions = {step.address for step in own if isinstance(step.address, int)}
    places = [place for place, step in enumerate(read_now) if step.address in versions]
    if not places:
        return {}
    rounds = {_round_of(read_now[place]) for place in places}
    taken = taken_in([step for step in read_now if _round_of(step) in rounds])
    return {
        step.address: table
        for (_, step, _), table in zip(taken, known_around(taken)[1:], strict=True)
        if isinstance(step.address, int)
    }


def _steps_of(steps: Sequence[Step], round_: int) -> list[Step] | None:
    if not 1 <= round_ <= max((step.after.round for step in steps), default=0):
        return None
    return [step for step in steps if _round_of(step) == round_]


def _round_of(step: Step) -> int | None:
    """Return the number of the round that a step belongs to, None for the opening.

    Between two rounds, a step that leads up to the next one belongs to that one: a draw for the
    dealer, a change of seats, a substitution. All others belong to the round before.
    """
    if isinstance(step.event, MatchOpened):
        return None
    running = step.before.running or step.after.running
    if running is not None:
        return running.number
    if isinstance(step.event, _LEADS_UP):
        return step.before.round + 1
    return max(1, step.before.round)


def _narrated(
    steps: Sequence[Step],
    verdicts: Mapping[int, Judgement],
    tables: Mapping[int, Table | None],
) -> Iterator[NarratedStep]:
    causes = Causes()
    for place, step in enumerate(steps):
        then = hands(step.after)
        table = tables.get(place)
        now = then if table is None else _hands_of(table, step.after)
        if step.taken is None:
            yield NarratedStep(step, VOIDED, (), (sentence("can-not-apply"),), then, now)
            continue
        moment = _moment(step.before, step.taken, step.after, causes)
        judgement = in_sight(step, verdicts.get(place, LEGAL))
        said = explained(moment)
        if judgement.verdict == "illegal" and isinstance(step.taken, Told) and step.taken.as_played:
            said = (*said, sentence("as-played"))
        clauses = applied(moment, judgement.violations)
        yield NarratedStep(step, judgement, clauses, said, then, now)
        causes = causes_after(moment)


def _moment(before: State, event: Event, after: State, causes: Causes) -> Moment[Event]:
    owed = before.table.debts if before.table else ()
    if len(causes.debts) != len(owed):
        # If the log was read again in between, the causes of the debts are not known.
        causes = replace(causes, debts=(Cause(event, after.version),) * len(owed))
    return Moment(before, event, after, causes)


def _hands_of(table: Table, state: State) -> HandsShown:
    """Return the hands of a table in the order of the state's hands."""
    return {
        player: HandView(known=hand.known, unknown=hand.unknown)
        for player in state.hands
        if (hand := table.hands.get(player)) is not None
    }
