"""Rounds in plain text for each booklet, which a person can check with the cards on a table."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from scorekeeper.editions.registry import EDITIONS
from tests.match.scenes.driving import Driven, begin, drive, folded, in_one_batch, told_in_full
from tests.match.scenes.reading import GoldenRound, parse, read
from tests.match.story import views

ROUNDS = sorted((Path(__file__).parents[2] / "golden" / "rounds").rglob("*.txt"))
OTHER_COLORS = {
    True: {"green": "pink", "pink": "orange", "orange": "green"},
    False: {"green": "blue", "blue": "yellow", "yellow": "green"},
}


def translated(path: Path, words: dict[str, str]) -> str:
    text = path.read_text(encoding="utf-8")
    return re.sub(r"\b(" + "|".join(words) + r")\b", lambda found: words[found[0]], text)


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


each_round = pytest.mark.parametrize("path", ROUNDS, ids=name)


@cache
def golden(path: Path) -> GoldenRound:
    return read(path)


def driven(path: Path) -> Driven:
    return drive(golden(path))


@each_round
def test_as_it_stands_on_paper(path):
    driven(path)


@each_round
def test_what_the_ledger_keeps_folds_to_the_same(path):
    told = driven(path)
    _, start = begin(golden(path))
    assert views(folded(told, start)) == views(told.state)


@each_round
def test_one_batch_is_the_same_as_one_by_one(path):
    told = driven(path)
    _, start = begin(golden(path))
    assert views(in_one_batch(told, start)) == views(told.state)


@pytest.mark.parametrize("path", [path for path in ROUNDS if golden(path).in_full], ids=name)
def test_telling_what_would_be_inferred_changes_nothing(path):
    told = driven(path)
    _, start = begin(golden(path))
    assert views(told_in_full(told, start)) == views(told.state)


@each_round
def test_other_names_change_nothing_but_the_names(path):
    drive(parse(translated(path, {"ann": "zoe", "bo": "ann", "cy": "max", "di": "bo"})))


@pytest.mark.parametrize(
    "path", [path for path in ROUNDS if golden(path).pile_on_top is None], ids=name
)
def test_other_colors_change_nothing_but_the_colors(path):
    """Red is not exchanged, because the red-ribbon takes red cards along."""
    drive(parse(translated(path, OTHER_COLORS[golden(path).opening["edition"] == "mickey"])))


@each_round
def test_says_how_it_ends(path):
    assert golden(path).lines
    assert "violations" in dict(golden(path).end)


def too_few(rounds: Counter[str]) -> list[str]:
    """Return the editions with fewer than ten of these rounds."""
    return [edition for edition, _ in EDITIONS if rounds[edition] < 10]


def test_at_least_ten_for_each_edition_end_with_what_they_brought():
    """Counts scores, points and totals; in `first-out`, where nobody scores, also winners."""
    brought: Counter[str] = Counter()
    for path in ROUNDS:
        edition = golden(path).opening["edition"]
        asked = {"scores", "points", "totals"}
        if edition == "classic-2025":
            asked.add("winners")
        brought[edition] += bool(asked & dict(golden(path).end).keys())
    assert too_few(brought) == [], "ten golden rounds of each end with scores, points or totals"


def test_at_least_ten_for_each_edition():
    of_edition = Counter(golden(path).opening["edition"] for path in ROUNDS)
    assert too_few(of_edition) == [], "each has ten golden rounds in tests/golden/rounds"
