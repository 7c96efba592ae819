"""One log answers the same bytes: from memory, after a restart, and in every other process."""

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any
from uuid import uuid4

import httpx
import msgspec

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.state import Phase
from tests.api.live_client import PATIENCE
from tests.api.server_process import server_process
from tests.api.serving import League, Match, Served, note, serving, tally
from tests.match.story import NAMES
from tests.simulation.playing import any_match
from tests.simulation.sent import SentMatch

WORDED = [f"?{view}lang={lang}" for view in ("", "view=recorded&") for lang in ("en", "zh-TW")]
Answers = list[tuple[str, bytes]]


def reads(match: Match) -> Iterator[str]:
    """Yield the paths of all reads of a match."""
    board = match.board()
    yield from (
        "",
        "/hands",
        "/rounds",
        "/progress",
        "/events?limit=1000",
        "/audit?lang=en",
        "/audit?lang=zh-TW",
    )
    yield from (f"{path}?at={board['version'] // 2}" for path in ("", "/hands", "/audit"))
    for number in range(1, board["round"] + 1):
        yield from (f"/rounds/{number}/replay{words}" for words in WORDED)


class Questions:
    """All reads of some matches, as an owner and as a viewer, for any process that serves them."""

    def __init__(self, league: League, matches: Iterable[Match]) -> None:
        self._asked = [
            (f"{match.root}{path}", caller.token)
            for match in matches
            for path in reads(match)
            for caller in (league.owner, league.viewer)
        ]

    def asked_of(self, served: Served) -> Answers:
        return self._answers(served.ask("GET", path, token=token) for path, token in self._asked)

    def over_a_socket(self, url: str) -> Answers:
        with httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE) as client:
            return self._answers(
                client.get(path, headers={"authorization": f"Bearer {token}"})
                for path, token in self._asked
            )

    def same(self, here: Answers, there: Answers) -> None:
        for (path, _), one, other in zip(self._asked, here, there, strict=True):
            assert one == other, path

    def _answers(self, answered: Iterable[httpx.Response]) -> Answers:
        answers = list(answered)
        assert {answer.status_code for answer in answers} == {200}
        return [(answer.headers.get("etag", ""), answer.content) for answer in answers]


def one_of_each_edition() -> Iterator[SentMatch]:
    missing = {edition.id for edition in EDITIONS.values()}
    for seed in count():
        played = any_match(seed)
        if played.edition.id in missing:
            missing.remove(played.edition.id)
            yield SentMatch(seed, played)
        if not missing:
            return


def told(league: League, sent: SentMatch, *, until: Phase | None = None) -> Iterator[Match]:
    """Send a match request by request, so that states are carried over; yield it each time."""
    opening: dict[str, Any] = msgspec.to_builtins(sent.opened)
    del opening["type"], opening["revision"]
    match = league.match(**opening)
    match.token = league.owner.token  # scorekeepers may not rule on disputes
    yield match
    for request in sent.requests():
        match.tell(*msgspec.to_builtins(request.events))
        yield match
        if request.state.phase == until:
            return


def one_that_is_still_played() -> SentMatch:
    return SentMatch(10, any_match(1))


def test_a_tally_told_with_an_id(sqlite_url):
    """Zoe sits first but is last by name, so the order of the seats shows."""
    with serving(sqlite_url) as served:
        league = served.league(("zoe", "ann", "bo"))
        match = league.match(players=["zoe", "ann", "bo"], scoring={"mode": "winner-collects"})
        match.tell(tally("bo", zoe=5, ann=["red-1"]) | {"id": str(uuid4())})
        replay = match.get("/rounds/1/replay").json()
        questions = Questions(league, [match])
        before = questions.asked_of(served)
    assert [item["event"].get("id") for item in replay["items"]] == [None, None]
    assert list(replay["score"]["hands"]) == ["zoe", "ann", "bo"]
    assert list(replay["score"]["scores"]) == ["zoe", "ann", "bo"]
    parts = replay["score"]["scores"]["bo"]["parts"]
    assert [part["player"] for part in parts] == ["zoe", "ann"]
    with serving(sqlite_url) as served:
        questions.same(before, questions.asked_of(served))


def test_after_a_restart(sqlite_url):
    with serving(sqlite_url) as served:
        league = served.league(NAMES)
        matches = [[*told(league, sent)][-1] for sent in one_of_each_edition()]
        matches += [*told(league, one_that_is_still_played(), until="playing")][-1:]
        questions = Questions(league, matches)
        before = questions.asked_of(served)
    with serving(sqlite_url) as served:
        questions.same(before, questions.asked_of(served))


def test_in_every_process(postgresql_url, tmp_path):
    """One process records, another reads all along, and a third starts at the end."""
    with serving(postgresql_url) as served, serving(postgresql_url) as other:
        league = served.league(NAMES)
        matches = []
        for sent, until in (
            (SentMatch(7, any_match(7)), None),
            (one_that_is_still_played(), "playing"),
        ):
            for match in told(league, sent, until=until):
                other.ask("GET", match.root, token=league.viewer.token)
            matches.append(match)
        questions = Questions(league, matches)
        carried = questions.asked_of(served)
        questions.same(carried, questions.asked_of(other))
        with server_process(tmp_path, url=postgresql_url) as url:
            questions.same(carried, questions.over_a_socket(url))


def test_what_happens_beside_a_match_changes_nothing_of_it(sqlite_url):
    with serving(sqlite_url) as served:
        league = served.league()
        match = league.match(events=[tally("ann", bo=5, cy=4, di=7)])
        questions = Questions(league, [match])
        before = questions.asked_of(served)
        league.match(events=[note()])
        questions.same(before, questions.asked_of(served))
