"""A command imports nothing from the directory in which it is typed, where anything may lie."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.api.server_process import GREETINGS, PROGRAMS, free_port
from tests.api.serving import note, serving

SHARING_OUT = """
from scorekeeper.cli import verify
from scorekeeper.cli.main import main
verify.processes_for = lambda entries: 2
if __name__ == "__main__":
    main()
"""


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A directory with files that are named as modules which the program needs."""
    folder = tmp_path / "strange"
    folder.mkdir()
    for module in ("click", "litestar", "pickle"):
        (folder / f"{module}.py").write_text("raise RuntimeError('run by mistake')", "utf-8")
    return folder


def test_the_service_imports_nothing_from_there(strange: Path) -> None:
    with subprocess.Popen(
        [PROGRAMS / "scorekeeper", "serve"],
        cwd=strange,
        env=os.environ | {"SCOREKEEPER_PORT": str(free_port()), "SCOREKEEPER_DATA_DIR": "data"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as service:
        assert service.stdout is not None
        said = []
        for line in service.stdout:
            said.append(line)
            if line.startswith(GREETINGS):
                break
        service.terminate()
    assert said[-1].startswith(GREETINGS), said


def test_processes_that_share_the_work_import_nothing_from_there(
    strange: Path, sqlite_url: str, tmp_path: Path
) -> None:
    with serving(sqlite_url) as served:
        for _ in range(2):
            served.league().match(events=[note()])
    program = tmp_path / "program.py"
    program.write_text(SHARING_OUT, "utf-8")
    done = subprocess.run(
        [sys.executable, program, "verify", "--database-url", sqlite_url],
        cwd=strange,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "run by mistake" not in done.stderr
