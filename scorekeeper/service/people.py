"""What people are called in texts: by their slugs, or by the names they have now."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from scorekeeper.match.events import Event
from scorekeeper.match.opening import MatchOpened
from scorekeeper.service.substitutes import substitutes
from scorekeeper.texts.language import DEFAULT, Language
from scorekeeper.texts.words import Words

Naming: TypeAlias = Literal["display"]
"""`display`: people are called by their names."""


class People(Struct, frozen=True):
    """Names by slug; whoever has none, because it was erased, goes by the slug."""

    names: Mapping[str, str]

    @property
    def digest(self) -> str:
        """Another one where somebody was renamed."""
        named = msgspec.json.encode(self.names, order="sorted")
        return hashlib.blake2b(named, digest_size=8).hexdigest()


def in_person(
    words: Words, people: People | None, substitutes: Mapping[str, str] | None = None
) -> Words:
    """The same words, with people called by their names; None: by their slugs.

    `substitutes`: who sits in, by column, where the text names columns.
    """
    names = {} if people is None else people.names
    sitting = {column: names.get(who, who) for column, who in (substitutes or {}).items()}
    return Words(words.terms, {**names, **sitting}) if names or sitting else words


def people_in(events: Iterable[Event | None]) -> set[str]:
    """Everybody who was to play in a match, or to sit in for somebody; its opening included."""
    found: set[str] = set()
    for event in events:
        if isinstance(event, MatchOpened):
            found.update(event.players)
        elif event is not None:
            found.update(substitutes(event))
    return found


def worded_tag(tag: str, language: Language, people: People | None) -> str:
    """The tag of what was read, in the words of a language and with people's names.

    The same version reads otherwise in another language, and once somebody was renamed.
    """
    parts = [tag]
    if language != DEFAULT:
        parts.append(language)
    if people is not None:
        parts.append(f"display-{people.digest}")
    return "-".join(parts)
