"""One page: who reads it, its template, its data, and its script module."""

import re
from collections.abc import Mapping
from functools import cache, partial
from typing import Any, Final, Literal
from urllib.parse import quote, urlencode, urlsplit

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Request, Response
from litestar.datastructures import State

from scorekeeper.days import minute_of
from scorekeeper.match.events.fields import SLUG
from scorekeeper.service.identity.access import (
    BROWSER_TOKENS,
    BrowserTokens,
    Caller,
    Right,
    authorise,
)
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.services import Services
from scorekeeper.texts.language import CONVENTIONS, LANGUAGES, Language, negotiate
from scorekeeper.texts.pages import counted, said, words_for
from scorekeeper.texts.words import PLAIN, words_of
from scorekeeper.web.known_bodies import KnownBodies
from scorekeeper.web.people import called, isolate_names, listed, sitting
from scorekeeper.web.pictures import plot
from scorekeeper.web.static_files import STATIC

OPENING: Final = "new"
"""`/l/{league}/t/new` is the form for a new tournament. A tournament may have this slug, too."""

PageRequest = Request[Caller, None, State]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types scorekeeper-worker"
)
# Sent over HTTPS only: browsers log a warning for it on every page that comes over plain HTTP.
_HEADERS_OF_HTTPS: Final = {"cross-origin-opener-policy": "same-origin"}
_HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # With `no-referrer` a form would be sent without its Origin. Over plain HTTP nothing but the
    # Origin shows that a page of ours sent it.
    "referrer-policy": "same-origin",
    "cache-control": "private, no-cache",
}
LANGUAGE_COOKIE: Final = "lang"
_MOST_DIGITS: Final = 18
_YEAR_SECONDS: Final = 365 * 24 * 60 * 60
# How modules say their texts: `say("…")` and `count(n, "…", "…")`, always with literals.
_SAYING: Final = "core/given.js"
_SAID: Final = re.compile(r'\bsay\(\s*"((?:[^"\\]|\\.)*)"')
_COUNTED: Final = re.compile(r'\bcount\([^"]*"((?:[^"\\]|\\.)*)"')

