"""Reading a log: to the state after it, or step by step.

There are two readings. `corrected_steps` is the log with all of its amendments. The log as recorded
shows each entry in the state that the book had at its version. `both_readings` returns both.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from types import NoneType
from typing import NamedTuple, cast

from scorekeeper.match.decider import RULES, evolve
from scorekeeper.match.events.events import (
    DisputeEvent,
    Event,
    LogAmended,
    ServerEvent,
    TableEvent,
    as_written,
)
from scorekeeper.match.events.opening import (
    MatchOpened,
    box_in_force,
    mode_in_force,
    options_in_force,
    scoring_in_force,
)
from scorekeeper.match.readings.amended_fold import AmendedFold, amended_fold
from scorekeeper.match.readings.reader import (
    Logged,
    Placed,
    Reader,
    Step,
    entries_in,
    opening_step,
    placed_if_told,
)
from scorekeeper.match.state import Log, State
from scorekeeper.match.turns.dealing import take_planned_seats
from scorekeeper.rules.edition import Edition


def initial(edition: Edition, opened: MatchOpened) -> State:
    """Return the state at version 1, after the opening.

    `edition`: the revision that the opening pins, as it is played by the opening's house rules.
    """
    opened = as_written(opened)
    options = options_in_force(edition, opened)
    teams = opened.teams or ()
    sides = teams or tuple((player,) for player in opened.players)
    state = State(
        edition=edition,
        opened=opened,
        box=box_in_force(edition, options),
        mode=mode_in_force(edition, opened),
        scoring=scoring_in_force(edition, opened),
        options=options,
        teams=teams,
        sides=sides,
        plan=opened.seating or (),
        version=1,
        seating=opened.players,
        dealer=opened.dealer,
        substitutes={},
        hands={},
        totals=dict.fromkeys(opened.players, 0),
        rounds_won=dict.fromkeys(opened.players, 0),
        sides_won=dict.fromkeys((side[0] for side in sides), 0),
    )
    take_planned_seats(state)
    if opened.dealer is not None:
        state.dealer = opened.dealer
    return state


def fold(
    state: State, events: Iterable[Event | None], inferred: Iterable[bool] | None = None
) -> State:
    """Return the state after more entries, which were recorded one after the other.

    `state` is not changed. `events`: None stands for an entry whose content was erased. `inferred`:
    whether each entry was inferred. By default, the events that only the service writes are. After
    an amendment, the log before it is read again. If an entry was erased, the whole log is.

    Raises TypeError for an opening, which is only the first entry of a match.
    """
    own = state.copy()
    recorded = list(events)
    flags = [isinstance(each, ServerEvent) for each in recorded] if inferred is None else inferred
    entries = zip(recorded, flags, strict=True)
    anew = _read_anew(recorded, erased=own.erased)
    if anew:
        for event, flag in islice(entries, anew):
            own.log = (event, flag, own.log)
        own = amended_fold(initial(own.edition, own.opened), own.log).state
    log = own.log
    for event, flag in cast(
        "Iterator[tuple[TableEvent | DisputeEvent | ServerEvent, bool]]", entries
    ):
        evolve(own, event)
        log = (event, flag, log)
    own.log = log
    return own


def _read_anew(recorded: Sequence[Event | None], *, erased: bool) -> int:
    """Return how many of the entries can't be taken in one by one, but need a new reading."""
    kinds = set(map(type, recorded))
    if MatchOpened in kinds:
        raise TypeError("a match is opened once, by its first entry")
    if erased or NoneType in kinds:
        return len(recorded)
    if LogAmended not in kinds:
        return 0
    return 1 + max(at for at, each in enumerate(recorded) if isinstance(each, LogAmended))


def corrected_steps(state: State) -> list[Step]:
    """Return the steps of the log with all of its amendments, inferred ones included, oldest first.

    The state after the last step equals `state`, except for its log and version.
    """
    start = initial(state.edition, state.opened)
    log, version = state.log, state.version
    rest: list[Logged] = []
    while log is not None and not state.erased and not isinstance(log[0], LogAmended):
        event, inferred, log = log
        rest.append(Logged(version, event, inferred))
        version -= 1
    if log is None:
        steps, own = [opening_step(start)], start
    else:
        again = amended_fold(start, log)
        steps, own = again.steps, again.state
    for entry in reversed(rest):
        steps.append(_as_recorded(own, entry))
        own = steps[-1].after
    return steps


class TwoReadings(NamedTuple):
    """The steps of a log as recorded, and those of the log as it is read now.

    `recorded` has each entry with the book's state at its version. The step of an amendment leads
    to the state of the amended log. After an erased entry, the log is read as if that entry had
    never been told. The steps of `now` are those of `corrected_steps`. But their states may count
    the amendments, the sums and the earlier rounds of an earlier reading: see `Detour.follow`.
    """

    recorded: list[Step]
    now: list[Step]


def both_readings(state: State) -> TwoReadings:
    """Return both readings of a log, for little more than the reading as recorded costs."""
    steps, again = _recorded(state)
    if state.erased:
        again = amended_fold(initial(state.edition, state.opened), state.log, known=again)
        return TwoReadings(steps, again.steps)
    if again is None:
        return TwoReadings(steps, steps)
    # After the last amendment, both readings take in the same entries from the same state.
    return TwoReadings(steps, [*again.steps, *steps[1 + len(again.recorded) :]])


def _recorded(state: State) -> tuple[list[Step], AmendedFold | None]:
    """Return the steps of the log as recorded, and its reading up to the last amendment, if any."""
    start = initial(state.edition, state.opened)
    logs = _logs(state.log)
    log = entries_in(state.log)
    steps = [opening_step(start)]
    reader: Reader | None = None
    again: AmendedFold | None = None
    for at, entry in enumerate(log):
        before = steps[-1].after
        if entry.event is None and reader is None:
            reader = Reader(before, log, steps)
            reader.complete(_following(islice(log, at, None)))
        if isinstance(entry.event, LogAmended):
            again = amended_fold(start, logs[at], known=again)
            after = again.state
            steps.append(_as_sent(entry, before, after))
            if reader is not None:
                reader.state = after
        elif reader is None:
            steps.append(_as_recorded(before, entry))
        elif not entry.inferred:
            item = placed_if_told(entry)
            assert item is not None
            reader.take_in(item, _following(islice(log, at + 1, None)))
    return steps, again


def _as_recorded(before: State, entry: Logged) -> Step:
    event = entry.event
    assert type(event) in RULES
    after = before.copy()
    evolve(after, cast("TableEvent | DisputeEvent | ServerEvent", event))
    return _as_sent(entry, before, after)


def _as_sent(entry: Logged, before: State, after: State) -> Step:
    return Step(
        address=entry.version,
        event=entry.event,
        before=before,
        after=after,
        inferred=entry.inferred,
        taken=entry.event,
    )


def _following(log: Iterable[Logged]) -> Placed | None:
    """Return the next told event, or an amendment that comes before it, as one without content.

    What is inferred does not depend on an amendment, and is not recorded behind it.
    """
    for entry in log:
        if isinstance(entry.event, LogAmended):
            return Placed(entry.version, None, entry.version, entry.version)
        item = placed_if_told(entry)
        if item is not None:
            return item
    return None


def _logs(log: Log) -> list[Log]:
    """Return the log up to each of its entries, the shortest first."""
    found: list[Log] = []
    while log is not None:
        found.append(log)
        log = log[2]
    return found[::-1]
