"""The house rule `at_once`: several identical cards may be laid in one play."""

from typing import Final

from scorekeeper.rules.cards import ACTIONS, NUMBERS, WILD, WILD_DRAW_FOUR
from scorekeeper.rules.clauses import Cited, Text
from scorekeeper.rules.edition import Choice, Edition, HouseRule, Variant, with_house

_ORDINARY: Final = Cited(frozenset({*NUMBERS, *ACTIONS, WILD, WILD_DRAW_FOUR}), "V-AT-ONCE")


def _applied(edition: Edition, _variant: Variant) -> Edition:
    return with_house(edition, at_once=_ORDINARY)


AT_ONCE: Final = HouseRule(
    name="at_once",
    label=Text("Several at once", "一次多張"),
    booklet="one",
    choices={"identical": Choice(Text("identical cards", "相同的牌"), ("V-AT-ONCE",))},
    clauses={
        "V-AT-ONCE": Text(
            "House rule: any number of identical cards may be laid in one play. Draws add up, each "
            "skip takes one more player, each reverse turns the direction. The special cards of a "
            "box are laid one at a time.",
            "家規：完全相同的牌可以一次打出多張。罰抽相加，每張跳過多跳一位，每張反轉各轉一次方向。"
            "各版本的特殊牌一次只能打一張。",
        ),
    },
    # By the printed wording of the jump-in, the cards of a pair are laid one at a time.
    excludes=frozenset({"jump_in"}),
    applied=_applied,
)
