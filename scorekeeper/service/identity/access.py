"""Who is asking, and what they may do: the one place where roles are checked.

Viewers do not get the hidden cards of a round in progress; all other roles do. A browser may hold
tokens of several leagues.
"""

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from functools import partial
from typing import Final

import msgspec
from cachetools import LRUCache
from sqlalchemy import Connection

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.store import tokens

# Another process may have revoked a token that this process remembers. So a remembered token is
# looked up again after so long.
REMEMBERED_SECONDS = 1.0
_REMEMBERED_TOKENS = 10_000

ADMIN_ID = "admin"
BROWSER_TOKENS: Final = "browser"
"""The key in a request's state under which its BrowserTokens lie.

A request has them if it was authorised by its cookies and not by an Authorization header.
"""


class Right(StrEnum):
    """What a route asks of its caller."""

    PUBLIC = "public"
    SEE_LEAGUES = "see-leagues"
    READ = "read"
    RECORD = "record"
    OWN = "own"
    ADMINISTER = "administer"


_VIEWER = frozenset({Right.PUBLIC, Right.SEE_LEAGUES, Right.READ})
_SCOREKEEPER = _VIEWER | {Right.RECORD}
_OWNER = _SCOREKEEPER | {Right.OWN}
_GRANTED = {
    "viewer": _VIEWER,
    "scorekeeper": _SCOREKEEPER,
    "owner": _OWNER,
    "admin": _OWNER | {Right.ADMINISTER},
}

_LEAST = {
    right: next(role for role, granted in _GRANTED.items() if right in granted) for right in Right
}
"""For each right, the role with the fewest rights that includes it."""


class Caller(msgspec.Struct, frozen=True):
    """The holder of a token. `league` is None for the admin token, which is of no league."""

    token_id: str
    role: str
    league: str | None

    def may(self, right: Right) -> bool:
        return right in _GRANTED[self.role]


class NewToken(msgspec.Struct, frozen=True):
    """A token just made. `token` is the secret, which is shown once and never stored."""

    token_id: str
    token: str
    digest: bytes


def token_digest(token: str) -> bytes:
    """Return the hash under which a token is stored.

    Secrets have 256 random bits. So nobody can find a token by trying, even though the hash is fast
    and has no salt.
    """
    return hashlib.sha256(token.encode()).digest()


def bearer_digest(authorization: bytes) -> bytes:
    """Return the digest of the token in an Authorization header; empty without a bearer token."""
    token = _bearer(authorization.decode("latin-1"))
    return token_digest(token) if token else b""


def new_token(league: str) -> NewToken:
    """Return a token that names its league: `sk_<league>_<secret>`."""
    token = f"sk_{league}_{secrets.token_urlsafe(32)}"
    return NewToken(f"t-{secrets.token_hex(6)}", token, token_digest(token))


def new_admin_token() -> str:
    return f"ska_{secrets.token_urlsafe(32)}"


def new_admin_session() -> str:
    """Return the token of a browser that may do all that the admin token may."""
    return f"sks_{secrets.token_urlsafe(32)}"


def authorise(caller: Caller, right: Right, league: str | None) -> None:
    """Raise Refused unless the caller has the right in this league.

    Another league is `not-found` rather than `forbidden`, so that nobody learns what exists.
    """
    if league is not None and caller.league not in (None, league):
        raise not_found("league")
    if not caller.may(right):
        raise Refused("forbidden", facts={"role": caller.role, "needed": _LEAST[right]})


def _token_in(authorization: str | None) -> str:
    """Return the token of an Authorization header. Raises Refused (`unauthorized`)."""
    token = _bearer(authorization or "")
    if not token:
        raise Refused("unauthorized", reason="token-missing")
    return token


def _bearer(authorization: str) -> str:
    """Return the bearer token of an Authorization header; empty if there is none."""
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def token_unknown() -> Refused:
    return Refused("unauthorized", reason="token-unknown")


