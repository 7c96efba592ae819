"""The house rule `jump_in`: a card with the name of the top card may be laid out of turn."""

from typing import Final

from scorekeeper.rules.clauses import Cited, Text
from scorekeeper.rules.edition import Choice, Edition, HouseRule, Variant, with_house
from scorekeeper.rules.parameters import JumpIn


def _applied(edition: Edition, variant: Variant) -> Edition:
    return with_house(edition, jump_in=Cited(JumpIn(str(variant)), "V-JUMP-IN"))


JUMP_IN: Final = HouseRule(
    name="jump_in",
    label=Text("Jump-in", "搶出"),
    booklet="none",
    choices={
        "colored": Choice(Text("coloured cards", "有色牌"), ("V-JUMP-IN",)),
        "any": Choice(Text("wilds too", "萬用牌也可以"), ("V-JUMP-IN",)),
    },
    clauses={
        "V-JUMP-IN": Text(
            "House rule: whoever holds the very card that was just laid on top may lay it at once, "
            "out of turn, and play goes on from there. What the card below would still have done "
            "lapses.",
            "家規：手上有和剛打出的頂牌完全相同的牌，不必等輪到自己就可以立刻打出，並由該玩家接著往下"
            "進行。底下那張牌尚未發生的效果不再發生。",
        ),
    },
    applied=_applied,
)
