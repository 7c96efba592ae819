"""The texts of pages: English literals in templates and modules, translated by a catalog."""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from io import BytesIO
from typing import Final, TypeAlias

from babel.messages.pofile import read_po

from scorekeeper.texts.language import Language
from scorekeeper.texts.words import PLACEHOLDER, TERM, Words

PageTexts: TypeAlias = Mapping[str, str]
"""English texts to those of another language. The key of a text with a plural is its singular."""


def _read(name: str) -> PageTexts:
    source = files("scorekeeper.texts").joinpath("locale", name).read_bytes()
    found: dict[str, str] = {}
    for entry in read_po(BytesIO(source), abort_invalid=True):
        english = entry.id[0] if isinstance(entry.id, (list, tuple)) else entry.id
        translated = entry.string[0] if isinstance(entry.string, (list, tuple)) else entry.string
        if english and translated and not entry.fuzzy:
            found[english] = translated
    return found


CATALOG: Final[Mapping[Language, PageTexts]] = {"en": {}, "zh-TW": _read("zh_TW.pages.po")}


def words_for(texts: Iterable[str], language: Language, words: Words) -> PageTexts:
    """Return the translations that a module needs to say these English texts, in a fixed order.

    `words`: the words of the booklet that is played, which fill the `[terms]` of translations.
    """
    catalog = CATALOG[language]
    return {
        text: TERM.sub(lambda found: words.term(found[1], language), catalog[text])
        for text in sorted(texts)
        if text in catalog
    }


def said(english: str, language: Language, facts: Mapping[str, object]) -> str:
    """Return the text with its `{placeholders}` filled. Braces in a fact are left as they are."""
    text = CATALOG[language].get(english, english)
    return PLACEHOLDER.sub(lambda found: str(facts[found[1]]), text)


def counted(n: int, one: str, other: str, language: Language, facts: Mapping[str, object]) -> str:
    """Return `one` if `n` is 1, else `other`, with `{n}` filled.

    Chinese has no plural: the translation of `one` serves for every number.
    """
    english = one if n == 1 or language != "en" else other
    return said(english, language, {"n": n, **facts})
