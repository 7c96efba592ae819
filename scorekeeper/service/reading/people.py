"""What people are called: by their slugs, or by the names they have now.

The names of tokens and of players are stored outside the ledger.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec
from cachetools import FIFOCache

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.match.events.events import Event
from scorekeeper.match.events.fields import Address
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.reader import Step
from scorekeeper.service.identity.access import ADMIN_ID
from scorekeeper.service.streams import substitutes
from scorekeeper.store import players, tokens
from scorekeeper.texts.language import DEFAULT, Language
from scorekeeper.texts.words import Words

Naming: TypeAlias = Literal["display"]
"""`display`: people are called by their names."""

NamesBySlug: TypeAlias = Mapping[str, str]
"""Names of players. A player whose name was erased is not in it, and is called by the slug."""

_REMEMBERED_NAMES = 10_000


class WordsByStep:
    """Words for texts that name columns at a step of a match. They call a column by who sits there.

    `common`: words for texts about no step. `names`: None to call people by their slugs.
    """

    def __init__(self, common: Words, steps: Sequence[Step], names: NamesBySlug | None) -> None:
        self.common = common
        self._names = names or {}
        self._substitutes = {step.address: step.before.substitutes for step in steps}

    def at(self, address: Address) -> Words:
        return self.seated(self._substitutes.get(address, {}))

    def seated(self, sitting: Mapping[str, str]) -> Words:
        """Return the words for a time when these people sit in, by column."""
        return self.common.seated(sitting).calling(self._names)


def people_in(events: Iterable[Event | None]) -> set[str]:
    """Return everybody who is named as a player in an opening, or as a substitute."""
    found: set[str] = set()
    for event in events:
        if isinstance(event, MatchOpened):
            found.update(event.players)
        elif event is not None:
            found.update(substitutes(event))
    return found


def worded_tag(tag: str, language: Language, names: NamesBySlug | None) -> str:
    """Return `tag`, the tag of what was read, with the language and a digest of the names added.

    The same version reads otherwise in another language, and after somebody was renamed.
    """
    parts = [tag]
    if language != DEFAULT:
        parts.append(language)
    if names is not None:
        named = msgspec.json.encode(names, order="sorted")
        parts.append(f"display-{hashlib.blake2b(named, digest_size=8).hexdigest()}")
    return "-".join(parts)


class NameLookup:
    """Looks up names, with one query for a call or none."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._remembered: FIFOCache[tuple[str, str], str] = FIFOCache(_REMEMBERED_NAMES)

    async def people(self, league: str, slugs: Collection[str]) -> NamesBySlug:
        """Return the names that players have now. A name may be changed or erased at any time."""
        return await self._ledger.read(lambda c: players.names(c, league, slugs))

    async def recorders(self, league: str, token_ids: Iterable[str]) -> Mapping[str, str]:
        """Return the names of tokens, revoked ones included, in the order of their ids.

        A token keeps the name that it was made with. So the name is read once, and a reading of a
        log has the same names in every process. The admin token belongs to no league and has no
        name. It is called by its id, and so is a token that the database lacks.
        """
        wanted = sorted(set(token_ids))
        unknown = [
            each for each in wanted if each != ADMIN_ID and (league, each) not in self._remembered
        ]
        found: Mapping[str, str] = {}
        if unknown:
            found = await self._ledger.read(lambda c: tokens.names(c, league, unknown))
        names = {
            each: found.get(each) or self._remembered.get((league, each), each) for each in wanted
        }
        for token_id, name in found.items():
            self._remembered[league, token_id] = name
        return names
