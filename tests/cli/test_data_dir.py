"""The data directory may have any name that the system takes."""

import shlex
from pathlib import Path

import pytest

from scorekeeper.settings import Settings
from tests.commands import invoked


@pytest.mark.parametrize("name", ["what?", "100%25", "a#b;c&d", "晚上 e"])
def test_all_that_belongs_to_an_installation_lies_in_its_folder_whatever_its_name(
    tmp_path: Path, name: str
) -> None:
    data = tmp_path / name
    assert invoked("migrate", "--data-dir", data).exit_code == 0
    assert invoked("key", "adopt", "--data-dir", data).exit_code == 0
    assert invoked("doctor", "--data-dir", data).exit_code == 0
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert {"scorekeeper.sqlite3", "signing-key.pem"} <= {each.name for each in data.iterdir()}
    copied = invoked("backup", data / "copy", "--data-dir", data)
    _, *arguments = shlex.split(copied.output.splitlines()[-1])
    assert invoked(*arguments).exit_code == 0


def test_a_service_that_is_run_from_this_checkout_is_not_looked_at_by_tests() -> None:
    """Its last checkpoints are of logs that no database of a test has: `verify` would find them."""
    assert Path.cwd() not in Settings.load().data_dir.absolute().parents
