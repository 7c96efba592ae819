"""What a match is, for people: the name that somebody gave it says so, one that was made does not.

Such a name was made by the service where none was sent, by an import for the tables of a day, and
by a tournament for its tables.
"""

import re
from collections.abc import Collection, Mapping
from datetime import date
from typing import Final, TypeAlias

from msgspec import Struct

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.store import matches as stored_matches
from scorekeeper.store import tournaments
from scorekeeper.tournament.schedule import table_in

_MADE: Final = re.compile(r"match-[0-9a-f]{10}|past-\d{4}-\d\d-\d\d-[0-9a-f]{12}")


class PlayedOn(Struct, frozen=True):
    """The edition by which it was played, the day in UTC, and which of these it is, from 1."""

    edition: str
    day: date
    number: int


class PlayedIn(Struct, frozen=True):
    """The tournament by the name that people gave it, and where in its schedule."""

    tournament: str
    segment: int
    table: int


Occasion: TypeAlias = PlayedOn | PlayedIn


class Occasions:
    """Looked up for several matches at once."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def of(self, league: str, matches: Collection[str]) -> Mapping[str, Occasion]:
        """Those of the matches whose names were made. What there is not is left out."""
        made = [match for match in matches if _MADE.fullmatch(match)]
        tables = {match: told for match in matches if (told := table_in(match)) is not None}
        found: dict[str, Occasion] = {}
        if made:
            held = await self._ledger.read(lambda c: stored_matches.held(c, league, made))
            for match, each in held.items():
                day = date.fromisoformat(each.day)
                found[match] = PlayedOn(each.edition, day, each.number)
        if tables:
            asked = {match: tournament for match, (tournament, _, _) in tables.items()}
            names = await self._ledger.read(lambda c: tournaments.names(c, league, asked))
            for match, (_, segment, table) in tables.items():
                if match in names:
                    found[match] = PlayedIn(names[match], segment, table)
        return found
