"""After a corrected file is imported, the ledger reads as if that file had been first."""

from io import StringIO
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.events import (
    DisputeOpened,
    LogAmended,
    NoteAdded,
    ToldEvent,
    as_written,
)
from scorekeeper.match.events.opening import MatchOpened, open_match
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.projections.contribution import contributions
from scorekeeper.projections.scoreboard import rounds
from scorekeeper.service.imports.corrections import Correction, RecordedEvent, imported_log
from scorekeeper.service.imports.findings import Finding
from scorekeeper.service.imports.import_plan import AlreadyThere, compare
from scorekeeper.service.imports.planned_matches import PastMatch, past_matches
from scorekeeper.service.imports.result_rows import read_rows

HEADING = "date,edition,players,points,substitutes,match,target\n"
POINTS = ("- 1 2", "3 - 4", "5 6 -", "- 30 30", "40 - 40")
DAYS = ("2024-11-20", "2024-11-21")
SUBSTITUTES = ("", "ann=eve", "bo=eve", "ann=fay bo=eve")


def planned(rows: list[tuple[str, str, str]], *, leave_open: bool = False) -> PastMatch | None:
    """The match that begins on the first of the days; None where the rows can't be one."""
    text = "".join(
        f"{DAYS[0] if number == 0 else day},basic,ann bo cy,{points},{substitutes},final,100\n"
        for number, (day, points, substitutes) in enumerate(rows)
    )
    plan = past_matches(read_rows(StringIO(HEADING + text)), leave_open=leave_open)
    return plan.matches[0] if plan.matches else None


class Book:
    """A match as its ledger has it, and as the service answers it."""

    def __init__(self, match: PastMatch) -> None:
        edition = latest("basic")
        assert edition is not None
        opened = open_match(edition, match.opening)
        assert isinstance(opened, MatchOpened)
        self.state = initial(edition, opened)
        self.entries = [self._entry(opened, None)]

    def tell(self, *events: ToldEvent) -> None:
        recorded = record(self.state, events)
        assert isinstance(recorded, Recorded), recorded
        self.state = recorded.state
        for made in recorded.entries:
            id_ = None if made.inferred else events[made.told_index].id
            self.entries.append(self._entry(made.event, id_, inferred=made.inferred))

    def _entry(self, event: Any, id_: str | None, *, inferred: bool = False) -> RecordedEvent:
        version = len(self.entries) + 1 if hasattr(self, "entries") else 1
        written = as_written(event)
        return RecordedEvent(version=version, id=id_, inferred=inferred, event=written)

    def compare(self, match: PastMatch, **more: Any) -> Any:
        log = imported_log("home", match.match, self.entries)
        return compare("home", match, log, **{"leave_open": False, "file": "f.csv"} | more)

    def take_in(self, match: PastMatch) -> None:
        found = self.compare(match)
        if isinstance(found, Correction):
            self.tell(*found.events("home"))
        assert isinstance(self.compare(match), AlreadyThere)

    def seen(self) -> Any:
        """Return what the match shows, without what counts entries."""
        state = self.state
        shown = [
            {name: getattr(one, name) for name in one.__struct_fields__ if "version" not in name}
            for one in rounds(state)
        ]
        left = (state.status, state.winners, state.totals, state.violations, state.voided)
        return left, shown, contributions(state)


def imported(match: PastMatch, events: int | None = None) -> Book:
    """Return the match after its first import. `events`: how many were told before it broke off."""
    book = Book(match)
    book.tell(*match.with_ids("home").events[:events])
    return book


ROW = st.tuples(st.sampled_from(DAYS), st.sampled_from(POINTS), st.sampled_from(SUBSTITUTES))
FILES = st.lists(st.lists(ROW, min_size=1, max_size=6), min_size=2, max_size=5)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(FILES, st.integers(1, 12))
def test_a_corrected_file_makes_what_it_makes_at_first(files, interrupted):
    """Other files are imported before it, the first of them only in part.

    A file that is imported again changes nothing.
    """
    matches = [match for rows in files if (match := planned(rows)) is not None]
    assume(matches)
    book = imported(matches[0], interrupted)
    for match in matches[1:]:
        book.take_in(match)
        assert book.seen() == imported(match).seen()
    assert book.state.voided == 0


def rows(*points: str, **more: str) -> list[tuple[str, str, str]]:
    return [(more.get("day", DAYS[0]), each, "") for each in points]


def final(*points: str, **more: Any) -> PastMatch:
    match = planned(rows(*points), **more)
    assert match is not None
    return match


TWO = final("- 1 2", "3 - 4")
THREE = final("- 1 2", "3 - 4", "5 6 -")
OTHER = final("- 1 2", "3 - 9")