class Access:
    """Finds the holder of a bearer token.

    `given_admin` is the digest of an admin token from the settings; it replaces the stored one.
    `clock` gives seconds that never go backwards.
    """

    def __init__(
        self, ledger: Ledger, *, given_admin: bytes | None, clock: Callable[[], float]
    ) -> None:
        self._ledger = ledger
        self._given_admin = given_admin
        self._clock = clock
        self._remembered: LRUCache[bytes, tuple[float, Caller]] = LRUCache(_REMEMBERED_TOKENS)
        self._looking_up: dict[bytes, asyncio.Task[Caller | None]] = {}
        self._revocations = 0

    async def caller(self, authorization: str | None) -> Caller:
        """Return the holder of an Authorization header's token. Raises Refused (`unauthorized`)."""
        return await self.holder(_token_in(authorization))

    async def holder(self, token: str) -> Caller:
        """Return the holder of a token. Raises Refused (`unauthorized`)."""
        digest = token_digest(token)
        if (remembered := self.remembered(digest)) is not None:
            return remembered
        revocations = self._revocations
        caller = await self._look_up_once(token, digest)
        if caller is None:
            self._remembered.pop(digest, None)
            raise token_unknown()
        self._remember({digest: caller}, revocations)
        return caller

    async def callers(
        self, browser: "BrowserTokens | None", authorization: str | None
    ) -> list[Caller]:
        """Return the holders of all tokens in a request. A browser may send tokens of many leagues.

        A browser's tokens that are not in force are left out. The list is empty if the request has
        no token. Raises Refused (`unauthorized`) if the token of an Authorization header is missing
        or unknown.
        """
        if browser is None:
            return [] if authorization is None else [await self.caller(authorization)]
        held = {token_digest(token): token for token in browser.all}
        known = {each: caller for each in held if (caller := self.remembered(each)) is not None}
        unknown = {each: token for each, token in held.items() if each not in known}
        if unknown:
            revocations = self._revocations
            found = await self._ledger.read(lambda c: self._found(c, unknown))
            self._remember(found, revocations)
            known |= found
        return [known[each] for each in held if each in known]

    def remembered(self, digest: bytes) -> Caller | None:
        """Return the holder of the token with this digest, if it was looked up a moment ago."""
        until, caller = self._remembered.get(digest, (0.0, None))
        return caller if self._clock() < until else None

    def _remember(self, callers: Mapping[bytes, Caller], revocations: int) -> None:
        """Remember these callers, who were looked up after so many revocations."""
        if revocations == self._revocations:
            # If any token was revoked during the look-up, it may be one of these.
            until = self._clock() + REMEMBERED_SECONDS
            for digest, caller in callers.items():
                self._remembered[digest] = (until, caller)

    async def confirm(self, authorization: str | None) -> None:
        """Check the token in the database, which knows what other processes have revoked by now.

        Raises Refused (`unauthorized`).
        """
        token = _token_in(authorization)
        if await self._look_up(token, token_digest(token)) is None:
            raise token_unknown()

    def forget(self, token_id: str) -> None:
        """Drop a revoked token from memory at once."""
        self._revocations += 1
        self._looking_up.clear()
        for digest, (_, caller) in list(self._remembered.items()):
            if caller.token_id == token_id:
                del self._remembered[digest]

    async def _look_up_once(self, token: str, digest: bytes) -> Caller | None:
        """Look up a token once for all requests that bring it during the look-up."""
        task = self._looking_up.get(digest)
        if task is None:
            task = self._looking_up[digest] = asyncio.create_task(self._look_up(token, digest))
            task.add_done_callback(partial(self._looked_up, digest))
        # A request that is cancelled must not cancel the look-up for the others.
        return await asyncio.shield(task)

    def _looked_up(self, digest: bytes, task: "asyncio.Task[Caller | None]") -> None:
        if self._looking_up.get(digest) is task:
            del self._looking_up[digest]
        if not task.cancelled():
            # Retrieve the error, or asyncio logs it if all requests that waited were cancelled.
            task.exception()

    async def _look_up(self, token: str, digest: bytes) -> Caller | None:
        found = await self._ledger.read(lambda c: self._found(c, {digest: token}))
        return found.get(digest)

    def _found(self, connection: Connection, held: Mapping[bytes, str]) -> dict[bytes, Caller]:
        """Return the holders of those of these tokens that are in force. `held`: by digest."""
        found: dict[bytes, Caller] = {}
        for digest, text in held.items():
            league = _league_in(text)
            token = None if league is None else tokens.find(connection, league, digest)
            if token is not None:
                found[digest] = Caller(token.token_id, token.role, league)
        others = held.keys() - found.keys()
        if others:
            admin = Caller(ADMIN_ID, "admin", None)
            found |= dict.fromkeys(self._admins_among(connection, others), admin)
        return found

    def _admins_among(self, connection: Connection, digests: Collection[bytes]) -> set[bytes]:
        """Return those of these digests that are the admin token's, or an admin session's."""
        kept = self._given_admin
        if kept is None:
            kept = tokens.admin_digest(connection)
        found = {each for each in digests if kept is not None and hmac.compare_digest(each, kept)}
        left = [each for each in digests if each not in found]
        return found | tokens.admin_sessions_among(connection, left) if left else found


def _league_in(token: str) -> str | None:
    """Return the league that a token names, None if it is of another form."""
    prefix, _, rest = token.partition("_")
    league, _, secret = rest.partition("_")
    return league if prefix == "sk" and secret else None


class Audience(StrEnum):
    """Who reads. Viewers do not get the hidden cards of a round in progress; keepers get all."""

    KEEPERS = "keepers"
    VIEWERS = "viewers"


def audience(caller: Caller) -> Audience:
    """Return VIEWERS for the role `viewer`, and KEEPERS for all other roles."""
    return Audience.VIEWERS if caller.role == "viewer" else Audience.KEEPERS


class BrowserTokens(msgspec.Struct, frozen=True):
    """The tokens in a browser's cookies: one for each league, by its slug, and an admin's."""

    leagues: dict[str, str]
    admin: str | None

    @property
    def all(self) -> list[str]:
        """All tokens, the admin's first."""
        return [*([] if self.admin is None else [self.admin]), *self.leagues.values()]
