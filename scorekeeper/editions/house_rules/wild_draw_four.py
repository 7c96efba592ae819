"""The house rule `wild_draw_four`: a wild-draw-four that the hand forbids can't be challenged.

It is a misplay, or it is allowed.
"""

from collections.abc import Mapping
from typing import Final

from scorekeeper.rules.clauses import Cited, Text
from scorekeeper.rules.edition import Choice, Edition, HouseRule, Variant, with_house
from scorekeeper.rules.parameters import Bluff

_BLUFFS: Final[Mapping[Variant, Cited[Bluff]]] = {
    "no-bluff": Cited(Bluff.MISPLAY, "V-NO-BLUFF"),
    "free": Cited(Bluff.LEGAL, "V-FREE-WILD4"),
}


def _applied(edition: Edition, variant: Variant) -> Edition:
    return with_house(edition, bluff=_BLUFFS[variant])


WILD_DRAW_FOUR_PLAYED: Final = HouseRule(
    name="wild_draw_four",
    label=Text("Wild draw four", "萬用抽四"),
    booklet="challenge",
    choices={
        "no-bluff": Choice(Text("only when it is allowed", "不能虛張聲勢"), ("V-NO-BLUFF",)),
        "free": Choice(Text("whenever you like", "隨時可出"), ("V-FREE-WILD4",)),
    },
    clauses={
        "V-NO-BLUFF": Text(
            "House rule: a wild draw four that the hand does not allow is a misplay like any "
            "other. Nobody challenges it.",
            "家規：手牌不允許時打出萬用抽四，就和其他出錯牌一樣處理，沒有質疑。",
        ),
        "V-FREE-WILD4": Text(
            "House rule: a wild draw four may be laid whatever else is in the hand. Nobody "
            "challenges it.",
            "家規：不論手上有什麼牌都可以打萬用抽四，沒有質疑。",
        ),
    },
    applied=_applied,
)
