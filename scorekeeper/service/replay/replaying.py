"""Replaying a round of a match."""

from scorekeeper.projections.replay import replay, replay_as_recorded
from scorekeeper.service.audience import Audience
from scorekeeper.service.people import Naming, people_in, worded_tag
from scorekeeper.service.reading import Reading, View
from scorekeeper.service.refused import not_found
from scorekeeper.service.replay.views import ReplayView
from scorekeeper.service.replay.worded import Ledgered, Written, recorded_by, replay_view
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
    if view == "recorded":
        found = replay_as_recorded(read.steps, round_, read.read_now)
    else:
        found = replay(read.steps, round_)
    if found is None:
        raise not_found("round")
    ledgered = Ledgered(
        written={
            entry.version: Written(entry.position, entry.actor, entry.time)
            for entry in read.entries
        },
        whole={
            whole.address: whole.event
            for step, whole in zip(read.steps, read.whole, strict=True)
            if whole.event is not None and step.event is not whole.event
        },
    )
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
