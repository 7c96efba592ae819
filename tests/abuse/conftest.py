"""A service as it is delivered, in a process of its own, with nothing in front of it."""

import itertools
from collections.abc import Iterator

import pytest

from tests.api.live_client import Scorer
from tests.api.server_process import Server

_matches = itertools.count(1)


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
