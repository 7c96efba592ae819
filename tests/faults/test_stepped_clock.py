"""The machine's clock is set back, and far ahead, while clients record and follow."""

import time

import pytest

from tests.api.live_client import Scorer
from tests.commands import invoked
from tests.faults.backups import SQLiteBackups
from tests.faults.inflicted import EACH_TIME, Ground, outcome

HOUR = 3_600
# The service reads the date only through this function of Python's.
PYTHON = """
import pathlib, time
told = time.time_ns
by = pathlib.Path(__file__).with_name("by")
time.time_ns = lambda: told() + int(by.read_text()) * 10**9
"""


class SteppedClock:
    """The clock of all programs that start from now on. `by`: seconds ahead of the real one."""

    def __init__(self, folder):
        (folder / "sitecustomize.py").write_text(PYTHON)
        self._file = folder / "by"
        self.step(0)

    def step(self, by):
        new = self._file.with_suffix(".new")
        new.write_text(str(by))
        new.replace(self._file)


@pytest.mark.slow
def test_nothing_is_lost_nor_doubled_and_time_in_the_log_never_runs_back(tmp_path, monkeypatch):
    (clock_folder := tmp_path / "clock").mkdir()
    (data := tmp_path / "data").mkdir()
    clock = SteppedClock(clock_folder)
    monkeypatch.setenv("PYTHONPATH", str(clock_folder))
    started = time.time()

    def stepped(ground, load):
        for by in (-HOUR, 24 * HOUR, -HOUR):
            clock.step(by)
            load.acknowledges(EACH_TIME)
            ground.meanwhile(load)
        clock.step(0)
        ground.mended()

    ground = Ground(data)
    ground.meanwhile = backups = SQLiteBackups(ground, tmp_path)
    try:
        seen, _ = outcome(stepped, ground)
        with Scorer(ground.server.url) as scorer:
            log = scorer.log()
    finally:
        ground.end()
    assert (seen.lost, seen.twice, seen.missed) == (0, 0, 0)
    assert seen.refusals == {}
    assert backups.made == 3
    times = [entry["recorded_at"] for entry in log]
    assert times == sorted(times)
    ahead = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(started + 24 * HOUR))
    assert times[0] < ahead < times[-1]
    done = invoked("verify", "--data-dir", data)
    assert done.exit_code == 0, done.output
