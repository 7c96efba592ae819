"""The house rule `last_card`: some cards must not be laid as the last card of a hand."""

from collections.abc import Mapping
from typing import Final

from scorekeeper.rules.clauses import Cited, Text
from scorekeeper.rules.edition import Choice, Edition, HouseRule, Variant, with_house
from scorekeeper.rules.parameters import LastCard

_LAST: Final[Mapping[Variant, Cited[LastCard]]] = {
    "no-wild": Cited(LastCard.NO_WILD, "V-LAST-NO-WILD"),
    "number": Cited(LastCard.NUMBER, "V-LAST-NUMBER"),
}


def _applied(edition: Edition, variant: Variant) -> Edition:
    return with_house(edition, last_card=_LAST[variant])


LAST_CARD: Final = HouseRule(
    name="last_card",
    label=Text("Last card", "最後一張牌"),
    booklet="any",
    choices={
        "no-wild": Choice(Text("no wild", "不能是萬用牌"), ("V-LAST-NO-WILD",)),
        "number": Choice(Text("a number", "必須是數字牌"), ("V-LAST-NUMBER",)),
    },
    clauses={
        "V-LAST-NO-WILD": Text(
            "House rule: nobody goes out with a wild of any kind.",
            "家規：不能用任何萬用牌出完手牌。",
        ),
        "V-LAST-NUMBER": Text(
            "House rule: whoever goes out does so with a number.",
            "家規：只能用數字牌出完手牌。",
        ),
    },
    applied=_applied,
)
