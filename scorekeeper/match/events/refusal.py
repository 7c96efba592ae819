"""Why something was not recorded, as data: a code from a closed list, the clause, and the facts."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from scorekeeper.match.events.fields import Address

RefusalCode: TypeAlias = Literal[
    "amendment-overlaps",
    "color-not-open",
    "dealer-needed",
    "dealer-not-in-match",
    "dispute-closed",
    "effects-not-allowed",
    "event-erased",
    "house-rule-invalid",
    "house-rule-not-in-force",
    "impossible-event",
    "inferred-not-removable",
    "match-full",
    "not-in-edition",
    "nothing-to-undo",
    "opening-fixed",
    "option-invalid",
    "option-not-in-edition",
    "option-not-in-mode",
    "players-invalid",
    "players-not-schedulable",
    "points-needed",
    "round-not-reached",
    "round-taken",
    "rounds-needed",
    "rounds-per-partner-invalid",
    "rule-violation",
    "scoring-invalid",
    "seating-invalid",
    "swap-needed",
    "team-scoring-not-in-mode",
    "teams-invalid",
    "teams-not-in-mode",
    "teams-not-opposite",
    "too-many-amendments",
    "verdict-needed",
]

Reason: TypeAlias = Literal[
    "card-needed",
    "card-not-in-box",
    "card-not-in-hand",
    "card-not-on-top",
    "charges-not-in-mode",
    "charges-with-scores",
    "color-needed",
    "color-not-in-edition",
    "draw-contradicts-pile",
    "draw-invalid",
    "draw-pile-not-whole",
    "draws-invalid",
    "hand-contradicts-book",
    "hand-missing",
    "hands-or-scores",
    "loser-without-cards",
    "no-challenge-open",
    "no-gift-owed",
    "no-misplay-open",
    "no-round-played",
    "no-such-amendment",
    "no-such-dispute",
    "no-such-entry",
    "no-such-round",
    "not-their-color",
    "not-tied",
    "nothing-owed",
    "pile-contradicts-book",
    "pile-too-short",
    "player-eliminated",
    "player-not-in-match",
    "player-not-in-tournament",
    "player-withdrawn",
    "points-exceed-box",
    "points-impossible",
    "points-negative",
    "rounds-outstanding",
    "score-contradicts-mode",
    "score-missing",
    "scores-do-not-balance",
    "seats-invalid",
    "substitute-in-match",
    "substitute-in-tournament",
    "swap-with-self",
    "too-many-of-card",
    "tournament-closed",
    "winner-has-cards",
    "winners-invalid",
    "wrong-phase",
]
"""Why an event is refused as an `impossible-event`."""

Bound: TypeAlias = Literal["in-force"]
"""Which bound a refusal with the code `too-many-amendments` is about.

It is the number of amendments in force. If one append has too many, there is no reason.
"""

BreachReason: TypeAlias = Literal[
    "card-does-not-match",
    "card-on-penalty",
    "cards-dealt",
    "cards-left",
    "drawn-past-playable",
    "drawn-while-able",
    "joint-winners",
    "jump-in-differs",
    "last-card-forbidden",
    "not-at-once",
    "not-the-drawn-card",
    "out-of-turn",
    "passed-too-early",
    "passed-with-playable",
    "passed-without-drawing",
    "pile-differs",
    "points-told",
    "reshuffled-early",
    "swap-differs",
    "too-few-drawn",
    "too-many-drawn",
    "uno-not-called",
    "verdict-contradicts-hand",
    "wild-draw-four-bluff",
]
"""What a violation consists in; the clause says where it is forbidden."""

Facts: TypeAlias = Mapping[str, object]


class Violation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A breach of a clause, which is refused, or recorded if the table says that it was played so.

    `event_index`: the place, from 0, of the event among those told together. `address`: the address
    of an event that was not told now, if the breach was found when the log was read again.
    `sitting`: who sat in for whom at the time, by column.
    """

    clause: str
    reason: BreachReason
    facts: Facts
    event_index: int | None = None
    address: Address = None
    sitting: Mapping[str, str] = {}


class Refusal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why an event, or an opening, was not recorded.

    `reason`: the reason of an `impossible-event`, or the bound that was exceeded. `violations`: the
    breaches of a `rule-violation`. `event_index`: the place, from 0, of the event among those told
    together, None if no event is to blame, as for an opening. `sitting`: who sat in for whom when
    that event would have happened, by column.
    """

    code: RefusalCode
    reason: Reason | Bound | None = None
    clause: str | None = None
    facts: Facts = {}
    event_index: int | None = None
    violations: tuple[Violation, ...] = ()
    sitting: Mapping[str, str] = {}


def impossible(reason: Reason, **facts: object) -> Refusal:
    """Return the refusal of something that can't have happened."""
    return Refusal(code="impossible-event", reason=reason, facts=facts)
