"""The editions that a match can be opened in, listed by hand."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from scorekeeper.editions.basic import BASIC_1
from scorekeeper.editions.classic_2025 import CLASSIC_2025_1
from scorekeeper.editions.hello_kitty import HELLO_KITTY_1
from scorekeeper.editions.house_rules.registry import REVISION, played_by
from scorekeeper.editions.mario import MARIO_1
from scorekeeper.editions.mickey import MICKEY_1
from scorekeeper.editions.words import (
    BASIC_WORDS,
    CLASSIC_2025_WORDS,
    HELLO_KITTY_WORDS,
    MARIO_WORDS,
    MICKEY_WORDS,
)
from scorekeeper.rules.edition import ChosenVariants, Edition, Variant

EDITIONS: Final[Mapping[tuple[str, int], Edition]] = MappingProxyType(
    {
        ("mario", 1): MARIO_1,
        ("basic", 1): BASIC_1,
        ("mickey", 1): MICKEY_1,
        ("hello-kitty", 1): HELLO_KITTY_1,
        ("classic-2025", 1): CLASSIC_2025_1,
    }
)
"""By id and revision; the revisions of one edition in ascending order."""

WORDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "mario": MARIO_WORDS,
        "basic": BASIC_WORDS,
        "mickey": MICKEY_WORDS,
        "hello-kitty": HELLO_KITTY_WORDS,
        "classic-2025": CLASSIC_2025_WORDS,
    }
)
"""What each booklet calls its cards, its colours and the things of the game, in 繁體中文.

No rule rests on them, so that they belong to no revision.
"""


def edition_ids() -> list[str]:
    """Return the id of each edition once, in the order of the registry."""
    return list(dict.fromkeys(name for name, _ in EDITIONS))


def latest(edition_id: str) -> Edition | None:
    """Return the latest revision of an edition, in which new matches are opened.

    None if there is no edition with this id.
    """
    revisions = [held for (name, _), held in EDITIONS.items() if name == edition_id]
    return revisions[-1] if revisions else None


def opened_now(edition_id: str, house_rules: ChosenVariants | None) -> Edition | None:
    """Return the edition in which a new match with these house rules is opened.

    None if there is no edition with this id.
    """
    booklet = latest(edition_id)
    if booklet is None or house_rules is None:
        return booklet
    return edition_in_force(edition_id, booklet.revision, house_rules, REVISION)


def edition_in_force(
    edition_id: str,
    revision: int,
    house_rules: ChosenVariants | None,
    house_rules_revision: int | None,
) -> Edition:
    """Return the edition as it is played by a match whose opening has these values.

    Raises KeyError if there is no such revision of the edition or of the house rules.
    """
    if house_rules is None or house_rules_revision is None:
        return EDITIONS[edition_id, revision]
    return _played(edition_id, revision, tuple(sorted(house_rules.items())), house_rules_revision)


@lru_cache(maxsize=256)
def _played(
    edition_id: str,
    revision: int,
    house_rules: tuple[tuple[str, Variant], ...],
    house_rules_revision: int,
) -> Edition:
    """Return the edition as it is played by these house rules.

    It is cached, because the matches of a league mostly share their house rules, and because an
    edition keeps tables that are derived from it.
    """
    return played_by(EDITIONS[edition_id, revision], dict(house_rules), house_rules_revision)


def words(edition_id: str) -> Mapping[str, str]:
    """Return what an edition's booklet calls things; empty if `WORDS` does not have the edition."""
    return WORDS.get(edition_id, {})
