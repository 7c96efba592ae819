"""Facts as they stand in a sentence: numbers, names of players, cards and colours, and lists."""

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Final, cast

from scorekeeper.texts.catalog import translate
from scorekeeper.texts.language import Language

PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")

_MOST_ITEMS: Final = 12
_MOST_CHARACTERS: Final = 80
_TOO_LARGE: Final = 10**18
_COMMA: Final[Mapping[Language, str]] = {"en": ", ", "zh-TW": "、"}

# Facts that are words of the data, which every language has words of its own for. Where a count of
# cards has the same name, it is a number and stays one.
_CARDS: Final = frozenset({"card", "cards", "cards_in_deck", "top", "top_card"})
_WORDS: Final = frozenset({"color", "colors", "direction", "named_color", "phase"})


def worded(template: str, facts: Mapping[str, object], language: Language) -> str:
    """The template with its facts; never raises, whatever they are."""
    return PLACEHOLDER.sub(lambda found: _put(found[1], facts.get(found[1]), language), template)


def _put(name: str, fact: object, language: Language) -> str:
    if name in _CARDS:
        return shown(_each(fact, lambda card: card_name(card, language)), language)
    if name in _WORDS:
        return shown(_each(fact, lambda word: translate(word, language)), language)
    return shown(fact, language)


def _each(fact: object, name: Callable[[str], str]) -> object:
    """The fact with its words named; what is no word stays as it is."""
    if isinstance(fact, str):
        return name(fact)
    if isinstance(fact, list | tuple):
        items = cast("Collection[object]", fact)
        return [name(item) if isinstance(item, str) else item for item in items]
    return fact


def shown(fact: object, language: Language) -> str:
    """A fact as it stands in a sentence: lists with commas, lists of lists in parentheses."""
    if isinstance(fact, int):
        return str(fact) if abs(fact) < _TOO_LARGE else "…"
    if isinstance(fact, str):
        return fact if len(fact) <= _MOST_CHARACTERS else fact[: _MOST_CHARACTERS - 1] + "…"
    if isinstance(fact, Collection):
        items = list(cast("Collection[object]", fact))
        shown = [_nested(item, language) for item in items[:_MOST_ITEMS]]
        if len(items) > _MOST_ITEMS:
            shown.append("…")
        return _COMMA[language].join(shown) or "–"
    return "–"


def _nested(item: object, language: Language) -> str:
    if isinstance(item, Collection) and not isinstance(item, str):
        inner = [shown(part, language) for part in cast("Collection[object]", item)]
        return f"({_COMMA[language].join(inner[:_MOST_ITEMS])})"
    return shown(item, language)


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
