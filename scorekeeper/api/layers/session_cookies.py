"""Session cookies: one for each league, read where no Authorization is sent (RFC 6265)."""

from itertools import islice
from typing import Any, cast
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from scorekeeper.api.layers.input_validation import READING_METHODS
from scorekeeper.api.lifespan import public_url_in, services_in
from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.service.identity.access import BROWSER_TOKENS, Access, BrowserTokens
from scorekeeper.service.refused import Refused

KEPT_SECONDS = 400 * 24 * 60 * 60
"""The longest that browsers keep a cookie for."""

_PREFIX = "sk-"
_ADMIN = "sk_admin"
_SECURE_PREFIX = "__Host-"
# Above the limit of cookies for a host in any browser.
_MOST_COOKIES = 200
# At most so many unknown tokens are tried, since each costs two queries of the database.
_MOST_UNKNOWN = 8


class SessionCookies:
    """Turns a session cookie into an Authorization header, so that inner layers know no cookies.

    A request that changes something is authorised by its cookies only if one of our own pages sent
    it. Of several cookies the one of the league in the address is tried first, then an admin's,
    then any other. So a league that the reader may not see is answered as not found, rather than as
    one that needs a token.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            headers = dict(scope["headers"])
            if b"cookie" in headers and b"authorization" not in headers:
                scope = await self._with_token(scope, headers)
        await self._app(scope, receive, send)

    async def _with_token(self, scope: HTTPScope, headers: dict[bytes, bytes]) -> Scope:
        public_url = public_url_in(scope)
        if scope["method"] not in READING_METHODS and not is_same_origin(headers, public_url):
            return scope
        session = _read(headers[b"cookie"], secure=is_secure(scope, public_url))
        league = _league_of(scope["path"])
        first = [session.leagues[league]] if league in session.leagues else []
        for token in islice(dict.fromkeys([*first, *session.all]), _MOST_UNKNOWN):
            if await _may_be_known(services_in(scope).access, token):
                authorization = (b"authorization", f"Bearer {token}".encode())
                changed = cast("dict[str, Any]", dict(scope))
                changed["headers"] = [*scope["headers"], authorization]
                changed["state"][BROWSER_TOKENS] = session
                return cast("Scope", changed)
        return scope


async def _may_be_known(access: Access, token: str) -> bool:
    """Return False if the token is unknown. In an outage of the database any token may be known.

    An inner layer then asks again, and answers as it does if a header has the token.
    """
    try:
        await access.holder(token)
    except Refused:
        return False
    except LedgerUnavailable:
        return True
    return True


def session_of(scope: Scope) -> BrowserTokens | None:
    """Return the tokens in the cookies that authorised this request; None if cookies did not."""
    return cast("BrowserTokens | None", scope["state"].get(BROWSER_TOKENS))


def is_same_origin(headers: dict[bytes, bytes], public_url: str | None) -> bool:
    """Return whether a page of ours sent the request, according to its browser (Fetch Metadata).

    Browsers send no `Sec-Fetch-Site` over plain HTTP. Then `Origin` decides.
    """
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site == b"same-origin"
    origin = headers.get(b"origin")
    if origin is None:
        return False
    asked = headers.get(b"host", b"").decode("latin-1")
    ours = {asked, urlsplit(public_url).netloc} if public_url else {asked}
    try:
        sender = urlsplit(origin.decode("latin-1")).netloc
    except ValueError:
        return False
    return sender in ours - {""}


def is_secure(scope: Scope, public_url: str | None) -> bool:
    """Return whether the browser speaks HTTPS, to us or to the proxy in front."""
    return scope["scheme"] == "https" or (public_url or "").startswith("https://")


def cookie_header(league: str | None, token: str, *, secure: bool) -> str:
    """Set-Cookie for a token; an empty one clears it. `league` None: an admin's session."""
    name = _ADMIN if league is None else f"{_PREFIX}{league}"
    kept = KEPT_SECONDS if token else 0
    cookie = f"{name}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={kept}"
    return f"{_SECURE_PREFIX}{cookie}; Secure" if secure else cookie


def _read(header: bytes, *, secure: bool) -> BrowserTokens:
    """Return our own among the cookies. Other programs on this host may set cookies of any form."""
    prefix = _SECURE_PREFIX if secure else ""
    pairs = (each.partition("=") for each in header.decode("latin-1").split(";"))
    named = {name.strip(): value.strip() for name, _, value in pairs}
    own = {
        name.removeprefix(prefix): value
        for name, value in islice(named.items(), _MOST_COOKIES)
        if name.startswith(f"{prefix}sk") and value
    }
    leagues = {
        name.removeprefix(_PREFIX): token for name, token in own.items() if name.startswith(_PREFIX)
    }
    return BrowserTokens(leagues, own.get(_ADMIN))


def _league_of(path: str) -> str:
    """Return the league that an address of the API or of a page is about, or an empty text."""
    parts = path.split("/")
    match parts:
        case ["", "v1", "leagues", league, *_] | ["", "l", league, *_]:
            return league
        case _:
            return ""
