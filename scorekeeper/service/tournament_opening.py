"""Opening a tournament, together with the matches at all its tables, in one append."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from scorekeeper.editions.registry import opened_now
from scorekeeper.ledger.entry import Draft, Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Seen
from scorekeeper.match.events.fields import MOST_IN_SLUG
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import initial as initial_match
from scorekeeper.rules.edition import Edition
from scorekeeper.service.command import (
    Command,
    CommandResult,
    IdempotencyKey,
    Outcome,
    Writing,
    opening_key,
)
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.matches.deciding import (
    from_refusal,
    list_row,
    opening_draft,
    unknown_edition,
)
from scorekeeper.service.matches.proposals import unregistered
from scorekeeper.service.matches.recording import MANY
from scorekeeper.service.reading.matches import match_stream
from scorekeeper.service.reading.tournaments import (
    TournamentRequest,
    tournament_stream,
    tournament_view,
)
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.slugs import slug_candidates
from scorekeeper.service.streams import LEAGUE_STREAM, tail_roster
from scorekeeper.store import tournaments as stored
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import words_of
from scorekeeper.tournament.events import SCHEMA, TournamentOpened, encode, event_type
from scorekeeper.tournament.standings import TableResult
from scorekeeper.tournament.tournament import initial, open_tournament, tables_opened

_encode = msgspec.json.Encoder().encode
_OPEN = TableResult("open", ())
_TAKEN = frozenset({"tournament-exists", "match-exists"})


class TournamentOpenings:
    """Opens tournaments."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def open(
        self,
        caller: Caller,
        league: str,
        asked: TournamentRequest,
        key: IdempotencyKey | None,
        language: Language,
    ) -> tuple[Outcome, str]:
        """Open a tournament. Return the answer and the tournament's slug. Raises Refused."""
        asked = asked.normalised()
        *taken, last = slug_candidates("tournament", asked.tournament, asked.name, key)
        for tournament in taken:
            try:
                return await self._open(caller, league, tournament, asked, key, language)
            except Refused as refused:
                if refused.code not in _TAKEN:
                    raise
        return await self._open(caller, league, last, asked, key, language)

    async def _open(
        self,
        caller: Caller,
        league: str,
        tournament: str,
        asked: TournamentRequest,
        key: IdempotencyKey | None,
        language: Language,
    ) -> tuple[Outcome, str]:
        told = asked.opening()
        edition = opened_now(told.edition, told.house_rules)
        if edition is None:
            raise unknown_edition(told.edition)
        opened = open_tournament(edition, tournament, told)
        if isinstance(opened, Refusal):
            raise from_refusal(opened, language, words_of(edition.id))
        given = asked.tournament is not None
        whole = opening_key("tournament", tournament, asked) if given else None
        stream = tournament_stream(tournament)
        tables = tuple(tables_opened(edition, opened))
        _check_slugs([match for match, _ in tables], tournament)
        opening = _TournamentOpening(league, stream, edition, opened, tables)
        command = Command(
            league=league,
            actor=caller.token_id,
            about=stream,
            keys=(key, whole),
            streams=(LEAGUE_STREAM, stream, *(match_stream(match) for match, _ in tables)),
            decide=opening.decide,
            weight=1 + len(tables),
            takes_long=lambda _: len(tables) > MANY,
        )
        outcome = await command.carry_out(self._ledger)
        return outcome, msgspec.json.decode(outcome.body, type=_Opened).tournament


class _Opened(Struct):
    """The part that is read of an answer, which may be that of an earlier try."""

    tournament: str


def _check_slugs(matches: Sequence[str], tournament: str) -> None:
    """Raise Refused (`malformed`) if a match's slug is too long.

    The slugs of the matches begin with the tournament's.
    """
    over = max(map(len, matches)) - MOST_IN_SLUG
    if over > 0:
        facts = {"tournament": tournament, "most": len(tournament) - over}
        raise Refused("malformed", reason="slug-too-long", facts=facts)


class _TournamentOpening(Struct, frozen=True):
    """One request to open a tournament; it is decided again if another process was first.

    `tables`: the match at each table, and its first event.
    """

    league: str
    stream: str
    edition: Edition
    opened: TournamentOpened
    tables: Sequence[tuple[str, MatchOpened]]

    def decide(self, seen: Seen) -> Writing[Outcome]:
        """Check first that the slugs are free, then that the players are registered."""
        if not seen.exists:
            raise not_found("league")
        if seen.tails[self.stream].version > 0:
            raise Refused("tournament-exists", facts={"tournament": self.opened.tournament})
        for match, _ in self.tables:
            if seen.tails[match_stream(match)].version > 0:
                raise Refused("match-exists", facts={"match": match})
        roster = tail_roster(seen.tails[LEAGUE_STREAM])
        strangers = set(self.opened.players) - roster.players
        if strangers:
            raise unregistered(strangers, roster.players, beside=self.opened.players)
        states = {
            match_stream(match): initial_match(self.edition, first) for match, first in self.tables
        }
        return Writing(
            drafts=self._drafts(),
            carried={LEAGUE_STREAM: roster, **states},
            complete=self._complete,
        )

    def _drafts(self) -> list[Draft]:
        own = Draft(
            stream=self.stream,
            type=event_type(self.opened),
            schema=SCHEMA,
            body=encode(self.opened),
        )
        return [own, *(opening_draft(match_stream(match), first) for match, first in self.tables)]

    def _complete(self, entries: Sequence[Entry]) -> CommandResult[Outcome]:
        own, *rest = entries
        opened = self.opened
        tournament = initial(opened)
        view = tournament_view(
            tournament, {match: _OPEN for match, _ in self.tables}, position=own.position
        )
        outcome = Outcome(body=_encode(view), created=True, version=1)
        rows = [
            stored.added(
                league=self.league,
                tournament=opened.tournament,
                opened=own.position,
                name=opened.name,
                edition=opened.edition,
                players=opened.players,
                opened_at=own.time,
            )
        ]
        rows += [
            list_row(self.league, match, initial_match(self.edition, first), entry)
            for (match, first), entry in zip(self.tables, rest, strict=True)
        ]
        rows += [
            stored.table_added(league=self.league, tournament=opened.tournament, match=match)
            for match, _ in self.tables
        ]
        return CommandResult(value=outcome, rows=rows, kept=outcome)
