"""Decides what is told of a match, and makes of that what is written and answered.

A refusal of the decider is put into words for the caller. The stored views of the match, for lists
and standings, are written with its entries. They follow from its opening and its latest state
alone, so that a fresh fold gives the same.
"""

from collections.abc import Collection, Sequence
from typing import Protocol, TypeAlias

from scorekeeper.editions.registry import edition_ids
from scorekeeper.ledger.entry import Draft, Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import RowWrite
from scorekeeper.match.events.events import SCHEMA, ToldEvent, encode, event_type
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.record import Recorded, record
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import RoundView, rounds, totals
from scorekeeper.service.command import Command, CommandResult, Outcome, Writing
from scorekeeper.service.matches.proposals import (
    already_seated,
    nearest_meant,
    unregistered,
    who_could_stand,
)
from scorekeeper.service.reading.entry_presenter import (
    AppendReading,
    FoldedState,
    appended,
    violation_views,
)
from scorekeeper.service.reading.matches import Reading, match_stream
from scorekeeper.service.reading.tournaments import table_row
from scorekeeper.service.refused import Refused
from scorekeeper.service.slugs import near
from scorekeeper.service.standings.changes import held_at, table_changes
from scorekeeper.service.streams import LEAGUE_STREAM, Roster, first_stranger
from scorekeeper.store import matches
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import PLAIN, Words, words_of

Done: TypeAlias = tuple[Outcome, FoldedState]
"""The answer, and the state of the match after it."""


def from_refusal(
    refusal: Refusal,
    language: Language,
    words: Words = PLAIN,
    *,
    first_index: int = 0,
    cards: Collection[str] = (),
    players: Collection[str] = (),
) -> Refused:
    """Return the decider's refusal, in words for the caller.

    `first_index`: the index of the first of these events in the request. `cards` are those of the
    box, `players` those who could take part: if the refused name is none of them, the refusal
    suggests the nearest.
    """
    index = None if refusal.event_index is None else first_index + refusal.event_index
    violations = violation_views(
        refusal.violations, first_index=first_index, language=language, words=words
    )
    return Refused(
        refusal.code,
        reason=refusal.reason,
        facts={**refusal.facts, **nearest_meant(refusal, cards, players)},
        event_index=index,
        violations=violations or None,
        nearest=refusal.facts.get("nearest"),
        words=words,
    )


def unknown_edition(edition: str) -> Refused:
    """Return the refusal of an edition that no booklet has. It suggests the nearest ones."""
    facts = {"edition": edition, **near(edition, edition_ids())}
    return Refused("edition-unknown", facts=facts)


class OpeningEntry(Protocol):
    """What `list_row` needs of the entry that opened a match."""

    @property
    def position(self) -> int: ...

    @property
    def time(self) -> str: ...


def list_row(league: str, match: str, state: State, opening: OpeningEntry) -> RowWrite:
    """Return the row of a match that was just opened; `state` has what was recorded with it."""
    return matches.added(
        league=league,
        match=match,
        opened=opening.position,
        edition=state.edition.id,
        players=state.opened.players,
        opened_at=opening.time,
        held_at=held_at(state, opening.time),
        summary=_summary(state, _sat_in(state)),
    )


def changed_views(
    league: str, match: str, before: State, after: State, *, won_at: int | None
) -> tuple[RowWrite, ...]:
    """Return what an append writes to the stored views: nothing while a round just goes on.

    `won_at`: if a match without results has them now, the position of the entry that gave them.
    """
    rows: list[RowWrite] = []
    if "won" in (before.status, after.status):
        rows.extend(table_changes(league, match, before, after, won_at))
    # Finding who sat in is costly, so the summaries are compared without it.
    if _summary(before, ()) != _summary(after, ()) or _others_sat_in(before, after):
        rows.append(matches.changed(league, match, _summary(after, _sat_in(after))))
    if after.opened.tournament is not None and _played(before) != _played(after):
        rows.append(table_row(league, match, after))
    return tuple(rows)


def _summary(state: State, sat_in: Sequence[str]) -> matches.Summary:
    return matches.Summary(
        status=state.status,
        substitutes=sat_in,
        winners=state.winners,
        open_disputes=state.open_disputes,
        ending=_ending(state),
    )


