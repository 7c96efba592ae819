"""Matching names in a spreadsheet with the players of a league, and slugs for new players."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Final, Literal

import msgspec

from scorekeeper.match.events.fields import Slug
from scorekeeper.service.imports.finding import Unreadable
from scorekeeper.service.slugs import in_slug
from scorekeeper.service.views import MOST_IN_NAME

_BETWEEN: Final = re.compile(r"[,;/\n]+")
_DIGITS: Final = 10
_MOST_KEPT: Final = 40
"""Characters of a name that a slug can keep."""


def split_names(text: str) -> list[str]:
    """The names in a cell, which blanks part where nothing else does: `Oma Ida, Bo` or `ida bo`."""
    parted = _BETWEEN.split(text) if _BETWEEN.search(text) else text.split()
    return [name.strip() for name in parted if name.strip()]


def slug_named(kind: Literal["player", "match"], name: str) -> str:
    """The name where it is a slug; else what a slug keeps of it, the same for the same name."""
    try:
        return msgspec.convert(name, Slug)
    except msgspec.ValidationError:
        kept = in_slug(name)
    if kept is not None and len(name) <= _MOST_KEPT:
        return kept
    return f"{kept or kind}-{sha256(name.encode()).hexdigest()[:_DIGITS]}"


class People:
    """Those of a league, and who comes to it with a file.

    `slugs`: of those who are there. `new`: names of others who were asked for, by slug.
    """

    def __init__(self, there: Iterable[tuple[str, str | None]] = ()) -> None:
        """`there`: slug and name of each player of the league."""
        self.slugs: set[str] = set()
        self._called: dict[str, list[str]] = defaultdict(list)
        for slug, name in there:
            self.slugs.add(slug)
            if name is not None:
                self._called[_plain(name)].append(slug)
        self.new: dict[str, str] = {}
        self.slug = lru_cache(maxsize=None)(self._slug)

    def _slug(self, written: str) -> str:
        """Whom a slug or a name means. Raises Unreadable where several of them are called so."""
        if written in self.slugs:
            return written
        called = self._called.get(_plain(written), [])
        if len(called) > 1:
            raise Unreadable("name-unclear", "players", name=written, either=" and ".join(called))
        if called:
            return called[0]
        if len(written) > MOST_IN_NAME:
            raise Unreadable("name-long", "players", name=written, most=MOST_IN_NAME)
        slug = slug_named("player", written)
        if slug not in self.slugs:
            self.new.setdefault(slug, written)
        return slug


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
