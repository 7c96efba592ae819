"""Opening leagues, and their names."""

from collections.abc import Sequence

import msgspec
from sqlalchemy.exc import DBAPIError

from scorekeeper.ledger.databases.database_errors import is_duplicate
from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Seen
from scorekeeper.service import opening_keys
from scorekeeper.service.answers import IdempotencyKey, Outcome, opening_key, replayed_answer
from scorekeeper.service.command import Command, CommandResult, Writing, itself
from scorekeeper.service.identity.access import Caller, NewToken, new_token
from scorekeeper.service.league_events import (
    STREAM,
    LeagueOpened,
    Roster,
    TokenMade,
    league_draft,
    roster,
)
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.slugs import slug_candidates
from scorekeeper.service.views import LeagueOpenedView, LeagueOpening, LeagueView
from scorekeeper.store import leagues, tokens, views

_encode = msgspec.json.Encoder().encode


class Leagues:
    """Who plays together; each league is a ledger of its own."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def open(
        self, caller: Caller, opening: LeagueOpening, key: IdempotencyKey | None
    ) -> tuple[Outcome, str]:
        """Open a ledger and make its owner's token; the answer and the league's slug.

        Raises Refused (`league-exists`, `idempotency-key-reused`).
        """
        if (earlier := await self._opened_before(key)) is not None:
            return earlier
        *taken, last = slug_candidates("league", opening.league, opening.name, key)
        for league in taken:
            try:
                return await self._open(caller, opening, league, key)
            except Refused as refused:
                if refused.code != "league-exists":
                    raise
        return await self._open(caller, opening, last, key)

    async def _open(
        self, caller: Caller, opening: LeagueOpening, league: str, key: IdempotencyKey | None
    ) -> tuple[Outcome, str]:
        whole = () if opening.league is None else (opening_key("league", league, opening),)
        owner = new_token(league)

        def decide(seen: Seen) -> Writing[Outcome]:
            if seen.exists:
                raise Refused("league-exists", facts={"league": league})
            return _opened(league, opening.name, owner, key)

        command = Command(
            league=league,
            actor=caller.token_id,
            about=STREAM,
            keys=whole if key is None else (key, *whole),
            streams=(STREAM,),
            decide=decide,
            value=itself,
        )
        try:
            return await command.carry_out(self._ledger), league
        except DBAPIError as error:
            # The key was given to another league at the same moment.
            if is_duplicate(error) and (earlier := await self._opened_before(key)) is not None:
                return earlier
            raise

    async def _opened_before(self, key: IdempotencyKey | None) -> tuple[Outcome, str] | None:
        """The answer that was given under the key, and the league that it opened."""
        if key is None:
            return None
        answer = await self._ledger.read(
            lambda connection: opening_keys.find_answer(connection, key)
        )
        if answer is None:
            return None
        outcome = replayed_answer(answer, key)
        return outcome, msgspec.json.decode(outcome.body, type=LeagueOpenedView).league

    async def read(self, league: str) -> LeagueView:
        """Raises Refused (`not-found`)."""
        name = await self._ledger.read(lambda connection: leagues.name(connection, league))
        if name is None:
            raise not_found("league")
        return LeagueView(league, name)

    async def rename(self, league: str, name: str) -> LeagueView:
        """Raises Refused (`not-found`)."""
        renamed = await self._ledger.transact(
            league, lambda connection: leagues.rename(connection, league, name)
        )
        if not renamed:
            raise not_found("league")
        return LeagueView(league, name)

    async def list(self, caller: Caller, *, after: str | None, limit: int) -> list[LeagueView]:
        """What the caller may see, by slug: all of them for the admin, else the caller's own."""
        if caller.league is not None:
            own = await self.read(caller.league)
            return [own] if after is None or after < own.league else []
        found = await self._ledger.read(
            lambda connection: leagues.page(connection, after=after, limit=limit)
        )
        return [LeagueView(each.league, each.name) for each in found]


def _opened(
    league: str, name: str, owner: NewToken, key: IdempotencyKey | None
) -> Writing[Outcome]:
    events = (LeagueOpened(league=league), TokenMade(token_id=owner.token_id, role="owner"))
    shown = LeagueOpenedView(league=league, name=name, token=owner.token)
    without_secret = Outcome(body=_encode(msgspec.structs.replace(shown, token=None)), created=True)

    def complete(entries: Sequence[Entry]) -> CommandResult[Outcome]:
        time = entries[0].time
        rows = [
            leagues.added(league, name),
            views.begun(league),
            tokens.added(league, owner.token_id, owner.digest, "owner", "owner", time),
        ]
        if key is not None:
            rows += opening_keys.key_rows(key, without_secret, league=league, time=time)
        shown_once = Outcome(body=_encode(shown), created=True)
        return CommandResult(value=shown_once, rows=rows, kept=without_secret)

    return Writing(
        drafts=tuple(league_draft(event) for event in events),
        carried={STREAM: roster(Roster(), events)},
        complete=complete,
        open=True,
    )
