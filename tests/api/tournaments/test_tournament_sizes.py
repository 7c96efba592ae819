"""Tournaments for other numbers of players than four, over HTTP."""

from itertools import chain
from uuid import uuid4

import pytest

MANY = [f"p{number:02}" for number in range(1, 42)]


@pytest.fixture(scope="module")
def crowd(served):
    return served.league(players=MANY)


def open_for(league, count):
    slug = f"cup-{uuid4().hex[:8]}"
    asked = {"tournament": slug, "name": "The cup", "edition": "basic", "players": MANY[:count]}
    return slug, league.scorekeeper.post("/tournaments", asked)


def at_tables(segment):
    return list(chain.from_iterable(chain(*table["teams"]) for table in segment["tables"]))


@pytest.mark.clause("X-ROTATE")
@pytest.mark.parametrize(
    ("count", "segments", "tables"),
    [
        # Each pair once, two pairs at a table.
        (5, 5, 1),
        (8, 7, 2),
        (9, 9, 2),
        (41, 41, 10),
        # Each pair twice: 15, 21, 45 and 55 matches, at two tables from eight players on.
        (6, 15, 1),
        (7, 21, 1),
        (10, 23, 2),
        (11, 28, 2),
    ],
)
def test_everybody_sits_once_in_a_segment_or_has_a_bye(crowd, count, segments, tables):
    slug, answer = open_for(crowd, count)
    assert answer.status_code == 201, answer.text
    schedule = crowd.viewer.get(f"/tournaments/{slug}/schedule").json()["segments"]
    assert len(schedule) == segments
    assert max(len(segment["tables"]) for segment in schedule) == tables
    for segment in schedule:
        assert sorted([*at_tables(segment), *segment["byes"]]) == MANY[:count]
    items = crowd.viewer.get(f"/tournaments/{slug}/standings").json()["items"]
    assert sorted(item["player"] for item in items) == MANY[:count]


@pytest.mark.parametrize(("count", "nearest"), [(3, [4]), (14, [13, 16])])
def test_other_sizes_are_refused_with_the_nearest_that_work(crowd, count, nearest):
    _, answer = open_for(crowd, count)
    assert (answer.status_code, answer.json()["code"]) == (422, "players-not-schedulable")
    assert answer.json()["nearest"] == answer.json()["facts"]["nearest"] == nearest
    for number in nearest:
        assert str(number) in answer.json()["detail"]


@pytest.mark.clause("X-ROTATE")
def test_a_withdrawal_closes_the_tables_of_who_left_and_leaves_the_others_open(crowd):
    slug, answer = open_for(crowd, 8)
    first = answer.json()["segments"][0]
    gone = first["tables"][0]["teams"][0][0]
    event = {"type": "player_withdrawn", "player": gone, "reason": "went home"}
    told = crowd.scorekeeper.post(f"/tournaments/{slug}/events", {"events": [event]})
    assert told.status_code == 201, told.text
    for segment in answer.json()["segments"]:
        for table in segment["tables"]:
            board = crowd.viewer.get(f"/matches/{table['match']}").json()
            sits = gone in chain(*table["teams"])
            assert board["status"] == ("abandoned" if sits else "open")
