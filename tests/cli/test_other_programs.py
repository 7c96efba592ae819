"""The service takes nothing from variables that are for other programs."""

from pathlib import Path

import httpx
import pytest

from tests.api.live_client import PATIENCE
from tests.api.server_process import Server


def answers(server: Server, path: str) -> httpx.Response:
    return httpx.get(server.url + path, timeout=PATIENCE)


@pytest.mark.parametrize("path", ["/v1/nothing", "/l/nothing"])
def test_no_debugger_of_another_program_holds_everybody_up(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The framework would wait at a terminal, with each error, for somebody to type."""
    monkeypatch.setenv("LITESTAR_PDB", "1")
    monkeypatch.setenv("LITESTAR_DEBUG", "1")
    server = Server(tmp_path)
    assert answers(server, path).status_code == 404
    assert server.terminate() == 0
    assert [line for line in server.printed if "Pdb" in line or "Debugger" in line] == []


@pytest.mark.parametrize("name", ["PROMETHEUS_MULTIPROC_DIR", "prometheus_multiproc_dir"])
def test_figures_are_kept_in_no_folder_of_another_program(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Figures of workers that have ended would be added, and without the folder none begins."""
    theirs = tmp_path / "theirs"
    monkeypatch.setenv(name, str(theirs))
    server = Server(tmp_path / "data")
    assert answers(server, "/metrics").status_code == 200
    assert server.terminate() == 0
    assert not theirs.exists()
