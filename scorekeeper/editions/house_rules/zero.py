"""The house rule `zero`: when a 0 is laid, every hand passes to the next player."""

from typing import Final

from msgspec.structs import replace

from scorekeeper.rules.clauses import Cited, Text
from scorekeeper.rules.edition import Choice, Edition, HouseRule, Variant
from scorekeeper.rules.parameters import Effect, HandsFrom

_PASSES: Final = Cited(Effect(hands_from=HandsFrom.PREVIOUS), "V-ZERO")


def _applied(edition: Edition, _variant: Variant) -> Edition:
    digit = edition.cards["number"]
    zero = replace(digit, played=_PASSES, played_two_players=_PASSES)
    return replace(edition, cards={**edition.cards, "0": zero})


ZERO: Final = HouseRule(
    name="zero",
    label=Text("Zero", "0 傳手牌"),
    booklet="number",
    choices={"pass": Choice(Text("all hands move on", "全部手牌往下傳"), ("V-ZERO",))},
    clauses={
        "V-ZERO": Text(
            "House rule: when somebody lays a 0 and has cards left, every hand goes to the next "
            "player in the direction of play.",
            "家規：有人打出 0 且還有手牌時，所有人把手牌依目前方向傳給下一位玩家。",
        ),
    },
    applied=_applied,
)
