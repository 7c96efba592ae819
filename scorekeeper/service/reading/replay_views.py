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
    """Why something that was told can't be applied any more."""

    code: str
    reason: str | None
    message: str


class ReplayItem(Struct, frozen=True, kw_only=True):
    """One step of a round.

    It is the entry of `version`, or the event at `index`, from 0, of what the amendment of that
    version inserted; with neither it follows as the log is read now, and nobody recorded it.
    `event`: as it was sent; null where it was erased. `at`: when it happened at the table.
    `state`: the scoreboard after it. `clauses`: those that bear on it. `voided` stands only where
    it can't be applied any more.
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
    """A card that was left, its points, and how it came into the hand, the first step first.

    `certain`: by just these steps; else by some of them, and nobody knows which.
    """

    card: str
    points: int
    sources: list[SourceView]
    certain: bool


class UnfoldedHand(Struct, frozen=True):
    """`points`: null where nobody knows them. `told`: by which step, where no cards were listed."""

    points: int | None
    cards: list[UnfoldedCard]
    told: SourceView | None


class UnfoldedPart(Struct, frozen=True):
    """A part of a score, below 0 where it is lost.

    `hand`: the hand of `player`; `charge`: counted when `player` was caught; `told`: the score of
    an old sheet. `source`: the step of a charge or a sheet.
    """

    kind: PartKind
    player: str
    points: int
    source: SourceView | None


class UnfoldedScore(Struct, frozen=True):
    """The parts add up to the score; `total`: of the match after the round, partners together."""

    score: int
    parts: list[UnfoldedPart]
    total: int


class UnfoldedRound(Struct, frozen=True):
    """What the scores of a round come from; `points_clause`: the points of single cards."""

    clauses: list[ClauseText]
    points_clause: ClauseText
    hands: Mapping[str, UnfoldedHand]
    scores: Mapping[str, UnfoldedScore]


class ReplayView(Struct, frozen=True):
    """A round step by step; `score` is null until it has ended, and where it was broken off.

    `recorders`: the names of the tokens that recorded it, revoked ones included.
    """

    items: list[ReplayItem]
    score: UnfoldedRound | None
    recorders: Mapping[str, str]
