"""A sentence before it is put into a language: which one, and what stands in it."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Saying: TypeAlias = Literal[
    "abandoned",
    "accusation",
    "advice",
    "amended",
    "amended-back",
    "amended-in",
    "amended-out",
    "as-played",
    "calls-uno",
    "calls-uno-in-time",
    "can-not-apply",
    "caught",
    "caught-in-vain",
    "challenge-guilty",
    "challenge-innocent",
    "challenge-last",
    "charged",
    "closed",
    "color-named",
    "color-open",
    "counts",
    "dealer-drawn",
    "dealer-none",
    "dealer-tied",
    "dealt",
    "discards",
    "disputed",
    "drawn-cards",
    "draws",
    "draws-owed",
    "draws-owed-accusation",
    "draws-owed-advice",
    "draws-owed-guilty",
    "draws-owed-innocent",
    "draws-owed-misplay",
    "draws-owed-play",
    "draws-owed-turned-up",
    "draws-owed-uno",
    "draws-settled",
    "draws-still",
    "effect-draws",
    "effect-reverses",
    "exchanged",
    "gift-owed",
    "gives",
    "gives-unseen",
    "goes-again",
    "hands-pass",
    "jumped-in",
    "laid-at-once",
    "last-draw",
    "leaves",
    "match-opened",
    "match-won",
    "match-won-rounds",
    "misplay",
    "must-draw",
    "must-draw-and-skip",
    "must-draw-or-stack",
    "names-color",
    "next-turn-skipped",
    "no-points",
    "note",
    "on-turn",
    "out",
    "part-charge",
    "part-hand",
    "part-hand-lost",
    "part-total",
    "passes",
    "penalty-lapses",
    "played-against",
    "played-answer",
    "played-freely",
    "played-on-color",
    "played-on-number",
    "played-on-symbol",
    "played-wild",
    "reflected",
    "reshuffled",
    "reversed",
    "round-won",
    "ruling-rejected",
    "ruling-upheld",
    "score",
    "score-nothing",
    "score-told",
    "seats",
    "shows",
    "shows-none",
    "skipped",
    "stacked",
    "substituted",
    "substituted-back",
    "swaps-hands",
    "taken-back",
    "takes-hand",
    "tallied",
    "tallied-on-top",
    "tallied-scores",
    "told-late",
    "totals",
    "turned-up",
    "turned-up-color-named",
    "turned-up-color-open",
    "turned-up-draw",
    "turned-up-reversed",
    "turned-up-skip",
    "turned-up-to-bottom",
    "turned-up-under",
    "uno-not-called",
    "uno-not-recorded",
    "voided",
    "voided-redealt",
    "worth",
]
"""What can be said of a step."""

PointsOfPlayers: TypeAlias = Mapping[str, int]
"""By player."""

Fact: TypeAlias = str | int | tuple[str, ...] | tuple["Sentence", ...] | PointsOfPlayers | None


class Sentence(Struct, frozen=True):
    """A tuple of sayings among the facts is a sum."""

    saying: Saying
    facts: Mapping[str, Fact]


def sentence(saying: Saying, **facts: Fact) -> Sentence:
    return Sentence(saying, facts)


_PEOPLE: Final = frozenset(
    {"by", "former", "namer", "player", "players", "skipped", "to", "turn", "victim"}
)
"""The facts that name columns."""


def in_person(said: Sentence, sitting: Mapping[str, str]) -> Sentence:
    """The same of those who sat there; `sitting`: who sat in, by column."""
    facts = {name: _in_person(name, fact, sitting) for name, fact in said.facts.items()}
    return Sentence(said.saying, facts)


def _in_person(name: str, fact: Fact, sitting: Mapping[str, str]) -> Fact:
    if isinstance(fact, Mapping):
        return {sitting.get(column, column): points for column, points in fact.items()}
    if isinstance(fact, tuple) and any(isinstance(part, Sentence) for part in fact):
        return tuple(in_person(part, sitting) for part in fact if isinstance(part, Sentence))
    if name not in _PEOPLE:
        return fact
    if isinstance(fact, tuple):
        return tuple(sitting.get(column, column) for column in fact if isinstance(column, str))
    return sitting.get(fact, fact) if isinstance(fact, str) else fact
