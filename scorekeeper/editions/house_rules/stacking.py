"""The house rule `stacking`: a penalty may be answered with another penalty card.

The next player then draws for both.
"""

from collections.abc import Mapping
from typing import Final

from scorekeeper.rules.cards import DRAW_TWO, WILD_DRAW_FOUR, Symbol
from scorekeeper.rules.clauses import Cited, Text
from scorekeeper.rules.edition import Choice, Edition, HouseRule, Variant, with_house

_TWO: Final = frozenset({DRAW_TWO})
_FOUR: Final = frozenset({WILD_DRAW_FOUR})
_STACKS: Final[Mapping[Variant, Cited[Mapping[Symbol, frozenset[Symbol]]]]] = {
    "draw-two": Cited({DRAW_TWO: _TWO}, "V-STACK-TWO"),
    "wild-draw-four": Cited({WILD_DRAW_FOUR: _FOUR}, "V-STACK-FOUR"),
    "same": Cited({DRAW_TWO: _TWO, WILD_DRAW_FOUR: _FOUR}, "V-STACK-SAME"),
    "higher": Cited({DRAW_TWO: _TWO | _FOUR, WILD_DRAW_FOUR: _FOUR}, "V-STACK-HIGHER"),
    "any": Cited({DRAW_TWO: _TWO | _FOUR, WILD_DRAW_FOUR: _TWO | _FOUR}, "V-STACK-ANY"),
}


def _applied(edition: Edition, variant: Variant) -> Edition:
    return with_house(edition, stacks=_STACKS[variant])


STACKING: Final = HouseRule(
    name="stacking",
    label=Text("Stacking", "疊加罰牌"),
    booklet="none",
    choices={
        "draw-two": Choice(Text("+2 on +2", "+2 疊 +2"), ("V-STACK-TWO",)),
        "wild-draw-four": Choice(Text("+4 on +4", "+4 疊 +4"), ("V-STACK-FOUR",)),
        "same": Choice(Text("each on its own kind", "同種互疊"), ("V-STACK-SAME",)),
        "higher": Choice(
            Text("its own kind, and +4 on +2", "同種互疊，+4 可疊 +2"), ("V-STACK-HIGHER",)
        ),
        "any": Choice(Text("any on any", "任意互疊"), ("V-STACK-ANY",)),
    },
    clauses={
        "V-STACK-TWO": Text(
            "House rule: whoever is hit by a draw two that a player laid may lay another draw two "
            "on it before drawing. The next player then draws for both, or goes on.",
            "家規：被別人打出的抽二罰到的玩家，抽牌之前可以再疊一張抽二，由下一位合併抽牌或繼續疊。",
        ),
        "V-STACK-FOUR": Text(
            "House rule: whoever is hit by a wild draw four that a player laid may lay another "
            "one on it before drawing. The next player then draws for both, or challenges the last "
            "one.",
            "家規：被別人打出的萬用抽四罰到的玩家，抽牌之前可以再疊一張萬用抽四，由下一位合併抽牌，"
            "或質疑最後那一張。",
        ),
        "V-STACK-SAME": Text(
            "House rule: on a draw two that hits, its victim may lay a draw two, on a wild draw "
            "four a wild draw four. The next player owes the sum.",
            "家規：被抽二罰到可以疊抽二，被萬用抽四罰到可以疊萬用抽四，總數由下一位承擔。",
        ),
        "V-STACK-HIGHER": Text(
            "House rule: on a draw two that hits, its victim may lay a draw two or a wild draw "
            "four, on a wild draw four only another one. The next player owes the sum.",
            "家規：被抽二罰到可以疊抽二或萬用抽四，被萬用抽四罰到只能疊萬用抽四，總數由下一位承擔。",
        ),
        "V-STACK-ANY": Text(
            "House rule: on a draw two or a wild draw four that hits, its victim may lay either of "
            "them, whatever the colour. The next player owes the sum.",
            "家規：被抽二或萬用抽四罰到，兩種都可以疊，不論顏色，總數由下一位承擔。",
        ),
    },
    applied=_applied,
)
