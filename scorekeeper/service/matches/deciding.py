"""From what is told of a match to what is written of it, and answered."""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from scorekeeper.ledger.entries.draft import Draft
from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.match.events.events import SCHEMA, ToldEvent, encode, event_type
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.table.state import State
from scorekeeper.projections.rounds import RoundView, rounds
from scorekeeper.service.answers import Outcome
from scorekeeper.service.command import CommandResult, Writing
from scorekeeper.service.league_events import Roster
from scorekeeper.service.matches.list_rows import changed_views
from scorekeeper.service.matches.refusals import from_refusal, unregistered
from scorekeeper.service.reading.append_presenter import AppendReading, FoldedState, appended
from scorekeeper.service.reading.matches import match_stream
from scorekeeper.service.reading.substitutes import strangers
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import words_of

Done: TypeAlias = tuple[Outcome, FoldedState | None]
"""The answer, and what stands after it where it is the latest."""


def without_state(outcome: Outcome) -> Done:
    """A repeated request found a past state, which is not to be remembered as the latest."""
    return outcome, None


def recorded_or_refused(
    state: State,
    events: Sequence[ToldEvent],
    roster: Roster | None,
    language: Language,
    *,
    first_index: int = 0,
) -> Recorded:
    """What `events` come to; the first that fails decides. Raises Refused.

    `roster` may be None where nobody is substituted. The request's events count from `first_index`.
    """
    unknown = () if roster is None else strangers(events, roster)
    registered = unknown[0][0] if unknown else len(events)
    recorded = record(state, events[:registered])
    if isinstance(recorded, Refusal):
        words = words_of(state.edition.id).seated(state.substitutes)
        refused = from_refusal(
            recorded,
            language,
            words,
            first_index=first_index,
            cards=state.box.counts,
            players=(*state.totals, *state.substitutes.values()),
        )
        if recorded.code == "round-taken":
            refused.members = {**refused.members, "round": _round(state, recorded.facts["round"])}
        raise refused
    for index, name in unknown:
        assert roster is not None
        raise unregistered([name], roster.players, event_index=first_index + index)
    return recorded


def _round(state: State, number: object) -> RoundView | None:
    """None where it is only this very request that tells it."""
    return next((each for each in rounds(state) if each.round == number), None)


def decision(
    league: str,
    match: str,
    before: State,
    recorded: Recorded,
    language: Language,
    *,
    earlier: AppendReading | None = None,
    first_index: int = 0,
) -> Writing[Done]:
    """Write what was recorded in the state `before`, and answer with it.

    `earlier`: what the first events of the request came to before; the others count from
    `first_index`.
    """
    stream = match_stream(match)
    told = _ToldEvents(league, match, before, recorded, language, earlier, first_index)
    return Writing(
        drafts=drafts(stream, recorded),
        carried={stream: recorded.state},
        complete=told.complete,
    )


class _ToldEvents(Struct, frozen=True):
    """What is answered once `recorded` is written, behind `earlier` of the same request."""

    league: str
    match: str
    before: State
    recorded: Recorded
    language: Language
    earlier: AppendReading | None
    first_index: int

    def complete(self, entries: Sequence[Entry]) -> CommandResult[Done]:
        recorded, earlier = self.recorded, self.earlier
        done = appended(
            entries, recorded, first_index=self.first_index, language=self.language
        ).after(earlier)
        outcome = done.outcome(
            self.match, created=True, replayed=None if earlier is None else "partial"
        )
        rows = changed_views(
            self.league,
            self.match,
            self.before,
            recorded.state,
            won_at=won_at(recorded, entries),
        )
        return CommandResult(value=(outcome, done.folded), rows=rows, kept=outcome)


def won_at(recorded: Recorded, entries: Sequence[Entry]) -> int | None:
    """The position of the entry by which `recorded`, stored as `entries`, won its match."""
    return None if recorded.won_by is None else entries[recorded.won_by].position


def drafts(stream: str, recorded: Recorded, *, after: int = 0) -> list[Draft]:
    """The entries to be written, behind `after` others of the same request.

    An inferred one names the told one that it belongs to.
    """
    told: dict[int, int] = {}
    for place, made in enumerate(recorded.entries, after):
        if not made.inferred:
            told[made.told_index] = place
    new: list[Draft] = []
    for made in recorded.entries:
        event, inferred = made.event, made.inferred
        draft = Draft(
            stream=stream,
            type=event_type(event),
            schema=SCHEMA,
            body=encode(event),
            id=made.id,
            inferred=inferred,
            told_by=told[made.told_index] if inferred else None,
        )
        new.append(draft)
    return new
