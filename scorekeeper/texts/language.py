"""The languages of texts: choosing one for a reader, and the catalogs of translations.

Catalogs are gettext's .po files, read once when the program starts. English is the key.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Final, Literal, TypeAlias

from babel.messages.pofile import read_po

from scorekeeper.rules.clauses import Text

Language: TypeAlias = Literal["en", "zh-TW"]

LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh-TW")
DEFAULT: Final[Language] = "en"
_MOST_RANGES: Final = 32


@lru_cache(maxsize=256)
def negotiate(lang: str | None, accept_language: str | None) -> Language:
    """Return `lang` if we have it, else the best of an Accept-Language header (RFC 9110, 12.5.4).

    Every kind of Chinese is answered in Traditional Chinese, any other language that we lack in
    English. Invalid parts of the header are ignored.
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


def text_in(text: Text, language: Language) -> str:
    return text.zh_tw if language == "zh-TW" else text.en


def _language_of(tag: str) -> Language | None:
    match tag.strip().lower().replace("_", "-").partition("-")[0]:
        case "zh":
            return "zh-TW"
        case "en":
            return "en"
        case _:
            return None


def _quality(parameters: str) -> float:
    """Return the quality of a language range, from 0 (never) to 1; 0 if it is invalid."""
    name, _, value = parameters.replace(" ", "").partition("=")
    if not name:
        return 1.0
    try:
        quality = float(value)
    except ValueError:
        return 0.0
    return quality if name.lower() == "q" and 0 <= quality <= 1 else 0.0


def _read_catalog(locale: str) -> Mapping[str, str]:
    """Return the translations by their English texts, without entries that are marked fuzzy."""
    source = files("scorekeeper.texts").joinpath("locale", f"{locale}.po").read_bytes()
    catalog = read_po(BytesIO(source), locale=locale, abort_invalid=True)
    return {
        entry.id: entry.string
        for entry in catalog
        if isinstance(entry.id, str) and isinstance(entry.string, str)
        if entry.id and entry.string and not entry.fuzzy
    }


CATALOGS: Final[Mapping[Language, Mapping[str, str]]] = {"en": {}, "zh-TW": _read_catalog("zh_TW")}


def translate(english: str, language: Language) -> str:
    """Return the translation, or the English text if the catalog lacks it."""
    return CATALOGS[language].get(english, english)
