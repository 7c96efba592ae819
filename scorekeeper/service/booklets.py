"""The editions as the API shows them: data with the clause beside each value."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from scorekeeper.editions.house_rules.registry import house_rule_clauses
from scorekeeper.editions.registry import EDITIONS, edition_ids, latest
from scorekeeper.rules.edition import Edition
from scorekeeper.service.refused import not_found
from scorekeeper.texts.language import Language, text_in
from scorekeeper.texts.words import words_of

# Fields that are no parameters: the view has members of its own for most of them. `shared` is the
# same in all editions, and `house` is empty in all.
_OWN = frozenset(
    {
        "id",
        "letter",
        "revision",
        "name",
        "source",
        "clauses",
        "deck",
        "points",
        "shared",
        "house",
    }
)


class ClauseView(msgspec.Struct, frozen=True):
    """A clause in words.

    `source`: the edition whose booklet has it; `reading` if it settles what the booklets leave
    open; or `house-rules`.
    """

    id: str
    text: str
    source: str


class EditionSummary(msgspec.Struct, frozen=True):
    """An edition in short.

    `deck_size`: how many cards the booklet lists. `box_size`: how many it says are in the box.
    """

    edition: str
    revision: int
    name: str
    deck_size: int
    box_size: int
    default_mode: str


class EditionNames(msgspec.Struct, frozen=True):
    """What people call every card of the box, and every colour."""

    cards: Mapping[str, str]
    colors: Mapping[str, str]


class EditionView(EditionSummary, frozen=True):
    """A booklet as data.

    The ids of its clauses begin with `letter`. `deck` and `points` are by card. `names` are the
    booklet's own in 繁體中文. `parameters` has everything that the rules read of an edition, each
    value as `{"value", "clause"}`.
    """

    letter: str
    source: str
    deck: Mapping[str, int]
    points: Mapping[str, int]
    names: EditionNames
    parameters: Mapping[str, Any]
    clauses: list[ClauseView]


def edition_summaries(language: Language) -> list[EditionSummary]:
    """Return the latest revision of each edition, in the order of the registry."""
    return [
        EditionSummary(**_summary(edition, language))
        for edition in map(latest, edition_ids())
        if edition is not None
    ]


def edition_view(edition_id: str, language: Language, revision: int | None = None) -> EditionView:
    """Return a revision of an edition, the latest if it is None. Raises Refused (`not-found`)."""
    found = latest(edition_id) if revision is None else EDITIONS.get((edition_id, revision))
    if found is None:
        raise not_found("edition")
    return _view(edition_id, found.revision, language)


@cache
def _view(edition_id: str, revision: int, language: Language) -> EditionView:
    edition = EDITIONS[edition_id, revision]
    return EditionView(
        **_summary(edition, language),
        letter=edition.letter,
        source=edition.source,
        deck=edition.deck.value,
        points=edition.points.value,
        names=_names(edition, language),
        parameters={
            name: msgspec.to_builtins(value, str_keys=True, order="deterministic")
            for name in Edition.__struct_fields__
            if name not in _OWN and (value := getattr(edition, name)) is not None
        },
        clauses=[
            ClauseView(clause.id, text_in(clause.text, language), clause.source)
            for clause in (*edition.clauses, *house_rule_clauses())
        ],
    )


def _names(edition: Edition, language: Language) -> EditionNames:
    words = words_of(edition.id)
    return EditionNames(
        cards={card: words.face(card, language) for card in edition.deck.value},
        colors={color: words.term(color, language) for color in edition.colors.value},
    )


def _summary(edition: Edition, language: Language) -> dict[str, Any]:
    return {
        "edition": edition.id,
        "revision": edition.revision,
        "name": text_in(edition.name, language),
        "deck_size": edition.box({}).size,
        "box_size": edition.box_size.value,
        "default_mode": edition.default_mode.value,
    }
