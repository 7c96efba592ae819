"""Replaying a league from its entries by the rules, at bounded memory.

The entries come by position from a database or a bundle. Matches that were not played on for a
while are packed away, and unpacked where somebody amends them after all.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from scorekeeper.ledger.checking import Flaw
from scorekeeper.ledger.entry import Entry
from scorekeeper.service import league_events
from scorekeeper.service.identity.access import ADMIN_ID
from scorekeeper.service.integrity.fresh_table import FreshTable
from scorekeeper.service.integrity.match_counts import MatchCounts, in_all
from scorekeeper.service.integrity.replayed_match import ReplayedMatch, entry_flaw, not_as_named
from scorekeeper.service.integrity.replayed_tournament import ReplayedTournament
from scorekeeper.service.league_events import (
    ContentErased,
    NameErased,
    PlayerRegistered,
    TokenMade,
    TokenRevoked,
)

# So many entries are kept unpacked; a packed one takes a tenth of the room.
_MOST_UNPACKED = 30_000


class TokenRow(Struct):
    """What the ledger says of a token."""

    role: str
    made_at: str
    revoked_at: str | None = None


class LeagueReplay:
    """Takes the entries of one ledger by position.

    `size`: entries taken. `players` has the position of each registration, `nameless` whose name
    was ever erased, `erased` the positions whose content was; all as the league's own entries tell.
    """

    def __init__(self, league: str) -> None:
        self.league = league
        self.players: dict[str, int] = {}
        self.nameless: set[str] = set()
        self.tokens: dict[str, TokenRow] = {}
        self.erased: set[int] = set()
        self.size = 0
        self._matches: OrderedDict[str, ReplayedMatch] = OrderedDict()
        self._tournaments: dict[str, ReplayedTournament] = {}
        self._packed: dict[str, ReplayedMatch] = {}
        self._live = 0
        self._gone: set[int] = set()

    @property
    def match_count(self) -> int:
        """How many matches were opened so far."""
        return len(self._matches) + len(self._packed)

    def take(self, entries: Sequence[Entry]) -> list[Flaw]:
        """What in the next entries is not as the rules or the ledger's own entries have it."""
        flaws: list[Flaw] = []
        self.size += len(entries)
        for entry in entries:
            if entry.body is None:
                self._gone.add(entry.position)
            if entry.actor != ADMIN_ID and entry.actor not in self.tokens:
                what = f"was recorded with the token {entry.actor}, which was not made before it"
                flaws.append(entry_flaw(entry.position, "actor-unknown", what, "events.header"))
            kind, _, slug = entry.stream.partition(":")
            if kind == "match":
                flaws += self._match(slug, entry)
            elif kind == "tournament":
                flaws += self._tournament(slug, entry)
            elif entry.stream == league_events.STREAM:
                flaws += self._own(entry)
            else:
                flaws.append(
                    entry_flaw(entry.position, "stream-unknown", "stands in no stream of a league")
                )
        self._pack()
        return flaws

    def end(self) -> Iterator[Flaw]:
        """What is wrong with the whole, now that all entries were taken."""
        for position in sorted(self._gone ^ self.erased):
            if position in self.erased:
                what = "is told to be erased, but its content is there"
            else:
                what = "has no content, and no entry tells that it was erased"
            yield entry_flaw(position, "erasure-untold", what)
        for match in (*self._packed.values(), *self._matches.values()):
            yield from match.end()

    def counts(self) -> MatchCounts:
        """Of all matches, once `end` was gone through."""
        return in_all(match.counts for match in (*self._packed.values(), *self._matches.values()))

    def rows(self) -> Iterator[tuple[str, Mapping[str, object] | None]]:
        """The row of each match in the list of matches, as a fresh fold has it.

        None for a match that can't be replayed.
        """
        for slug, match in (*self._packed.items(), *self._matches.items()):
            yield slug, match.row()

    def match(self, slug: str) -> ReplayedMatch:
        """A match that was opened so far."""
        return self._matches.get(slug) or self._packed[slug]

    def tables(self) -> Iterator[tuple[str, Mapping[str, object] | None]]:
        """The row of each match that a tournament opened, in the view behind its standings."""
        for slug, match in (*self._packed.items(), *self._matches.items()):
            if match.tournament is not None:
                yield slug, match.table()

    def table(self) -> FreshTable:
        """The league's table."""
        found = (match.won_match() for match in (*self._packed.values(), *self._matches.values()))
        return FreshTable(each for each in found if each is not None)

    def tournaments(self) -> Iterator[tuple[str, Mapping[str, object] | None]]:
        """The row of each tournament in the list of tournaments."""
        for slug, tournament in self._tournaments.items():
            yield slug, tournament.row()

    def _tournament(self, slug: str, entry: Entry) -> Iterator[Flaw]:
        tournament = self._tournaments.get(slug)
        if tournament is None:
            tournament = ReplayedTournament(self.league, slug, entry)
            self._tournaments[slug] = tournament
        yield from tournament.take(entry)

    def _own(self, entry: Entry) -> Iterator[Flaw]:
        if entry.body is None:
            yield entry_flaw(
                entry.position, "league-entry-erased", "is the league's own and has no content"
            )
            return
        try:
            event = league_events.decode(entry.body)
        except (msgspec.DecodeError, UnicodeError) as error:
            yield entry_flaw(entry.position, "body-unreadable", f"can't be read: {error}")
            return
        if entry.type != event.__struct_config__.tag or entry.schema != league_events.SCHEMA:
            yield not_as_named(entry)
        match event:
            case PlayerRegistered(player=player):
                self.players[player] = entry.position
            case TokenMade(token_id=token_id, role=role):
                self.tokens[token_id] = TokenRow(role, entry.time)
            case TokenRevoked(token_id=token_id) if token_id in self.tokens:
                self.tokens[token_id].revoked_at = entry.time
            case NameErased(player=player):
                self.nameless.add(player)
            case ContentErased(positions=positions):
                self.erased.update(positions)
            case _:
                pass

    def _match(self, slug: str, entry: Entry) -> Iterator[Flaw]:
        match = self._matches.get(slug) or self._packed.pop(slug, None)
        if match is None:
            match = ReplayedMatch(self.league, slug, entry)
        if slug not in self._matches:
            self._live += match.unpack()
            self._matches[slug] = match
        self._matches.move_to_end(slug)
        self._live += 1
        yield from match.take(entry)

    def _pack(self) -> None:
        while self._live > _MOST_UNPACKED and len(self._matches) > 1:
            slug, match = next(iter(self._matches.items()))
            if not match.settled:
                return
            del self._matches[slug]
            self._live -= match.pack()
            self._packed[slug] = match
