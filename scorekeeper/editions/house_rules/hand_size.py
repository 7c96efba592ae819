"""The house rule `hand_size`: how many cards each player is dealt."""

from typing import Final

from msgspec.structs import replace

from scorekeeper.rules.clauses import Cited, Text
from scorekeeper.rules.edition import Edition, HouseRule, Variant


def _by_booklet(edition: Edition) -> int:
    return edition.hand_size.value


def _applied(edition: Edition, variant: Variant) -> Edition:
    return replace(edition, hand_size=Cited(int(variant), "V-HAND-SIZE"))


HAND_SIZE: Final = HouseRule(
    name="hand_size",
    label=Text("Cards dealt", "每人發幾張"),
    booklet=_by_booklet,
    numbers=range(2, 21),
    clauses={
        "V-HAND-SIZE": Text(
            "House rule: everybody is dealt as many cards as the table has agreed, instead of what "
            "the booklet says.",
            "家規：每人發全桌約定的張數，不照說明書的張數。",
        ),
    },
    applied=_applied,
)
