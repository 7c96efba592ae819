"""Asking what an amendment would change."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias, TypeVar

import msgspec

from scorekeeper.ledger.append import Answered, Decision, Request, Seen, Tail
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.match.state import State
from scorekeeper.service.access import Caller
from scorekeeper.service.answers import IdempotencyKey, Outcome, repeated, unchanged
from scorekeeper.service.deciding import recorded_or_refused
from scorekeeper.service.league_events import STREAM
from scorekeeper.service.match_request import WhatIf
from scorekeeper.service.reading import Reading, match_stream
from scorekeeper.service.refused import not_found
from scorekeeper.service.stream_fold import tail_roster, tail_state
from scorekeeper.service.submit import submit
from scorekeeper.service.substitutes import streams_of
from scorekeeper.service.table.beside import beside
from scorekeeper.service.tournaments.reading import TournamentReading
from scorekeeper.service.what_if import Around, people_of, what_if
from scorekeeper.texts.language import Language

T = TypeVar("T")

Tried: TypeAlias = Outcome | frozenset[str]
"""The answer, or the people whose numbers it needs as well."""

_encode = msgspec.json.Encoder().encode


class Amending:
    """What an amendment would come to."""

    def __init__(self, ledger: Ledger, reading: Reading, tournaments: TournamentReading) -> None:
        self._ledger = ledger
        self._reading = reading
        self._tournaments = tournaments

    async def what_if(
        self,
        caller: Caller,
        league: str,
        match: str,
        asked: WhatIf,
        *,
        key: IdempotencyKey | None,
        language: Language,
    ) -> Outcome:
        """All numbers as they would be once `asked` was recorded, which it is not.

        Other matches count as they stood when it was asked. Raises Refused as recording does.
        """
        keys = () if key is None else (key,)
        stream = match_stream(match)
        amendment = asked.amendment()
        streams = streams_of(stream, [amendment])

        def decide(around: Around, seen: Seen) -> Decision[Tried] | Answered[Tried]:
            answer = repeated(seen, keys, _answer, about=stream)
            if answer is not None:
                return answer
            before = tail_state(_opened(seen, stream))
            roster = tail_roster(seen.tails[STREAM]) if STREAM in seen.tails else None
            recorded = recorded_or_refused(before, [amendment], roster, language)
            people = people_of(before, recorded.state)
            if not people <= around.beside.people:
                return Answered(people)
            view = what_if(
                match, before, recorded, around, position=seen.size + 1, language=language
            )
            outcome = Outcome(body=_encode(view), created=False)
            return unchanged(seen, keys, outcome, _answer(outcome), about=stream)

        state = (await self._reading.standing(league, match)).state
        people = people_of(state)
        while True:
            around = await self._around(league, match, state, people)
            request = _request(caller, league, streams, keys, partial(decide, around))
            tried = await submit(self._ledger, request)
            if isinstance(tried, Outcome):
                return tried
            # Somebody would sit in, or has sat down meanwhile.
            people |= tried

    async def _around(
        self, league: str, match: str, state: State, people: frozenset[str]
    ) -> Around:
        tournament = state.opened.tournament
        return Around(
            await self._ledger.read(lambda c: beside(c, league, match, people)),
            None if tournament is None else await self._tournaments.find(league, tournament),
        )


def _answer(outcome: Outcome) -> Tried:
    return outcome


def _opened(seen: Seen, stream: str) -> Tail:
    tail = seen.tails[stream]
    if tail.version == 0:
        raise not_found("match")
    return tail


def _request(
    caller: Caller,
    league: str,
    streams: tuple[str, ...],
    keys: tuple[IdempotencyKey, ...],
    decide: Callable[[Seen], Decision[T] | Answered[T]],
) -> Request[T]:
    return Request(
        league=league,
        actor=caller.token_id,
        streams=streams,
        answer_keys=tuple(each.key for each in keys),
        decide=decide,
    )
