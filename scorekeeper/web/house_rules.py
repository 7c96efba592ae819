"""House rules in words: those on offer for a new match, and those that a match is played by."""

from typing import Any

from msgspec import Struct

from scorekeeper.editions.house_rules.registry import HOUSE_RULES, REVISION
from scorekeeper.editions.registry import edition_ids, latest
from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.rules.edition import HouseRule, Variant
from scorekeeper.service.reading.tournaments import TournamentView
from scorekeeper.texts.explanations import joined
from scorekeeper.texts.language import Language, text_in


class OfferedChoice(Struct, frozen=True):
    """A variant to choose. `text`: the clauses that the variant brings into force, in words."""

    variant: str
    name: str
    text: str


class OfferedRule(Struct, frozen=True):
    """A house rule to choose. It has either `choices` or `numbers`.

    `numbers`: the lowest and the highest number that can be chosen. `text`: all clauses in words.
    """

    name: str
    label: str
    choices: list[OfferedChoice]
    numbers: tuple[int, int] | None
    text: str


class RuleInForce(Struct, frozen=True):
    """A house rule of a match. `clauses`: the words of its clauses, by id."""

    label: str
    variant: str
    clauses: dict[str, str]


def offered(language: Language) -> list[OfferedRule]:
    """Return all house rules that a match can be opened with."""
    return [
        OfferedRule(
            name=rule.name,
            label=text_in(rule.label, language),
            choices=[
                OfferedChoice(
                    variant=variant,
                    name=text_in(choice.name, language),
                    text=_texts(rule, choice.clauses, language),
                )
                for variant, choice in rule.choices.items()
            ],
            numbers=None if rule.numbers is None else (rule.numbers[0], rule.numbers[-1]),
            text=_texts(rule, tuple(rule.clauses), language),
        )
        for rule in HOUSE_RULES[REVISION]
    ]


def checked_with() -> dict[str, Any]:
    """Return what a page needs to warn of house rules that can't be played together.

    `excluding`: pairs of rules that exclude each other. `numbers`: by edition, the number in its
    booklet for each rule that is a number.
    """
    rules = HOUSE_RULES[REVISION]
    return {
        "excluding": [[rule.name, other] for rule in rules for other in sorted(rule.excludes)],
        "numbers": {
            edition.id: {rule.name: rule.by_booklet(edition) for rule in rules if rule.numbers}
            for edition in map(latest, edition_ids())
            if edition is not None
        },
    }


def house_rules_in_force(
    played: Scoreboard | TournamentView, language: Language
) -> list[RuleInForce]:
    """Return the house rules by which a match or a tournament departs from the booklet."""
    revision = played.house_rules_revision
    if revision is None:
        return []
    return [
        _in_force(rule, played.house_rules[rule.name], language)
        for rule in HOUSE_RULES[revision]
        if rule.name in played.house_rules
    ]


def _in_force(rule: HouseRule, variant: Variant, language: Language) -> RuleInForce:
    choice = rule.choices.get(str(variant))
    clauses = tuple(rule.clauses) if choice is None else choice.clauses
    return RuleInForce(
        label=text_in(rule.label, language),
        variant=str(variant) if choice is None else text_in(choice.name, language),
        clauses={clause: text_in(rule.clauses[clause], language) for clause in clauses},
    )


def _texts(rule: HouseRule, clauses: tuple[str, ...], language: Language) -> str:
    return joined([text_in(rule.clauses[clause], language) for clause in clauses], language)
