"""Golden rounds in 繁體中文: each booklet's words are said, and no other booklet's."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from scorekeeper.editions.registry import EDITIONS, WORDS
from scorekeeper.service.reading.entry_presenter import violation_views
from scorekeeper.texts.explanations import explanation
from scorekeeper.texts.message import message
from scorekeeper.texts.words import words_of
from tests.match.scenes.driving import drive
from tests.match.scenes.reading import read
from tests.projections.replayed import in_words

ROUNDS = Path(__file__).parents[2] / "golden" / "rounds"
each_edition = pytest.mark.parametrize("edition", [edition for edition, _ in EDITIONS])


@cache
def said(edition: str) -> str:
    """Every explanation, violation and refusal of the edition's golden rounds."""
    paths = sorted(ROUNDS.glob(f"{edition}/*.txt"))
    return "\n".join(sentence for path in paths for sentence in told(path))


def told(path: Path) -> Iterator[str]:
    driven = drive(read(path))
    for number in range(1, driven.state.round + 1):
        for item in in_words(driven.state, number, "zh-TW").items:
            yield item.explanation
            yield from (violation.message for violation in item.violations)
    for refusal in driven.refused:
        if refusal.reason in {"card-not-in-box", "color-not-in-edition"}:
            continue  # these refusals name a card or colour of another booklet
        words = words_of(driven.opened.edition)
        yield message(refusal.code, refusal.reason, refusal.facts, "zh-TW", words)
        violations = refusal.violations
        yield from (
            told.message
            for told in violation_views(violations, first_index=0, language="zh-TW", words=words)
        )


@each_edition
def test_every_word_of_the_booklet_is_said(edition):
    words = dict(WORDS[edition])
    # Play that has turned twice goes clockwise again, which golden rounds need not show.
    again = explanation("reversed", {"direction": "clockwise"}, "zh-TW", words_of(edition))
    assert words.pop("clockwise") in again
    unsaid = [word for word in words.values() if word not in said(edition)]
    assert unsaid == [], f"a golden round of {edition} comes to say each of them"


@each_edition
def test_no_word_of_another_booklet_is_said(edition):
    own = sorted(WORDS[edition].values(), key=len, reverse=True)
    others = {word for words in WORDS.values() for word in words.values()}
    # Every booklet says that a player is skipped (跳過), and in one booklet this is also a card's
    # name.
    foreign = {word for word in others - {"跳過"} if not any(word in mine for mine in own)}
    assert len(foreign) > 10
    text = said(edition)
    for mine in own:
        text = text.replace(mine, "")
    assert [line for line in text.splitlines() if any(word in line for word in foreign)] == []