def _sat_in(state: State) -> Sequence[str]:
    """Return who sits in for somebody, or did in a round that was begun, sorted by slug."""
    people = set(state.substitutes.values())
    for round_ in state.latest_first():
        people.update(round_.substitutes.values())
    return sorted(people)


def _others_sat_in(before: State, after: State) -> bool:
    """Return whether other people sit in, or sat in in past rounds, than before.

    Past rounds are compared only if they may have changed.
    """
    as_read = before.amendments == after.amendments and not after.erased
    if as_read and before.substitutes == after.substitutes:
        return False
    return _sat_in(before) != _sat_in(after)


def _ending(state: State) -> matches.Ending | None:
    return None if state.status == "open" else matches.Ending(state.round, totals(state))


def _played(state: State) -> tuple[object, ...]:
    return state.status, state.finished


async def carried_out(
    command: Command[Done], ledger: Ledger, reading: Reading, match: str
) -> Outcome:
    """Carry out a command, have `reading` remember the match as it is then, and return the answer.

    Raises what `Command.carry_out` does.
    """
    answer = await command.carry_out(ledger)
    if isinstance(answer, Outcome):
        return answer  # to a repeated request: the match may have gone on since
    outcome, folded = answer
    reading.remember(command.league, match, folded)
    return outcome


def recorded_or_refused(
    state: State,
    events: Sequence[ToldEvent],
    roster: Roster | None,
    language: Language,
    *,
    first_index: int = 0,
) -> Recorded:
    """Decide `events` in order. Raises Refused for the first that fails.

    `roster` may be None if no event names a substitute. `first_index`: the index of the first of
    these events in the request.
    """
    stranger = None if roster is None else first_stranger(events, roster)
    recorded = record(state, events if stranger is None else events[: stranger[0]])
    if isinstance(recorded, Refusal):
        words = words_of(state.edition.id).seated(recorded.sitting)
        refused = from_refusal(
            recorded,
            language,
            words,
            first_index=first_index,
            cards=state.box.counts,
            players=who_could_stand(state, events[recorded.event_index or 0], recorded),
        )
        if recorded.code == "round-taken":
            refused.members = {**refused.members, "round": _round(state, recorded.facts["round"])}
        raise refused
    if stranger is not None and roster is not None:
        index, name = stranger
        raise unregistered(
            [name],
            roster.players,
            beside=already_seated(state, events[index]),
            event_index=first_index + index,
        )
    return recorded


def _round(state: State, number: object) -> RoundView | None:
    """Return the round with this number; None if only this request itself tells of it."""
    return next((each for each in rounds(state) if each.round == number), None)


def decision(
    league: str,
    match: str,
    before: State,
    recorded: Recorded,
    language: Language,
    *,
    roster: Roster | None = None,
    earlier: AppendReading | None = None,
    first_index: int = 0,
) -> Writing[Done]:
    """Return how to write and answer what was recorded in the state `before`.

    `roster`: that of the league, if the request names its stream. `earlier`: what an earlier try
    recorded of the request's first events. The other events begin at the index `first_index`.
    """
    stream = match_stream(match)

    def complete(entries: Sequence[Entry]) -> CommandResult[Done]:
        new = appended(entries, recorded, first_index=first_index, language=language)
        done = new.after(earlier)
        outcome = done.outcome(match, created=True, replayed=None if earlier is None else "partial")
        position = won_at(recorded, entries)
        rows = changed_views(league, match, before, recorded.state, won_at=position)
        return CommandResult(value=(outcome, done.folded), rows=rows, kept=outcome)

    carried: dict[str, object] = {stream: recorded.state}
    if roster is not None:
        carried[LEAGUE_STREAM] = roster
    return Writing(drafts=drafts(stream, recorded), carried=carried, complete=complete)


def won_at(recorded: Recorded, entries: Sequence[Entry]) -> int | None:
    """Return the position of the entry by which `recorded`, stored as `entries`, won its match."""
    return None if recorded.won_by is None else entries[recorded.won_by].position


def opening_draft(stream: str, first: MatchOpened) -> Draft:
    """Return the draft of a match's first entry."""
    return Draft(stream=stream, type=event_type(first), schema=SCHEMA, body=encode(first))


def drafts(stream: str, recorded: Recorded, *, after: int = 0) -> list[Draft]:
    """Return the drafts of what was recorded, which follow `after` others in the same append.

    The draft of an inferred entry has the index, in the append, of the told one it belongs to.
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
