"""How notes, disputes and amendments are narrated."""

from typing import Final

from scorekeeper.match.events.events import (
    DisputeOpened,
    DisputeRuled,
    LogAmended,
    NoteAdded,
    event_type,
)
from scorekeeper.projections.narration.narration import (
    Moment,
    Narration,
    Saying,
    Sentence,
    Sentences,
    sentence,
)


def _note(moment: Moment[NoteAdded]) -> Sentences:
    yield sentence("note", text=moment.event.text)


def _amendment(moment: Moment[LogAmended]) -> Sentences:
    event = moment.event
    if event.first is not None:
        if event.remove == 1:
            yield sentence("amended-one-out", first=event.first)
        elif event.remove:
            last = event.first + event.remove - 1
            yield sentence("amended-out", first=event.first, last=last)
        if event.insert:
            types = tuple(event_type(each) for each in event.insert)
            yield sentence("amended-in", first=event.first, types=types)
    if event.withdraws:
        yield sentence("amended-back", versions=tuple(str(version) for version in event.withdraws))
    yield sentence("amended", reason=event.reason)


def _dispute(moment: Moment[DisputeOpened]) -> Sentences:
    event = moment.event
    yield sentence("disputed", by=event.by, round=event.round, claim=event.claim)


def _ruling(moment: Moment[DisputeRuled]) -> Sentences:
    event = moment.event
    dispute = moment.before.disputes.get(event.dispute)
    # Another person may sit in this player's seat by now.
    who = dispute.disputant if dispute is not None else None
    saying: Saying = "ruling-upheld" if event.ruling == "upheld" else "ruling-rejected"
    yield Sentence(saying, {"dispute": event.dispute, "disputant": who, "reason": event.reason})


NOTE_ADDED: Final = Narration(event=NoteAdded, says=_note)
LOG_AMENDED: Final = Narration(event=LogAmended, says=_amendment)
DISPUTE_OPENED: Final = Narration(event=DisputeOpened, says=_dispute)
DISPUTE_RULED: Final = Narration(event=DisputeRuled, says=_ruling)
