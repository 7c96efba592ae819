"""Which address counts if there is a proxy in front of the service."""

import httpx
import pytest

from scorekeeper.api.layers.rate_limits import FAILURES_PER_MINUTE
from tests.api.live_client import PATIENCE
from tests.api.server_process import Server

MANY_GUESSES = 4 * FAILURES_PER_MINUTE


@pytest.fixture
def guess(request, tmp_path):
    """Return the status of a guess that a proxy sends on from an address."""
    server = Server(tmp_path, trusted_proxies=request.param)

    def guess(address):
        told = {"Authorization": "Bearer sk_home_guessed", "X-Forwarded-For": address}
        return guessing.get("/v1/leagues", headers=told).status_code

    with httpx.Client(base_url=server.url, timeout=PATIENCE) as guessing:
        yield guess
    server.terminate()


@pytest.mark.parametrize("guess", ["127.0.0.0/8"], indirect=True)
def test_failures_are_counted_by_the_address_that_a_trusted_proxy_names(guess):
    ours = (guess("198.51.100.7") for _ in range(MANY_GUESSES))
    assert next(status for status in ours if status != 401) == 429
    assert guess("198.51.100.8") == 401


@pytest.mark.parametrize("guess", ["10.1.2.3"], indirect=True)
def test_the_address_that_a_proxy_names_which_is_not_trusted_is_ignored(guess):
    ours = (guess(f"198.51.100.{nth}") for nth in range(MANY_GUESSES))
    assert next(status for status in ours if status != 401) == 429
