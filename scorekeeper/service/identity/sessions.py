"""Sessions of devices.

A device redeems a code for a token of its own. Revoking that token ends the session.
"""

from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection

from scorekeeper.ledger.ledger import NO_LEAGUE, Ledger
from scorekeeper.service.command import KeyOfHolder, Outcome
from scorekeeper.service.identity.access import (
    ADMIN_ID,
    Access,
    Caller,
    new_admin_session,
    token_digest,
)
from scorekeeper.service.identity.invitations import Invitations, code_digest, read_code
from scorekeeper.service.identity.tokens import Tokens
from scorekeeper.service.refused import Refused
from scorekeeper.service.views import Name
from scorekeeper.store import invitations, leagues, tokens

_encode = msgspec.json.Encoder().encode


class SessionOpening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`name` names the device or the person who has it."""

    code: str
    name: Name


class SessionView(msgspec.Struct, frozen=True):
    """`league` is null for the session of an admin, which is of no league."""

    league: str | None
    token_id: str
    role: str
    name: str


class OpenedSession(msgspec.Struct, frozen=True):
    """`token` is the secret for the cookie; None if the outcome is the stored answer to a retry."""

    outcome: Outcome
    league: str | None
    token: str | None


class OwnLeagueView(msgspec.Struct, frozen=True):
    """A league that the caller may see, and the token by which they may."""

    league: str
    name: str
    role: str
    token_id: str
    token_name: str


class MeView(msgspec.Struct, frozen=True):
    """`leagues` are those whose tokens came with the request, in the order of their slugs."""

    admin: bool
    leagues: list[OwnLeagueView]


class Sessions:
    """Opens and ends sessions. The token in a cookie is like any other: only its hash is stored."""

    def __init__(
        self,
        ledger: Ledger,
        access: Access,
        league_tokens: Tokens,
        league_invitations: Invitations,
    ) -> None:
        self._ledger = ledger
        self._access = access
        self._tokens = league_tokens
        self._invitations = league_invitations

    async def open(self, opening: SessionOpening, key_of: KeyOfHolder | None) -> OpenedSession:
        """Exchange a code for a token of this device.

        The idempotency key holds for the code, since the client has no token yet. Raises Refused
        (`invitation-unknown`, `idempotency-key-reused`).
        """
        letters = read_code(opening.code)
        if letters is None:
            raise _unknown()
        digest = await code_digest(letters)
        key = None if key_of is None else key_of(f"code:{digest.hex()}")
        invited = await self._invitations.invited(digest)
        if invited is None:
            return await self._open_as_admin(digest, opening.name)
        outcome, made = await self._tokens.make_for_device(
            invited,
            opening.name,
            key=key,
            shown=lambda made: _encode(
                SessionView(invited.league, made.token_id, invited.role, opening.name)
            ),
        )
        return OpenedSession(outcome, invited.league, made.token if outcome.created else None)

    async def _open_as_admin(self, digest: bytes, name: str) -> OpenedSession:
        token = new_admin_session()

        def take(connection: Connection) -> bool:
            if not invitations.take_setup_code(connection, digest):
                return False
            tokens.add_admin_session(connection, token_digest(token))
            return True

        if not await self._ledger.transact(NO_LEAGUE, take):
            raise _unknown()
        view = SessionView(None, ADMIN_ID, "admin", name)
        return OpenedSession(Outcome(body=_encode(view), created=True), None, token)

    async def end(self, caller: Caller, token: str) -> None:
        """Revoke the caller's token, which is the one in the cookie.

        Raises Refused (`not-found`) if a league's token was revoked already.
        """
        if caller.league is not None:
            await self._tokens.revoke(caller, caller.league, caller.token_id)
            return
        digest = token_digest(token)
        await self._ledger.transact(NO_LEAGUE, lambda c: tokens.end_admin_session(c, digest))
        self._access.forget(ADMIN_ID)

    async def me(self, callers: Iterable[Caller]) -> MeView:
        """Return what one person may see, who has the tokens of all these callers."""
        known = list(callers)
        own = {caller.league: caller for caller in known if caller.league is not None}

        def read(connection: Connection) -> list[OwnLeagueView]:
            found: list[OwnLeagueView] = []
            for league, caller in sorted(own.items()):
                name = leagues.name(connection, league)
                token_id = caller.token_id
                named = tokens.names(connection, league, [token_id]).get(token_id)
                if name is not None and named is not None:
                    found.append(OwnLeagueView(league, name, caller.role, token_id, named))
            return found

        return MeView(
            admin=any(caller.league is None for caller in known),
            leagues=await self._ledger.read(read) if own else [],
        )


def _unknown() -> Refused:
    return Refused("invitation-unknown")
