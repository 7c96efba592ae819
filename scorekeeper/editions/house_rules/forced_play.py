"""The house rule `forced_play`: a card that can be played has to be played."""

from typing import Final

from msgspec.structs import replace

from scorekeeper.rules.clauses import Cited, Text
from scorekeeper.rules.edition import Choice, Edition, HouseRule, Variant, with_house
from scorekeeper.rules.parameters import Keep

_DRAWN: Final = "V-FORCE-DRAWN"
_HAND: Final = "V-FORCE-HAND"


def _applied(edition: Edition, variant: Variant) -> Edition:
    forced = with_house(edition, plays_drawn=_DRAWN)
    if variant == "hand" and edition.keep.value is Keep.ANYTHING:
        kept = with_house(forced, only_drawn=edition.keep.clause)
        return replace(kept, keep=Cited(Keep.ONLY_WILD_DRAW_FOUR, _HAND))
    # The booklets of basic and hello-kitty have the duty to play from the hand themselves.
    return forced


FORCED_PLAY: Final = HouseRule(
    name="forced_play",
    label=Text("Forced play", "強制出牌"),
    booklet="none",
    choices={
        "drawn": Choice(Text("a drawn card that fits", "抽到能出就要出"), (_DRAWN,)),
        "hand": Choice(Text("whatever fits", "有牌能出就要出"), (_HAND, _DRAWN)),
    },
    clauses={
        _HAND: Text(
            "House rule: nobody draws who holds a card that can be played. A wild draw four may be "
            "kept back.",
            "家規：手上有能打的牌就不能抽牌。萬用抽四可以留著不打。",
        ),
        _DRAWN: Text(
            "House rule: a drawn card that can be played has to be played at once. A wild draw "
            "four may be kept.",
            "家規：抽到能打的牌就要立刻打出。萬用抽四可以留著不打。",
        ),
    },
    applied=_applied,
)
