"""Leagues and their people: opening a league, its name, and its players.

The ledger knows people by their slugs. Their names are stored outside the ledger. The answer to a
request is kept with the ledger that it is about. For a request that opens a league nobody knows
which ledger that is, since each try may generate another slug. So its answer is kept a second time,
under NO_LEAGUE.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress

import msgspec
from sqlalchemy.exc import DBAPIError

from scorekeeper.ledger.database_errors import is_duplicate
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import NO_LEAGUE, Ledger
from scorekeeper.ledger.writing.append import Claim, Completion, Decision, Request, Seen
from scorekeeper.ledger.writing.kept_answers import find_answer, kept_beside, purged_about
from scorekeeper.service.command import (
    Command,
    CommandResult,
    IdempotencyKey,
    Outcome,
    Writing,
    opening_key,
    replayed_answer,
    stored_answer,
)
from scorekeeper.service.identity.access import Caller, NewToken, new_token
from scorekeeper.service.kept_import import IMPORTS
from scorekeeper.service.lists import found_in_league, whole_list
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.slugs import slug_candidates
from scorekeeper.service.streams import (
    LEAGUE_STREAM,
    LeagueOpened,
    NameErased,
    PlayerRegistered,
    Roster,
    TokenMade,
    league_draft,
    roster,
    tail_roster,
)
from scorekeeper.service.views import (
    LeagueOpenedView,
    LeagueOpening,
    LeagueView,
    PlayerRegistration,
    PlayerView,
)
from scorekeeper.store import leagues, players, tokens, views

_encode = msgspec.json.Encoder().encode


class Leagues:
    """The leagues of an installation. Each one has a ledger of its own."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def open(
        self, caller: Caller, opening: LeagueOpening, key: IdempotencyKey | None
    ) -> tuple[Outcome, str]:
        """Open a league and make its owner's token. Return the answer and the league's slug.

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
        whole = None if opening.league is None else opening_key("league", league, opening)
        owner = new_token(league)

        def decide(seen: Seen) -> Writing[Outcome]:
            if seen.exists:
                raise Refused("league-exists", facts={"league": league})
            return _opened(league, opening.name, owner, key)

        command = Command(
            league=league,
            actor=caller.token_id,
            about=LEAGUE_STREAM,
            keys=(key, whole),
            streams=(LEAGUE_STREAM,),
            decide=decide,
        )
        try:
            return await command.carry_out(self._ledger), league
        except DBAPIError as error:
            # The key was given to another league at the same moment.
            if is_duplicate(error) and (earlier := await self._opened_before(key)) is not None:
                return earlier
            raise

    async def _opened_before(self, key: IdempotencyKey | None) -> tuple[Outcome, str] | None:
        """Return the answer that was given under the key, and the league that it opened."""
        if key is None:
            return None
        answer = await self._ledger.read(lambda c: find_answer(c, NO_LEAGUE, key.key))
        if answer is None:
            return None
        outcome = replayed_answer(answer, key)
        return outcome, msgspec.json.decode(outcome.body, type=LeagueOpenedView).league

    async def read(self, league: str) -> LeagueView:
        """Return a league with its name. Raises Refused (`not-found`)."""
        name = await self._ledger.read(lambda connection: leagues.name(connection, league))
        if name is None:
            raise not_found("league")
        return LeagueView(league, name)

    async def any(self) -> bool:
        """Return whether there is a league at all."""
        found = await self._ledger.read(
            lambda connection: leagues.page(connection, after=None, limit=1)
        )
        return bool(found)

    async def rename(self, league: str, name: str) -> LeagueView:
        """Give a league another name. Raises Refused (`not-found`)."""
        renamed = await self._ledger.transact(
            league, lambda connection: leagues.rename(connection, league, name)
        )
        if not renamed:
            raise not_found("league")
        return LeagueView(league, name)

    async def list(
        self, callers: Iterable[Caller], *, after: str | None, limit: int
    ) -> list[LeagueView]:
        """Return the leagues that one of the callers may see, sorted by slug, those after `after`.

        An admin may see all, others only their own.
        """
        own = {each.league for each in callers}
        if None not in own:
            slugs = sorted(slug for slug in own if slug and (after is None or after < slug))[:limit]
            named = await self._ledger.read(
                lambda connection: [(slug, leagues.name(connection, slug)) for slug in slugs]
            )
            return [LeagueView(slug, name) for slug, name in named if name is not None]
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
            (answer,) = stored_answer((key,), without_secret, about=f"league:{league}")
            rows += kept_beside(NO_LEAGUE, answer, time)
        shown_once = Outcome(body=_encode(shown), created=True)
        return CommandResult(value=shown_once, rows=rows, kept=without_secret)

    return Writing(
        drafts=tuple(league_draft(event) for event in events),
        carried={LEAGUE_STREAM: roster(Roster(), events)},
        complete=complete,
        open=True,
    )


class _ErasedMeanwhile(Exception):
    """Another request erased the name, and recorded that."""


class Players:
    """The players of leagues: registering and renaming them, and erasing their names."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def register(
        self,
        caller: Caller,
        league: str,
        registration: PlayerRegistration,
        key: IdempotencyKey | None,
    ) -> tuple[Outcome, str]:
        """Register a player. Return the answer and the player's slug.

        Raises Refused (`not-found`, `player-exists`, `idempotency-key-reused`).
        """
        given, name = registration.player, registration.name
        slugs = slug_candidates("player", given, name, key)
        whole = None if given is None else opening_key("player", given, registration)
        command = Command(
            league=league,
            actor=caller.token_id,
            about=_name_of(slugs[0]),
            keys=(key, whole),
            streams=(LEAGUE_STREAM,),
            decide=lambda seen: _registered(seen, league, slugs, name),
        )
        outcome = await command.carry_out(self._ledger)
        return outcome, msgspec.json.decode(outcome.body, type=PlayerView).player

    async def read(self, league: str, player: str) -> PlayerView:
        """Return a player with the name. Raises Refused (`not-found`)."""
        found = await self._ledger.read(lambda c: players.find(c, league, player))
        if found is None:
            raise not_found("player")
        return PlayerView(found.player, found.name)

    async def rename(self, league: str, player: str, name: str) -> PlayerView:
        """Give a player another name. Raises Refused (`not-found`)."""
        if not await self._ledger.transact(
            league, lambda connection: players.rename(connection, league, player, name)
        ):
            raise not_found("player")
        return PlayerView(player, name)

    async def erase_name(self, caller: Caller, league: str, player: str) -> PlayerView:
        """Erase a name for good, together with every kept answer that shows it.

        An entry records this, unless the name was erased already. Raises Refused (`not-found`).
        """
        if (await self.read(league, player)).name is None:
            return PlayerView(player, None)
        event = NameErased(player=player)
        erase, of_player = players.name_erased(league, player)

        def decide(seen: Seen) -> Decision[None]:
            return Decision(
                drafts=(league_draft(event),),
                carried={LEAGUE_STREAM: roster(tail_roster(seen.tails[LEAGUE_STREAM]), [event])},
                complete=lambda _: Completion(
                    value=None,
                    overwrites=True,
                    rows=purged_about(league, _name_of(player)) + purged_about(league, IMPORTS),
                    claims=(Claim(erase, of_player, _ErasedMeanwhile()),),
                ),
            )

        request = Request(
            league=league, actor=caller.token_id, streams=(LEAGUE_STREAM,), decide=decide
        )
        with suppress(_ErasedMeanwhile):
            await self._ledger.append(request)
        return PlayerView(player, None)

    async def everybody(self, league: str) -> Sequence[PlayerView]:
        """Return all players, sorted by slug. Raises Refused (`not-found`)."""
        return await whole_list(
            lambda after, limit: self.list(league, after=after, limit=limit),
            lambda each: each.player,
        )

    async def list(self, league: str, *, after: str | None, limit: int) -> list[PlayerView]:
        """Return players, sorted by slug, those after `after`. Raises Refused (`not-found`)."""
        found = await self._ledger.read(lambda c: players.page(c, league, after=after, limit=limit))
        found = await found_in_league(self._ledger, league, found)
        return [PlayerView(each.player, each.name) for each in found]


def _registered(seen: Seen, league: str, slugs: Sequence[str], name: str) -> Writing[Outcome]:
    """Register a player under the first of these slugs that is free. Raises Refused."""
    if not seen.exists:
        raise not_found("league")
    known = tail_roster(seen.tails[LEAGUE_STREAM])
    free = [slug for slug in slugs if slug not in known.players]
    if not free:
        raise Refused("player-exists", facts={"player": slugs[-1]})
    player = free[0]
    event = PlayerRegistered(player=player)
    outcome = Outcome(body=_encode(PlayerView(player, name)), created=True)
    return Writing(
        drafts=(league_draft(event),),
        carried={LEAGUE_STREAM: roster(known, [event])},
        complete=lambda entries: CommandResult(
            value=outcome,
            rows=(players.added(league, player, name, entries[0].position),),
            kept=outcome,
            about=_name_of(player),
        ),
    )


def _name_of(player: str) -> str:
    return f"name:{player}"
