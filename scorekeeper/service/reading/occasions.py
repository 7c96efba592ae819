"""How matches with a generated slug are described to people.

A slug that somebody chose describes its match. A generated one says nothing, so the edition and the
day, or the tournament's table, are shown instead. The service generates a slug if the client sends
none, an import generates slugs for the matches of a day, and a tournament for those at its tables.
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
    """A match's edition, its day, and its number, from 1, among that edition's of that day.

    Only matches with a generated slug are counted.
    """

    edition: str
    day: date
    number: int


class PlayedIn(Struct, frozen=True):
    """The display name of a match's tournament, and the match's place in the schedule."""

    tournament: str
    segment: int
    table: int


Occasion: TypeAlias = PlayedOn | PlayedIn


class Occasions:
    """Looks up the occasions of several matches at once."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def of(self, league: str, matches: Collection[str], zone: str) -> Mapping[str, Occasion]:
        """Return the occasions of these matches.

        `zone`: the time zone of the days. Matches with a chosen slug, and unknown matches, are left
        out.
        """
        made = [match for match in matches if _MADE.fullmatch(match)]
        tables = {match: told for match in matches if (told := table_in(match)) is not None}
        found: dict[str, Occasion] = {}
        if made:
            titles = await self._ledger.read(
                lambda c: stored_matches.generated_titles(c, league, made, zone)
            )
            for match, each in titles.items():
                day = date.fromisoformat(each.day)
                found[match] = PlayedOn(each.edition, day, each.number)
        if tables:
            asked = {match: tournament for match, (tournament, _, _) in tables.items()}
            names = await self._ledger.read(lambda c: tournaments.names(c, league, asked))
            for match, (_, segment, table) in tables.items():
                if match in names:
                    found[match] = PlayedIn(names[match], segment, table)
        return found
