"""Clients that record without a pause, and check afterwards what became of their events."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from threading import Condition, Thread
from typing import NamedTuple
from uuid import uuid4

import httpx

from tests.api.live_client import LEAGUE, MATCH, PATIENCE, Scorer, Stream

END = "the end of all"
_COME_BACK_SECONDS = 0.05
_WRITERS = 4


class Figures(NamedTuple):
    """What several clients saw, compared with the log."""

    acknowledged: int
    lost: int
    """Events that were acknowledged, but are not in the log at the position of the answer."""
    twice: int
    """Events that are in the log more than once."""
    missed: int
    """Entries that the follower was sent never or twice."""
    refusals: dict[int, int]
    """The number of answers by each status that is no success."""
    unanswered: int
    """Requests whose connection was refused or cut."""
    longest: float
    """The longest time between two acknowledgements, in seconds."""


class Recorders:
    """Clients that send each event, with its id, until it is acknowledged; one more follows."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._changed = Condition()
        self._ending = self._leaving = False
        self._last = self._sent_last = time.monotonic()
        self._longest = 0.0
        self._seen: list[int] = []
        self.acknowledged: dict[str, int] = {}
        self.refusals = Counter[int]()
        self.unanswered = 0
        with Scorer(url) as scorer:
            self._first = scorer.note()
        self._writers = [Thread(target=self._write, daemon=True) for _ in range(_WRITERS)]
        self._follower = Thread(target=self._follow, daemon=True)
        for thread in (*self._writers, self._follower):
            thread.start()

    def wait_for(self, condition: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(condition, PATIENCE), self._so_far()

    def acknowledges(self, more: int) -> None:
        wanted = len(self.acknowledged) + more
        self.wait_for(lambda: len(self.acknowledged) >= wanted)

    def serves_again(self, since: float) -> None:
        """Wait for an acknowledgement of a request that was sent at that time or later."""
        self.wait_for(lambda: self._sent_last >= since)

    def is_refused(self, more: int = 1) -> None:
        """Wait until `more` further requests are refused or remain without an answer."""
        wanted = self._turned_away() + more
        self.wait_for(lambda: self._turned_away() >= wanted)

    def end(self) -> Figures:
        """Let each client finish its last event, and compare with the log."""
        self._ending = True
        for thread in self._writers:
            thread.join(PATIENCE)
            assert not thread.is_alive(), self._so_far()
        with Scorer(self._url) as scorer:
            last = scorer.note(text=END)
            self._follower.join(PATIENCE)
            assert not self._follower.is_alive(), self._so_far()
            entries = scorer.log()
        places = {entry["id"]: entry["position"] for entry in entries}
        followed = Counter(self._seen)
        return Figures(
            acknowledged=len(self.acknowledged),
            lost=sum(places.get(one) != at for one, at in self.acknowledged.items()),
            twice=len(entries) - len(places),
            missed=sum(followed[at] != 1 for at in range(self._first + 1, last + 1)),
            refusals=dict(self.refusals),
            unanswered=self.unanswered,
            longest=self._longest,
        )

    def leave(self) -> None:
        """End all clients without further attempts, since the service does not come back."""
        self._ending = self._leaving = True
        for thread in (*self._writers, self._follower):
            thread.join(PATIENCE)
            assert not thread.is_alive(), self._so_far()

    def _turned_away(self) -> int:
        return self.refusals.total() + self.unanswered

    def _so_far(self) -> str:
        told = len(self.acknowledged), self.refusals, self.unanswered, len(self._seen)
        return f"acknowledged, refusals, unanswered, followed: {told}"

    def _write(self) -> None:
        with Scorer(self._url) as scorer:
            while not self._ending:
                event = {"type": "note_added", "text": "tea", "id": str(uuid4())}
                while not self._acknowledged(scorer, event) and not self._leaving:
                    time.sleep(_COME_BACK_SECONDS)  # the pause of a retrying client

    def _acknowledged(self, scorer: Scorer, event: dict[str, str]) -> bool:
        sent = time.monotonic()
        try:
            answer = scorer.post(f"{MATCH}/events", json={"events": [event]})
        except httpx.TransportError:
            answer = None
        with self._changed:
            if answer is None:
                self.unanswered += 1
            elif answer.is_success:
                self.acknowledged[event["id"]] = answer.json()["position"]
                self._sent_last = max(self._sent_last, sent)
                now = time.monotonic()
                self._longest, self._last = max(self._longest, now - self._last), now
            else:
                self.refusals[answer.status_code] += 1
            self._changed.notify_all()
        return answer is not None and answer.is_success

    def _follow(self) -> None:
        while not self._followed_to_the_end() and not self._leaving:
            time.sleep(_COME_BACK_SECONDS)

    def _followed_to_the_end(self) -> bool:
        last = str(self._seen[-1] if self._seen else self._first)
        with suppress(OSError, HTTPException):  # then it connects again
            stream = Stream(self._url, f"{LEAGUE}/live", last_event_id=last)
            try:
                while stream.status == 200 and (frame := stream.next()) is not None:
                    if frame.event == "entry":
                        self._seen.append(frame.position)
                        if END in str(frame.data):
                            return True
            finally:
                stream.leave()
        return False
