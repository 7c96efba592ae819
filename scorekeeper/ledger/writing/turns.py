"""Turns: which of the ledgers that wait is written next, and how much of it.

A commit waits for the disk, so ledgers for which little waits share a turn. One for which a large
request or other work waits has its turn alone, and then the others come first: nobody waits for
longer than such a turn and a shared one.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy import Connection

from scorekeeper.ledger.writing.append import SMALL_WEIGHT, Request, RequestOutcome

# A turn ends at about so many events, so that no transaction grows without bounds.
_TURN_WEIGHT: Final = 2_048
_SHARED_LEDGERS: Final = 256


class WaitingRequest(msgspec.Struct, eq=False):
    """A request that waits for its turn, and who is told of it, unless they have left."""

    request: Request[Any]
    tell: Callable[[RequestOutcome], object]
    left: Callable[[], bool]

    @property
    def is_large(self) -> bool:
        return self.request.is_large


class WaitingWork(msgspec.Struct, eq=False):
    """Work on the connection of a ledger, between two turns."""

    work: Callable[[Connection], Any]
    tell: Callable[[Any], object]
    left: Callable[[], bool]

    @property
    def is_large(self) -> bool:
        return True


Waiting: TypeAlias = WaitingRequest | WaitingWork
Group: TypeAlias = list[WaitingRequest]
"""Requests of one ledger, in the order of coming."""


class Turns:
    """All that waits, by ledger. Its length is the number of requests and works."""

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[Waiting]] = OrderedDict()
        self._waiting = 0
        self._was_alone = False

    def __len__(self) -> int:
        return self._waiting

    def add(self, league: str, waiting: Waiting) -> None:
        """Put something behind all else that waits for its ledger."""
        self._queues.setdefault(league, deque()).append(waiting)
        self._waiting += 1

    def take(self) -> WaitingWork | Mapping[str, Group]:
        """The next turn: some work, or the groups that are written together.

        It may be empty where those who asked have left. Something must wait.
        """
        alone: str | None = None
        small: list[str] = []
        for league, queue in self._queues.items():
            if not queue[0].is_large:
                small.append(league)
            elif alone is None:
                alone = league
            if len(small) == _SHARED_LEDGERS:
                break
        self._was_alone = alone is not None and not (small and self._was_alone)
        if alone is not None and self._was_alone:
            return self._alone(alone)
        if len(small) == 1:
            return self._group(small[0], _TURN_WEIGHT)
        turn: dict[str, Group] = {}
        weight = 0
        for league in small:
            if weight >= _TURN_WEIGHT:
                break
            turn |= (group := self._group(league, SMALL_WEIGHT, only_small=True))
            weight += sum(waiting.request.weight for each in group.values() for waiting in each)
        return turn

    def _alone(self, league: str) -> WaitingWork | Mapping[str, Group]:
        queue = self._queues[league]
        first = queue[0]
        if isinstance(first, WaitingRequest):
            return self._group(league, _TURN_WEIGHT)
        queue.popleft()
        self._waiting -= 1
        self._put_behind(league)
        return {} if first.left() else first

    def _group(self, league: str, most: int, *, only_small: bool = False) -> dict[str, Group]:
        """What waited longest for a ledger, up to a weight; the rest stands behind the others."""
        queue = self._queues[league]
        group: Group = []
        weight = 0
        while queue and weight < most:
            first = queue[0]
            if isinstance(first, WaitingWork) or (only_small and first.is_large):
                break
            queue.popleft()
            self._waiting -= 1
            if not first.left():
                group.append(first)
                weight += first.request.weight
        self._put_behind(league)
        return {league: group} if group else {}

    def _put_behind(self, league: str) -> None:
        if self._queues[league]:
            self._queues.move_to_end(league)
        else:
            del self._queues[league]
