"""`/l/{league}/t/new`: open a tournament, after a look at who sits where and with whom.

The form is sent by GET to be laid out: nothing is written before "Open tournament", which is a
request of the page's script to the API.
"""

from collections.abc import Mapping
from functools import cache, partial
from itertools import count
from typing import Final

import msgspec
from litestar import Response

from scorekeeper.rules.house_rules import Chosen, Variant
from scorekeeper.service.booklets import edition_summaries
from scorekeeper.service.identity.access import Right
from scorekeeper.tournament.designs import DESIGNS, cycle, nearest
from scorekeeper.tournament.events import MOST_CYCLES, MOST_ROUNDS_PER_PARTNER
from scorekeeper.tournament.opening import DEFAULT_MODE
from scorekeeper.tournament.schedule import ROUNDS_OF_A_PATTERN, ScheduledSegment, schedule
from scorekeeper.web.house_rules import checked_with, offered
from scorekeeper.web.last_match import last_match
from scorekeeper.web.page import Live, PageRequest, language_of, page
from scorekeeper.web.people import called, names_in
from scorekeeper.web.reader import reader_of, services_of

_MODES: Final = (DEFAULT_MODE, "winner-collects")
"""In which partners score together, whatever the number of rounds."""
_FORM: Final = "name"
"""A field that is there as soon as the form was sent."""
_HOUSE: Final = "house."


class _Asked(msgspec.Struct, frozen=True):
    """The form as it was sent; `added`: names typed in, one a line."""

    name: str
    players: list[str]
    added: list[str]
    edition: str
    mode: str
    rounds: str
    cycles: str
    house_rules: Mapping[str, Variant]


async def show_new_tournament(request: PageRequest, league: str) -> Response[bytes]:
    """Raises Refused, also to who may only watch."""
    caller = await reader_of(request, league, Right.RECORD)
    services = services_of(request)
    names = await names_in(services, league)
    last = None if _FORM in request.query_params else await last_match(services, caller, league)
    asked = _asked(request, names, {} if last is None else last.house_rules)
    people = [*(names[player] for player in asked.players), *asked.added]
    return page(
        request,
        "new_tournament.html",
        title="",
        league=league,
        names=names,
        editions=edition_summaries(language_of(request)),
        modes=_MODES,
        rounds=range(ROUNDS_OF_A_PATTERN, MOST_ROUNDS_PER_PARTNER + 1, ROUNDS_OF_A_PATTERN),
        cycles=range(1, MOST_CYCLES + 1),
        asked=asked,
        offered=offered(language_of(request)),
        number=len(people),
        size=_sizes().get(len(people)),
        nearest=", ".join(map(str, nearest(len(people)))),
        laid_out=_laid_out(len(people)),
        name=partial(called, names=dict(zip(map(str, count()), people, strict=False))),
        live=Live(
            "tournament/new.js", {"league": league, "sizes": _sizes(), "house": checked_with()}
        ),
    )


def _asked(request: PageRequest, names: Mapping[str, str], last: Chosen) -> _Asked:
    """`last`: the house rules to begin with."""
    fields = request.query_params
    typed = fields.get("added", "").splitlines()
    return _Asked(
        name=fields.get("name", ""),
        players=[player for player in names if player in fields.getall("players", [])],
        added=[name for each in typed if (name := each.strip())],
        edition=fields.get("edition", ""),
        mode=fields.get("mode", DEFAULT_MODE),
        rounds=fields.get("rounds", str(ROUNDS_OF_A_PATTERN)),
        cycles=fields.get("cycles", "1"),
        house_rules=last
        or {
            name.removeprefix(_HOUSE): variant
            for name, variant in fields.items()
            if name.startswith(_HOUSE) and variant
        },
    )


@cache
def _sizes() -> Mapping[int, tuple[int, int]]:
    """By the number of players: how many segments a cycle has, and how many tables at once."""
    return {
        players: (len(segments), max(len(games) for games in segments))
        for players in DESIGNS
        for segments in [cycle(players)]
    }


def _laid_out(players: int) -> tuple[ScheduledSegment, ...]:
    """One cycle; players are called by their number in the order of entry."""
    if players not in DESIGNS:
        return ()
    people = [str(number) for number in range(players)]
    return schedule("", people, rounds_per_partner=ROUNDS_OF_A_PATTERN, cycles=1).segments
