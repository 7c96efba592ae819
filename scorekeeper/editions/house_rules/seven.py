"""The house rule `seven`: the player of a 7 exchanges hands with another player."""

from typing import Final

from msgspec.structs import replace

from scorekeeper.rules.clauses import Cited, Text
from scorekeeper.rules.edition import Choice, Edition, HouseRule, Variant
from scorekeeper.rules.parameters import Effect, HandsFrom

_SWAPS: Final = Cited(Effect(hands_from=HandsFrom.CHOSEN), "V-SEVEN")


def _applied(edition: Edition, _variant: Variant) -> Edition:
    digit = edition.cards["number"]
    seven = replace(digit, played=_SWAPS, played_two_players=_SWAPS)
    return replace(edition, cards={**edition.cards, "7": seven})


SEVEN: Final = HouseRule(
    name="seven",
    label=Text("Seven", "7 換手牌"),
    booklet="number",
    choices={
        "swap": Choice(Text("exchange hands with somebody", "和一位玩家交換手牌"), ("V-SEVEN",))
    },
    clauses={
        "V-SEVEN": Text(
            "House rule: whoever lays a 7 and has cards left exchanges the whole hand with another "
            "player of the own choice.",
            "家規：打出 7 且還有手牌的玩家，要選一位玩家交換全部手牌。",
        ),
    },
    applied=_applied,
)
