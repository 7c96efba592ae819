"""The processes of a test run share its work, see `tests/shared_work.py`."""

import pytest

from tests.shared_work import long_ones_first


class Collected:
    def __init__(self, name: str) -> None:
        self.name = name

    def get_closest_marker(self, marker: str) -> str | None:
        return marker if self.name.isupper() else None


def ordered(names: str, processes: int) -> str:
    items = long_ones_first([Collected(name) for name in names], processes)
    return "".join(item.name for item in items)


@pytest.mark.parametrize(
    ("names", "processes", "then"),
    [
        ("abcdefg", 3, "abcdefg"),
        ("abcXdef", 1, "Xabcdef"),
        ("abcXdYefg", 2, "XabcYdefg"),
        ("aWbXcYdZ", 3, "WZXabYcd"),
        ("XYZ", 2, "XZY"),
        ("aX", 3, "Xa"),
        ("", 3, ""),
    ],
)
def test_each_process_begins_with_its_share_of_the_long_tests(names, processes, then):
    assert ordered(names, processes) == then
