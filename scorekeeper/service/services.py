"""What the API and the commands ask for anything."""

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.access import Access
from scorekeeper.service.erasing import Erasing
from scorekeeper.service.evidence import Evidence, EvidenceFiles
from scorekeeper.service.leagues import Leagues
from scorekeeper.service.matches import Matches
from scorekeeper.service.players import Players
from scorekeeper.service.reading import Reading
from scorekeeper.service.recording import Recording
from scorekeeper.service.tokens import Tokens
from scorekeeper.service.tournament_opening import TournamentOpenings
from scorekeeper.service.tournament_reading import TournamentReading
from scorekeeper.service.tournament_recording import TournamentRecording
from scorekeeper.store import tokens
from scorekeeper.store.migrate import check_file, check_tables


class Services:
    """All that is served from one database. `admin_token` is a digest given by the settings."""

    def __init__(
        self, ledger: Ledger, *, evidence: EvidenceFiles, admin_token: bytes | None = None
    ) -> None:
        self.ledger = ledger
        self.access = Access(ledger, given_admin=admin_token, clock=time.monotonic)
        self.reading = Reading(ledger)
        self.leagues = Leagues(ledger)
        self.players = Players(ledger)
        self.erasing = Erasing(ledger)
        self.tokens = Tokens(ledger, self.access)
        self.recording = Recording(ledger, self.reading)
        self.matches = Matches(ledger, self.reading)
        self.evidence = Evidence(ledger, evidence)
        self.tournaments = TournamentReading(ledger)
        self.tournament_openings = TournamentOpenings(ledger)
        self.tournament_recording = TournamentRecording(ledger, self.tournaments)

    async def check_ready(self) -> None:
        """Return where the database answers. Raises LedgerUnavailable."""
        await self.ledger.read(tokens.admin_digest)


@asynccontextmanager
async def open_services(
    url: str, *, evidence: EvidenceFiles, admin_token: bytes | None = None
) -> AsyncGenerator[Services]:
    """The services over the database at `url`, which must be migrated.

    Raises LedgerInUse where another process has the SQLite file.
    """
    ledger = await Ledger.open(url)
    try:
        yield Services(ledger, evidence=evidence, admin_token=admin_token)
    finally:
        await ledger.close()


@asynccontextmanager
async def open_reading(url: str) -> AsyncGenerator[Reading]:
    """Readings of the database at `url`, beside whoever serves it; nothing is written.

    Raises DatabaseNotReady, LedgerUnavailable.
    """
    check_file(url)
    ledger = await Ledger.open_to_read(url)
    try:
        await ledger.read(check_tables)
        yield Reading(ledger)
    finally:
        await ledger.close()
