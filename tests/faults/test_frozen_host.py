"""A host that accepts connections and never answers, listed before the one that serves."""

import socket

import pytest
from sqlalchemy import make_url

from tests.api.live_client import serving_league

pytestmark = pytest.mark.slow


def test_the_service_starts_and_serves_by_the_next_host(tmp_path, postgresql_url):
    with socket.create_server(("127.0.0.1", 0)) as frozen:
        found = make_url(postgresql_url)
        hosts = [f"127.0.0.1:{frozen.getsockname()[1]}", str(found.query["host"])]
        url = found.set(query={"host": hosts}).render_as_string(hide_password=False)
        server, scorer = serving_league(tmp_path, url=url)
        assert scorer.note() == scorer.positions()[-1]
        assert scorer.get("/health/ready").status_code == 200
        scorer.close()
        server.terminate()
