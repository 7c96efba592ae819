"""A service as it is delivered, in a process of its own, with nothing in front of it."""

import itertools
import resource
from collections.abc import Callable, Iterator

import pytest

from tests.api.live_client import Scorer
from tests.api.server_process import Server

_matches = itertools.count(1)
# For what a test has open besides the connections.
_SPARE_FILES = 500


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("abused"), trusted_proxies="127.0.0.0/8")
    yield server
    server.check()
    server.terminate()


@pytest.fixture(scope="module")
def scorer(server: Server) -> Iterator[Scorer]:
    """An honest client; the league is open."""
    with Scorer(server.url) as scorer:
        yield scorer.open()


@pytest.fixture
def match(scorer: Scorer) -> str:
    """The path of a match that no other test writes to."""
    slug = f"m-{next(_matches)}"
    players = ["ann", "bo", "cy", "di"]
    scorer.made("/v1/leagues/home/matches", {"match": slug, "edition": "basic", "players": players})
    return f"/v1/leagues/home/matches/{slug}"


@pytest.fixture
def room_for() -> Iterator[Callable[[int], None]]:
    """Raise the number of open files, so that the test can open so many connections at once.

    The service does the same for itself. A test is skipped where the system's limit is too low.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    def allow(connections: int) -> None:
        wanted = connections + _SPARE_FILES
        if hard != resource.RLIM_INFINITY and hard < wanted:
            pytest.skip(f"a process may open only {hard:,} files here")
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

    yield allow
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
