"""What is measured in each lap. A contender's servers and data are made when first needed."""

import itertools
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from tests.bench.loads.evening import Evening, card_by_card, note, tally
from tests.bench.loads.following import Following
from tests.bench.measuring.children import measured_apart
from tests.bench.measuring.samples import Sample
from tests.bench.references.bare_streams import running_streams
from tests.bench.references.peer_jobs import Peer
from tests.bench.references.raw_sqlite import Loop
from tests.bench.side_by_side import figures
from tests.bench.side_by_side.flatness import Flatness
from tests.bench.side_by_side.in_process import Writers
from tests.bench.started.postgres import BATCHES, SINGLES, Postgres, running_postgres
from tests.bench.started.proxy import sharing_out
from tests.bench.started.service import League, Service, loaded_together, running_service

# Of some 40 events each: more than any client sends in one measurement.
_ROUNDS = 60

FOLLOWERS = 1_000
EVENTS_A_SECOND = 20
# As large as what followers get of a note: an entry, and the state after it.
FRAMES = "x" * 1_500

Measure = Callable[[], dict[str, Sample]]


class Contender(NamedTuple):
    """One measurement, and the names of the samples that it yields."""

    yields: frozenset[str]
    measure: Measure


class Grounds:
    """The surroundings of all contenders: one PostgreSQL, and services with a database each.

    Everything is stopped and removed when `stack` is closed.
    """

    def __init__(self, stack: ExitStack, seconds: float) -> None:
        self._stack = stack
        self._seconds = seconds
        self._warm_up = max(0.5, seconds / 4)
        self._databases = itertools.count(1)
        self._leagues: dict[tuple[str, int], list[League]] = {}
        self._proxied_leagues: dict[int, list[League]] = {}

    @cached_property
    def postgres(self) -> Postgres:
        return self._stack.enter_context(running_postgres())

    @cached_property
    def directory(self) -> str:
        return self._stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-"))

    @cached_property
    def flatness(self) -> Flatness:
        return Flatness(self.league().service)

    def database(self) -> str:
        name = f"bench_{next(self._databases)}"
        self.postgres.run_sql(f"CREATE DATABASE {name}")
        return name

    def league(self, server: str = "serve", workers: int = 1) -> League:
        """Return a service's first league; the server `sqlite` is as delivered, on SQLite."""
        return self.leagues(1, server, workers)[0]

    def leagues(self, number: int, server: str = "serve", workers: int = 1) -> list[League]:
        """Return a service's first leagues; service and leagues are made when first needed."""
        found = self._leagues.setdefault((server, workers), [])
        if not found:
            found.append(self._service(server, workers).open_league())
        while len(found) < number:
            found.append(found[0].service.open_league())
        return found[:number]

    def _service(self, server: str, workers: int) -> Service:
        if server == "sqlite":
            url = f"sqlite+aiosqlite:///{self.directory}/book.sqlite3"
        else:
            url = self.postgres.address("postgresql+asyncpg", self.database())
        served_by = "uvicorn" if server == "uvicorn" else "serve"
        return self._stack.enter_context(running_service(url, workers=workers, server=served_by))

    def contenders(self) -> list[Contender]:
        """Return the contenders in the order of a lap; those that are compared are neighbours."""
        return [
            self._rest(figures.UVICORN, clients=64, server="uvicorn"),
            self._rest(figures.TALLIES, clients=64),
            _one(figures.FLOOR, lambda: self.postgres.pgbench(SINGLES, self._seconds)),
            self._rest(figures.NOTES, clients=64, told=note),
            self._together(figures.MANY_LEAGUES, leagues=64),
            self._together(figures.SOME_LEAGUES, leagues=8, clients=8),
            self._together(figures.MANY_LEAGUES_TALLIES, leagues=64, told=tally),
            self._proxied(figures.PROXIED, processes=1, leagues=64),
            self._proxied(figures.PROXIED_TWO, processes=2, leagues=64),
            self._proxied(figures.PROXIED_LEAGUE, processes=1, leagues=1, clients=64),
            self._proxied(figures.PROXIED_TWO_LEAGUE, processes=2, leagues=1, clients=64),
            _one(figures.CARD_BY_CARD, self._card_by_card),
            self._rest(figures.TALLIES_32, clients=32),
            self._rest(figures.NOTES_32, clients=32, told=note),
            self._rest(figures.TWO_WORKERS, clients=64, workers=2),
            self._rest(figures.TWO_WORKERS_NOTES, clients=64, workers=2, told=note),
            self._rest(figures.BATCHES, clients=32, told=note, batch=100),
            _one(figures.FLOOR_BATCHES, lambda: self.postgres.pgbench(BATCHES, self._seconds)),
            self._rest(figures.TALLY_BATCHES, clients=32, batch=100),
            self._rest(figures.SQLITE, clients=32, server="sqlite"),
            _one(
                figures.SQLITE_LOOP,
                lambda: measured_apart(
                    "tests.bench.references.raw_sqlite", Loop(self.directory, self._seconds)
                ),
            ),
            self._rest(figures.SQLITE_NOTES, clients=32, server="sqlite", told=note),
            self._together(figures.SQLITE_MANY, leagues=32, server="sqlite"),
            _one(figures.PEER_AS_DELIVERED, lambda: self._peer(enable_db_functions=False)),
            _one(figures.IN_PROCESS, lambda: self._in_process(tally())),
            _one(figures.IN_PROCESS_NOTES, lambda: self._in_process(note())),
            _one(figures.PEER, lambda: self._peer(enable_db_functions=True)),
            _one(figures.FOLLOWERS, self._followed),
            _one(figures.WRITES, self._writes),
            Contender(
                frozenset({figures.OLD_LEAGUE, figures.YOUNG_LEAGUE}),
                self._flat_league,
            ),
            Contender(
                frozenset({figures.LONG_MATCH, figures.SHORT_MATCH}),
                self._flat_match,
            ),
        ]

    def _rest(
        self,
        name: str,
        *,
        clients: int,
        server: str = "serve",
        workers: int = 1,
        told: Callable[[], dict[str, object]] = tally,
        batch: int = 1,
    ) -> Contender:
        return _one(
            name,
            lambda: self.league(server, workers).loaded(
                told(), clients=clients, seconds=self._seconds, warm_up=self._warm_up, batch=batch
            ),
        )

    def _together(
        self,
        name: str,
        *,
        leagues: int,
        clients: int = 1,
        server: str = "serve",
        told: Callable[[], dict[str, object]] = note,
    ) -> Contender:
        return _one(
            name,
            lambda: loaded_together(
                self.leagues(leagues, server) * clients,
                told(),
                seconds=self._seconds,
                warm_up=self._warm_up,
            ),
        )

    def _proxied(self, name: str, *, processes: int, leagues: int, clients: int = 1) -> Contender:
        return _one(
            name,
            lambda: loaded_together(
                self._behind_nginx(processes, leagues) * clients,
                note(),
                seconds=self._seconds,
                warm_up=self._warm_up,
            ),
        )

    def _behind_nginx(self, processes: int, leagues: int) -> list[League]:
        """Return leagues of several services on one database, with nginx in front of these."""
        found = self._proxied_leagues.get(processes)
        if found is None:
            url = self.postgres.address("postgresql+asyncpg", self.database())
            data = Path(self.directory, f"data-{processes}")
            data.mkdir()
            each = (running_service(url, data=str(data)) for _ in range(processes))
            ports = [self._stack.enter_context(service).port for service in each]
            service = Service(self._stack.enter_context(sharing_out(self.directory, ports)))
            found = [service.open_league() for _ in range(64)]
            self._proxied_leagues[processes] = found
        return found[:leagues]

    def _card_by_card(self) -> Sample:
        return self.league().followed(
            self._evening, clients=64, seconds=self._seconds, warm_up=self._warm_up
        )

    @cached_property
    def _evening(self) -> Evening:
        return card_by_card(_ROUNDS)

    def _followed(self) -> Sample:
        return self.league().followed_live(
            followers=FOLLOWERS,
            per_second=EVENTS_A_SECOND,
            seconds=self._seconds,
            warm_up=self._warm_up,
        )

    @cached_property
    def _bare_streams(self) -> int:
        return self._stack.enter_context(running_streams())

    def _writes(self) -> Sample:
        """Measure the reference's typical tick, so that our p99 is not compared with its worst."""
        job = Following(
            port=self._bare_streams,
            live="/",
            tell="/",
            headers={},
            body=FRAMES,
            followers=FOLLOWERS,
            per_second=EVENTS_A_SECOND,
            seconds=self._seconds,
            warm_up=self._warm_up,
            whole_ticks=True,
        )
        tick = measured_apart("tests.bench.loads.following", job)
        return tick._replace(p99=tick.p50)

    def _flat_league(self) -> dict[str, Sample]:
        return self.flatness.of_league()

    def _flat_match(self) -> dict[str, Sample]:
        return self.flatness.of_match()

    @cached_property
    def _databases_in_process(self) -> dict[str, str]:
        return {name: self.database() for name in ("ours", "peer", "peer as delivered")}

    def _in_process(self, told: dict[str, object]) -> Sample:
        url = self.postgres.address("postgresql+asyncpg", self._databases_in_process["ours"])
        return measured_apart(
            "tests.bench.side_by_side.in_process",
            Writers(url, 32, self._seconds, self._warm_up, told),
        )

    def _peer(self, *, enable_db_functions: bool) -> Sample:
        name = "peer" if enable_db_functions else "peer as delivered"
        job = Peer(
            socket=str(self.postgres.socket),
            database=self._databases_in_process[name],
            writers=32,
            seconds=self._seconds,
            warm_up=self._warm_up,
            told=tally(),
            enable_db_functions=enable_db_functions,
        )
        return measured_apart("tests.bench.references.peer", job)


def _one(name: str, measure: Callable[[], Sample]) -> Contender:
    return Contender(frozenset({name}), lambda: {name: measure()})
