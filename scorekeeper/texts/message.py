"""What people are told of a refusal, a violation or a problem."""

import re
from collections.abc import Collection, Mapping
from typing import Final, cast

from scorekeeper.texts.catalog import translate
from scorekeeper.texts.language import Language
from scorekeeper.texts.templates import BREACH, FALLBACK, MESSAGES, TITLES

PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")
_MOST_ITEMS: Final = 12
_MOST_CHARACTERS: Final = 80
_TOO_LARGE: Final = 10**18
_COMMA: Final[Mapping[Language, str]] = {"en": ", ", "zh-TW": "、"}


def message(code: str, reason: str | None, facts: Mapping[str, object], language: Language) -> str:
    """One sentence or two for a person; never raises, whatever the facts are."""
    wordings = (
        *MESSAGES.get((code, reason), ()),
        *((BREACH,) if code == "rule-violation" else ()),
        *MESSAGES.get((code, None), ()),
    )
    for wording in wordings:
        if all(facts.get(name) is not None for name in PLACEHOLDER.findall(wording)):
            return _filled(translate(wording, language), facts, language)
    return translate(TITLES.get(code, FALLBACK), language)


def title(problem_code: str, language: Language) -> str:
    """What all problems of one code have in common."""
    return translate(TITLES.get(problem_code, FALLBACK), language)


def _filled(template: str, facts: Mapping[str, object], language: Language) -> str:
    return PLACEHOLDER.sub(lambda found: shown(facts.get(found[1]), language), template)


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
