"""How the processes of one run share its work."""

from collections.abc import Sequence
from itertools import islice

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items[:] = long_ones_first(items, _processes(config))


def long_ones_first(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """The tests in an order in which the part of each process begins with its share of long ones.

    By `--dist worksteal` each process begins with a part of the list, all of about one length, and
    takes tests from the end of another's when it is done. A long test at the end of a part is one
    that the others wait for.
    """
    long = [item for item in items if item.get_closest_marker("long")]
    short = iter([item for item in items if not item.get_closest_marker("long")])
    ordered: list[pytest.Item] = []
    for number in range(processes):
        ordered += long[number::processes]
        end = len(items) * (number + 1) // processes
        ordered += islice(short, max(0, end - len(ordered)))
    return ordered


def _processes(config: pytest.Config) -> int:
    """Of the run; xdist tells those that it starts."""
    return int(getattr(config, "workerinput", {}).get("workercount", 1))
