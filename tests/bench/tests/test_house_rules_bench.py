import asyncio

from scorekeeper.editions.registry import EDITIONS
from tests.bench.house_rules import ALL_TOGETHER, in_the_rules, in_turn, matches, told


def test_both_matches_are_told_in_turn_event_by_event() -> None:
    for edition in EDITIONS.values():
        house, booklet = matches(edition, 0)
        assert house.edition.house.chosen.keys() == ALL_TOGETHER.keys()
        events = (told(house), told(booklet))
        pairs = asyncio.run(in_turn((in_the_rules(house), in_the_rules(booklet)), events))
        assert len(pairs) == min(map(len, events))
