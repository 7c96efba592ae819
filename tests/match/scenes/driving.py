"""Records golden rounds line by line and compares the outcome with what each line claims."""

from collections import Counter
from typing import NamedTuple

import msgspec

from scorekeeper.match.events.events import Event, TableEvent, decode, encode, normalise
from scorekeeper.match.events.opening import MatchOpened, Opening, open_match
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import fold, initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from tests.match.scenes.claims import claimed, listed, shown, spoken
from tests.match.scenes.reading import GoldenRound, Line
from tests.match.scenes.telling import Told
from tests.match.story import edition_of

SERVER_MADE = ("round_ended", "match_won")


class Driven(NamedTuple):
    """A golden round after its last line.

    `entries`: all that was recorded, inferred entries included. `told`: the accepted events of the
    table alone.
    """

    opened: MatchOpened
    state: State
    entries: tuple[Event, ...]
    told: tuple[TableEvent, ...]
    violations: tuple[str, ...]
    refused: tuple[Refusal, ...]


def wire(event: Told) -> TableEvent:
    """The event as a service would read it."""
    return normalise(msgspec.json.decode(msgspec.json.encode(event), type=TableEvent))


def begin(golden: GoldenRound) -> tuple[MatchOpened, State]:
    """Open the golden round's match. Return the opening, and the state at version 1."""
    sent = msgspec.json.decode(msgspec.json.encode(golden.opening), type=Opening)
    edition = edition_of(sent)
    opened = open_match(edition, sent)
    assert isinstance(opened, MatchOpened), opened
    return opened, initial(edition, opened)


def drive(golden: GoldenRound) -> Driven:
    """Record the whole golden round. Raises AssertionError, naming the line that is wrong."""
    opened, state = begin(golden)
    entries: list[Event] = []
    accepted: list[TableEvent] = []
    violations: list[str] = []
    refused: list[Refusal] = []
    setting = [event for event in (_start(golden, state), golden.first) if event]
    for line in (*(Line(f"setting: {e}", e, (), quiet=True) for e in setting), *golden.lines):
        event = wire(line.told)
        answer = record(state, [event])
        if isinstance(answer, Refusal):
            _refused(line, answer)
            refused.append(answer)
            continue
        assert "refused" not in dict(line.expected), f"recorded, not refused: {line.text}"
        accepted.append(event)
        entries.extend(entry.event for entry in answer.entries)
        violations.extend(found.clause for found in answer.violations)
        state = answer.state
        _followed(line, answer)
    for name, claim in golden.end:
        is_ = sorted(violations) if name == "violations" else shown(state, name, claim)
        assert is_ == claimed(name, claim), f"in the end, {name}: {claim} (is {is_})"
    return Driven(opened, state, tuple(entries), tuple(accepted), tuple(violations), tuple(refused))


def _start(golden: GoldenRound, state: State) -> Told | None:
    """Return the event that deals the round, if the round has one.

    `pile on top` is completed to a whole draw pile: the rest of the box follows beneath it, sorted.
    """
    if golden.start is None or golden.pile_on_top is None:
        return golden.start
    box = Counter(dict(state.box.counts))
    for cards in (golden.pile_on_top, *golden.start.get("hands", {}).values()):
        box.subtract(cards)
    size = state.box.size - state.edition.hand_size.value * len(state.seating)
    rest = sorted(box.elements())[: size - len(golden.pile_on_top)]
    return {**golden.start, "draw_pile": [*golden.pile_on_top, *rest]}


def _refused(line: Line, refusal: Refusal) -> None:
    claim = dict(line.expected).get("refused")
    assert claim is not None, f"refused ({refusal}): {line.text}"
    code, *words = claim.split()
    assert refusal.code == code, f"{refusal}: {line.text}"
    clauses = sorted(word for word in words if word[0].isupper())
    if clauses:
        assert sorted(found.clause for found in refusal.violations) == clauses, line.text
    for reason in (word for word in words if not word[0].isupper()):
        assert refusal.reason == reason, f"{refusal}: {line.text}"
    # A refusal leaves the state as it was, so a line may claim nothing about the state after it.
    assert not [name for name, _ in line.expected if name != "refused"], line.text


def _followed(line: Line, answer: Recorded) -> None:
    """Check an accepted line. What the line does not claim was neither inferred nor flagged."""
    claims = dict(line.expected)
    added = [spoken(entry.event) for entry in answer.entries if entry.inferred]
    expected = listed(claims.pop("inferred", "nothing"))
    assert added == expected, f"inferred (is {added}): {line.text}"
    flags = claims.pop("flags", "none")
    flagged = sorted(found.clause for found in answer.violations)
    assert flags == "?" or flagged == claimed("violations", flags), (
        f"flags (is {flagged}): {line.text}"
    )
    for name, claim in line.expected:
        if name not in ("inferred", "flags"):
            is_ = shown(answer.state, name, claim)
            assert is_ == claimed(name, claim), f"{name} {claim} (is {is_}): {line.text}"


def in_one_batch(driven: Driven, start: State) -> State:
    """Return the state after everything that was told is recorded in a single batch."""
    answer = record(start, driven.told)
    assert isinstance(answer, Recorded), answer
    return answer.state


def told_in_full(driven: Driven, start: State) -> State:
    """Return the state if the table tells every entry itself, also those that were inferred.

    An entry that the book infers at once cannot be told before the book writes it. The table then
    does not tell that entry a second time.
    """
    state, written = start, []
    for event in driven.entries:
        if event.__struct_config__.tag in SERVER_MADE or event in written:
            continue
        answer = record(state, [wire(msgspec.to_builtins(event))])
        assert isinstance(answer, Recorded), (event, answer)
        told = next(place for place, e in enumerate(answer.entries) if not e.inferred)
        assert told == 0, f"inferred before it, though all was told: {event}"
        written = [entry.event for entry in answer.entries[1:]]
        state = answer.state
    return state


def folded(driven: Driven, start: State) -> State:
    """Return the state folded from the events as the ledger stores them."""
    kept = [decode(encode(event)) for event in driven.entries]
    return fold(start, kept)
