"""`/`: the leagues that this browser has access to; without any, how to get access."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

from scorekeeper.service.identity.access import STATE_KEY, BrowserTokens, Caller
from scorekeeper.web.page import Live, PageRequest, page
from scorekeeper.web.reader import caller_of, services_of

_MOST_LEAGUES = 200


@get("/")
async def show_home(request: PageRequest) -> Response[bytes]:
    services = services_of(request)
    me = await services.sessions.me(await _callers(request))
    leagues = [(each.league, each.name) for each in me.leagues]
    if me.admin:
        admin = Caller("admin", "admin", None)
        found = await services.leagues.list(admin, after=None, limit=_MOST_LEAGUES)
        leagues = [(each.league, each.name) for each in found]
    return page(
        request,
        "home.html",
        title="Scorekeeper",
        leagues=leagues,
        admin=me.admin,
        live=Live("home/page.js"),
    )


async def _callers(request: PageRequest) -> list[Caller]:
    browser: BrowserTokens | None = request.scope["state"].get(STATE_KEY)
    if browser is not None:
        return await services_of(request).access.callers(browser.all)
    caller = await caller_of(request)
    return [] if caller is None else [caller]


ROUTES: list[HTTPRouteHandler] = [show_home]
