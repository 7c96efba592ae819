"""How the processes of one run share its work: compiling the tests, and the long ones of them."""

from collections.abc import Generator, Sequence
from itertools import islice

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Every second process reads the files from the last on.

    In a fresh clone no test file is compiled. Two processes that read them in one order would both
    compile each of them. These meet in the middle, and read from there what the other has compiled.
    """
    report = yield
    if isinstance(collector, pytest.Directory) and _number(collector.config) % 2:
        report.result.reverse()
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None]:
    """All processes have the tests in one order, or xdist gives up."""
    processes = _processes(config)
    if processes > 1:
        items.sort(key=lambda item: item.path)
    yield
    items[:] = long_ones_first(items, processes)


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


def _number(config: pytest.Config) -> int:
    """Of this process among those of the run, from 0."""
    return int(_told(config).get("workerid", "gw0").removeprefix("gw"))


def _processes(config: pytest.Config) -> int:
    return int(_told(config).get("workercount", 1))


def _told(config: pytest.Config) -> dict[str, str]:
    """What xdist tells the processes that it starts; nothing in one that runs by itself."""
    return getattr(config, "workerinput", {})
