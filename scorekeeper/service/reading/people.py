"""What people are called in texts: by their slugs, or by the names they have now."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec

from scorekeeper.match.events.address import Address
from scorekeeper.match.events.events import Event
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.reader import Step
from scorekeeper.service.reading.substitutes import substitutes
from scorekeeper.texts.language import DEFAULT, Language
from scorekeeper.texts.words import Words

Naming: TypeAlias = Literal["display"]
"""`display`: people are called by their names."""

NamesBySlug: TypeAlias = Mapping[str, str]
"""Of those who have a name; whoever has none, because it was erased, goes by the slug."""


class WordsByStep:
    """For texts that name columns at a step of a match: who sits in one is meant.

    `common`: where no step is spoken of. `names`: None to call people by their slugs.
    """

    def __init__(self, common: Words, steps: Sequence[Step], names: NamesBySlug | None) -> None:
        self.common = common
        self._names = names or {}
        self._substitutes = {step.address: step.before.substitutes for step in steps}

    def at(self, address: Address) -> Words:
        return self.seated(self._substitutes.get(address, {}))

    def seated(self, sitting: Mapping[str, str]) -> Words:
        """While these people sit in, by column."""
        return self.common.seated(sitting).calling(self._names)


def people_in(events: Iterable[Event | None]) -> set[str]:
    """Everybody who was to play in a match, or to sit in for somebody; its opening included."""
    found: set[str] = set()
    for event in events:
        if isinstance(event, MatchOpened):
            found.update(event.players)
        elif event is not None:
            found.update(substitutes(event))
    return found


def worded_tag(tag: str, language: Language, names: NamesBySlug | None) -> str:
    """The tag of what was read, in the words of a language and with people's names.

    The same version reads otherwise in another language, and once somebody was renamed.
    """
    parts = [tag]
    if language != DEFAULT:
        parts.append(language)
    if names is not None:
        named = msgspec.json.encode(names, order="sorted")
        parts.append(f"display-{hashlib.blake2b(named, digest_size=8).hexdigest()}")
    return "-".join(parts)
