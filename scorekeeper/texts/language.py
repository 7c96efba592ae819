"""The languages of texts: what each needs, choosing one for a reader, and the catalogs.

Catalogs are gettext's .po files, read once when the program starts. English is the key.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Final, Literal, TypeAlias, get_args

from babel.messages.pofile import read_po
from msgspec import Struct

from scorekeeper.rules.clauses import Text

Language: TypeAlias = Literal["en", "zh-TW"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
DEFAULT: Final[Language] = "en"


class Conventions(Struct, frozen=True, kw_only=True):
    """How a language is called and written.

    `endonym`: its name in itself. `locale`: its name for gettext and for dates. `has_plural`: False
    if one translation serves for every number. The others are what stands between the items of a
    list, the last alternatives, longer items, and sentences, and around a list in a list.
    """

    endonym: str
    locale: str
    has_plural: bool
    comma: str
    either: str
    semicolon: str
    between_sentences: str
    parentheses: tuple[str, str]


CONVENTIONS: Final[Mapping[Language, Conventions]] = {
    "en": Conventions(
        endonym="English",
        locale="en",
        has_plural=True,
        comma=", ",
        either=" or ",
        semicolon="; ",
        between_sentences=" ",
        parentheses=("(", ")"),
    ),
    "zh-TW": Conventions(
        endonym="中文",
        locale="zh_TW",
        has_plural=False,
        comma="、",
        either="或",
        semicolon="；",
        between_sentences="",
        parentheses=("（", "）"),
    ),
}
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


def read_catalogs(ending: str) -> Mapping[Language, Mapping[str, str]]:
    """Return the translations into each language by their English texts; none into English.

    `ending`: what follows the locale in the names of the catalogs. The key of a text with a plural
    is its singular. Entries that are marked fuzzy are left out.
    """
    return {
        language: {} if language == DEFAULT else _read_catalog(f"{held.locale}{ending}")
        for language, held in CONVENTIONS.items()
    }


def _read_catalog(name: str) -> Mapping[str, str]:
    source = files("scorekeeper.texts").joinpath("locale", name).read_bytes()
    found: dict[str, str] = {}
    for entry in read_po(BytesIO(source), abort_invalid=True):
        english = entry.id[0] if isinstance(entry.id, (list, tuple)) else entry.id
        translated = entry.string[0] if isinstance(entry.string, (list, tuple)) else entry.string
        if english and translated and not entry.fuzzy:
            found[english] = translated
    return found


CATALOGS: Final = read_catalogs(".po")


def translate(english: str, language: Language) -> str:
    """Return the translation, or the English text if the catalog lacks it."""
    return CATALOGS[language].get(english, english)
