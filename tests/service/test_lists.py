"""A list is read whole, in as few questions as its length needs."""

import asyncio

import pytest

from scorekeeper.service.lists import whole_list


@pytest.mark.parametrize(
    ("length", "asked"),
    [(0, [None]), (2, [None]), (3, [None, "c"]), (4, [None, "c"]), (8, [None, "c", "f"])],
)
def test_as_many_questions_as_there_are_parts(monkeypatch, length, asked):
    monkeypatch.setattr("scorekeeper.service.lists.AT_ONCE", 3)
    letters = "abcdefgh"[:length]
    places = []

    async def part(after, limit):
        places.append(after)
        return [letter for letter in letters if letter > (after or "")][:limit]

    assert asyncio.run(whole_list(part, str)) == list(letters)
    assert places == asked
