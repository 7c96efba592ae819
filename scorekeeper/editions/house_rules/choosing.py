"""What an opening may say of house rules: the names and variants, as a type to be read by."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

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


_HouseRules: Final = msgspec.defstruct(
    "HouseRules",
    [_field(rule) for rule in HOUSE_RULES[REVISION]],
    frozen=True,
    forbid_unknown_fields=True,
)
_Opening: Final = msgspec.defstruct("_Opening", [("house_rules", _HouseRules)])


def check(chosen: Chosen) -> None:
    """ValidationError, as for a field of the opening, for a name or a variant that is none."""
    msgspec.convert({"house_rules": chosen}, _Opening)


def _schema() -> dict[str, Any]:
    _, parts = msgspec.json.schema_components([_HouseRules])
    accepted: dict[str, Any] = parts["HouseRules"]
    return {name: accepted[name] for name in ("properties", "additionalProperties")}


HouseRulesAsked: TypeAlias = Annotated[
    Mapping[str, Variant], Meta(extra_json_schema=_schema(), max_length=len(HOUSE_RULES[REVISION]))
]
"""House rules of an opening, by name, described with their variants; held against `check`."""