class TestWhatOthersTold:
    """A file does not undo what others told after its import."""

    def amended(self, match: PastMatch) -> Book:
        """Return the match TWO, in which somebody amended the second round to that of `match`."""
        book = imported(TWO)
        book.tell(LogAmended(first=4, remove=1, insert=match.events[1:2], reason="miscounted"))
        return book

    def test_the_file_as_it_was_changes_nothing(self):
        found = self.amended(OTHER).compare(TWO)
        assert found == AlreadyThere(TWO, Finding("amended-to-this"))

    def test_the_file_with_the_same_correction_changes_nothing(self):
        assert self.amended(OTHER).compare(OTHER) == AlreadyThere(OTHER, None)

    @pytest.mark.parametrize("match", [THREE, final("- 1 2", "3 - 8")])
    def test_a_file_that_says_more_is_refused(self, match):
        found = self.amended(OTHER).compare(match)
        assert (found.line, found.match) == (2, "final")
        assert "put it right there" in found.why

    def test_a_match_that_went_on_is_left_to_those_who_told_it(self):
        book = imported(final("- 1 2", leave_open=True))
        book.tell(final("3 - 4").events[0])
        assert isinstance(book.compare(final("- 1 2", leave_open=True)), AlreadyThere)
        assert isinstance(book.compare(final("- 1 2", "3 - 4", leave_open=True)), AlreadyThere)
        assert "went on" in book.compare(final("- 1 2", "5 6 -")).why

    def test_notes_and_disputes_are_no_hindrance(self):
        book = imported(TWO)
        book.tell(NoteAdded(text="tea"), DisputeOpened(by="bo", round=2, claim="never"))
        book.take_in(THREE)
        assert book.seen() == imported(THREE).seen()
        assert book.state.open_disputes == 1

    def test_a_withdrawn_correction_does_not_come_back(self):
        book = imported(TWO)
        book.take_in(OTHER)
        (version,) = [
            entry.version for entry in book.entries if isinstance(entry.event, LogAmended)
        ]
        book.tell(LogAmended(withdraws=(version,), reason="it was right"))
        assert isinstance(book.compare(OTHER), AlreadyThere)
        assert isinstance(book.compare(TWO), AlreadyThere)
        assert "put it right there" in book.compare(THREE).why

    def test_what_was_erased_is_left_as_it_is(self):
        book = imported(TWO)
        book.entries[3] = replace(book.entries[3], event=None)
        assert book.compare(THREE).note == Finding("erased")

    def test_a_match_that_was_not_imported_is_another_one(self):
        book = Book(TWO)
        book.tell(*TWO.events)
        assert "another match of this name" in book.compare(TWO).why


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("2024-11-21,basic,ann bo cy,- 1 2,,final,100\n", "another date"),
        ("2024-11-20,basic,bo ann cy,1 - 2,,final,100\n", "other players, or other seats"),
        ("2024-11-20,basic,ann bo cy,- 1 2,,final,200\n", "another scoring"),
        ("2024-11-20,mario,ann bo cy,- 1 2,,final,100\n", "another edition"),
    ],
)
def test_an_opening_can_not_be_amended(line, what):
    (match,) = past_matches(read_rows(StringIO(HEADING + line)), leave_open=False).matches
    found = imported(final("- 1 2")).compare(match)
    assert (found.line, found.match) == (2, "final")
    assert f"opened with {what}" in found.why


def test_whether_it_is_closed_follows_the_file_unless_that_leaves_it_open():
    left_open = final("- 1 2", "3 - 4", leave_open=True)
    assert isinstance(imported(TWO).compare(left_open, leave_open=True), AlreadyThere)
    book = imported(left_open)
    book.take_in(TWO)
    assert book.seen() == imported(TWO).seen()
    assert not [entry for entry in book.entries if isinstance(entry.event, LogAmended)]


def test_changes_are_told_by_line():
    changed = final("- 1 2", "- 7 7", "3 - 4", "3 - 9")
    found = imported(final("- 1 2", "3 - 4", "5 6 -", "- 30 30")).compare(changed)
    assert [(each.line, each.change) for each in found.differences] == [
        (3, "added"),
        (5, "changed"),
        (5, "removed"),
    ]


def long(*, odd: str, more: int = 0) -> PastMatch:
    """Return a match of 300 rounds, every third of them with the points `odd`.

    `more` rounds are added in the middle.
    """
    points = [odd if number % 3 == 0 else "- 0 0" for number in range(300)]
    points[150:150] = ["0 - 0"] * more
    return final(*points)


def test_changes_here_and_there_in_a_long_match_fit_into_one_append():
    """A long match takes few amendments at once: they are joined."""
    book = imported(long(odd="0 - 0"))
    wanted = long(odd="0 0 -")
    book.take_in(wanted)
    assert book.seen() == imported(wanted).seen()
    assert len([entry for entry in book.entries if isinstance(entry.event, LogAmended)]) == 1


def test_changes_here_and_there_stay_within_what_may_be_in_force(monkeypatch):
    for module in ("service.imports.corrections", "match.record"):
        monkeypatch.setattr(f"scorekeeper.{module}.MOST_IN_FORCE", 2)
    book = imported(final("- 1 2", "3 - 4", "5 6 -", "- 30 30", "40 - 40"))
    for wanted in (
        final("- 1 2", "3 - 9", "5 6 -", "- 30 30", "40 - 41"),
        final("- 1 9", "3 - 4", "5 9 -", "- 30 30", "40 - 42"),
    ):
        book.take_in(wanted)
        assert book.seen() == imported(wanted).seen()
    assert [type(entry.event) for entry in book.entries].count(LogAmended) == 3


def test_more_rows_than_an_amendment_holds_come_in_several():
    book = imported(long(odd="0 - 0"))
    wanted = long(odd="0 - 0", more=1_100)
    book.take_in(wanted)
    assert book.seen() == imported(wanted).seen()
    book.take_in(long(odd="0 - 0", more=1_101))
    assert book.seen() == imported(long(odd="0 - 0", more=1_101)).seen()
