"""The house rule `drawing`: an ordinary draw goes on until a card can be played."""

from typing import Final

from msgspec.structs import replace

from scorekeeper.rules.clauses import Cited, Text
from scorekeeper.rules.edition import Choice, Edition, HouseRule, Variant, with_house

_CLAUSE: Final = "V-DRAW-UNTIL"


def _applied(edition: Edition, _variant: Variant) -> Edition:
    drawn = Cited(edition.draws_without_match.value, _CLAUSE)
    return replace(with_house(edition, draws_until_playable=_CLAUSE), draws_without_match=drawn)


DRAWING: Final = HouseRule(
    name="drawing",
    label=Text("Drawing", "抽牌"),
    booklet="one",
    choices={
        "until-playable": Choice(Text("until a card can be played", "抽到能出為止"), (_CLAUSE,)),
    },
    clauses={
        _CLAUSE: Text(
            "House rule: whoever draws in the own turn draws on until a card can be played, and "
            "plays that one or keeps it. A wild draw four may end the drawing, but need not. "
            "Penalties are drawn as they are.",
            "家規：輪到自己抽牌時，要一直抽到抽出能打的牌為止，那張可以打出或留下。抽到萬用抽四可以"
            "停也可以繼續。罰抽的張數不受影響。",
        ),
    },
    applied=_applied,
)
