"""The house rules that a match can be opened with, listed by hand, and editions played by them.

`HouseRulesAsked` is the type by which the house rules in a request are read.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from scorekeeper.editions.house_rules.at_once import AT_ONCE
from scorekeeper.editions.house_rules.drawing import DRAWING
from scorekeeper.editions.house_rules.forced_play import FORCED_PLAY
from scorekeeper.editions.house_rules.hand_size import HAND_SIZE
from scorekeeper.editions.house_rules.jump_in import JUMP_IN
from scorekeeper.editions.house_rules.last_card import LAST_CARD
from scorekeeper.editions.house_rules.seven import SEVEN
from scorekeeper.editions.house_rules.stacking import STACKING
from scorekeeper.editions.house_rules.uno_penalty import UNO_PENALTY
from scorekeeper.editions.house_rules.wild_draw_four import WILD_DRAW_FOUR_PLAYED
from scorekeeper.editions.house_rules.zero import ZERO
from scorekeeper.rules.clauses import Clause
from scorekeeper.rules.edition import ChosenVariants, Edition, HouseRule, Variant, with_house

SOURCE: Final = "house-rules"
"""The `source` of a house rule's clause, in place of the id of an edition."""

HOUSE_RULES: Final[Mapping[int, tuple[HouseRule, ...]]] = MappingProxyType(
    {
        1: (
            STACKING,
            JUMP_IN,
            SEVEN,
            ZERO,
            DRAWING,
            FORCED_PLAY,
            WILD_DRAW_FOUR_PLAYED,
            LAST_CARD,
            AT_ONCE,
            UNO_PENALTY,
            HAND_SIZE,
        ),
    }
)
"""The house rules by revision, in ascending order.

A revision that a match has used never changes.
"""

REVISION: Final = max(HOUSE_RULES)
"""The revision of the house rules with which new matches are opened."""


def house_rule_clauses(revision: int = REVISION) -> tuple[Clause, ...]:
    """Return the clauses of all house rules, in the order of the registry."""
    return tuple(
        Clause(clause_id, text, SOURCE)
        for rule in HOUSE_RULES[revision]
        for clause_id, text in rule.clauses.items()
    )


def played_by(edition: Edition, chosen: ChosenVariants, revision: int) -> Edition:
    """Return the edition as it is played by house rules, with the clauses of all house rules.

    `chosen`: the house rules of an opening. A variant that the edition plays by its booklet changes
    nothing.
    """
    departing: dict[str, Variant] = {}
    clauses = (*edition.clauses, *house_rule_clauses(revision))
    played = replace(edition, clauses=clauses)
    for rule in HOUSE_RULES[revision]:
        variant = chosen.get(rule.name)
        if variant is not None and variant != rule.by_booklet(edition):
            departing[rule.name] = variant
            played = rule.applied(played, variant)
    at_odds = _at_odds(departing, revision)
    return with_house(played, revision=revision, chosen=departing, at_odds=at_odds)


def _at_odds(chosen: ChosenVariants, revision: int) -> tuple[str, str] | None:
    """Return the names of the first two chosen house rules that exclude each other, else None."""
    return next(
        (
            (other, rule.name)
            for rule in HOUSE_RULES[revision]
            for other in sorted(rule.excludes & chosen.keys())
            if rule.name in chosen
        ),
        None,
    )


def _field(rule: HouseRule) -> tuple[str, Any, Any]:
    variant: Any
    if rule.numbers is None:
        variant = Literal[(rule.booklet, *rule.choices)]
    else:
        variant = Annotated[int, Meta(ge=rule.numbers[0], le=rule.numbers[-1])]
    described = Annotated[variant, Meta(description=rule.label.en)]
    return rule.name, described | UnsetType, UNSET


if TYPE_CHECKING:
    HouseRulesAsked: TypeAlias = Mapping[str, Variant]
else:
    # Made from the registry, so that each house rule is declared in one place only.
    HouseRulesAsked = msgspec.defstruct(
        "HouseRules",
        [_field(rule) for rule in HOUSE_RULES[REVISION]],
        frozen=True,
        forbid_unknown_fields=True,
        namespace={"__doc__": "By name; what is absent is played as the booklet says."},
    )


def variants_sent(asked: HouseRulesAsked) -> ChosenVariants:
    """Return the house rules of a request by name, without those that were not sent."""
    sent: dict[str, Variant] = msgspec.to_builtins(asked)
    return sent
