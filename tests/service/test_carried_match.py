"""How a match stands is folded from its log once, also for requests that write nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import asdict

from scorekeeper.ledger.writing.append import NothingToWrite, Request, Tail
from scorekeeper.service.matches.recording import LONG
from scorekeeper.service.reading.matches import match_stream
from scorekeeper.service.streams import tail_state
from tests.api.serving import Caller, League, note, serving
from tests.databases import KINDS, migrated

MATCH = "evening"
IDS = ["6f9619ff-8b86-4d01-b42d-00cf4fc964ff"]
NOTES = {"short": 3, "long": LONG + 50}
NEVER = {"events": [{"type": "card_played", "player": "nobody", "card": "red-5"}]}
RETRIED = {"events": [note("by its id") | {"id": IDS[0]}]}
KEYED = {"events": [note("by its key")]}
NOTHING_WRITTEN = {
    "a refusal": ("/events", NEVER, {}, 422),
    "another version": ("/events", KEYED, {"If-Match": '"2"'}, 412),
    "the same ids": ("/events", RETRIED, {}, 200),
    "the same key": ("/events", KEYED, {"Idempotency-Key": "once"}, 200),
    "nothing to undo": ("/undo", {}, {"If-Match": '"2"'}, 412),
}


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with migrated(request.param, request, tmp_path) as url:
        yield url


def tail(owner: Caller, league: str) -> Tail:
    """Return the end of the match's stream, as the next decision sees it."""
    asked = Request(
        league=league,
        actor="t",
        streams=(match_stream(MATCH),),
        decide=lambda seen: NothingToWrite(seen.tails[match_stream(MATCH)]),
    )
    (seen,) = owner.served.together(owner.served.services.ledger.append(asked))
    return seen.value


def filled(url: str, notes: int) -> League:
    """Return a league with a match, in a service that was stopped since."""
    with serving(url) as served:
        league = served.league()
        match = league.match(match=MATCH)
        match.tell(*[note()] * notes)
        match.post("/events", RETRIED)
        owner = Caller(served, league.owner.token, f"{league.root}/matches/{MATCH}")
        owner.post("/events", KEYED, headers={"Idempotency-Key": "once"})
    return league


@pytest.mark.parametrize("notes", NOTES)
def test_a_request_that_writes_nothing_leaves_the_match_to_the_next_one(
    url: str, notes: str
) -> None:
    league = filled(url, NOTES[notes])
    for path, body, headers, status in NOTHING_WRITTEN.values():
        with serving(url) as again:
            owner = Caller(again, league.owner.token, f"{league.root}/matches/{MATCH}")
            cold = tail(owner, league.slug)
            assert (cold.carried, len(cold.entries)) == (None, cold.version)
            assert owner.post(path, body, headers=headers).status_code == status
            warm = tail(owner, league.slug)
            assert (warm.version, warm.entries) == (cold.version, ())
            assert asdict(tail_state(warm)) == asdict(tail_state(cold))