_templates: Final = Environment(
    loader=PackageLoader("scorekeeper.web", "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def tournament_at(league: str, tournament: str) -> str:
    """Return the address of a tournament's page."""
    address = f"/l/{league}/t/{tournament}"
    return f"{address}/standings" if tournament == OPENING else address


_known: Final = KnownBodies()


class Live(msgspec.Struct, frozen=True):
    """What makes a page live: a module of `static`, and the data that it begins with.

    `edition`: the edition whose booklet has words that the module's texts leave open.
    """

    module: str
    given: Mapping[str, Any] = {}
    edition: str | None = None


class _BodyInputs(msgspec.Struct, frozen=True):
    """All that a body is made from, but for the templates, catalogs and static files themselves."""

    template: str
    language: Language
    zone: str
    path: str
    query: str
    module: str | None
    edition: str | None
    data: str | None
    names: Mapping[str, str] | None
    shown: Mapping[str, Any]


def page(
    request: PageRequest,
    template: str,
    *,
    live: Live | None = None,
    league: str | None = None,
    status: int = 200,
    width: Literal["narrow", "wide"] = "narrow",
    names: Mapping[str, str] | None = None,
    many_look: bool = False,
    **shown: object,
) -> Response[bytes]:
    """Return the page in the reader's language.

    `league`: the league that the page belongs to. `width`: how much of a screen the page takes.
    `names`: the names of people by their slugs. `shown`: what else the template reads, such as the
    `title` if the template has none of its own. The templates escape all texts.

    `many_look`: the body is kept for readers who would see the same. Then `shown` must be data, and
    the page must not hold a secret.
    """
    language = language_of(request)
    inputs = _BodyInputs(
        template=template,
        language=language,
        zone=zone_of(request),
        path=path_of(request),
        query=_query_but_language(request),
        module=None if live is None else live.module,
        edition=None if live is None else live.edition,
        data=None if live is None else _json(live.given),
        names=names,
        shown={"league": league, "width": width, **shown},
    )
    response = Response(
        _known.body(inputs, partial(_written, inputs)) if many_look else _written(inputs),
        status_code=status,
        media_type="text/html",
        headers={
            **_HEADERS,
            **(_HEADERS_OF_HTTPS if address_of(request).startswith("https:") else {}),
            "content-language": language,
        },
    )
    if request.query_params.get("lang") in LANGUAGES:
        response.set_cookie(LANGUAGE_COOKIE, language, max_age=_YEAR_SECONDS, samesite="lax")
    return response


def language_of(request: PageRequest) -> Language:
    """Choose the language by `?lang=`, else by the cookie of an earlier choice.

    Without either, choose it by Accept-Language.
    """
    asked = request.query_params.get("lang") or request.cookies.get(LANGUAGE_COOKIE)
    return negotiate(asked, request.headers.get("accept-language"))


def _written(inputs: _BodyInputs) -> bytes:
    around = _common_values(inputs)
    return _templates.get_template(inputs.template).render(around, **inputs.shown).encode()


def _common_values(inputs: _BodyInputs) -> dict[str, Any]:
    """Return what every template can use; what concerns people only if the page has `names`."""
    language, module = inputs.language, inputs.module
    return {
        "language": language,
        "endonyms": {each: held.endonym for each, held in CONVENTIONS.items()},
        "say": partial(_say, language),
        "count": partial(_count, language),
        "minute_of": partial(minute_of, zone=inputs.zone),
        "static": STATIC.address,
        "tournament_at": tournament_at,
        "plot": plot,
        "apart": isolate_names,
        "path": inputs.path,
        "query": inputs.query,
        "modules": [] if module is None else _addresses(module),
        "data": inputs.data,
        "words": None if module is None else _json(_words(module, language, inputs.edition)),
        **({} if inputs.names is None else _of_people(inputs.names, language)),
    }


def _of_people(names: Mapping[str, str], language: Language) -> dict[str, Any]:
    return {
        "names": names,
        "name": partial(called, names=names),
        "listed": partial(listed, names=names, language=language),
        "sitting": sitting,
    }


def path_of(request: PageRequest) -> str:
    """Return the path of this page, for links to it.

    Browsers take what follows two slashes for a host, and a backslash for a slash. So the path
    begins with one slash, and backslashes are quoted.
    """
    return "/" + quote(request.scope["path"].lstrip("/"))


def _query_but_language(request: PageRequest) -> str:
    """Return the rest of the query without `lang`, beginning with `&`, or an empty text.

    A link to the page in another language puts it after its own `?lang=`.
    """
    asked = request.query_params.multi_items()
    # Litestar gives them in no fixed order, and a page should be the same each time.
    kept = sorted((name, value) for name, value in asked if name != "lang")
    return f"&{urlencode(kept)}" if kept else ""


def _say(language: Language, english: str, /, **facts: object) -> str:
    return said(english, language, facts)


def _count(language: Language, n: int, one: str, other: str, /, **facts: object) -> str:
    return counted(n, one, other, language, facts)


@cache
def _addresses(module: str) -> list[str]:
    return [STATIC.address(each) for each in STATIC.modules(module)]


@cache
def _words(module: str, language: Language, edition: str | None) -> Mapping[str, str]:
    booklet = PLAIN if edition is None else words_of(edition)
    return words_for(texts_of(module), language, booklet)


def texts_of(module: str) -> set[str]:
    """Return the English texts of a module and of all modules that it imports, now or later."""
    sources = [STATIC.text(name) for name in STATIC.modules(module, later=True) if name != _SAYING]
    return {
        text for source in sources for said in (_SAID, _COUNTED) for text in said.findall(source)
    }


def _json(data: object) -> str:
    """Encode data for a block in a page. No text in the data can end the block."""
    return msgspec.json.encode(data).decode().replace("<", "\\u003c")


def slug_in(request: PageRequest, name: str) -> str | None:
    """Return the slug after which a list goes on, from the query parameter `name`.

    Return None if the list begins at its start, or if the parameter is no slug.
    """
    asked = request.query_params.get(name, "")
    return asked if re.search(SLUG, asked) else None


def number_in(request: PageRequest, name: str) -> int | None:
    """Return the number that the query parameter `name` is; None if it is no number, or too long.

    A database can hold every number that is returned.
    """
    asked = request.query_params.get(name, "")
    is_number = asked.isascii() and asked.isdecimal() and len(asked) <= _MOST_DIGITS
    return int(asked) if is_number else None


def services_of(request: PageRequest) -> Services:
    """Return the services that answer this request."""
    services: Services = request.scope["state"]["services"]
    return services


def address_of(request: PageRequest) -> str:
    """Return what links and QR codes begin with: the configured address, else the one asked."""
    public: str | None = request.scope["state"]["public_url"]
    return public or str(request.base_url).rstrip("/")


def zone_of(request: PageRequest) -> str:
    """Return the time zone of the installation, in which pages tell days and times."""
    zone: str = request.scope["state"]["time_zone"]
    return zone


def is_only_here(address: str) -> bool:
    """Return whether an address leads each reader to their own machine (RFC 6761, section 6.3)."""
    host = urlsplit(address).hostname or ""
    return host == "::1" or host.startswith("127.") or f".{host}".endswith(".localhost")


async def caller_of(request: PageRequest) -> Caller | None:
    """Return the caller whom the browser's cookie authorises, None for a stranger."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    try:
        return await services_of(request).access.caller(header)
    except Refused:
        return None


async def callers_of(request: PageRequest) -> list[Caller]:
    """Return the callers whom the browser's cookies authorise, in all leagues."""
    browser: BrowserTokens | None = request.scope["state"].get(BROWSER_TOKENS)
    try:
        header = request.headers.get("authorization")
        return await services_of(request).access.callers(browser, header)
    except Refused:
        return []


async def reader_of(request: PageRequest, league: str, right: Right = Right.READ) -> Caller:
    """Return the reader of a page of a league.

    Raises Refused: `not-found` for strangers, `forbidden` if the reader lacks the right.
    """
    caller = await caller_of(request)
    if caller is None:
        raise not_found("league")
    authorise(caller, right, league)
    return caller
