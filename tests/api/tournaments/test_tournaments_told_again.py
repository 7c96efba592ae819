"""Events of a tournament that are told again, and many of them: they hold nobody up."""

from collections import Counter
from uuid import uuid4

import pytest

from scorekeeper.ledger.writing import long_decisions
from scorekeeper.ledger.writing.write_batch import WriteBatch
from scorekeeper.service.tournament_recording import _TournamentAppend
from tests.api.serving import tally
from tests.api.serving_kinds import on_both
from tests.api.tournaments.test_tournaments import opened, play, tell

CLOSED = {"type": "tournament_closed"}
NEW = {"id": "0198c0de-0000-7000-8000-000000000001"}


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
    monkeypatch.setattr(_TournamentAppend, "takes_long", lambda *_: False)
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


@pytest.mark.parametrize("event", [{"type": "player_withdrawn", "player": "ann"}, CLOSED])
def test_the_id_of_the_opening_is_that_of_no_told_event(league, event):
    slug, _ = opened(league)
    (opening,) = league.viewer.get(f"/tournaments/{slug}/events").json()["items"]
    answer = tell(league, slug, event | {"id": opening["id"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "event-id-reused")


@on_both
def test_a_retry_does_not_depend_on_what_was_erased_at_a_table(league):
    """Without the tally the round would go on, and nobody sits in during a round."""
    slug, body = opened(league)
    table = f"/matches/{body['segments'][0]['tables'][0]['match']}/events"
    told = ({"type": "round_started"}, tally("ann", bo=5, cy=6, di=7))
    tallied = league.scorekeeper.post(table, {"events": told}).json()["entries"][1]
    substituted, withdrawn = *seated_in_turn(league, 1), {"type": "player_withdrawn"} | NEW
    first = tell(league, slug, substituted).json()
    erasure = {"positions": [tallied["position"]], "reason": "They asked for it."}
    assert league.owner.post("/erasures", erasure).status_code == 201
    both = tell(league, slug, substituted, withdrawn | {"player": "di"})
    assert (both.status_code, both.headers["idempotency-replayed"]) == (201, "partial")
    assert both.json()["entries"][0] == first["entries"][0]
    assert both.json()["matches"] == first["matches"]


@on_both
@pytest.mark.parametrize(("count", "aside"), [(1, 0), (40, 1)])
def test_many_are_decided_aside_and_so_is_a_retry(
    league, monkeypatch: pytest.MonkeyPatch, count, aside
):
    slug, _ = opened(league)
    events = seated_in_turn(league, count)
    made, decided = [], long_decisions._decided

    def noting(request, seen):
        made.append(request)
        return decided(request, seen)

    monkeypatch.setattr(long_decisions, "_decided", noting)
    first = tell(league, slug, *events)
    assert (first.status_code, len(made)) == (201, aside)
    assert all(each.is_large for each in made)
    one = tell(league, slug, *events[-1:], {"type": "player_withdrawn", "player": "bo"} | NEW)
    assert (one.status_code, one.headers["idempotency-replayed"]) == (201, "partial")
    assert len(made) == aside + 1
