"""Opening matches, and the list of them."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from scorekeeper.editions.registry import opened_now
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Seen
from scorekeeper.match.events.events import ToldEvent
from scorekeeper.match.events.opening import MatchOpened, Opening, open_match
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import Recorded
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import totals
from scorekeeper.service.command import (
    Command,
    CommandResult,
    IdempotencyKey,
    Outcome,
    Writing,
    opening_key,
)
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.lists import found_in_league
from scorekeeper.service.matches.deciding import (
    Done,
    carried_out,
    drafts,
    from_refusal,
    list_row,
    opening_draft,
    recorded_or_refused,
    unknown_edition,
    won_at,
)
from scorekeeper.service.matches.proposals import unregistered
from scorekeeper.service.matches.recording import MANY, check_rulings, event_ids
from scorekeeper.service.reading.entry_presenter import FoldedState, appended, opened
from scorekeeper.service.reading.match_request import MatchRequest
from scorekeeper.service.reading.matches import Reading, match_stream
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.slugs import slug_candidates
from scorekeeper.service.standings.changes import NewlyWon, table_additions
from scorekeeper.service.streams import LEAGUE_STREAM, Roster, tail_roster
from scorekeeper.service.views import MatchView
from scorekeeper.store import matches
from scorekeeper.store.matches import Ending, ListedMatch, MatchFilter
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import words_of

_MOST_OPEN: Final = 1_000
_LOOKED_AT_FOR_EACH: Final = 4
"""How many open matches are folded for each one wanted. Only a fold shows if play has begun."""


def opened_or_refused(
    opening: Opening, roster: Roster, language: Language
) -> tuple[MatchOpened, State]:
    """Return the first event of a match, and the state after it. Raises Refused."""
    edition = opened_now(opening.edition, opening.house_rules)
    if edition is None:
        raise unknown_edition(opening.edition)
    first = open_match(edition, opening)
    if isinstance(first, Refusal):
        words = words_of(edition.id)
        known = [player for player in opening.players if player in roster.players]
        raise from_refusal(first, language, words, players=known)
    strangers = set(opening.players) - roster.players
    if strangers:
        raise unregistered(strangers, roster.players, beside=opening.players)
    return first, initial(edition, first)


def newly_won(
    match: str, after: State, recorded: Recorded | None, entries: Sequence[Entry]
) -> tuple[NewlyWon, ...]:
    """Return the match if it was won by what was recorded with its opening, else nothing.

    `entries`: the opening and what was recorded with it.
    """
    position = None if recorded is None else won_at(recorded, entries[1:])
    if position is None or after.status != "won":
        return ()
    return (NewlyWon(match=match, state=after, opened_at=entries[0].time, won_at=position),)


class OpenMatches(Struct, frozen=True):
    """Open matches, the one with the latest entry first.

    `unreadable`: those whose log can't be read.
    """

    going_on: Sequence[str]
    unreadable: Sequence[str]


class Matches:
    """The matches of a league."""

    def __init__(self, ledger: Ledger, reading: Reading) -> None:
        self._ledger = ledger
        self._reading = reading

    async def open(
        self,
        caller: Caller,
        league: str,
        asked: MatchRequest,
        key: IdempotencyKey | None,
        language: Language,
    ) -> tuple[Outcome, str]:
        """Open a match and append its first events. Return the answer and the match's slug.

        Raises Refused.
        """
        asked = asked.normalised()
        check_rulings(caller, asked.events)
        (match,) = slug_candidates("match", asked.match, None, key)
        stream = match_stream(match)
        opening = _MatchOpening(league, match, stream, asked.opening(), asked.events, language)
        command = Command(
            league=league,
            actor=caller.token_id,
            about=stream,
            keys=(key, opening_key("match", match, asked.content())),
            streams=(LEAGUE_STREAM, stream),
            ids=event_ids(asked.events),
            decide=opening.decide,
            weight=1 + len(asked.events),
            takes_long=lambda _: len(asked.events) > MANY,
        )
        return await carried_out(command, self._ledger, self._reading, match), match

    async def list(
        self, league: str, chosen: MatchFilter, *, before: int | None, limit: int
    ) -> Sequence[MatchView]:
        """Return matches opened before the position `before`, the latest opened first.

        Raises Refused (`not-found`) if there is no such league.
        """
        found = await self._ledger.read(
            lambda c: matches.page(c, league, chosen, before=before, limit=limit)
        )
        return await self._views(league, await found_in_league(self._ledger, league, found))

    async def latest_held(
        self, league: str, chosen: MatchFilter, limit: int
    ) -> Sequence[MatchView]:
        """Return matches, the latest held first, whenever they were imported."""
        found = await self._ledger.read(
            lambda c: matches.latest_held(c, league, chosen, limit=limit)
        )
        return await self._views(league, found)

    async def _views(self, league: str, found: Sequence[ListedMatch]) -> Sequence[MatchView]:
        going_on = [each.match for each in found if each.ending is None]
        standings = await self._reading.latest_of(league, going_on)
        changed = await self._ledger.last_recorded(
            league, [match_stream(each.match) for each in found]
        )
        return [
            _match_view(each, standings.get(each.match), changed_at)
            for each in found
            if (changed_at := changed[match_stream(each.match)]) is not None
        ]

    async def going_on(self, league: str, limit: int) -> OpenMatches:
        """Return the open matches that are played, at most `limit` of each kind.

        A tournament opens the matches at all its tables long before they are played. Those in which
        no round was begun are left out.
        """
        found = await self._ledger.read(
            lambda c: matches.page(c, league, MatchFilter(status="open"), limit=_MOST_OPEN)
        )
        streams = [match_stream(each.match) for each in found]
        changed = await self._ledger.last_recorded(league, streams)

        def changed_last(each: ListedMatch) -> tuple[bool, str, int]:
            at = changed[match_stream(each.match)] or ""
            # If matches changed at the same time, as when somebody sits in at several tables, the
            # first opened comes first.
            return at > each.opened_at, at, -each.opened

        looked_at = sorted(found, key=changed_last, reverse=True)[: limit * _LOOKED_AT_FOR_EACH]
        standings = await self._reading.latest_of(league, [each.match for each in looked_at])
        going_on = [
            match
            for match, folded in standings.items()
            if folded.state.round or folded.state.opened.tournament is None
        ]
        unreadable = [each.match for each in looked_at if each.match not in standings]
        return OpenMatches(going_on[:limit], unreadable[:limit])


def _match_view(each: ListedMatch, folded: FoldedState | None, changed_at: str) -> MatchView:
    """Present a match. `folded`: its state if it is open, since the list has only final totals.

    An open match without a state is one whose log can't be read. It has no figures.
    """
    ending = each.ending
    if ending is None:
        ending = Ending(0, {}) if folded is None else _so_far(folded.state)
    return MatchView(
        match=each.match,
        edition=each.edition,
        status=each.status,
        players=each.players,
        winners=each.winners,
        opened_at=each.opened_at,
        position=each.opened,
        open_disputes=each.open_disputes,
        round=ending.round,
        totals=ending.totals,
        changed_at=changed_at,
    )


def _so_far(state: State) -> Ending:
    return Ending(state.round, totals(state))


class _MatchOpening(Struct, frozen=True):
    """One request to open a match; it is decided again if another process was first."""

    league: str
    match: str
    stream: str
    opening: Opening
    events: Sequence[ToldEvent]
    language: Language

    def decide(self, seen: Seen) -> Writing[Done]:
        """First the slug and the ids, then the players, then the rules."""
        if not seen.exists:
            raise not_found("league")
        if seen.tails[self.stream].version > 0:
            raise Refused("match-exists", facts={"match": self.match})
        for index, event in enumerate(self.events):
            if event.id in seen.known:
                raise Refused("event-id-reused", reason="elsewhere", event_index=index)
        roster = tail_roster(seen.tails[LEAGUE_STREAM])
        first, state = opened_or_refused(self.opening, roster, self.language)
        recorded = (
            recorded_or_refused(state, self.events, roster, self.language) if self.events else None
        )
        return self._decision(first, state, recorded, roster)

    def _decision(
        self, first: MatchOpened, state: State, recorded: Recorded | None, roster: Roster
    ) -> Writing[Done]:
        after = state if recorded is None else recorded.state

        def complete(entries: Sequence[Entry]) -> CommandResult[Done]:
            done = opened(entries[0], state)
            if recorded is not None:
                rest = appended(entries[1:], recorded, first_index=0, language=self.language)
                done = rest.after(done)
            outcome = done.outcome(self.match, created=True)
            return CommandResult(
                value=(outcome, done.folded),
                rows=(
                    list_row(self.league, self.match, after, entries[0]),
                    *table_additions(self.league, newly_won(self.match, after, recorded, entries)),
                ),
                kept=outcome,
            )

        opening = opening_draft(self.stream, first)
        rest = () if recorded is None else drafts(self.stream, recorded, after=1)
        carried = {LEAGUE_STREAM: roster, self.stream: after}
        return Writing(drafts=(opening, *rest), carried=carried, complete=complete)
