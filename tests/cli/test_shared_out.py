import io
import os
import signal
import subprocess
import sys

import pytest

from scorekeeper.cli.import_results import judged, parallel_map, processors
from scorekeeper.service.imports.planned_matches import past_matches
from scorekeeper.service.imports.result_rows import ResultRow, read_rows

# The warning is about threads at a fork; the forked work does not touch the tests' threads.
pytestmark = [
    pytest.mark.skipif(processors() == 1, reason="nothing is forked here"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


def squares(numbers):
    return [(number * number, os.getpid()) for number in numbers]


@pytest.mark.parametrize("things", [0, 1, 2, 3, 10, 1_000])
@pytest.mark.parametrize("shares", [1, 2, 3])
def test_results_are_in_the_order_of_the_things_whoever_made_them(things, shares):
    done = parallel_map(squares, range(things), shares)
    assert [square for square, _ in done] == [number * number for number in range(things)]
    assert len({process for _, process in done}) == min(things, shares)


def test_more_than_a_pipe_holds_is_handed_over():
    texts = parallel_map(lambda numbers: ["x" * 100_000 for _ in numbers], range(40), 2)
    assert [len(text) for text in texts] == [100_000] * 40


@pytest.mark.parametrize(("bad", "error"), [(0, ZeroDivisionError), (3, RuntimeError)])
def test_work_that_fails_in_any_share_is_not_done(bad, error, capfd):
    def work(numbers):
        return [1 // (number - bad) for number in numbers]

    with pytest.raises(error):
        parallel_map(work, range(4), 2)
    # The error of a forked process is printed on standard error.
    assert ("ZeroDivisionError" in capfd.readouterr().err) == (error is RuntimeError)


CTRL_C = """
import os, signal
from scorekeeper.cli.import_results import parallel_map
signal.signal(signal.SIGINT, signal.default_int_handler)
asked = os.getpid()
def work(numbers):
    if os.getpid() != asked:
        os.kill(os.getpid(), signal.SIGINT)
    return list(numbers)
print(parallel_map(work, range(4), 2))
"""


def test_ctrl_c_is_left_to_the_process_that_shares_out() -> None:
    """A terminal sends it to all of them, and each would print a traceback."""
    done = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == (b"[0, 1, 2, 3]\n", b"", 0)


ORPHANED = """
import os, signal
from scorekeeper.cli.import_results import parallel_map
asked = os.getpid()
reader, writer = os.pipe()
def work(numbers):
    if os.getpid() == asked:
        os.read(reader, 1)
        os.kill(asked, signal.SIGKILL)
    os.write(writer, b".")
    while True:
        signal.pause()
parallel_map(work, range(3), 3)
"""


def test_nobody_works_on_once_the_process_that_shares_out_is_gone() -> None:
    """All of them have its standard output, so that this would never end."""
    done = subprocess.run([sys.executable, "-c", ORPHANED], capture_output=True, timeout=20)
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", -signal.SIGKILL)


def test_rows_are_judged_alike_however_they_are_shared_out(monkeypatch):
    heading = "date,edition,players,points,match\n"
    day = (
        "2024-11-{day},basic,ann bo,- 400,\n"
        "2024-11-{day},basic,ann bo,- 9999,\n"
        "2024-11-{day},basic,cy di,- 5,final-{day}\n"
        "2024-11-{day},basic,cy bo,- 5,final-{day}\n"
        "2024-11-{day},basic,ed flo,- 5,\n"
    )
    days = "".join(day.format(day=number) for number in range(10, 20))
    rows = list(read_rows(io.StringIO(heading + days + days)))
    assert all(isinstance(row, ResultRow) for row in rows)
    alone = past_matches(rows, leave_open=False)
    assert [len(each) for each in (alone.matches, alone.bad, alone.kept_out)] == [10, 40, 30]
    monkeypatch.setattr("scorekeeper.cli.import_results._SHARE", 1)
    for count in (2, 3):
        monkeypatch.setattr("scorekeeper.cli.import_results.processors", lambda count=count: count)
        assert past_matches(rows, leave_open=False, judge=judged) == alone
