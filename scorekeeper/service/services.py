"""All services over one database, for the API, the pages and the commands."""

import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from scorekeeper.ledger.clock import wall_clock
from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.erasing import Erasing
from scorekeeper.service.export.exporting import Exporting
from scorekeeper.service.identity.access import Access
from scorekeeper.service.identity.invitations import Invitations
from scorekeeper.service.identity.sessions import Sessions
from scorekeeper.service.identity.tokens import Tokens
from scorekeeper.service.imports.importing import SpreadsheetImporting
from scorekeeper.service.integrity.evidence import Evidence, EvidenceFiles
from scorekeeper.service.integrity.rebuilding import Rebuilding
from scorekeeper.service.leagues import Leagues, Players
from scorekeeper.service.ledger_to_read import open_ledger_to_read
from scorekeeper.service.live.followers import Followers, Pace
from scorekeeper.service.matches.amendments import Undoing
from scorekeeper.service.matches.opening import Matches
from scorekeeper.service.matches.past_matches import PastMatches
from scorekeeper.service.matches.recording import Recording
from scorekeeper.service.question_pool import Answering, Pool, RememberedAnswers
from scorekeeper.service.readers import Readers
from scorekeeper.service.reading.matches import Reading
from scorekeeper.service.reading.occasions import Occasions
from scorekeeper.service.rebuild_processes import RebuildProcesses
from scorekeeper.service.slugs import LeagueNames
from scorekeeper.service.standings.league_table import LeagueTable
from scorekeeper.service.standings.rating import PlayerPages, Ratings
from scorekeeper.service.tournament_opening import TournamentOpenings
from scorekeeper.service.tournament_recording import TournamentRecording
from scorekeeper.service.worker_processes import WorkerProcesses
from scorekeeper.store.migrate import DatabaseNotReady, check_tables


class Services:
    """All services over one database. `admin_token`: a digest from the settings, or None."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        evidence_files: EvidenceFiles,
        admin_token: bytes | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.ledger = ledger
        self.access = Access(ledger, given_admin=admin_token, clock=time.monotonic)
        self.evidence = Evidence(ledger, evidence_files)
        readers = Readers(ledger, self.evidence)
        self.readers = readers
        self.answering: Answering = readers
        self.reading = readers.reading
        self.names = LeagueNames(ledger)
        self.by_name = readers.by_name
        self.occasions = Occasions(ledger)
        self.leagues = Leagues(ledger)
        self.players = Players(ledger)
        self.erasing = Erasing(ledger)
        self.tokens = Tokens(ledger, self.access)
        self.invitations = Invitations(ledger, wall_clock)
        self.sessions = Sessions(ledger, self.access, self.tokens, self.invitations)
        self.recording = Recording(ledger, self.reading)
        self.matches = Matches(ledger, self.reading)
        self.past_matches = PastMatches(ledger)
        self.importing = SpreadsheetImporting(
            ledger, self.players, self.past_matches, self.recording, wall_clock
        )
        self.league_table = LeagueTable(ledger)
        self.ratings = Ratings(ledger)
        self.player_pages = PlayerPages(ledger, self.ratings)
        self.rebuilding = Rebuilding(ledger)
        self.tournaments = readers.tournaments
        self.undoing = Undoing(ledger, self.reading)
        self.tournament_openings = TournamentOpenings(ledger)
        self.tournament_recording = TournamentRecording(ledger, self.tournaments)
        self.followers = Followers(ledger, self.reading, self.access, pace=pace)
        self.exporting = Exporting(ledger, self.evidence)

    async def check_ready(self) -> None:
        """Check that the database has the schema of this program, and accepts writes.

        Raises LedgerUnavailable if not, for example if a newer program has migrated it meanwhile.
        """
        try:
            await self.ledger.read(check_tables)
        except DatabaseNotReady as error:
            raise LedgerUnavailable(str(error)) from error
        await self.ledger.check_writable()


@asynccontextmanager
async def open_services(
    url: str,
    *,
    evidence_files: EvidenceFiles,
    admin_token: bytes | None = None,
    notify_url: str | None = None,
    pace: Pace | None = None,
    offload: bool = False,
) -> AsyncGenerator[Services]:
    """Open the services over the database at `url`, which must be migrated.

    `notify_url`: the database through which processes wake each other; None if no other process has
    the database. `offload`: long computations are done by worker processes. Raises LedgerInUse if
    another process has the SQLite file.
    """
    async with AsyncExitStack() as stack:
        ledger = await stack.enter_async_context(await Ledger.open(url))
        services = Services(
            ledger, evidence_files=evidence_files, admin_token=admin_token, pace=pace
        )
        stack.push_async_callback(services.ratings.stop)
        if offload:
            processes = WorkerProcesses(url, evidence_files)
            stack.push_async_callback(processes.close)
            services.answering = RememberedAnswers(ledger, Pool(services.readers, processes))
            rebuilds = RebuildProcesses(ledger, url)
            stack.push_async_callback(rebuilds.close)
            services.rebuilding = Rebuilding(ledger, rebuilds.fold_of)
        followers = services.followers
        if notify_url is None:
            ledger.on_commit(followers.wake)
        else:
            # Imported here only, with PostgreSQL's driver: on SQLite nobody needs it.
            from scorekeeper.ledger.writing.wakeups import Wakeups

            wakeups = Wakeups(notify_url, followers.wake)
            await stack.enter_async_context(wakeups.running())

            def committed(league: str, size: int) -> None:
                followers.wake(league, size)
                wakeups.announce(league, size)

            ledger.on_commit(committed)
        await stack.enter_async_context(followers.tended())
        yield services


@asynccontextmanager
async def open_reading(url: str) -> AsyncGenerator[Reading]:
    """Open the database at `url` to read matches. A service may be using it. Nothing is written.

    Raises DatabaseNotReady, LedgerUnavailable.
    """
    async with open_ledger_to_read(url) as ledger:
        yield Reading(ledger)


@asynccontextmanager
async def open_exporting(url: str, *, evidence_files: EvidenceFiles) -> AsyncGenerator[Exporting]:
    """Open the database at `url` to export leagues. A service may be using it.

    Raises DatabaseNotReady, LedgerUnavailable.
    """
    async with open_ledger_to_read(url) as ledger:
        yield Exporting(ledger, Evidence(ledger, evidence_files))
