"""A retry of a part of what was told of a tournament reads its tables once, not for each event.

All appends of the ledger wait meanwhile.
"""

from collections import Counter
from uuid import uuid4

import pytest

from scorekeeper.ledger.writing.write_batch import WriteBatch
from tests.api.serving_kinds import on_both
from tests.api.test_tournaments import opened, play, tell


def seated_in_turn(league, count):
    """Return events by which somebody sits in for ann, and ann is back, and so on."""
    league.scorekeeper.post("/players", {"player": "zoe", "name": "Zoë"})
    return [
        {
            "type": "player_substituted",
            "player": "ann",
            "substitute": "ann" if number % 2 else "zoe",
            "id": str(uuid4()),
        }
        for number in range(count)
    ]


@on_both
def test_each_table_is_read_once_and_the_answer_is_that_of_the_first_time(
    league, monkeypatch: pytest.MonkeyPatch
):
    slug, body = opened(league)
    events = seated_in_turn(league, 5)
    play(league, body["segments"][:1])
    first = [tell(league, slug, each).json() for each in events]
    read, whole = Counter(), WriteBatch._whole

    def counting(batch, stream):
        read[stream] += 1
        return whole(batch, stream)

    monkeypatch.setattr(WriteBatch, "_whole", counting)
    again = tell(league, slug, *events[1:4])
    assert (again.status_code, again.headers["idempotency-replayed"]) == (200, "true")
    answered = again.json()
    assert answered["state"] == first[3]["state"]
    assert answered["matches"] == first[3]["matches"]
    entries = [each["entries"][0] for each in first[1:4]]
    assert answered["entries"] == [
        each | {"event_index": index} for index, each in enumerate(entries)
    ]
    tables = {stream: times for stream, times in read.items() if stream.startswith("match:")}
    assert len(tables) == len(body["segments"])
    assert set(tables.values()) == {1}
