"""The explanation of a step of a replay, in the reader's language."""

from collections.abc import Mapping, Sequence
from typing import Final

from scorekeeper.texts.catalog import translate
from scorekeeper.texts.explanations import EXPLANATIONS
from scorekeeper.texts.facts import worded
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import PLAIN, Words

_BETWEEN: Final[Mapping[Language, str]] = {"en": " ", "zh-TW": ""}


def explanation(
    saying: str, facts: Mapping[str, object], language: Language, words: Words = PLAIN
) -> str:
    """One sentence, or a part of one; KeyError for what nobody says."""
    template = translate(EXPLANATIONS[saying], language)
    return worded(template, facts, language, words, whole=True)


def joined(sentences: Sequence[str], language: Language) -> str:
    """Sentences one after the other, as they stand in the language."""
    return _BETWEEN[language].join(sentences)
