"""docs/adr has one short page for each decision, and docs/measurements.md what was measured."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "adr"
MOST_LINES = 60
WIDEST_LINE = 120

_PAGE = re.compile(
    r"# (?P<number>\d+)\. (?P<title>[^\n]+)\n\n"
    r"Status: (?P<status>(?:proposed|accepted|superseded by .+?), \d{4}-\d\d-\d\d)\."
    r"(?P<rest>\s.+?)?\n\n",
    re.DOTALL,
)
_ROW = re.compile(r"\| \[(\d+)\]\((.+?)\) \| (.+?) \| (.+?) \| (.+?) \|")
_LINK = re.compile(r"\[(\d+)\]\((\d{4}-[a-z0-9-]+\.md)\)")
_MEASUREMENT = re.compile(r"^## (\d{4}-\d\d-\d\d)(?:, (\d\d:\d\d))?: (.+)$", re.MULTILINE)

PAGES = sorted(FOLDER.glob("[0-9]*.md"))


class Decision(NamedTuple):
    number: int
    title: str
    status: str
    supersedes: frozenset[int]
    superseded_by: frozenset[int]
    sections: tuple[str, ...]
    lines: tuple[str, ...]


def read(page: Path) -> Decision:
    text = page.read_text(encoding="utf-8")
    head = _PAGE.match(text)
    assert head, f"{page.name} has no title and status in the form of ADR 1"
    by = frozenset(int(number) for number, _ in _LINK.findall(head["status"]))
    replaced = re.search(r"Supersedes (.+)\.", head["rest"] or "", re.DOTALL)
    return Decision(
        number=int(head["number"]),
        title=head["title"],
        status=head["status"],
        supersedes=frozenset(
            int(number) for number, _ in _LINK.findall(replaced[1] if replaced else "")
        ),
        superseded_by=by,
        sections=tuple(re.findall(r"^## (.+)$", text, re.MULTILINE)),
        lines=tuple(text.splitlines()),
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_decision_has_its_sections_and_fits_on_a_page(page: Path) -> None:
    decision = read(page)
    assert decision.number == int(page.name[:4])
    assert decision.sections == ("Context", "Decision", "Consequences")
    assert len(decision.lines) <= MOST_LINES
    assert [line for line in decision.lines if len(line) > WIDEST_LINE] == []


def test_no_number_stands_twice() -> None:
    numbers = [int(page.name[:4]) for page in PAGES]
    assert numbers[0] == 1
    assert numbers == sorted(set(numbers))


def test_what_is_superseded_and_what_supersedes_it_name_each_other() -> None:
    decisions = {decision.number: decision for decision in map(read, PAGES)}
    replaced = {(new, old) for new, page in decisions.items() for old in page.supersedes}
    assert replaced
    assert replaced == {(new, old) for old, page in decisions.items() for new in page.superseded_by}


def test_the_index_lists_every_decision_with_its_title_and_status() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    listed = [
        (int(number), target, title, status)
        for number, target, title, status, _ in _ROW.findall(index)
    ]
    assert listed == [
        (decision.number, page.name, decision.title, decision.status.rpartition(",")[0])
        for page, decision in zip(PAGES, map(read, PAGES), strict=True)
    ]


def test_measurements_stand_newest_first_and_each_names_its_decision() -> None:
    page = (ROOT / "docs" / "measurements.md").read_text(encoding="utf-8")
    times = [(date, time) for date, time, _ in _MEASUREMENT.findall(page)]
    assert len(times) == len(re.findall(r"^## ", page, re.MULTILINE))
    assert times == sorted(times, reverse=True)
    numbers = {int(path.name[:4]) for path in PAGES}
    for text in _MEASUREMENT.split(page)[4::4]:
        named = {int(number) for number in re.findall(r"\[ADR (\d+)\]\(adr/", text)}
        assert named
        assert named <= numbers


def test_what_is_said_of_a_goal_names_parts_that_are_there() -> None:
    page = (ROOT / "docs" / "measurements.md").read_text(encoding="utf-8")
    parts = {f"{date}, {time}" for date, time, _ in _MEASUREMENT.findall(page)}
    beginning = page.partition("\n## ")[0]
    goals = re.findall(r"^\|.*\| (\d{4}-[^|]+) \|$", beginning, re.MULTILINE)
    assert goals
    assert {part for named in goals for part in named.split("; ")} <= parts
