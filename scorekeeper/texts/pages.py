"""The texts of pages: English literals in templates and modules, translated by a catalog."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from scorekeeper.texts.language import CONVENTIONS, Language, read_catalogs
from scorekeeper.texts.words import PLACEHOLDER, TERM, Words

PageTexts: TypeAlias = Mapping[str, str]
"""English texts to those of another language. The key of a text with a plural is its singular."""


PAGE_CATALOGS: Final[Mapping[Language, PageTexts]] = read_catalogs(".pages.po")


def words_for(texts: Iterable[str], language: Language, words: Words) -> PageTexts:
    """Return the translations that a module needs to say these English texts, in a fixed order.

    `words`: the words of the booklet that is played, which fill the `[terms]` of translations.
    """
    catalog = PAGE_CATALOGS[language]
    return {
        text: TERM.sub(lambda found: words.term(found[1], language), catalog[text])
        for text in sorted(texts)
        if text in catalog
    }


def said(english: str, language: Language, facts: Mapping[str, object]) -> str:
    """Return the text with its `{placeholders}` filled. Braces in a fact are left as they are."""
    text = PAGE_CATALOGS[language].get(english, english)
    return PLACEHOLDER.sub(lambda found: str(facts[found[1]]), text)


def counted(n: int, one: str, other: str, language: Language, facts: Mapping[str, object]) -> str:
    """Return `one` if `n` is 1 or the language has no plural, else `other`, with `{n}` filled."""
    english = one if n == 1 or not CONVENTIONS[language].has_plural else other
    return said(english, language, {"n": n, **facts})
