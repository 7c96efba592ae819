"""Recording matches of the past, many at once.

Each match is opened, or continued where an earlier request ended.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial

import msgspec
from msgspec import Struct

from scorekeeper.ledger.entry import Draft, Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import RowWrite, Seen
from scorekeeper.match.events.events import encode
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.record import Recorded
from scorekeeper.match.state import State
from scorekeeper.service.command import (
    Command,
    CommandResult,
    IdempotencyKey,
    Outcome,
    Replayed,
    Writing,
)
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.matches.deciding import (
    changed_views,
    drafts,
    list_row,
    opening_draft,
    recorded_or_refused,
    won_at,
)
from scorekeeper.service.matches.opening import newly_won, opened_or_refused
from scorekeeper.service.matches.recording import (
    MANY,
    FormWhenRecorded,
    check_rulings,
    event_ids,
    recorded_prefix,
)
from scorekeeper.service.reading.match_request import PastMatchesRequest, PastMatchRequest
from scorekeeper.service.reading.matches import match_stream
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.standings.changes import NewlyWon, table_additions
from scorekeeper.service.streams import LEAGUE_STREAM, Roster, tail_roster, tail_state
from scorekeeper.service.views import PastMatchesView, PastMatchView
from scorekeeper.texts.language import Language

_encode = msgspec.json.Encoder().encode


class PastMatches:
    """Records matches that were played in the past, such as those of an imported file."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def bring_in(
        self,
        caller: Caller,
        league: str,
        asked: PastMatchesRequest,
        key: IdempotencyKey | None,
        language: Language,
    ) -> Outcome:
        """Append all that is new, in the order of the matches, or nothing.

        Raises Refused, with the index of the match as `match_index`.
        """
        asked = asked.normalised()
        ids = event_ids([event for match in asked.matches for event in match.events])
        if not ids:
            raise Refused("event-ids-incomplete", reason="past-match")
        for index, match in enumerate(asked.matches):
            with _about(index):
                check_rulings(caller, match.events)
        command = Command(
            league=league,
            actor=caller.token_id,
            about=LEAGUE_STREAM,
            keys=(key,),
            streams=(LEAGUE_STREAM, *(match_stream(each.match) for each in asked.matches)),
            ids=ids,
            decide=_BringingIn(league, asked.matches, language).decide,
            weight=len(ids),
            takes_long=lambda _: len(ids) > MANY,
        )
        return await command.carry_out(self._ledger)


@contextmanager
def _about(index: int) -> Generator[None]:
    """Add the index of a match to each refusal that is raised inside."""
    try:
        yield
    except Refused as refused:
        refused.members = {**refused.members, "match_index": index}
        raise


class _Part(Struct, frozen=True, kw_only=True):
    """What a request adds to one match.

    `version`: before the request. `first`: the opening of a new match. `before`: the state after
    that, or as the ledger has it. `recorded`: the new events; None if all were recorded before.
    """

    match: str
    version: int
    first: MatchOpened | None
    before: State
    recorded: Recorded | None

    @property
    def after(self) -> State:
        return self.before if self.recorded is None else self.recorded.state

    @property
    def size(self) -> int:
        """How many entries it adds."""
        return (self.first is not None) + (
            0 if self.recorded is None else len(self.recorded.entries)
        )


class _BringingIn(Struct, frozen=True):
    """One request; it is decided again if another process was first."""

    league: str
    matches: Sequence[PastMatchRequest]
    language: Language

    def decide(self, seen: Seen) -> Writing[Outcome] | Outcome:
        """Check match by match: ids first, then slugs and players, then the rules."""
        if not seen.exists:
            raise not_found("league")
        roster = tail_roster(seen.tails[LEAGUE_STREAM])
        parts: list[_Part] = []
        for index, match in enumerate(self.matches):
            with _about(index):
                parts.append(self._part(match, seen, roster))
        new = [part for part in parts if part.recorded is not None]
        if not new:
            return _outcome(parts, created=False, replayed="true")

        def complete(entries: Sequence[Entry]) -> CommandResult[Outcome]:
            resumed = any(part.first is None for part in parts)
            outcome = _outcome(parts, created=True, replayed="partial" if resumed else None)
            return CommandResult(value=outcome, rows=_rows(self.league, new, entries), kept=outcome)

        carried = {match_stream(part.match): part.after for part in new}
        return Writing(
            drafts=_drafts(new), carried={LEAGUE_STREAM: roster, **carried}, complete=complete
        )

    def _part(self, asked: PastMatchRequest, seen: Seen, roster: Roster) -> _Part:
        stream = match_stream(asked.match)
        tail = seen.tails[stream]
        ids = [event.id for event in asked.events if event.id is not None]
        form_then = FormWhenRecorded(partial(seen.whole, stream))
        head = recorded_prefix(asked.events, ids, seen.known, stream, encode, form_then)
        first = None
        if tail.version == 0:
            first, before = opened_or_refused(asked.opening(), roster, self.language)
        elif head == 0:
            raise Refused("match-exists", facts={"match": asked.match})
        else:
            before = tail_state(tail)
        recorded = None
        if head < len(asked.events):
            recorded = recorded_or_refused(
                before, asked.events[head:], roster, self.language, first_index=head
            )
        return _Part(
            match=asked.match, version=tail.version, first=first, before=before, recorded=recorded
        )


def _drafts(parts: Sequence[_Part]) -> list[Draft]:
    written: list[Draft] = []
    for part in parts:
        stream = match_stream(part.match)
        if part.first is not None:
            written.append(opening_draft(stream, part.first))
        if part.recorded is not None:
            written += drafts(stream, part.recorded, after=len(written))
    return written


def _rows(league: str, parts: Sequence[_Part], entries: Sequence[Entry]) -> list[RowWrite]:
    """Return what is written to the stored views.

    All new matches that were won are added to the league's table together.
    """
    rows: list[RowWrite] = []
    changed: list[RowWrite] = []
    won: list[NewlyWon] = []
    start = 0
    for part in parts:
        own = entries[start : start + part.size]
        start += part.size
        if part.first is None:
            assert part.recorded is not None
            position = won_at(part.recorded, own)
            changed += changed_views(league, part.match, part.before, part.after, won_at=position)
        else:
            rows.append(list_row(league, part.match, part.after, own[0]))
            won += newly_won(part.match, part.after, part.recorded, own)
    return [*rows, *table_additions(league, won), *changed]


def _outcome(parts: Sequence[_Part], *, created: bool, replayed: Replayed | None) -> Outcome:
    view = PastMatchesView(
        matches=[
            PastMatchView(
                match=part.match,
                version=part.version + part.size,
                status=part.after.status,
                appended=part.size,
            )
            for part in parts
        ]
    )
    return Outcome(body=_encode(view), created=created, replayed=replayed)
