"""What people are told of a step of a replay."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, cast

from scorekeeper.texts.catalog import translate
from scorekeeper.texts.explanations import EXPLANATIONS
from scorekeeper.texts.language import Language
from scorekeeper.texts.message import PLACEHOLDER, shown

# Facts that are words of the data, which every language has words of its own for.
_CARDS: Final = frozenset({"card", "cards", "top"})
_WORDS: Final = frozenset({"color", "direction"})
_BETWEEN: Final[Mapping[Language, str]] = {"en": " ", "zh-TW": ""}


def explanation(saying: str, facts: Mapping[str, object], language: Language) -> str:
    """One sentence, or a part of one; KeyError for what nobody says."""
    template = translate(EXPLANATIONS[saying], language)
    return PLACEHOLDER.sub(lambda found: _put(found[1], facts.get(found[1]), language), template)


def joined(sentences: Sequence[str], language: Language) -> str:
    """Sentences one after the other, as they stand in the language."""
    return _BETWEEN[language].join(sentences)


@lru_cache(maxsize=1_024)
def card_name(card: str, language: Language) -> str:
    """What a card is called; as it is named in the data where a language has no word for it."""
    if language == "en":
        return card
    color, dash, symbol = card.partition("-")
    named = translate(color, language)
    if not dash or named == color:
        return translate(card, language)
    if symbol.isdigit():
        return f"{named} {symbol}"
    printed = translate(symbol, language)
    return named + printed if printed != symbol else translate(card, language)


def _put(name: str, fact: object, language: Language) -> str:
    if name in _WORDS and isinstance(fact, str):
        return translate(fact, language)
    if name in _CARDS:
        if isinstance(fact, str):
            return card_name(fact, language)
        cards = cast("Sequence[str]", fact or ())
        return shown([card_name(card, language) for card in cards], language)
    return shown(fact, language)
