"""A league moves from SQLite to PostgreSQL by the commands of docs/operations.md."""

import os
import re
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

from sqlalchemy import make_url

from tests.api.serving import serving, tally
from tests.databases import PostgresServer
from tests.programs import postgresql_programs

PAGE = Path(__file__).resolve().parents[2] / "docs/operations.md"
(COMMANDS,) = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def moved(league: str, sqlite: str, postgresql: str, folder: Path) -> str:
    """Run the commands as printed, except for the names, and return what they print."""
    to = make_url(postgresql)
    script = COMMANDS.replace("template0 scorekeeper", f"template0 {to.database}")
    script = script.replace("@/scorekeeper?", f"@/{to.database}?")
    told = {
        "PATH": os.pathsep.join(
            [str(Path(sys.executable).parent), str(postgresql_programs()), os.environ["PATH"]]
        ),
        "HOME": str(folder),
        "PGHOST": str(to.query["host"]),
        "PGUSER": str(to.username),
        "SCOREKEEPER_DATABASE_URL": sqlite,
        "SCOREKEEPER_DATA_DIR": str(folder),
    }
    done = subprocess.run(
        ["bash", "-euc", re.sub(r"\bhome\b", league, script)],
        env=told,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_league_moves_from_sqlite_to_postgresql_with_its_log_and_its_key(
    sqlite_url: str, postgresql: PostgresServer, postgresql_url: str, tmp_path: Path
) -> None:
    new = make_url(postgresql_url).set(database=f"moved_{uuid4().hex}").render_as_string()
    with serving(sqlite_url, data_dir=tmp_path) as served:
        league = served.league()
        match = league.match()
        match.tell(tally("ann", bo=10, cy=20, di=5))
        paths = (match.root, f"{match.root}/events", f"{league.root}/log/checkpoint")
        before = [served.ask("GET", path).text for path in paths]
    try:
        assert "All of it agrees" in moved(league.slug, sqlite_url, new, tmp_path)
        with serving(new, data_dir=tmp_path) as served:
            assert [served.ask("GET", path).text for path in paths] == before
            # Tokens stay behind.
            assert served.ask("GET", league.root, token=league.owner.token).status_code == 401
    finally:
        postgresql.drop(new)
