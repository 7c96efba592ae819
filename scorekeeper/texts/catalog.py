"""The catalogs of other languages: gettext's .po files, read once when the program starts."""

from collections.abc import Mapping
from importlib.resources import files
from io import BytesIO
from typing import Final

from babel.messages.pofile import read_po

from scorekeeper.texts.language import Language


def _read(locale: str) -> Mapping[str, str]:
    """English to translation; an entry marked fuzzy is as good as none."""
    source = files("scorekeeper.texts").joinpath("locale", f"{locale}.po").read_bytes()
    catalog = read_po(BytesIO(source), locale=locale, abort_invalid=True)
    return {
        entry.id: entry.string
        for entry in catalog
        if isinstance(entry.id, str) and isinstance(entry.string, str)
        if entry.id and entry.string and not entry.fuzzy
    }


CATALOGS: Final[Mapping[Language, Mapping[str, str]]] = {"en": {}, "zh-TW": _read("zh_TW")}


def translate(english: str, language: Language) -> str:
    """English where the catalog lacks it."""
    return CATALOGS[language].get(english, english)
