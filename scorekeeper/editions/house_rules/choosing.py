"""What a request may say of house rules: the names and variants, as a type to be read by."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from scorekeeper.editions.house_rules.registry import HOUSE_RULES, REVISION
from scorekeeper.rules.house_rule import HouseRule
from scorekeeper.rules.house_rules import Chosen, Variant


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
    # Made of the registry, so that a house rule stands there and nowhere else.
    HouseRulesAsked = msgspec.defstruct(
        "HouseRules",
        [_field(rule) for rule in HOUSE_RULES[REVISION]],
        frozen=True,
        forbid_unknown_fields=True,
        namespace={"__doc__": "By name; what is absent is played as the booklet says."},
    )


def chosen(asked: HouseRulesAsked) -> Chosen:
    """As it was sent."""
    sent: dict[str, Variant] = msgspec.to_builtins(asked)
    return sent
