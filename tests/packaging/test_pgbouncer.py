"""The service behind PgBouncer, which assigns a connection for one transaction only."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import make_url

from tests.api.server_process import free_port
from tests.api.serving import note, serving
from tests.commands import invoked
from tests.programs import listening, program

DELIVERED = Path(__file__).resolve().parents[2] / "deploy/pgbouncer/pgbouncer.ini"


@contextmanager
def pooled(url: str, folder: Path) -> Iterator[str]:
    """Run the delivered PgBouncer with two connections, and yield a database's address there."""
    port = free_port()
    server = make_url(url)
    changed = {
        "^scorekeeper = .*": f"{server.database} = host={server.query['host']} auth_user=postgres",
        "^listen_port = .*": f"listen_port = {port}",
        "^auth_type = .*": "auth_type = any",
        "^auth_file = .*": "",
        "^pidfile = .*": "",
        "^default_pool_size = .*": "default_pool_size = 2",
    }
    told = DELIVERED.read_text(encoding="utf-8")
    for delivered, here in changed.items():
        told, count = re.subn(delivered, here, told, flags=re.MULTILINE)
        assert count == 1, delivered
    told = told.replace(" auth_user=postgres", " user=postgres")
    file = folder / "pgbouncer.ini"
    file.write_text(told, encoding="utf-8")
    folder.chmod(0o755)
    # PgBouncer refuses to run as root; the server's own user may use its socket.
    owner = Path(str(server.query["host"])).owner()
    user = ["-u", owner] if os.geteuid() == 0 else []
    asked = [program("pgbouncer"), *user, file]
    with listening(asked, port):
        yield f"postgresql+asyncpg://postgres@127.0.0.1:{port}/{server.database}"


def test_the_service_works_through_it(postgresql_url: str, tmp_path: Path) -> None:
    """Eight requests at a time share PgBouncer's two connections."""
    with (
        pooled(postgresql_url, tmp_path) as through,
        serving(through, notify_url=postgresql_url) as served,
    ):
        matches = [served.league().match() for _ in range(4)]
        for number in range(10):
            told = served.together(
                *(
                    match.asking("POST", "/events", json={"events": [note(f"{number}")]})
                    for match in matches
                ),
                *(match.asking("GET", "") for match in matches),
            )
            assert {answer.status_code for answer in told} == {200, 201}
        assert [len(match.log()) for match in matches] == [11] * 4
        # `verify` only reads, in one transaction.
        done = invoked("verify", "--database-url", through)
        assert done.exit_code == 0, done.output
