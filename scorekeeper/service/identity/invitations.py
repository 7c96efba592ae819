"""Invitations of a league: made, listed and ended by an owner, and redeemed by a device."""

import secrets

import msgspec

from scorekeeper.ledger.entries.clock import Clock, as_text
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Seen
from scorekeeper.service.answers import IdempotencyKey, Outcome
from scorekeeper.service.command import Command, CommandResult, Writing, itself
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.identity.codes import code_digest, new_code, read_code
from scorekeeper.service.identity.views import (
    InvitationMadeView,
    InvitationMaking,
    InvitationView,
)
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.store import invitations
from scorekeeper.store.invitations import Invited, KnownInvitation

MOST_IN_FORCE = 100
"""Of one league."""

_encode = msgspec.json.Encoder().encode


class Invitations:
    """Codes are kept as hashes; nothing of an invitation stands in the ledger."""

    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._ledger = ledger
        self._clock = clock

    async def make(
        self,
        caller: Caller,
        league: str,
        making: InvitationMaking,
        address: str,
        key: IdempotencyKey | None,
    ) -> Outcome:
        """`address` is what the link begins with.

        Raises Refused (`not-found`, `too-many-invitations`, `idempotency-key-reused`).
        """
        now = self._clock()
        await self._refuse_too_many(league, as_text(now))
        code = new_code()
        letters = read_code(code)
        assert letters is not None
        digest = await code_digest(letters)
        known = KnownInvitation(
            invitation=f"i-{secrets.token_hex(6)}",
            role=making.role,
            name=making.name,
            expires_at=as_text(now + making.expires_in * 1_000_000),
            uses_left=making.uses,
        )
        shown = InvitationMadeView(
            invitation=known.invitation,
            role=known.role,
            expires_at=known.expires_at,
            uses_left=known.uses_left,
            code=code,
            url=f"{address}/join#{code}",
        )
        without_code = msgspec.structs.replace(shown, code=None, url=None)

        def decide(seen: Seen) -> Writing[Outcome]:
            if not seen.exists:
                raise not_found("league")
            return Writing(
                drafts=(),
                complete=lambda _: CommandResult(
                    value=Outcome(body=_encode(shown), created=True),
                    rows=(
                        invitations.over_dropped(league, as_text(now)),
                        invitations.added(league, known, digest, caller.token_id),
                    ),
                    kept=Outcome(body=_encode(without_code), created=True),
                ),
            )

        command = Command(
            league=league,
            actor=caller.token_id,
            about=f"invitation:{known.invitation}",
            keys=() if key is None else (key,),
            decide=decide,
            value=itself,
        )
        return await command.carry_out(self._ledger)

    async def list(self, league: str, *, after: str | None, limit: int) -> list[InvitationView]:
        """Those in force, by id. Raises Refused (`not-found`) where there is no such league."""
        now = as_text(self._clock())
        found = await self._ledger.read(
            lambda c: invitations.page(c, league, now, after=after, limit=limit)
        )
        if not found and await self._ledger.head(league) is None:
            raise not_found("league")
        return [
            InvitationView(each.invitation, each.role, each.name, each.expires_at, each.uses_left)
            for each in found
        ]

    async def end(self, league: str, invitation: str) -> None:
        """Raises Refused (`not-found`)."""
        if not await self._ledger.transact(
            league, lambda c: invitations.end(c, league, invitation)
        ):
            raise not_found("invitation")

    async def redeem(self, digest: bytes) -> Invited | None:
        """What the code with this digest stands for, which is used once by this.

        None where it is unknown, expired, ended or used up.
        """
        now = as_text(self._clock())
        invited = await self._ledger.read(lambda c: invitations.invited_by(c, digest, now))
        if invited is None:
            return None
        taken = await self._ledger.transact(
            invited.league, lambda c: invitations.take_use(c, invited)
        )
        return invited if taken else None

    async def give_back(self, invited: Invited) -> None:
        """Undo `redeem`, where no device was let in after all."""
        await self._ledger.transact(invited.league, lambda c: invitations.give_back(c, invited))

    async def _refuse_too_many(self, league: str, now: str) -> None:
        found = await self._ledger.read(
            lambda c: invitations.page(c, league, now, after=None, limit=MOST_IN_FORCE)
        )
        if len(found) == MOST_IN_FORCE:
            raise Refused("too-many-invitations", facts={"most": MOST_IN_FORCE})
