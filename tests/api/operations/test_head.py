"""After HEAD, whose answer has no body, a real server's connection can still be used."""

import httpx
import pytest

from tests.api.live_client import PATIENCE
from tests.api.server_process import Server
from tests.api.serving import ADMIN

ADDRESSES = ("/health/live", "/v1/editions", "/v1/leagues", "/v1/leagues/none", "/docs", "/metrics")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("head"))
    yield server
    server.terminate()


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_connection_goes_on_after_a_head(server, address):
    headers = {"authorization": f"Bearer {ADMIN}"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=PATIENCE) as client:
        for _ in range(2):
            head, whole = client.head(address), client.get(address)
            assert (head.status_code, head.content) == (whole.status_code, b"")
            if address != "/metrics":
                assert head.headers["content-length"] == str(len(whole.content))
            assert "connection" not in head.headers
    assert not [line for line in server.printed if "Traceback" in line or '"failed"' in line]
