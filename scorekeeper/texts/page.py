"""The English texts around a replay, on a page or in a terminal, by their names."""

from collections.abc import Mapping
from typing import Final

from scorekeeper.texts.catalog import translate
from scorekeeper.texts.facts import worded
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import PLAIN, Words

PAGE: Final[Mapping[str, str]] = {
    "title": "{league} / {match}, round {round}",
    "step": "Step {step} of {steps}",
    "entry": "entry {version}",
    "inserted": "amendment {amendment}, event {index}",
    "follows": "follows as the log is read now",
    "inferred": "inferred",
    "recorded": "recorded by {by} at {time}",
    "legal": "legal",
    "illegal": "against the rules",
    "unknown": "can't be known",
    "voided": "left aside",
    "erased": "The content of this entry was erased.",
    "hidden": "{count} unknown",
    "unheard": "not told",
    "hand": "{player}: ",
    "known-now": "(known since: {cards})",
    "table": "Top card {top}, colour {color}, on turn {turn}, draw pile {pile}",
    "score": "The score",
    "total": "{player}: {score}, which makes {total}",
    "of-hand": "hand of {player}: {points}",
    "of-charge": "counted when {player} was caught: {points}",
    "of-told": "as the sheet says: {points}",
    "source": "step {step}: {how}",
    "of-source": "{whole} ({source})",
    "of-card": "{points} ({sources})",
    "of-card-maybe": "{points} ({sources} · one of these)",
    "dealt": "dealt",
    "drawn": "drawn",
    "given": "given",
    "swapped": "taken over with the hand",
    "taken-back": "taken back",
    "told": "as told",
    "counted": "as counted",
    "keys": "n or right: next, p or left: back, q: leave",
}


def label(name: str, language: Language, words: Words = PLAIN, **facts: object) -> str:
    """A word or line of the page; KeyError for what stands on none."""
    return worded(translate(PAGE[name], language), facts, language, words, whole=True)
