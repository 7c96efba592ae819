"""Names of things and people: the words of the booklet that is played, and people's own names."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from scorekeeper.editions import registry
from scorekeeper.texts.catalog import translate
from scorekeeper.texts.language import Language

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Words(Struct, frozen=True):
    """The words that a text is put into beside those of its language.

    `terms`: the booklet's own, in 繁體中文; the catalog has the others.
    `people`: what they are called, by slug; the others are called by their slugs.
    """

    terms: Mapping[str, str] = _NOTHING
    people: Mapping[str, str] = _NOTHING

    def seated(self, substitutes: Mapping[str, str]) -> "Words":
        """Where columns are named, and these people sit in, by column: they are meant."""
        return Words(self.terms, substitutes) if substitutes else self

    def calling(self, names: Mapping[str, str]) -> "Words":
        """People by their names instead of their slugs."""
        sitting = {column: names.get(who, who) for column, who in self.people.items()}
        return Words(self.terms, {**names, **sitting}) if names else self

    def term(self, term: str, language: Language) -> str:
        """A colour, a symbol, or another thing of the game; what is none of them stays as it is."""
        own = self.terms.get(term) if language == "zh-TW" else None
        return translate(term, language) if own is None else own

    def person(self, slug: str) -> str:
        return self.people.get(slug, slug)

    def card(self, card: str, language: Language) -> str:
        """As it stands in a sentence; in English as it is named in the data."""
        if language == "en":
            return card
        color, dash, symbol = card.partition("-")
        named = self.term(color, language)
        if not dash or named == color:
            return self.term(card, language)
        if symbol.isdigit():
            return f"{named} {symbol}"
        printed = self.term(symbol, language)
        return named + printed if printed != symbol else self.term(card, language)

    def face(self, card: str, language: Language) -> str:
        """As people call it by itself, such as "red 9"."""
        return card.replace("-", " ") if language == "en" else self.card(card, language)


PLAIN: Final = Words()
"""Where no booklet is played yet, and people are called by their slugs."""


def words_of(edition: str) -> Words:
    """Those of an edition's booklet; people by their slugs."""
    return Words(registry.words(edition))
