"""What is claimed against a round, and where it was corrected."""

from collections.abc import Sequence

from msgspec import Struct

from scorekeeper.match.decider.logged import amendments, entries, in_force
from scorekeeper.match.events.address import Inserted
from scorekeeper.match.events.dispute_events import DisputeOpened, DisputeRuled, Ruling
from scorekeeper.match.table.state import State
from scorekeeper.service.reading.matches import View
from scorekeeper.service.reading.replay_views import ReplayItem
from scorekeeper.web.replay.steps import place_of


class Disputed(Struct, frozen=True):
    """A dispute about a round; `step`: the disputed one, from 1, None for the round as a whole.

    `reason`: of the ruling, None while there is none.
    """

    dispute: int
    by: str
    claim: str
    step: int | None
    ruling: Ruling | None
    reason: str | None


def disputes_of(state: State, round_: int, items: Sequence[ReplayItem]) -> list[Disputed]:
    """Those about a round, the oldest first; `items` are its steps."""
    rulings = {
        entry.event.dispute: entry.event.reason
        for entry in entries(state.log)
        if isinstance(entry.event, DisputeRuled)
    }
    return [
        Disputed(
            dispute=version,
            by=dispute.opened.by,
            claim=dispute.opened.claim,
            step=_step(dispute.opened, items),
            ruling=dispute.ruling,
            reason=rulings.get(version),
        )
        for version, dispute in state.disputes.items()
        if dispute.opened.round == round_
    ]


def _step(opened: DisputeOpened, items: Sequence[ReplayItem]) -> int | None:
    """Of an entry that is read no more: what is read in its place."""
    match opened.entry:
        case None:
            return None
        case Inserted(amendment=amendment, index=index):
            sought = (amendment, index)
            return next((n for n, item in enumerate(items, 1) if place_of(item) == sought), None)
        case entry:
            return step_of_entry(items, entry)


def step_of_entry(items: Sequence[ReplayItem], entry: int) -> int | None:
    """The step of an entry, or the first one behind it; None where the round has none."""
    for number, item in enumerate(items, 1):
        place = place_of(item)
        if isinstance(place, int) and place >= entry:
            return number
    return None


def amended_entries(state: State, view: View) -> list[int]:
    """The entries at which amendments in force begin.

    As corrected, what an amendment inserts is a step of its own; only the others are named.
    """
    standing = in_force(amendments(entries(state.log)))
    return [
        one.first
        for one in standing.values()
        if one.first is not None and (view == "recorded" or not one.insert)
    ]
