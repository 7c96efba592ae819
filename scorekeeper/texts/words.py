"""Words: what things and people are called, and putting facts into a sentence.

Things are called by the words of the booklet that is played, people by their own names. Facts are
numbers, people, cards, colours, and lists of these.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Final, cast

from msgspec import Struct

from scorekeeper.editions import registry
from scorekeeper.texts.language import CONVENTIONS, Language, translate

_NO_WORDS: Final[Mapping[str, str]] = MappingProxyType({})

PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")
"""A gap in a template for the fact with this name."""

TERM: Final = re.compile(r"\[([a-z -]+)\]")
"""A gap for the booklet's word for a thing of the game. Only translations have such gaps."""

_EITHER: Final = re.compile(rf"{PLACEHOLDER.pattern}([.。]?)|{TERM.pattern}")
_HAN: Final = re.compile("[\u3400-\u9fff]")
_LATIN: Final = re.compile("[0-9A-Za-z]")

EVENTS: Final[Mapping[str, str]] = {
    "accusation_made": "an accusation",
    "advice_called": "advice",
    "card_given": "a card given",
    "card_played": "a card laid",
    "cards_drawn": "a draw",
    "color_named": "a colour named",
    "dealer_drawn": "cards drawn for the deal",
    "dispute_opened": "a dispute",
    "dispute_ruled": "a ruling",
    "first_card_turned": "the first card",
    "hand_counted": "a hand counted",
    "hand_shown": "a hand shown",
    "log_amended": "an amendment",
    "match_abandoned": "the match abandoned",
    "match_closed": "the end of the match",
    "match_opened": "the opening",
    "match_won": "a match won",
    "misplay_called": "a misplay called",
    "note_added": "a note",
    "pile_reshuffled": "a new draw pile",
    "player_substituted": "somebody sits in",
    "round_ended": "the end of a round",
    "round_started": "a deal",
    "round_tallied": "a round as a whole",
    "round_voided": "a round broken off",
    "seats_changed": "other seats",
    "turn_passed": "a pass",
    "uno_called": "a call of UNO",
    "uno_caught": "a catch without UNO",
    "wild_draw_four_challenged": "a challenge",
}
"""The words for what happened, by the type of the event.

An English sentence about one event has its type as it stands in the data.
"""

_MOST_ITEMS: Final = 12
_MOST_CHARACTERS: Final = 80
_TOO_LARGE: Final = 10**18

# Facts whose values are identifiers of the data, which people call by words. A count of cards may
# be a fact of the same name. It is a number and stays one.
_CARDS: Final = frozenset({"card", "cards", "cards_in_deck", "hand", "top", "top_card"})
_WORDS: Final = frozenset(
    {"color", "colors", "direction", "kinds", "named_color", "needed", "phase", "role", "why"}
)
_PEOPLE: Final = frozenset(
    {
        "awaited",
        "by",
        "dealer",
        "disputant",
        "former",
        "namer",
        "pending",
        "player",
        "players",
        "skipped",
        "substitute",
        "teams",
        "tied",
        "to",
        "turn",
        "twice",
        "victim",
        "winners",
    }
)
# Facts that name a person and no column: a substitute of that person is not meant.
_PERSONS: Final = frozenset({"disputant", "substitute"})
# Texts that people wrote, which may end in a full stop already.
_WRITTEN: Final = frozenset({"claim", "reason", "text"})
_STOPS: Final = (".", "。", "!", "！", "?", "？", "…")
# Lists of alternatives, joined by "or".
_CHOICES: Final = frozenset({"kinds", "nearest"})


class Words(Struct, frozen=True):
    """The words for things and people that a text uses besides the words of its language.

    `terms`: the booklet's own words for things, in 繁體中文; the catalog has all others.
    `people`: what people are called, by slug. Anybody else is called by the slug. `sitting`: the
    slugs of substitutes, by the column in which they sit.
    """

    terms: Mapping[str, str] = _NO_WORDS
    people: Mapping[str, str] = _NO_WORDS
    sitting: Mapping[str, str] = _NO_WORDS

    def seated(self, substitutes: Mapping[str, str]) -> "Words":
        """Return words that call the players of these columns by their substitutes."""
        return Words(self.terms, self.people, substitutes)

    def calling(self, names: Mapping[str, str]) -> "Words":
        """Return words that call people, substitutes included, by their names instead of slugs."""
        return Words(self.terms, names, self.sitting)

    def term(self, term: str, language: Language) -> str:
        """Return the word for a colour, a symbol, or another thing of the game.

        A term that has no word stays as it is.
        """
        own = self.terms.get(term) if language == "zh-TW" else None
        return translate(term, language) if own is None else own

    def person(self, slug: str) -> str:
        """Return what the person is called who sits in this column, or who has this slug."""
        return self.by_own_name(self.sitting.get(slug, slug))

    def by_own_name(self, slug: str) -> str:
        """Return what the person of this slug is called, even if somebody sits in for them."""
        return self.people.get(slug, slug)

    def card(self, card: str, language: Language) -> str:
        """Return the card's name for a sentence; in English it is the name in the data."""
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
        """Return what people call the card outside a sentence, such as "red 9"."""
        return card.replace("-", " ") if language == "en" else self.card(card, language)


