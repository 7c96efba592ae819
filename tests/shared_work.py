"""Shares the work of a test run among its processes: compiling test files, and long tests."""

from collections.abc import Generator, Sequence
from itertools import islice

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let every second process read the files from the last one on.

    In a fresh clone no test file is compiled. Two processes that read the files in one order would
    both compile each of them. In opposite orders they meet in the middle, and from there each reads
    what the other has compiled.
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
    """Order the tests so that the part of each process begins with its share of the long tests.

    By `--dist worksteal` each process begins with a part of the list, all of about one length. When
    it is done, it takes tests from the end of another part. Others would have to wait for a long
    test at the end of a part.
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
    """Return the number of this process among those of the run, from 0."""
    return int(_told(config).get("workerid", "gw0").removeprefix("gw"))


def _processes(config: pytest.Config) -> int:
    return int(_told(config).get("workercount", 1))


def _told(config: pytest.Config) -> dict[str, str]:
    """Return what xdist tells a process that it started, or nothing outside of xdist."""
    return getattr(config, "workerinput", {})
