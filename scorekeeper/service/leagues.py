"""Opening leagues, and their names."""

import secrets

import msgspec

from scorekeeper.ledger.append import Answered, Completion, Decision, Request, Seen
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.access import Caller, NewToken, new_token
from scorekeeper.service.answers import IdempotencyKey, Outcome, keep, kept, opening_key
from scorekeeper.service.league_events import (
    STREAM,
    LeagueOpened,
    Roster,
    TokenMade,
    league_draft,
    roster,
)
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.slugs import check_slug
from scorekeeper.service.submit import submit
from scorekeeper.service.views import LeagueOpenedView, LeagueOpening, LeagueView
from scorekeeper.store import leagues, tokens

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
        league = check_slug(opening.league) or f"league-{secrets.token_hex(4)}"
        whole = opening_key("league", league, opening)
        keys = (whole,) if key is None else (key, whole)
        owner = new_token(league)

        def decide(seen: Seen) -> Decision[Outcome] | Answered[Outcome]:
            if (answer := kept(seen.answers, keys)) is not None:
                return Answered(answer)
            if seen.exists:
                raise Refused("league-exists", f"There is another league named {league}.")
            return _opened(league, opening.name, owner, keys)

        request = Request(
            league=league,
            actor=caller.token_id,
            streams=(STREAM,),
            answer_keys=tuple(each.key for each in keys),
            decide=decide,
        )
        return await submit(self._ledger, request), league

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
    league: str, name: str, owner: NewToken, keys: tuple[IdempotencyKey, ...]
) -> Decision[Outcome]:
    events = (LeagueOpened(league=league), TokenMade(token_id=owner.token_id, role="owner"))
    shown = LeagueOpenedView(league=league, name=name, token=owner.token)
    without_secret = msgspec.structs.replace(shown, token=None)
    return Decision(
        drafts=tuple(league_draft(event) for event in events),
        carried={STREAM: roster(Roster(), events)},
        complete=lambda entries: Completion(
            value=Outcome(body=_encode(shown), created=True),
            rows=(
                leagues.added(league, name),
                tokens.added(
                    league, owner.token_id, owner.digest, "owner", "owner", entries[0].time
                ),
            ),
            answers=keep(keys, Outcome(body=_encode(without_secret), created=True), about=STREAM),
        ),
        open=True,
    )