PLAIN: Final = Words()
"""The words of no booklet; people are called by their slugs."""


def words_of(edition: str) -> Words:
    """Return the words of an edition's booklet; people are called by their slugs."""
    return Words(registry.words(edition))


def people_named_in(facts: Mapping[str, object]) -> Iterator[str]:
    """Yield the slugs among the facts that name people."""
    for name in _PEOPLE & facts.keys():
        yield from _texts(facts[name])


def _texts(fact: object) -> Iterator[str]:
    if isinstance(fact, str):
        yield fact
    elif isinstance(fact, list | tuple):
        for item in cast("Collection[object]", fact):
            yield from _texts(item)


def worded(
    template: str,
    facts: Mapping[str, object],
    language: Language,
    words: Words = PLAIN,
    *,
    whole: bool = False,
) -> str:
    """Return the template with its facts and terms. It raises nothing, even if a fact is missing.

    `whole`: long facts are not shortened, since they were recorded and not made up by a client.
    """

    def put(found: re.Match[str]) -> str:
        name, stop, term = found.groups()
        if name is None:
            return words.term(term, language)
        fact = facts.get(name)
        called = _called(name, fact if whole else _bounded(fact), language, words)
        held = CONVENTIONS[language]
        shown = _shown(called, language, held.either if name in _CHOICES else held.comma)
        ended = name in _WRITTEN and shown.endswith(_STOPS)
        return _apart(shown, found) + ("" if ended else stop)

    return _EITHER.sub(put, template)


def _apart(shown: str, found: re.Match[str]) -> str:
    """Add a space if a number or a Latin word would touch a Chinese character."""
    start, end = found.span()
    left = " " if _HAN.match(found.string[start - 1 : start]) and _LATIN.match(shown) else ""
    right = " " if _HAN.match(found.string[end : end + 1]) and _LATIN.match(shown[-1:]) else ""
    return f"{left}{shown}{right}"


def _bounded(fact: object) -> object:
    """Shorten a fact, which a client may have made up, so that it fits into a sentence."""
    if isinstance(fact, str):
        return fact if len(fact) <= _MOST_CHARACTERS else fact[: _MOST_CHARACTERS - 1] + "…"
    if isinstance(fact, Collection):
        items = list(cast("Collection[object]", fact))
        more = ["…"] if len(items) > _MOST_ITEMS else []
        return [_bounded(item) for item in items[:_MOST_ITEMS]] + more
    return fact


def _called(name: str, fact: object, language: Language, words: Words) -> object:
    """Return the fact with cards, words and people called as readers call them."""
    if name in _CARDS:
        return _each(fact, lambda card: words.card(card, language))
    if name in _WORDS:
        return _each(fact, lambda word: words.term(word, language))
    if name == "types" or (name == "type" and language == "zh-TW"):
        return _each(fact, lambda event: translate(EVENTS.get(event, event), language))
    if name in _PERSONS:
        return _each(fact, words.by_own_name)
    if name in _PEOPLE:
        return _each(fact, words.person)
    return fact


def _each(fact: object, call: Callable[[str], str]) -> object:
    """Return the fact with `call` applied to each text in it; anything else stays as it is."""
    if isinstance(fact, str):
        return call(fact)
    if isinstance(fact, list | tuple):
        return [_each(item, call) for item in cast("Collection[object]", fact)]
    return fact


def _shown(fact: object, language: Language, between: str) -> str:
    """Return the fact as text: a list with `between` its items, lists in lists in parentheses."""
    if isinstance(fact, int):
        return str(fact) if abs(fact) < _TOO_LARGE else "…"
    if isinstance(fact, str):
        return fact
    if isinstance(fact, Collection):
        items = cast("Collection[object]", fact)
        return between.join(_nested(item, language) for item in items) or "–"
    return "–"


def _nested(item: object, language: Language) -> str:
    held = CONVENTIONS[language]
    shown = _shown(item, language, held.comma)
    if isinstance(item, Collection) and not isinstance(item, str):
        opened, closed = held.parentheses
        return f"{opened}{shown}{closed}"
    return shown
