"""The people of a league: the ledger knows their slugs, their names lie beside it."""

import msgspec

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Completion, Decision, Request, Seen
from scorekeeper.ledger.writing.statements import delete_answers
from scorekeeper.service.answers import IdempotencyKey, Outcome, opening_key
from scorekeeper.service.command import Command, CommandResult, Writing, itself
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.league_events import (
    STREAM,
    NameErased,
    PlayerRegistered,
    league_draft,
    roster,
)
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.slugs import slug_candidates
from scorekeeper.service.stream_fold import tail_roster
from scorekeeper.service.views import PlayerRegistration, PlayerView
from scorekeeper.store import players

_encode = msgspec.json.Encoder().encode


class Players:
    """Registers, renames, and erases names."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def register(
        self,
        caller: Caller,
        league: str,
        registration: PlayerRegistration,
        key: IdempotencyKey | None,
    ) -> tuple[Outcome, str]:
        """The answer and the player's slug.

        Raises Refused (`not-found`, `player-exists`, `idempotency-key-reused`).
        """
        given, name = registration.player, registration.name
        slugs = slug_candidates("player", given, name, key)
        whole = () if given is None else (opening_key("player", given, registration),)
        keys = whole if key is None else (key, *whole)

        def decide(seen: Seen) -> Writing[Outcome]:
            if not seen.exists:
                raise not_found("league")
            known = tail_roster(seen.tails[STREAM])
            free = [slug for slug in slugs if slug not in known.players]
            if not free:
                raise Refused("player-exists", facts={"player": slugs[-1]})
            player = free[0]
            event = PlayerRegistered(player=player)
            outcome = Outcome(body=_encode(PlayerView(player, name)), created=True)
            return Writing(
                drafts=(league_draft(event),),
                carried={STREAM: roster(known, [event])},
                complete=lambda entries: CommandResult(
                    value=outcome,
                    rows=(players.added(league, player, name, entries[0].position),),
                    kept=outcome,
                    about=_name_of(player),
                ),
            )

        command = Command(
            league=league,
            actor=caller.token_id,
            about=_name_of(slugs[0]),
            keys=keys,
            streams=(STREAM,),
            decide=decide,
            value=itself,
        )
        outcome = await command.carry_out(self._ledger)
        return outcome, msgspec.json.decode(outcome.body, type=PlayerView).player

    async def read(self, league: str, player: str) -> PlayerView:
        """Raises Refused (`not-found`)."""
        found = await self._ledger.read(lambda c: players.find(c, league, player))
        if found is None:
            raise not_found("player")
        return PlayerView(found.player, found.name)

    async def rename(self, league: str, player: str, name: str) -> PlayerView:
        """Raises Refused (`not-found`)."""
        if not await self._ledger.transact(
            league, lambda connection: players.rename(connection, league, player, name)
        ):
            raise not_found("player")
        return PlayerView(player, name)

    async def erase_name(self, caller: Caller, league: str, player: str) -> PlayerView:
        """Erase a name for good, together with every kept answer that shows it.

        The ledger gets an entry that says so, unless the name was gone already. Raises Refused
        (`not-found`).
        """
        if (await self.read(league, player)).name is None:
            return PlayerView(player, None)
        event = NameErased(player=player)

        def decide(seen: Seen) -> Decision[None]:
            return Decision(
                drafts=(league_draft(event),),
                carried={STREAM: roster(tail_roster(seen.tails[STREAM]), [event])},
                complete=lambda _: Completion(
                    value=None,
                    rows=(
                        players.renamed(league, player, None),
                        (delete_answers, {"league": league, "about": _name_of(player)}),
                    ),
                ),
            )

        await self._ledger.append(
            Request(league=league, actor=caller.token_id, streams=(STREAM,), decide=decide),
        )
        return PlayerView(player, None)

    async def list(self, league: str, *, after: str | None, limit: int) -> list[PlayerView]:
        """By slug. Raises Refused (`not-found`) where there is no such league."""
        found = await self._ledger.read(lambda c: players.page(c, league, after=after, limit=limit))
        if not found and await self._ledger.head(league) is None:
            raise not_found("league")
        return [PlayerView(each.player, each.name) for each in found]


def _name_of(player: str) -> str:
    return f"name:{player}"
