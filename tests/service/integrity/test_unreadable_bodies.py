"""Whatever somebody put in place of a body, a check comes to its end and names the entry."""

import pytest

from scorekeeper.ledger.entry import Header
from scorekeeper.service.integrity.replay_check import LeagueReplay
from scorekeeper.service.streams import LEAGUE_STREAM

BODIES = {
    "nothing": b"",
    "no JSON": b"nonsense",
    "no UTF-8": b'{"type":"\xff"}',
    "too deep": b'{"x":' + b"[" * 100_000,
}


def entry(stream: str) -> Header:
    return Header(
        actor="admin",
        digest="",
        id="",
        inferred=False,
        log="scorekeeper/home/0",
        position=1,
        prev=None,
        schema=1,
        stream=stream,
        time="2026-11-20T19:00:00.000000Z",
        told_by=None,
        type="match_opened",
        version=1,
    )


@pytest.mark.parametrize("stream", [LEAGUE_STREAM, "match:evening"])
@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_can_not_be_read_is_a_finding(name: str, stream: str) -> None:
    replay = LeagueReplay("home")
    found = replay.take([(entry(stream), BODIES[name])])
    assert [flaw.code for flaw in found] == ["body-unreadable"]
