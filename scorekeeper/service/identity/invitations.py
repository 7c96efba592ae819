"""Codes that let devices in: the invitations of a league, and the setup code.

Codes are read from a screen and typed: eight letters of Crockford's base 32. An owner makes, lists
and ends invitations, and a device redeems one. The setup code lets the first browser in as the
admin, while there is no league.
"""

import asyncio
import hashlib
import re
import secrets
from typing import Annotated, Final

import msgspec

from scorekeeper.ledger.clock import Clock, as_text
from scorekeeper.ledger.database_errors import is_duplicate
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Claim, Seen
from scorekeeper.ledger.writing.statements import hold_head
from scorekeeper.service.command import (
    Command,
    CommandResult,
    IdempotencyKey,
    Outcome,
    Writing,
)
from scorekeeper.service.identity.access import Caller, token_unknown
from scorekeeper.service.identity.tokens import check_in_force, transact_alone
from scorekeeper.service.lists import found_in_league
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.streams import LEAGUE_STREAM, Role, tail_roster
from scorekeeper.service.views import Name
from scorekeeper.store import invitations
from scorekeeper.store.invitations import Invited, KnownInvitation

_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LENGTH: Final = 8
_HALF: Final = 4
# Crockford's alphabet reads these as the digits that they look like.
_ALIKE: Final = str.maketrans("OIL", "011")
_CODE: Final = re.compile(rf"[{_LETTERS}]{{{_LENGTH}}}")
_MOST_TYPED: Final = 40
# A code has only 40 random bits. A hash that costs about ten milliseconds keeps somebody who has
# the database from trying all codes. All hashes share one salt, so that a code can be looked up by
# its hash.
_SALT: Final = b"scorekeeper invitation"
_COST: Final = 2**13

_DAY = 24 * 60 * 60
LONGEST_SECONDS = 30 * _DAY
MOST_USES = 100
MOST_IN_FORCE = 100
"""Invitations of one league."""
_encode = msgspec.json.Encoder().encode


def new_code() -> str:
    """Return a random code of eight letters of Crockford's base 32, such as `K7QF-2M9X`."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    return f"{letters[:_HALF]}-{letters[_HALF:]}"


def read_code(typed: str) -> str | None:
    """Return the eight letters of a code, which may be typed in any case, with dashes and blanks.

    O is read as 0, and I and L as 1. Return None if the text is no code.
    """
    if len(typed) > _MOST_TYPED:
        return None
    letters = re.sub(r"[\s-]", "", typed).upper().translate(_ALIKE)
    return letters if _CODE.fullmatch(letters) else None


async def code_digest(letters: str) -> bytes:
    """Return the hash under which a code is kept, computed in a thread."""
    return await asyncio.to_thread(_digest, letters)


async def _new_code_and_digest() -> tuple[str, bytes]:
    code = new_code()
    letters = read_code(code)
    assert letters is not None
    return code, await code_digest(letters)


def _digest(letters: str) -> bytes:
    return hashlib.scrypt(letters.encode(), salt=_SALT, n=_COST, r=8, p=1, dklen=32)


async def new_setup_code(url: str) -> str | None:
    """Replace the setup code by a new one, and return it.

    Return None if the database has a league. Return None, too, if another process made a code at
    the same moment: that code is in force. Raises LedgerInUse if another process has the SQLite
    file.
    """
    code, digest = await _new_code_and_digest()
    try:
        made = await transact_alone(url, lambda c: invitations.set_setup_code(c, digest))
    except Exception as error:
        if not is_duplicate(error):
            raise
        return None
    return code if made else None


class InvitationMaking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`expires_in` is in seconds. `name` says what the invitation is for."""

    role: Role
    name: Name | None = None
    expires_in: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_SECONDS)] = _DAY
    uses: Annotated[int, msgspec.Meta(ge=1, le=MOST_USES)] = 6


class InvitationView(msgspec.Struct, frozen=True):
    invitation: str
    role: str
    name: str | None
    expires_at: str
    uses_left: int


class InvitationMadeView(msgspec.Struct, frozen=True, omit_defaults=True):
    """`code` and `url` are shown once. The answer to a repeated request lacks them."""

    invitation: str
    role: str
    expires_at: str
    uses_left: int
    code: str | None = None
    url: str | None = None


class Invitations:
    """The invitations of leagues. Codes are stored as hashes; the ledger has no invitations."""

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
        """Make an invitation. `address` is the service's address, with which the link begins.

        Raises Refused (`not-found`, `unauthorized`, `too-many-invitations`,
        `idempotency-key-reused`).
        """
        now = self._clock()
        made = _invitation(making, now)
        code, digest = await _new_code_and_digest()
        added, columns = invitations.added(
            league, made, digest, caller.token_id, now=as_text(now), most=MOST_IN_FORCE
        )
        too_many = Refused("too-many-invitations", facts={"most": MOST_IN_FORCE})
        written = CommandResult(
            value=_shown(made, code=code, url=f"{address}/join#{code}"),
            rows=(invitations.over_dropped(league, as_text(now)),),
            claims=(
                # Else two processes would both add the last one that the limit allows.
                Claim(hold_head, {"of_league": league}, not_found("league")),
                Claim(added, columns, too_many),
            ),
            kept=_shown(made),
        )

        def decide(seen: Seen) -> Writing[Outcome]:
            if not seen.exists:
                raise not_found("league")
            known = tail_roster(seen.tails[LEAGUE_STREAM])
            check_in_force(caller.token_id, known, token_unknown())
            return Writing(drafts=(), carried={LEAGUE_STREAM: known}, complete=lambda _: written)

        command = Command(
            league=league,
            actor=caller.token_id,
            about=f"invitation:{made.invitation}",
            keys=(key,),
            streams=(LEAGUE_STREAM,),
            decide=decide,
        )
        return await command.carry_out(self._ledger)

    async def list(self, league: str, *, after: str | None, limit: int) -> list[InvitationView]:
        """Return the invitations in force, in the order of their ids, those after `after`.

        Raises Refused (`not-found`) if there is no such league.
        """
        now = as_text(self._clock())
        found = await self._ledger.read(
            lambda c: invitations.page(c, league, now, after=after, limit=limit)
        )
        found = await found_in_league(self._ledger, league, found)
        return [
            InvitationView(each.invitation, each.role, each.name, each.expires_at, each.uses_left)
            for each in found
        ]

    async def end(self, league: str, invitation: str) -> None:
        """End an invitation, so that nobody can redeem it. Raises Refused (`not-found`)."""
        if not await self._ledger.transact(
            league, lambda c: invitations.end(c, league, invitation)
        ):
            raise not_found("invitation")

    async def invited(self, digest: bytes) -> Invited | None:
        """Return the invitation whose code has this digest, even if all its uses are spent.

        Return None if the code is unknown, or the invitation expired or was ended.
        """
        now = as_text(self._clock())
        return await self._ledger.read(lambda c: invitations.invited_by(c, digest, now))


def _invitation(making: InvitationMaking, now: int) -> KnownInvitation:
    return KnownInvitation(
        invitation=f"i-{secrets.token_hex(6)}",
        role=making.role,
        name=making.name,
        expires_at=as_text(now + making.expires_in * 1_000_000),
        uses_left=making.uses,
    )


def _shown(made: KnownInvitation, *, code: str | None = None, url: str | None = None) -> Outcome:
    view = InvitationMadeView(
        invitation=made.invitation,
        role=made.role,
        expires_at=made.expires_at,
        uses_left=made.uses_left,
        code=code,
        url=url,
    )
    return Outcome(body=_encode(view), created=True)
