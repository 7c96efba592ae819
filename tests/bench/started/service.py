"""The service under test, started by its own commands, and the data that it needs beforehand."""

import itertools
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec

from tests.bench.loads.evening import PLAYERS, Evening, Told, note, opening
from tests.bench.loads.following import Following
from tests.bench.loads.load import PLACE_OF_ID, Load, Target
from tests.bench.measuring.children import measured_apart
from tests.bench.measuring.samples import Sample

ADMIN_TOKEN = "an-admin-token-for-measurements"
START_SECONDS = 30
UVICORN = [
    "uvicorn",
    "--factory",
    "--http=httptools",
    "--loop=uvloop",
    "--ws=none",
    "--no-access-log",
    "--log-level=warning",
    "scorekeeper.app:from_environment",
]


class Service:
    """A service that answers on `port`. Leagues, matches and tokens are made through its API."""

    def __init__(self, port: int, pid: int = 0) -> None:
        self.port = port
        self.pid = pid
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False)
        self._numbers = itertools.count(1)

    def post(self, path: str, body: Told, token: str = ADMIN_TOKEN) -> Any:
        headers = {"Authorization": f"Bearer {token}"}
        answer = self._http.post(path, json=body, headers=headers)
        if answer.status_code != 201:
            raise RuntimeError(f"{path}: {answer.status_code}\n{answer.text}")
        return answer.json()

    def open_league(self) -> "League":
        slug = f"league-{next(self._numbers)}"
        path = f"/v1/leagues/{slug}"
        self.post("/v1/leagues", {"league": slug, "name": "Measured"})
        for player in PLAYERS:
            self.post(f"{path}/players", {"player": player, "name": player.title()})
        return self.league(slug)

    def league(self, slug: str) -> "League":
        """Return an existing league, with a new token of a scorekeeper."""
        path = f"/v1/leagues/{slug}"
        made = self.post(f"{path}/tokens", {"role": "scorekeeper", "name": "tablet"})
        return League(self, path, made["token"])

    def loaded(
        self,
        targets: list[Target],
        requests: list[list[Told]],
        seconds: float,
        warm_up: float,
        headers: dict[str, str],
    ) -> Sample:
        """Measure one client for each target, which sends the requests in their order."""
        load = Load(
            port=self.port,
            targets=targets,
            headers=headers,
            bodies=[msgspec.json.encode({"events": events}).decode() for events in requests],
            seconds=seconds,
            warm_up=warm_up,
        )
        return measured_apart("tests.bench.loads.load", load)

    def wait_until_ready(self, process: "subprocess.Popen[bytes]", log: Path) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and process.poll() is None:
            try:
                if self._http.get("/health/ready").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise RuntimeError(f"the service did not become ready:\n{log.read_text()}")


class League:
    """A league with four players or more, and its scorekeeper's token."""

    def __init__(self, service: Service, path: str, token: str) -> None:
        self.service = service
        self.token = token
        self.path = path
        self._numbers = itertools.count(1)

    def open_match(self, agreed: Told | None = None) -> str:
        """Open a match with `agreed` in its opening; return the path for posting its events."""
        match = f"match-{next(self._numbers)}"
        self.service.post(f"{self.path}/matches", opening(match) | (agreed or {}), self.token)
        return f"{self.path}/matches/{match}/events"

    def tell(self, path: str, told: Told, times: int) -> None:
        """Append one event many times over, in as few requests as can be."""
        while times > 0:
            events = [told] * min(times, 1000)
            self.service.post(path, {"events": events}, self.token)
            times -= len(events)

    def loaded(
        self, told: Told, *, clients: int, seconds: float, warm_up: float, batch: int = 1
    ) -> Sample:
        """Measure clients that append to a new match each, with `batch` events a request.

        A single event has an id of the client's; a batch has an Idempotency-Key.
        """
        if batch == 1:
            return loaded_together([self] * clients, told, seconds=seconds, warm_up=warm_up)
        targets = [self.new_target() for _ in range(clients)]
        headers = {"Idempotency-Key": PLACE_OF_ID}
        return self.service.loaded(targets, [[told] * batch], seconds, warm_up, headers)

    def followed(self, evening: Evening, *, clients: int, seconds: float, warm_up: float) -> Sample:
        """Measure clients that record the same events in a match each, one event a request."""
        targets = [self.new_target(evening.opening) for _ in range(clients)]
        requests = [[{**told, "id": PLACE_OF_ID}] for told in evening.told]
        return self.service.loaded(targets, requests, seconds, warm_up, {})

    def new_target(self, agreed: Told | None = None) -> Target:
        """Open a match, and return it as a target of the load."""
        return Target(self.open_match(agreed), self.token)

    def followed_live(
        self, *, followers: int, per_second: float, seconds: float, warm_up: float
    ) -> Sample:
        """Measure the time from an append until each follower has the entry."""
        tell = self.open_match()
        job = Following(
            port=self.service.port,
            live=tell.removesuffix("/events") + "/live",
            tell=tell,
            headers={"Authorization": f"Bearer {self.token}"},
            body=msgspec.json.encode({"events": [note()]}).decode(),
            followers=followers,
            per_second=per_second,
            seconds=seconds,
            warm_up=warm_up,
            whole_ticks=False,
        )
        return measured_apart("tests.bench.loads.following", job)


def loaded_together(
    leagues: Sequence[League], told: Told, *, seconds: float, warm_up: float
) -> Sample:
    """Measure one client for each item of `leagues`, which may repeat a league; each has a match.

    Each request has one event, with an id of the client's.
    """
    targets = [league.new_target() for league in leagues]
    requests = [[{**told, "id": PLACE_OF_ID}]]
    return leagues[0].service.loaded(targets, requests, seconds, warm_up, {})


@contextmanager
def running_service(
    database_url: str, *, workers: int = 1, server: str = "serve", data: str | None = None
) -> Iterator[Service]:
    """Migrate, serve, and stop at the end. `data`: the directory that several processes share."""
    port = free_port()
    with ExitStack() as stack:
        directory = data or stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-"))
        environment = {
            **os.environ,
            "SCOREKEEPER_DATABASE_URL": database_url,
            "SCOREKEEPER_DATA_DIR": directory,
            "SCOREKEEPER_PORT": str(port),
            "SCOREKEEPER_WORKERS": str(workers),
            "SCOREKEEPER_ADMIN_TOKEN": ADMIN_TOKEN,
        }
        commands = Path(sys.executable).parent
        migrated = [commands / "scorekeeper", "migrate"]
        subprocess.run(migrated, env=environment, check=True, stdout=subprocess.DEVNULL)
        serve: list[str] = ["scorekeeper", "serve"]
        if server == "uvicorn":
            serve = [*UVICORN, f"--port={port}", f"--workers={workers}"]
        log = Path(directory, f"service-{port}.log")
        with log.open("wb") as output:
            process = subprocess.Popen(
                [commands / serve[0], *serve[1:]],
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            service = Service(port, process.pid)
            try:
                service.wait_until_ready(process, log)
                yield service
            finally:
                process.terminate()
                process.wait(timeout=30)


def answers_on(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Return once somebody listens on the port; raise RuntimeError if nobody does in time."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the server did not become ready")


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]
