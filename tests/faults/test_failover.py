"""The primary of a PostgreSQL dies under load, and its standby is promoted."""

import asyncio
from collections import Counter
from contextlib import ExitStack, suppress
from http.client import HTTPException
from threading import Condition, Thread
from uuid import uuid4

import httpx
import msgspec
import pytest

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.store.migrate import upgrade
from tests.api.live_client import LEAGUE, MATCH, PATIENCE, Scorer, Stream, serving_league
from tests.faults.replicated_postgres import replicated_postgres

pytestmark = pytest.mark.slow

WRITERS = 4
FOLLOWERS = 2
BEFORE, AFTER = 200, 200
"""How many acknowledged entries to wait for."""
END = "the end of all"


class Load:
    """Clients that record and follow, and send again what was not acknowledged."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._changed = Condition()
        self._ending = False
        self.acknowledged: dict[str, int] = {}
        self.failures: list[httpx.Response] = []
        self.followed: list[list[int]] = [[] for _ in range(FOLLOWERS)]
        self._writers = [Thread(target=self._write, daemon=True) for _ in range(WRITERS)]
        self._followers = [
            Thread(target=self._follow, args=(seen,), daemon=True) for seen in self.followed
        ]
        for thread in [*self._writers, *self._followers]:
            thread.start()

    def wait_for(self, condition) -> None:
        with self._changed:
            assert self._changed.wait_for(condition, PATIENCE)

    def acknowledges(self, more: int) -> None:
        wanted = len(self.acknowledged) + more
        self.wait_for(lambda: len(self.acknowledged) >= wanted)

    def end(self) -> None:
        """Let every writer have its last event acknowledged, and every follower reach the end."""
        self._ending = True
        _join(self._writers)
        with Scorer(self._url) as scorer:
            scorer.note(text=END)
        _join(self._followers)

    def _write(self) -> None:
        with Scorer(self._url) as scorer:
            while not self._ending:
                event = {"type": "note_added", "text": "tea", "id": str(uuid4())}
                while True:
                    answer = scorer.post(f"{MATCH}/events", json={"events": [event]})
                    with self._changed:
                        if answer.is_success:
                            self.acknowledged[event["id"]] = answer.json()["position"]
                        else:
                            self.failures.append(answer)
                        self._changed.notify_all()
                    if answer.is_success:
                        break

    def _follow(self, seen: list[int]) -> None:
        while True:
            last = str(seen[-1]) if seen else "0"
            stream = Stream(self._url, f"{LEAGUE}/live", last_event_id=last)
            with suppress(OSError, HTTPException):  # then it connects again
                while stream.status == 200 and (frame := stream.next()) is not None:
                    if frame.event == "entry":
                        seen.append(frame.position)
                        if END in str(frame.data):
                            return stream.leave()
            stream.leave()


def _join(threads: list[Thread]) -> None:
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


async def reads(url: str) -> bool:
    """Return whether a command that only reads can use this address."""
    ledger = await Ledger.open_to_read(url)
    try:
        return bool(await ledger.heads())
    except LedgerUnavailable:
        return False
    finally:
        await ledger.close()


def readiness(url: str) -> int:
    return httpx.get(f"{url}/health/ready", timeout=PATIENCE, verify=False).status_code


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    """A failover and what clients saw of it; the service still runs, on the promoted server."""
    with ExitStack() as stack:
        postgres = stack.enter_context(replicated_postgres())
        asyncio.run(upgrade(postgres.url()))
        server, scorer = serving_league(tmp_path_factory.mktemp("data"), url=postgres.url())
        stack.callback(server.terminate)
        stack.callback(scorer.close)
        load = Load(server.url)
        load.acknowledges(BEFORE)
        standby = postgres.standby.url()
        load.standby = [
            asyncio.run(reads(standby + more)) for more in ("", "?target_session_attrs=any")
        ]
        ready = [readiness(server.url)]
        postgres.primary.kill()
        load.wait_for(lambda: load.failures)
        ready.append(readiness(server.url))
        postgres.standby.promote()
        load.acknowledges(AFTER)
        ready.append(readiness(server.url))
        load.end()
        load.ready = ready
        load.postgres, load.server, load.scorer = postgres, server, scorer
        yield load


def test_what_was_acknowledged_is_recorded_once(story):
    log = story.scorer.get(f"{MATCH}/events", headers={"accept": "application/x-ndjson"})
    entries = [msgspec.json.decode(line) for line in log.text.splitlines()]
    recorded = Counter(entry["id"] for entry in entries)
    assert set(recorded.values()) == {1}
    places = {entry["id"]: entry["position"] for entry in entries}
    assert len(story.acknowledged) >= BEFORE + AFTER
    assert story.acknowledged == {event: places.get(event) for event in story.acknowledged}


def test_meanwhile_clients_are_told_to_come_back_and_nothing_else(story):
    assert {answer.status_code for answer in story.failures} == {503}
    assert {answer.json()["code"] for answer in story.failures} == {"unavailable"}
    assert all(int(answer.headers["retry-after"]) > 0 for answer in story.failures)


def test_a_standby_is_read_from_by_commands_that_are_told_so(story):
    assert story.standby == [False, True]


def test_the_service_is_not_ready_while_there_is_no_primary(story):
    assert story.ready == [200, 503, 200]


def test_whoever_follows_gets_every_entry_once(story):
    last = story.scorer.get(f"{LEAGUE}/log/checkpoint").text.splitlines()[1]
    for seen in story.followed:
        assert seen == list(range(1, int(last) + 1))


def test_a_former_primary_that_comes_back_is_not_asked(story):
    """The former primary does not know of the promotion, and still answers as a primary."""
    story.postgres.primary.start()
    position = story.scorer.note()
    assert story.scorer.positions()[-1] == position
    story.postgres.standby.kill()
    for answer in (
        story.scorer.get(MATCH),
        story.scorer.post(
            f"{MATCH}/events", json={"events": [{"type": "note_added", "text": "x"}]}
        ),
        httpx.get(f"{story.server.url}/health/ready", timeout=PATIENCE),
    ):
        assert answer.status_code == 503, answer.text
