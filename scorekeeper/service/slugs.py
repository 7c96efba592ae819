"""Slugs of what is opened without one: made of its name, as far as that can be written so."""

import re
import secrets
from collections.abc import Iterator
from typing import Final
from unicodedata import category, normalize

from scorekeeper.service.answers import IdempotencyKey, Opened

_DIGITS: Final = 10
_MOST_OF_NAME: Final = 40
"""Characters, so that a number, or the name of a tournament's table, can follow."""
_ALIKE: Final = 9
"""So many of one name are counted."""

# Latin letters that Unicode does not take apart into a plain one and its marks.
_LETTERS: Final = str.maketrans(
    {"æ": "ae", "ð": "d", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "þ": "th"}
)
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("'’ʼ`´"))
_BETWEEN: Final = re.compile("[^a-z0-9]+")


def in_slug(name: str) -> str | None:
    """What a slug can keep of a name: its Latin letters without accents, and its digits.

    None where that is nothing, or only the digits among letters of another script.
    """
    letters = name.translate(_APOSTROPHES).casefold().translate(_LETTERS)
    plain = "".join(each for each in normalize("NFKD", letters) if category(each)[0] != "M")
    kept = _BETWEEN.sub("-", plain.casefold()).strip("-")[:_MOST_OF_NAME].rstrip("-")
    lost = any(category(each)[0] == "L" for each in plain) and not re.search("[a-z]", kept)
    return None if lost else kept or None


def slug_candidates(
    opened: Opened, given: str | None, name: str | None, key: IdempotencyKey | None
) -> tuple[str, ...]:
    """The given slug, or else those that are made of the name; the first that is free is taken."""
    return (given,) if given is not None else tuple(slugs_for(opened, name, key))


def slugs_for(opened: Opened, name: str | None, key: IdempotencyKey | None) -> Iterator[str]:
    """Slugs for something of this name, the first that is free to be taken; the last one is new.

    That follows from the request's key, where it has one: the same request opens the same thing.
    """
    kept = None if name is None else in_slug(name)
    if kept is not None:
        yield kept
        yield from (f"{kept}-{number}" for number in range(2, _ALIKE + 1))
    made = secrets.token_hex(_DIGITS // 2) if key is None else key.key.hex()[:_DIGITS]
    yield f"{kept or opened}-{made}"
