"""Which address counts if there is a proxy in front of the service."""

import httpx
import pytest

from scorekeeper.api.layers.rate_limits import FAILURES_PER_MINUTE
from tests.api.server_process import Server


@pytest.mark.parametrize(("trusted", "elsewhere"), [("127.0.0.0/8", 401), ("10.1.2.3", 429)])
def test_failures_are_counted_by_the_address_that_a_trusted_proxy_names(
    tmp_path, trusted, elsewhere
):
    """The header of a proxy that is not trusted is ignored."""
    server = Server(tmp_path, trusted_proxies=trusted)

    def guess(address):
        told = {"Authorization": "Bearer sk_home_guessed", "X-Forwarded-For": address}
        return guessing.get("/v1/leagues", headers=told).status_code

    with httpx.Client(base_url=server.url) as guessing:
        ours = [guess("198.51.100.7") for _ in range(FAILURES_PER_MINUTE + 2)]
        assert set(ours) == {401, 429}
        assert guess("198.51.100.8") == elsewhere
    server.terminate()
