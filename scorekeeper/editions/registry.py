"""The editions that a match can be opened in, listed by hand."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from scorekeeper.editions.basic import BASIC_1
from scorekeeper.editions.classic_2025 import CLASSIC_2025_1
from scorekeeper.editions.hello_kitty import HELLO_KITTY_1
from scorekeeper.editions.mario import MARIO_1
from scorekeeper.editions.mickey import MICKEY_1
from scorekeeper.rules.edition import Edition

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


def latest(edition_id: str) -> Edition | None:
    """The revision in which new matches are opened."""
    revisions = [held for (name, _), held in EDITIONS.items() if name == edition_id]
    return revisions[-1] if revisions else None


def edition(edition_id: str, revision: int) -> Edition:
    """KeyError where no match can have been opened in it."""
    return EDITIONS[edition_id, revision]
