"""The replays of golden rounds, in English and Chinese, equal those that are kept as plain text."""

from pathlib import Path

import pytest

from scorekeeper.texts.language import LANGUAGES
from tests.match.scenes.driving import drive
from tests.match.scenes.reading import read
from tests.projections.replayed import as_lines, in_words

GOLDEN = Path(__file__).parents[2] / "golden"
REPLAYS = sorted((GOLDEN / "replays").glob("*/*.txt"))


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_as_it_stands_on_paper(path):
    name, _, language = path.stem.partition(".")
    round_ = read(GOLDEN / "rounds" / path.parent.name / f"{name}.txt")
    assert as_lines(in_words(drive(round_).state, 1, language)) == path.read_text(encoding="utf-8")


def test_each_is_told_in_both_languages():
    names = {(path.parent.name, path.stem.partition(".")[0]) for path in REPLAYS}
    assert len(names) >= 4
    assert len({edition for edition, _ in names}) >= 4
    assert len(REPLAYS) == len(names) * len(LANGUAGES)
