"""The house rule `uno_penalty`: how many cards a player draws who is caught without UNO."""

from typing import Final

from scorekeeper.rules.clauses import Cited, Text
from scorekeeper.rules.edition import Edition, HouseRule, Variant, with_house


def _by_booklet(edition: Edition) -> int:
    return edition.uno.value.draws


def _applied(edition: Edition, variant: Variant) -> Edition:
    return with_house(edition, caught_draws=Cited(int(variant), "V-UNO-PENALTY"))


UNO_PENALTY: Final = HouseRule(
    name="uno_penalty",
    label=Text("Penalty for a forgotten UNO", "忘喊 UNO 的罰抽"),
    booklet=_by_booklet,
    numbers=range(11),
    clauses={
        "V-UNO-PENALTY": Text(
            "House rule: whoever is caught without having called UNO draws as many cards as the "
            "table has agreed, instead of what the booklet says.",
            "家規：忘記喊 UNO 被抓到時，抽全桌約定的張數，不照說明書的張數。",
        ),
    },
    applied=_applied,
)
