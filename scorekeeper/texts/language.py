"""Choosing the language for a reader."""

from functools import lru_cache
from typing import Final, Literal, TypeAlias

Language: TypeAlias = Literal["en", "zh-TW"]

LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh-TW")
DEFAULT: Final[Language] = "en"
_MOST_RANGES: Final = 32


@lru_cache(maxsize=256)
def negotiate(lang: str | None, accept_language: str | None) -> Language:
    """`lang` if we have it, else the best of an Accept-Language header (RFC 9110, 12.5.4).

    Every kind of Chinese is answered in Traditional Chinese, everything else that we lack in
    English. What can't be read is passed over.
    """
    asked = _language_of(lang or "")
    if asked is not None:
        return asked
    best: Language = DEFAULT
    best_quality = 0.0
    for part in (accept_language or "").split(",")[:_MOST_RANGES]:
        tag, _, parameters = part.partition(";")
        language = DEFAULT if tag.strip() == "*" else _language_of(tag)
        quality = _quality(parameters)
        if language is not None and quality > best_quality:
            best, best_quality = language, quality
    return best


def _language_of(tag: str) -> Language | None:
    match tag.strip().lower().replace("_", "-").partition("-")[0]:
        case "zh":
            return "zh-TW"
        case "en":
            return "en"
        case _:
            return None


def _quality(parameters: str) -> float:
    """From 0 (never) to 1; 0 for what is no quality."""
    name, _, value = parameters.replace(" ", "").partition("=")
    if not name:
        return 1.0
    try:
        quality = float(value)
    except ValueError:
        return 0.0
    return quality if name.lower() == "q" and 0 <= quality <= 1 else 0.0
