"""What a replay answers, as structs that the OpenAPI document describes."""

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType

from scorekeeper.match.readings.hindsight import Verdict
from scorekeeper.projections.origins import How
from scorekeeper.projections.scoreboard import HandView, Scoreboard
from scorekeeper.projections.scores import PartKind
from scorekeeper.service.views import ViolationView


class ClauseText(Struct, frozen=True):
    """A clause as `GET /v1/editions/{edition}` has it, in the language asked for."""

    id: str
    text: str


class HandsThenNow(Struct, frozen=True):
    """The hands after a step: as they were known then, and with all that was told since."""

    then: Mapping[str, HandView]
    now: Mapping[str, HandView]


class VoidedStepView(Struct, frozen=True):
    """Why a told event can't be applied any more."""

    code: str
    reason: str | None
    message: str


class ReplayItem(Struct, frozen=True, kw_only=True):
    """One step of a round.

    It is the entry with the version `version`, or the event at `index`, from 0, among those that
    the amendment with the version `amendment` inserted. If all three are absent, nobody recorded
    the step: it is inferred as the log is read now. `event`: as it was sent; null if it was erased.
    `at`: when it happened at the table. `state`: the scoreboard after it. `clauses`: those that
    bear on it. `voided` is present only if the event can't be applied any more.
    """

    version: int | UnsetType = UNSET
    amendment: int | UnsetType = UNSET
    index: int | UnsetType = UNSET
    event: dict[str, object] | None
    inferred: bool
    recorded_by: str | None
    recorded_at: str | None
    at: str | None
    state: Scoreboard
    hands: HandsThenNow
    clauses: list[ClauseText]
    verdict: Verdict
    violations: list[ViolationView]
    explanation: str
    voided: VoidedStepView | UnsetType = UNSET


class SourceView(Struct, frozen=True, kw_only=True):
    """A step that something comes from: its place among the items, from 0, and its address."""

    item: int
    version: int | UnsetType = UNSET
    amendment: int | UnsetType = UNSET
    index: int | UnsetType = UNSET
    how: How


class UnfoldedCard(Struct, frozen=True):
    """A card left in a hand, its points, and the steps by which it came there, oldest first.

    `certain`: it came by all these steps. Otherwise it came by some of them, and nobody knows
    which.
    """

    card: str
    points: int
    sources: list[SourceView]
    certain: bool


class UnfoldedHand(Struct, frozen=True):
    """A hand at the end of a round; `points`: null if nobody knows them.

    `told`: the step that told the points, if the cards were not listed.
    """

    points: int | None
    cards: list[UnfoldedCard]
    told: SourceView | None


class UnfoldedPart(Struct, frozen=True):
    """A part of a score; `points` are below 0 if they are lost.

    `kind`: `hand` for the hand of `player`, `charge` for points counted when `player` was caught,
    `told` for the score of an old sheet. `source`: the step of a charge or a sheet.
    """

    kind: PartKind
    player: str
    points: int
    source: SourceView | None


class UnfoldedScore(Struct, frozen=True):
    """The parts add up to the score. `total`: in the match after the round; partners share one."""

    score: int
    parts: list[UnfoldedPart]
    total: int


class UnfoldedRound(Struct, frozen=True):
    """What the scores of a round come from.

    `clauses`: those of the scoring. `points_clause`: the one with the points of single cards.
    """

    clauses: list[ClauseText]
    points_clause: ClauseText
    hands: Mapping[str, UnfoldedHand]
    scores: Mapping[str, UnfoldedScore]


class ReplayView(Struct, frozen=True):
    """A round step by step; `score` is null until it has ended, and if it was broken off.

    `recorders`: the names of the tokens that recorded the round, revoked ones included.
    """

    items: list[ReplayItem]
    score: UnfoldedRound | None
    recorders: Mapping[str, str]
