"""`verify` replays a match: entries that don't follow from each other are found."""

from itertools import count

import pytest
from msgspec.structs import replace

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.ledger.entry import Header
from scorekeeper.ledger.integrity.checking import Decoded
from scorekeeper.match.events.card_events import TurnPassed
from scorekeeper.match.events.events import (
    SCHEMA,
    NoteAdded,
    RoundEnded,
    RoundTallied,
    TalliedHand,
    encode,
    event_type,
)
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.projections.consistency import MatchReplay
from scorekeeper.service.integrity import replayed_matches
from scorekeeper.service.integrity.replayed_matches import ReplayedMatches

OPENED = MatchOpened(edition="basic", players=("ann", "bo"), revision=1)
TALLY = RoundTallied(winners=("ann",), hands={"bo": TalliedHand(points=7)})
START = initial(EDITIONS["basic", 1], OPENED)
RECORDED = record(START, [TALLY])
assert isinstance(RECORDED, Recorded)
ENDED = RECORDED.entries[1].event
assert isinstance(ENDED, RoundEnded)
LOST = replace(ENDED, scores={"ann": 0, "bo": 8})
PASSED = TurnPassed(player="bo")
FORGED = {
    "sound": ([(TALLY, False), (ENDED, True)], None),
    "scores": ([(TALLY, False), (LOST, True)], "not-inferred"),
    "missing": ([(TALLY, False)], "inference-missing"),
    "missing before": ([(TALLY, False), (NoteAdded(text="x"), False)], "inference-missing"),
    "told": ([(TALLY, False), (ENDED, False)], "told-by-nobody"),
    "for nothing": ([(TALLY, False), (ENDED, True), (PASSED, True)], "not-inferred"),
    "in another place": ([(PASSED, True), (TALLY, False), (ENDED, True)], "not-replayable"),
    "impossible": ([(ENDED, True)], "not-inferred"),
    "opened again": ([(OPENED, False)], "told-by-nobody"),
}


@pytest.mark.parametrize("name", FORGED)
def test_entries_that_do_not_follow_from_each_other_are_found(name: str) -> None:
    """Somebody who makes all hashes anew still has to keep to the rules."""
    log, code = FORGED[name]
    replay = MatchReplay(START)
    contradictions: list[str] = []
    try:
        for event, inferred in log:
            found = replay.take(event, told=not inferred)
            contradictions += [found.code] if found else []
        found = replay.end()
        contradictions += [found.code] if found else []
    except ValueError:
        contradictions.append("not-replayable")
    assert contradictions[:1] == ([code] if code else [])


@pytest.mark.parametrize("most", [1, 30_000], ids=["packed", "unpacked"])
def test_what_is_missing_at_the_end_of_a_match_is_found(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if so many entries of other matches follow that the match is packed away."""
    monkeypatch.setattr(replayed_matches, "_MOST_UNPACKED", most)
    positions = count(1)
    matches = ReplayedMatches("league")
    for slug, log in {"forged": [OPENED, TALLY], "another": [OPENED]}.items():
        for version, event in enumerate(log, start=1):
            matches.take(slug, [_decoded(slug, version, next(positions), event)])
            matches.pack()
    assert [flaw.code for flaw in matches.end()] == ["inference-missing"]


def _decoded(slug: str, version: int, position: int, event: MatchOpened | RoundTallied) -> Decoded:
    header = Header(
        actor="token",
        digest="",
        id=f"{slug}-{version}",
        inferred=False,
        log="scorekeeper/league/0",
        position=position,
        prev=None,
        schema=SCHEMA,
        stream=f"match:{slug}",
        time="2026-01-01T00:00:00.000000Z",
        told_by=None,
        type=event_type(event),
        version=version,
    )
    return header, encode(event)
