"""`serve` goes on though nothing can be printed: a full disk under a log must not end a service."""

import os
import signal

import httpx
import pytest

from tests.api.live_client import LEAGUE, Scorer
from tests.api.server_process import free_port
from tests.api.serving import ADMIN
from tests.forked_programs import start

ENDS_WITHIN = 60
# With so many tries a connection is made as soon as the server listens.
LISTENS = httpx.HTTPTransport(retries=8)


@pytest.fixture
def full(tmp_path):
    """A server with both outputs on a disk that has no room, and its address."""
    port = free_port()
    settings = {
        "SCOREKEEPER_DATA_DIR": str(tmp_path),
        "SCOREKEEPER_PORT": str(port),
        "SCOREKEEPER_ADMIN_TOKEN": ADMIN,
    }
    output = os.open("/dev/full", os.O_WRONLY)
    process = start(["serve"], {**os.environ, **settings}, output)
    os.close(output)
    url = f"http://127.0.0.1:{port}"
    with httpx.Client(transport=LISTENS) as client:
        assert client.get(f"{url}/health/ready").status_code == 200
    yield process, url
    process.kill()
    process.join()


def test_requests_are_answered_and_the_end_is_no_failure(full):
    process, url = full
    with Scorer(url) as scorer:
        scorer.open()
        assert scorer.get(LEAGUE).status_code == 200
    os.kill(process.pid, signal.SIGTERM)
    process.join(ENDS_WITHIN)
    assert process.exitcode == 0
