"""Several processes that start at once on a new database."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import httpx

from scorekeeper.service.identity.access import token_digest
from scorekeeper.service.identity.invitations import new_setup_code
from scorekeeper.service.identity.tokens import first_admin_token
from scorekeeper.store import tokens
from tests.api.live_client import PATIENCE
from tests.api.server_process import Server
from tests.databases import in_database

PROCESSES = 4
TOKEN = "Admin token, shown once:  "


def test_one_of_them_prints_the_admin_token(tmp_path, postgresql_url):
    def start(_: int) -> Server:
        return Server(tmp_path, url=postgresql_url, admin_token="")

    with ThreadPoolExecutor(PROCESSES) as threads:
        servers = list(threads.map(start, range(PROCESSES)))
    printed = [line for server in servers for line in server.printed if line.startswith(TOKEN)]
    assert len(printed) == 1
    headers = {"authorization": f"Bearer {printed[0].removeprefix(TOKEN).strip()}"}
    for number, server in enumerate(servers):
        opening = {"league": f"of-{number}", "name": "A league"}
        answer = httpx.post(
            f"{server.url}/v1/leagues", json=opening, headers=headers, timeout=PATIENCE
        )
        assert answer.status_code == 201, answer.text
        server.terminate()


def test_a_token_that_another_process_makes_meanwhile_stays(postgresql_url, run, monkeypatch):
    """The token did not exist yet when this process looked for one."""

    made, looked = [], []
    found = tokens.admin_digest

    def look(connection):
        if looked:
            return found(connection)
        looked.append(True)
        with ThreadPoolExecutor(1) as elsewhere:
            made.append(elsewhere.submit(asyncio.run, first_admin_token(postgresql_url)).result())
        return None

    monkeypatch.setattr(tokens, "admin_digest", look)
    assert run(first_admin_token(postgresql_url)) is None
    assert in_database(postgresql_url, found) == token_digest(made[0])


def test_of_many_at_the_same_moment_one_makes_the_token(postgresql_url, run):
    """The others find that there is a token, and none of them fails."""

    async def at_once(make):
        return await asyncio.gather(*(make(postgresql_url) for _ in range(8)))

    tokens = run(at_once(first_admin_token))
    assert len([token for token in tokens if token is not None]) == 1
    codes = run(at_once(new_setup_code))
    assert any(codes)
