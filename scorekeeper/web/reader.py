"""Who reads a page, with which rights, and from which address."""

from scorekeeper.service.identity.access import Caller, Right, authorise
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.services import Services
from scorekeeper.web.page import PageRequest


def services_of(request: PageRequest) -> Services:
    """What the application serves."""
    services: Services = request.app.state.services
    return services


def address_of(request: PageRequest) -> str:
    """What links and QR codes begin with: as it is set, else as the browser asked."""
    public: str | None = request.app.state.public_url
    return public or str(request.base_url).rstrip("/")


async def caller_of(request: PageRequest) -> Caller | None:
    """Whoever the browser's cookie stands for; None for a stranger."""
    header = request.headers.get("authorization")
    if header is None:
        return None
    try:
        return await services_of(request).access.caller(header)
    except Refused:
        return None


async def reader_of(request: PageRequest, league: str, right: Right = Right.READ) -> Caller:
    """Raises Refused: `not-found` for strangers, `forbidden` where the page needs more."""
    caller = await caller_of(request)
    if caller is None:
        raise not_found("league")
    authorise(caller, right, league)
    return caller
