"""The English sentences about each event, in scenes that a person can play with real cards.

Above `---` stands what was given, as in the golden rounds. Each line below is an event that the
table tells. The indented lines under it are the sentences about that entry and about the inferred
entries after it, each with the clauses that it cites.
"""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec
import pytest

from scorekeeper.match.events.events import ToldEvent
from scorekeeper.match.readings.effective_log import both_readings
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.projections.narration.narration import Saying, Sentence
from scorekeeper.projections.replay import replay_as_recorded
from tests.match.scenes.driving import begin, drive
from tests.match.scenes.reading import GoldenRound, parse, read
from tests.match.scenes.telling import told
from tests.projections.replayed import in_words_as_recorded

GOLDEN = Path(__file__).parents[2] / "golden"
SCENES = sorted((GOLDEN / "sentences").glob("*.txt"))
ELSEWHERE = {"can-not-apply", "part-total", "played-freely"}
"""Sentences that no scene can show.

`can-not-apply` is never said of an entry as it was recorded. `part-total` is a part of other
sentences. `played-freely` needs a round in which no colour is in force, which no registered edition
has.
"""


class Line(NamedTuple):
    """A line that is told, and the sentences expected. If the list is empty, any will do."""

    told: str
    expected: list[str]


class Said(NamedTuple):
    """What the replay says of one entry."""

    sayings: set[Saying]
    text: str


def scenes(path: Path) -> Iterator[tuple[GoldenRound, list[Line]]]:
    """Yield what was given in each scene of a file, and its lines."""
    for text in path.read_text(encoding="utf-8").split("\n\n"):
        given, _, happened = text.partition("\n---\n")
        lines: list[Line] = []
        for line in happened.splitlines():
            if line.startswith(" "):
                lines[-1].expected.append(line.strip())
            else:
                lines.append(Line(line, []))
        yield parse(f"clauses:\n{given}\n---\n\n===\n"), lines


def played(golden: GoldenRound, lines: list[Line]) -> list[tuple[Line, list[Said]]]:
    """Return each line with what is said of the entries it brought, after all lines are told."""
    _, state = begin(golden)
    for event in (golden.start, golden.first):
        if event:
            state = after(state, event)
    versions = [state.version]
    for line in lines:
        state = after(state, told(line.told))
        versions.append(state.version)
    told_of = said(state)
    return [
        (line, [told_of[version] for version in range(known + 1, last + 1) if version in told_of])
        for line, (known, last) in zip(lines, pairwise(versions), strict=True)
    ]


def after(state: State, event: dict[str, object]) -> State:
    told_event = msgspec.json.decode(msgspec.json.encode(event), type=ToldEvent)
    answer = record(state, [told_event])
    assert isinstance(answer, Recorded), (event, answer)
    return answer.state


def said(state: State) -> dict[int, Said]:
    """Return what is said of each entry, by version."""
    found: dict[int, Said] = {}
    for number in range(1, state.round + 1):
        recorded, now = both_readings(state)
        narrated = replay_as_recorded(recorded, number, now)
        assert narrated is not None
        items = in_words_as_recorded(state, number, "en").items
        for step, item in zip(narrated.steps, items, strict=True):
            assert isinstance(item.version, int)
            clauses = " ".join(clause.id for clause in item.clauses)
            text = f"{item.explanation} [{clauses}]" if clauses else item.explanation
            found[item.version] = Said(set(sayings(step.said)), text)
    return found


def sayings(sentences: tuple[object, ...]) -> Iterator[Saying]:
    for one in sentences:
        if isinstance(one, Sentence):
            yield one.saying
            for fact in one.facts.values():
                yield from sayings(fact) if isinstance(fact, tuple) else ()


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_as_it_stands_on_paper(path):
    for golden, lines in scenes(path):
        for line, told_of in played(golden, lines):
            assert not line.expected or [one.text for one in told_of] == line.expected, line.told


def test_every_sentence_stands_there_or_in_a_golden_replay():
    found: set[Saying] = set()
    for path in SCENES:
        for golden, lines in scenes(path):
            for line, told_of in played(golden, lines):
                found.update(*(one.sayings for one in told_of if line.expected))
    for path in (GOLDEN / "replays").glob("*/*.en.txt"):
        round_ = read(GOLDEN / "rounds" / path.parent.name / f"{path.stem.partition('.')[0]}.txt")
        found.update(*(one.sayings for one in said(drive(round_).state).values()))
    missing = sorted({*get_args(Saying)} - found - ELSEWHERE)
    assert missing == [], "each is shown once in tests/golden/sentences"
    assert not found & ELSEWHERE
