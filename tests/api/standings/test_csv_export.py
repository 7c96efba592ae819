"""CSV defuses cells that a spreadsheet would run as formulas, and leaves numbers as numbers."""

import asyncio
import csv
import io

import pytest

from scorekeeper.api.lists import csv_response


def written(heading, rows):
    return asyncio.run(csv_response(heading, rows)).content.decode()


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1"])
def test_a_text_that_looks_like_a_formula_is_marked_as_text(text):
    body = written(["name"], [[text]])
    assert list(csv.reader(io.StringIO(body, newline=""))) == [["name"], [f"'{text}"]]


def test_numbers_stay_numbers_and_nothing_is_empty():
    body = written(["a", "b", "c"], [[-5, 1.5, None]])
    assert body == "a,b,c\r\n-5,1.5,\r\n"
