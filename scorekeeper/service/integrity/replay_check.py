"""Replaying a league from its entries by the rules, with bounded memory.

The entries come from a database or a bundle, in the order of their positions. A tournament is
replayed from the entries of its own stream.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from scorekeeper.ledger.entry import Entry, Header
from scorekeeper.ledger.integrity.checking import UNREADABLE, Decoded, Flaw, by_position
from scorekeeper.service.identity.access import ADMIN_ID
from scorekeeper.service.integrity.replayed_match import (
    MatchCounts,
    ReplayedMatch,
    entry_flaw,
    in_all,
    not_as_named,
)
from scorekeeper.service.integrity.replayed_matches import (
    ReplayedMatches,
    ReplayedShare,
    Share,
    by_stream,
)
from scorekeeper.service.reading.matches import match_of
from scorekeeper.service.reading.tournaments import tournament_of
from scorekeeper.service.streams import (
    LEAGUE_SCHEMA,
    LEAGUE_STREAM,
    ContentErased,
    NameErased,
    PlayerRegistered,
    TokenMade,
    TokenRevoked,
    decode_league_event,
)
from scorekeeper.store import tournaments as stored
from scorekeeper.tournament.events import SCHEMA, TournamentOpened, decode, event_type
from scorekeeper.tournament.tournament import Tournament, evolve, initial


class ReplayedTournament:
    """A tournament whose entries are taken one by one; `opening` is the first of them."""

    def __init__(self, league: str, slug: str, opening: Header | Entry) -> None:
        self._league = league
        self._slug = slug
        self._opening = opening
        self._tournament: Tournament | None = None
        self._broken = False

    def take(self, entry: Header | Entry, body: bytes | None) -> Iterator[Flaw]:
        """Take the next entry, and yield what is wrong with it."""
        if self._broken:
            return
        try:
            event = decode(body or b"")
            if entry.type != event_type(event) or entry.schema != SCHEMA:
                yield not_as_named(entry)
            if isinstance(event, TournamentOpened):
                self._tournament = initial(event)
            elif self._tournament is not None:
                self._tournament = evolve(self._tournament, event)
        except Exception as error:  # noqa: BLE001 whatever was put there must not stop the check
            self._broken = True
            yield entry_flaw(entry.position, "not-replayable", f"can't be played again: {error!r}")

    def row(self) -> Mapping[str, object] | None:
        """Return the tournament's row in the list of tournaments; None if it can't be replayed."""
        if self._tournament is None or self._broken:
            return None
        opened = self._tournament.opened
        _, row = stored.added(
            league=self._league,
            tournament=self._slug,
            opened=self._opening.position,
            name=opened.name,
            edition=opened.edition,
            players=opened.players,
            opened_at=self._opening.time,
        )
        return {**row, "closed": int(self._tournament.closed)}


class TokenRow(Struct):
    """What the ledger says of a token."""

    role: str
    made_at: str
    revoked_at: str | None = None


class LeagueReplay:
    """Replays one ledger, whose entries are taken in the order of their positions.

    `elsewhere`: shares of the matches that other processes replay. `size`: how many entries were
    taken. `passed`: how many of them were left to these processes. `tournaments` by slug, in the
    order of their openings. `players` has the position of each registration by slug, `nameless` the
    players whose name was ever erased, `erased` the positions whose content was erased. These three
    follow from the league's own entries.
    """

    def __init__(self, league: str, elsewhere: Sequence[Share] = ()) -> None:
        self.league = league
        self.players: dict[str, int] = {}
        self.nameless: set[str] = set()
        self.tokens: dict[str, TokenRow] = {}
        self.erased: set[int] = set()
        self.size = 0
        self.passed = 0
        self.tournaments: dict[str, ReplayedTournament] = {}
        self._replayed = ReplayedMatches(league)
        self._elsewhere = elsewhere
        # How many entries without content were seen of each match that is replayed elsewhere.
        self._gone_elsewhere: dict[str, int] = {}
        self._touched: tuple[set[str], set[str]] = (set(), set())
        self._gone: set[int] = set()

    @property
    def matches(self) -> Mapping[str, ReplayedMatch]:
        """The matches that were replayed here or adopted, by slug."""
        return self._replayed.by_slug

    def take(self, entries: Sequence[Decoded]) -> list[Flaw]:
        """Take the next entries. Return what contradicts the rules or the league's own entries.

        The flaws are in the order of their positions.
        """
        flaws: list[Flaw] = []
        self.size += len(entries)
        for entry, body in entries:
            if body is None:
                self._gone.add(entry.position)
            if entry.actor != ADMIN_ID and entry.actor not in self.tokens:
                what = f"was recorded with the token {entry.actor}, which was not made before it"
                flaws.append(entry_flaw(entry.position, "actor-unknown", what, "events.header"))
            if entry.stream == LEAGUE_STREAM:
                flaws += self._own(entry, body)
        for stream, own in by_stream(entries).items():
            flaws += self._of_stream(stream, own)
        self._replayed.pack()
        return by_position(flaws)

    def adopt(self, shares: Sequence[ReplayedShare]) -> set[str]:
        """Take over what was replayed elsewhere. Return the matches to be replayed here after all.

        Content of these was erased between the two readings, so that the two processes saw
        different entries.
        """
        adopted = {
            slug: match
            for share in shares
            for slug, match in share.by_slug.items()
            if self._gone_elsewhere.get(slug) == match.erased
        }
        self._replayed.adopt(adopted)
        self._touched[0].update(adopted)
        return self._gone_elsewhere.keys() - adopted.keys()

    def take_left(self, entries: Iterable[Decoded], left: Collection[str]) -> list[Flaw]:
        """Take all entries once more, but replay only those of the matches in `left`."""
        flaws: list[Flaw] = []
        for stream, own in by_stream(entries).items():
            if (match := match_of(stream)) in left and match is not None:
                self._touched[0].add(match)
                flaws += self._replayed.take(match, own)
        self._replayed.pack()
        return flaws

    def end(self) -> Iterator[Flaw]:
        """Yield what is wrong with the league as a whole, once all entries were taken."""
        for position in sorted(self._gone ^ self.erased):
            if position in self.erased:
                what = "is told to be erased, but its content is there"
            else:
                what = "has no content, and no entry tells that it was erased"
            yield entry_flaw(position, "erasure-untold", what)
        yield from self._replayed.end()

    def counts(self) -> MatchCounts:
        """Return the sums over all matches, once `end` was exhausted."""
        return in_all(match.counts for match in self.matches.values())

    def touched(self) -> tuple[set[str], set[str]]:
        """Return the slugs of matches and of tournaments with entries since the last call."""
        touched, self._touched = self._touched, (set(), set())
        return touched

    def _of_stream(self, stream: str, entries: Sequence[Decoded]) -> Iterable[Flaw]:
        if (match := match_of(stream)) is not None:
            if self._elsewhere and self._passes(match, entries):
                return ()
            self._touched[0].add(match)
            return self._replayed.take(match, entries)
        if (tournament := tournament_of(stream)) is not None:
            return self._tournament(tournament, entries)
        if stream == LEAGUE_STREAM:
            return ()
        what = "stands in no stream of a league"
        return [entry_flaw(entry.position, "stream-unknown", what) for entry, _ in entries]

    def _passes(self, slug: str, entries: Sequence[Decoded]) -> bool:
        """Return whether the match is replayed elsewhere. If it is, count the entries."""
        gone = self._gone_elsewhere.get(slug)
        if gone is None:
            if slug in self.matches or not any(slug in share for share in self._elsewhere):
                return False
            gone = 0
        self._gone_elsewhere[slug] = gone + sum(body is None for _, body in entries)
        self.passed += len(entries)
        return True

    def _tournament(self, slug: str, entries: Sequence[Decoded]) -> Iterator[Flaw]:
        self._touched[1].add(slug)
        tournament = self.tournaments.get(slug)
        if tournament is None:
            opening, _ = entries[0]
            tournament = ReplayedTournament(self.league, slug, opening)
            self.tournaments[slug] = tournament
        for entry, body in entries:
            yield from tournament.take(entry, body)

    def _own(self, entry: Header | Entry, body: bytes | None) -> Iterator[Flaw]:
        if body is None:
            yield entry_flaw(
                entry.position, "league-entry-erased", "is the league's own and has no content"
            )
            return
        try:
            event = decode_league_event(body)
        except UNREADABLE as error:
            yield entry_flaw(entry.position, "body-unreadable", f"can't be read: {error}")
            return
        if entry.type != event.__struct_config__.tag or entry.schema != LEAGUE_SCHEMA:
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
