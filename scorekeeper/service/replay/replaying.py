"""Replaying a round of a match."""

from collections.abc import Mapping

from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.projections.replay import Replay, replay, replay_as_recorded
from scorekeeper.service.identity.audience import Audience
from scorekeeper.service.reading.append_presenter import FoldedState
from scorekeeper.service.reading.matches import MatchSteps, Reading, View, kept_steps
from scorekeeper.service.reading.people import Naming, people_in, worded_tag
from scorekeeper.service.refused import not_found
from scorekeeper.service.replay.presenter import Ledgered, RecordedAt, recorded_by, replay_view
from scorekeeper.service.replay.views import ReplayView
from scorekeeper.service.stream_fold import fold_entries
from scorekeeper.texts.language import Language


async def replayed(
    reading: Reading,
    audience: Audience,
    league: str,
    match: str,
    round_: int,
    *,
    view: View,
    at: int | None,
    language: Language,
    naming: Naming | None = None,
) -> tuple[str, ReplayView]:
    """The tag of what was read, and the round step by step. Raises Refused (`not-found`)."""
    read = await reading.steps(audience, league, match, view, at)
    found, ledgered = _found(read, round_, view)
    names = None
    if naming is not None:
        names = await reading.names.people(league, people_in(step.event for step in read.steps))
    shown = replay_view(
        found,
        match=match,
        ledgered=ledgered,
        recorders=await reading.names.recorders(league, recorded_by(found, ledgered)),
        language=language,
        names=names,
    )
    return worded_tag(read.tag, language, names), shown


def replayed_from(
    entries: list[Entry],
    tokens: Mapping[str, str],
    match: str,
    round_: int,
    *,
    view: View,
    at: int | None,
    language: Language,
) -> ReplayView:
    """The same for who sees all cards, from all entries of a match and the names of tokens.

    Raises Refused (`not-found`).
    """
    until = entries[:at]
    state = fold_entries(None, until)
    if state is None or (at is not None and at != len(until)):
        raise not_found("version")
    read = kept_steps(FoldedState(state, until[-1].position), view, until)
    found, ledgered = _found(read, round_, view)
    return replay_view(
        found,
        match=match,
        ledgered=ledgered,
        recorders={each: tokens.get(each, each) for each in sorted(recorded_by(found, ledgered))},
        language=language,
        names=None,
    )


def _found(read: MatchSteps, round_: int, view: View) -> tuple[Replay, Ledgered]:
    if view == "recorded":
        found = replay_as_recorded(read.steps, round_, read.read_now)
    else:
        found = replay(read.steps, round_)
    if found is None:
        raise not_found("round")
    ledgered = Ledgered(
        written={
            entry.version: RecordedAt(entry.position, entry.actor, entry.time)
            for entry in read.entries
        },
        whole={
            whole.address: whole.event
            for step, whole in zip(read.steps, read.whole, strict=True)
            if whole.event is not None and step.event is not whole.event
        },
    )
    return found, ledgered
