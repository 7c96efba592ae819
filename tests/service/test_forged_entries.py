"""`verify` replays a match: entries that don't follow from each other are found."""

import pytest
from msgspec.structs import replace

from scorekeeper.editions.registry import edition
from scorekeeper.match.events.card_events import TurnPassed
from scorekeeper.match.events.events import NoteAdded, RoundEnded, RoundTallied, TalliedHand
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded, record
from scorekeeper.projections.consistency import MatchReplay

OPENED = MatchOpened(edition="basic", players=("ann", "bo"), revision=1)
TALLY = RoundTallied(winners=("ann",), hands={"bo": TalliedHand(points=7)})
START = initial(edition("basic", 1), OPENED)
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
