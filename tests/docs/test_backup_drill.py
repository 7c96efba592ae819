"""The backup drill of docs/operations/backups.md, run as printed except for the database's name."""

import os
import re
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

from sqlalchemy import make_url, update

from scorekeeper.ledger.tables import events
from tests.api.serving import note, serving
from tests.databases import in_database
from tests.programs import postgresql_programs

PAGE = Path(__file__).resolve().parents[2] / "docs/operations/backups.md"
DRILLS = dict(
    zip(
        ("sqlite", "postgresql"),
        re.findall(
            r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        ),
        strict=True,
    )
)


def drilled(url: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run the drill as somebody with access to the database."""
    database = make_url(url)
    path = os.pathsep.join(
        [str(Path(sys.executable).parent), str(postgresql_programs()), os.environ["PATH"]]
    )
    told = {"PATH": path, "HOME": str(folder)}
    if database.get_backend_name() == "sqlite":
        told["SCOREKEEPER_DATABASE_URL"] = url
        script = DRILLS["sqlite"]
    else:
        told |= {
            "PGHOST": str(database.query["host"]),
            "PGUSER": str(database.username),
            "PGDATABASE": str(database.database),
        }
        script = DRILLS["postgresql"].replace("drill", f"drill_{uuid4().hex}")
    return subprocess.run(
        ["bash", "-euc", script], env=told, cwd=folder, capture_output=True, text=True, timeout=120
    )


def test_it_restores_and_verifies_a_backup_while_the_service_runs(
    database_url: str, tmp_path: Path
) -> None:
    with serving(database_url) as served:
        match = served.league().match()
        match.tell(note("before the drill"))
        done = drilled(database_url, tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "All of it agrees" in done.stdout
        assert " 1 match replayed" in done.stdout
        match.tell(note("after it"))
    assert not list(tmp_path.glob("drill*"))


def test_it_fails_where_the_backup_is_not_what_was_recorded(
    database_url: str, tmp_path: Path
) -> None:
    with serving(database_url) as served:
        match = served.league().match()
        match.tell(note("as it was told"))
    tampered = update(events).where(events.c.position == 2).values(body=b"{}")
    in_database(database_url, lambda connection: connection.execute(tampered))
    done = drilled(database_url, tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "All of it agrees" not in done.stdout
