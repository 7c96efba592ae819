"""The services on a database of their own, with one league, for measurements without HTTP."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Final

from scorekeeper.service.identity.access import ADMIN_ID, Caller
from scorekeeper.service.services import Services, open_services
from scorekeeper.service.views import LeagueOpening, PlayerRegistration
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import upgrade
from tests.bench.loads.evening import PLAYERS

ADMIN: Final = Caller(ADMIN_ID, "admin", None)


@asynccontextmanager
async def open_book(
    url: str, league: str, players: Iterable[str] = PLAYERS
) -> AsyncIterator[Services]:
    """Migrate the database, and open the league with its players."""
    await upgrade(url)
    async with open_services(url, evidence_files=Settings().evidence_files) as book:
        await book.leagues.open(ADMIN, LeagueOpening(league=league, name="Measured"), None)
        for player in players:
            registration = PlayerRegistration(player=player, name=player.title())
            await book.players.register(ADMIN, league, registration, None)
        yield book
